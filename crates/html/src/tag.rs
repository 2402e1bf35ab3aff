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
            pub fn name(self) -> &'static str {
                match self {
                    $(Tag::$variant => $name,)*
                    Tag::Foreign | Tag::Unknown => "",
                }
            }

            /// The tag of this lower-case name.
            pub fn from_name(name: &str) -> Tag {
                match name {
                    $($name => Tag::$variant,)*
                    _ => Tag::Unknown,
                }
            }
        }
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
