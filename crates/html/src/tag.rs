//! The names of elements that HTML knows, as small values that can be matched on.

macro_rules! tags {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The name of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        #[allow(missing_docs, reason = "each variant is the element of that name")]
        pub enum Tag {
            $($variant,)*
            /// An element of SVG or MathML.
            Foreign,
            /// A name that HTML does not know, or no element at all.
            Unknown,
        }

        impl Tag {
            /// The name as written, lower case; empty for `Foreign` and `Unknown`.
            pub const fn name(self) -> &'static str {
                NAMES[self as usize]
            }

        }

        const KNOWN: &[Tag] = &[$(Tag::$variant),*];
        const NAMES: [&str; Tag::COUNT] = [$($name,)* "", ""];
    };
}

tags! {
    A "a", Abbr "abbr", Acronym "acronym", Address "address", Applet "applet", Area "area", Article "article",
    Aside "aside", Audio "audio", B "b", Base "base", Basefont "basefont", Bdi "bdi", Bdo "bdo",
    Bgsound "bgsound", Big "big", Blink "blink", Blockquote "blockquote", Body "body", Br "br", Button "button",
    Canvas "canvas", Caption "caption", Center "center", Cite "cite", Code "code", Col "col",
    Colgroup "colgroup", Data "data", Datalist "datalist", Dd "dd", Del "del", Details "details", Dfn "dfn",
    Dialog "dialog", Dir "dir", Div "div", Dl "dl", Dt "dt", Em "em", Embed "embed", Fieldset "fieldset",
    Figcaption "figcaption", Figure "figure", Font "font", Footer "footer", Form "form", Frame "frame",
    Frameset "frameset", H1 "h1", H2 "h2", H3 "h3", H4 "h4", H5 "h5", H6 "h6", Head "head", Header "header",
    Hgroup "hgroup", Hr "hr", Html "html", I "i", Iframe "iframe", Image "image", Img "img", Input "input",
    Ins "ins", Kbd "kbd", Keygen "keygen", Label "label", Legend "legend", Li "li", Link "link",
    Listing "listing", Main "main", Map "map", Mark "mark", Marquee "marquee", Math "math", Menu "menu",
    Meta "meta", Meter "meter", Nav "nav", Nobr "nobr", Noembed "noembed", Noframes "noframes",
    Noscript "noscript", Object "object", Ol "ol", Optgroup "optgroup", Option "option", Output "output", P "p",
    Param "param", Picture "picture", Plaintext "plaintext", Pre "pre", Progress "progress", Q "q", Rb "rb",
    Rp "rp", Rt "rt", Rtc "rtc", Ruby "ruby", S "s", Samp "samp", Script "script", Search "search",
    Section "section", Select "select", Slot "slot", Small "small", Source "source", Span "span",
    Strike "strike", Strong "strong", Style "style", Sub "sub", Summary "summary", Sup "sup", Svg "svg",
    Table "table", Tbody "tbody", Td "td", Template "template", Textarea "textarea", Tfoot "tfoot", Th "th",
    Thead "thead", Time "time", Title "title", Tr "tr", Track "track", Tt "tt", U "u", Ul "ul", Var "var",
    Video "video", Wbr "wbr", Xmp "xmp",
}

impl Tag {
    /// How many values there are.
    pub(crate) const COUNT: usize = Tag::Unknown as usize + 1;

    /// The tag of this lower-case name.
    pub fn from_name(name: &str) -> Tag {
        match Tag::from_bytes(name.as_bytes()) {
            tag if tag.name() == name => tag,
            _ => Tag::Unknown,
        }
    }

    /// The tag of this name, whatever its case.
    #[inline]
    pub(crate) fn from_bytes(name: &[u8]) -> Tag {
        if name.len() > NAME_LENGTH_MAX {
            return Tag::Unknown;
        }
        let mut word = 0;
        for (position, &byte) in name.iter().take(8).enumerate() {
            word |= u64::from(byte | 0x20) << (8 * position);
        }
        let tag = SLOTS[slot(word)];
        if tag.name().as_bytes().eq_ignore_ascii_case(name) { tag } else { Tag::Unknown }
    }

    /// Whether the element can have no content, so that it needs no end tag.
    pub fn is_void(self) -> bool {
        matches!(
            self,
            Tag::Area
                | Tag::Base
                | Tag::Basefont
                | Tag::Bgsound
                | Tag::Br
                | Tag::Col
                | Tag::Embed
                | Tag::Frame
                | Tag::Hr
                | Tag::Img
                | Tag::Input
                | Tag::Keygen
                | Tag::Link
                | Tag::Meta
                | Tag::Param
                | Tag::Source
                | Tag::Track
                | Tag::Wbr
        )
    }
}

/// The longest known names are `blockquote` and `figcaption`.
const NAME_LENGTH_MAX: usize = 10;

/// Every known tag, at the slot that its name hashes to; no two share one.
static SLOTS: [Tag; 1024] = {
    let mut slots = [Tag::Unknown; 1024];
    let mut index = 0;
    while index < KNOWN.len() {
        let tag = KNOWN[index];
        let slot = slot(first_word(tag.name()));
        assert!(matches!(slots[slot], Tag::Unknown), "two names share a slot: choose another multiplier");
        slots[slot] = tag;
        index += 1;
    }
    slots
};

/// The first eight bytes of a name as a number. No two known names share them.
const fn first_word(name: &str) -> u64 {
    let name = name.as_bytes();
    let mut word = 0;
    let mut position = 0;
    while position < name.len() && position < 8 {
        word |= (name[position] as u64) << (8 * position);
        position += 1;
    }
    word
}

const fn slot(word: u64) -> usize {
    // Found by trying: the first random odd multiplier that gives each known name a slot of its own.
    (word.wrapping_mul(0xdb5e_8c9c_3bc2_c64b) >> 54) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_is_found_in_any_case() {
        for &tag in KNOWN {
            assert_eq!(Tag::from_name(tag.name()), tag);
            assert_eq!(Tag::from_bytes(tag.name().to_ascii_uppercase().as_bytes()), tag);
        }
    }

    #[test]
    fn other_names_are_unknown() {
        for name in ["", "x", "blockquot", "blockquotes", "h7", "DIV", "selectedcontent", "\u{1}1"] {
            assert_eq!(Tag::from_name(name), Tag::Unknown, "{name}");
        }
    }
}
