//! What an archived address is wanted as: the letters behind the time, as pywb writes them.

/// The letters behind the time in `/web/20260131235959im_/https://example.org/logo.png`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Modifier {
    /// None: a page for a reader, in a frame of ours where the reader has a browser.
    Whole,
    /// `mp_`: a page in that frame.
    Main,
    /// `bk_`: a page with its blocks drawn over it, by kind.
    Kinds,
    /// `ag_`: a page with its blocks drawn over it, by when they last changed.
    Ages,
    /// `ch_`: a page with what changed since the page before drawn over it.
    Changes,
    /// `id_`: the bytes as they came.
    Raw,
    /// `if_`, `fr_`: a frame of a page.
    Frame,
    /// `im_`: a picture.
    Image,
    /// `cs_`: a style sheet.
    Style,
    /// `js_`: a script.
    Script,
    /// `oe_` and all others: something else that a page holds.
    Other,
}

impl Modifier {
    /// Reads the letters; `None` where they are none.
    pub(crate) fn read(letters: &str) -> Option<Modifier> {
        Some(match letters {
            "" => Modifier::Whole,
            "mp_" => Modifier::Main,
            "bk_" => Modifier::Kinds,
            "ag_" => Modifier::Ages,
            "ch_" => Modifier::Changes,
            "id_" => Modifier::Raw,
            "if_" | "fr_" => Modifier::Frame,
            "im_" => Modifier::Image,
            "cs_" => Modifier::Style,
            "js_" => Modifier::Script,
            _ => {
                let name = letters.strip_suffix('_')?;
                let is_name = (2..=3).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_lowercase());
                return is_name.then_some(Modifier::Other);
            }
        })
    }

    /// The letters.
    pub(crate) fn letters(self) -> &'static str {
        match self {
            Modifier::Whole => "",
            Modifier::Main => "mp_",
            Modifier::Kinds => "bk_",
            Modifier::Ages => "ag_",
            Modifier::Changes => "ch_",
            Modifier::Raw => "id_",
            Modifier::Frame => "if_",
            Modifier::Image => "im_",
            Modifier::Style => "cs_",
            Modifier::Script => "js_",
            Modifier::Other => "oe_",
        }
    }

    /// Whether something is drawn over a page.
    pub(crate) fn is_overlay(self) -> bool {
        matches!(self, Modifier::Kinds | Modifier::Ages | Modifier::Changes)
    }

    /// Whether it is something that a reader looks at by itself.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, Modifier::Whole | Modifier::Main | Modifier::Frame) || self.is_overlay()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_and_written() {
        for letters in ["", "mp_", "bk_", "ag_", "ch_", "id_", "if_", "im_", "cs_", "js_", "oe_"] {
            assert_eq!(Modifier::read(letters).map(Modifier::letters), Some(letters));
        }
        assert_eq!(Modifier::read("wkr_"), Some(Modifier::Other));
        for nonsense in ["_", "x_", "im", "IM_", "imag_", "../"] {
            assert_eq!(Modifier::read(nonsense), None, "{nonsense}");
        }
    }
}
