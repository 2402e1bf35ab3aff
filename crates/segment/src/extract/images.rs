//! The images of the kept parts of a page, with their captions.

use kuai_page::Gap;

use super::part::Part;
use super::walk::Sink;

/// An image of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Where it is.
    pub source: String,
    /// What it shows, in the page's words.
    pub alt: String,
    /// The caption of the figure that it stands in.
    pub caption: String,
}

/// Gathers images.
#[derive(Default)]
pub(super) struct Images {
    found: Vec<Image>,
    /// The first image of the open figure.
    figure_start: usize,
    in_caption: bool,
    caption: String,
}

impl Images {
    pub(super) fn finish(self) -> Vec<Image> {
        self.found
    }
}

impl Sink for Images {
    fn open(&mut self, part: &Part<'_>) {
        match part {
            Part::Figure => self.figure_start = self.found.len(),
            Part::Caption => self.in_caption = true,
            _ => {}
        }
    }

    fn close(&mut self, part: &Part<'_>) {
        match part {
            Part::Caption => self.in_caption = false,
            Part::Figure => {
                let caption = std::mem::take(&mut self.caption);
                for image in self.found.iter_mut().skip(self.figure_start) {
                    image.caption.clone_from(&caption);
                }
                self.figure_start = self.found.len();
            }
            _ => {}
        }
    }

    fn gap(&mut self, gap: Gap, _: bool) {
        if gap > Gap::None && !self.caption.is_empty() && self.in_caption {
            self.caption.push(' ');
        }
    }

    fn text(&mut self, text: &str) {
        if self.in_caption {
            self.caption.push_str(text);
        }
    }

    fn formula(&mut self, tex: &str, _: bool) {
        self.text(tex);
    }

    fn reference(&mut self, _: &str, _: &str) {}

    fn end_paragraph(&mut self) {}

    fn rule(&mut self) {}

    fn image(&mut self, source: &str, alt: &str) {
        self.found.push(Image { source: source.to_owned(), alt: alt.to_owned(), caption: String::new() });
    }
}
