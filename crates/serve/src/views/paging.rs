//! Which part of a long list is shown.

use serde::Serialize;
use utoipa::ToSchema;

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Paging {
    /// Which page this is, from 1.
    pub(crate) page: usize,
    /// How many there are; 1 for an empty list.
    pub(crate) pages: usize,
    /// How many things there are on all pages.
    pub(crate) total: usize,
    /// How many of them a page holds.
    pub(crate) per_page: usize,
}

impl Paging {
    /// The page that is asked for, or the last where there are fewer.
    pub(crate) fn new(asked: Option<usize>, total: usize, per_page: usize) -> Paging {
        let pages = total.div_ceil(per_page).max(1);
        Paging { page: asked.unwrap_or(1).clamp(1, pages), pages, total, per_page }
    }

    /// How many things stand before this page.
    pub(crate) fn offset(&self) -> usize {
        (self.page - 1) * self.per_page
    }

    /// What is on this page.
    pub(crate) fn of<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        let start = self.offset().min(all.len());
        &all[start..(start + self.per_page).min(all.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_beyond_the_list_is_its_last() {
        let all: Vec<usize> = (0..25).collect();
        assert_eq!(Paging::new(Some(9), 25, 10).of(&all), [20, 21, 22, 23, 24]);
        assert_eq!(Paging::new(Some(0), 25, 10).of(&all).len(), 10);
        assert_eq!(Paging::new(None, 0, 10).of(&[0; 0]), [0; 0]);
    }
}
