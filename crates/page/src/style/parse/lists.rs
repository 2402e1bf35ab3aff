//! Lists that computed styles refer to by index: font families and grids.

use super::grid::Track;

/// Lists that computed styles refer to by index: font families and grids.
#[derive(Clone, Debug, Default)]
pub(in crate::style) struct Lists {
    pub(in crate::style) families: Vec<String>,
    pub(in crate::style) grids: Vec<Vec<Track>>,
}

impl Lists {
    pub(super) fn family(&mut self, name: &str) -> u16 {
        let known = self.families.iter().position(|family| family.eq_ignore_ascii_case(name));
        let index = known.unwrap_or_else(|| {
            if self.families.len() < LIST_LENGTH_MAX {
                self.families.push(name.to_owned());
            }
            self.families.len() - 1
        });
        (index + 1) as u16
    }

    pub(super) fn grid(&mut self, tracks: Vec<Track>) -> u16 {
        let known = self.grids.iter().position(|grid| *grid == tracks);
        let index = known.unwrap_or_else(|| {
            if self.grids.len() < LIST_LENGTH_MAX {
                self.grids.push(tracks);
            }
            self.grids.len() - 1
        });
        (index + 1) as u16
    }
}

/// Distinct families or grids that are kept; the lists are searched from the start, so they stay short.
const LIST_LENGTH_MAX: usize = 256;
