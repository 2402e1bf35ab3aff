//! The doctype and the quirks mode that it asks for.

use super::Builder;
use super::insert::Position;
use crate::Quirks;
use crate::tokenizer::DoctypeToken;
use crate::tree::{DoctypeData, NodeData, Text};

impl Builder<'_, '_> {
    pub(super) fn insert_doctype(&mut self) {
        let token = self.tokenizer.doctype;
        self.tree.quirks = self.quirks(&token);
        self.tree.doctype = Some(DoctypeData {
            name: token.name.unwrap_or(Text::EMPTY),
            public_id: token.public_id,
            system_id: token.system_id,
        });
        self.insert(NodeData::doctype(self.span), Position::last_in(0));
    }

    fn quirks(&self, token: &DoctypeToken) -> Quirks {
        let lower = |text: Option<Text>| text.map(|text| self.string(text).to_ascii_lowercase());
        let public_id = lower(token.public_id).unwrap_or_default();
        let system_id = lower(token.system_id);
        let is_html = token.name.is_some_and(|name| self.string(name) == "html");
        let starts_with = |prefixes: &[&str]| prefixes.iter().any(|prefix| public_id.starts_with(prefix));
        if token.force_quirks
            || !is_html
            || QUIRKY_PUBLIC_IDS.contains(&public_id.as_str())
            || starts_with(QUIRKY_PUBLIC_PREFIXES)
            || system_id.as_deref() == Some("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
            || (system_id.is_none() && starts_with(HTML_4_PREFIXES))
        {
            return Quirks::Full;
        }
        if starts_with(LIMITED_PREFIXES) || (system_id.is_some() && starts_with(HTML_4_PREFIXES)) {
            return Quirks::Limited;
        }
        Quirks::No
    }
}

const QUIRKY_PUBLIC_IDS: &[&str] =
    &["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

/// Quirks without, limited quirks with a system identifier.
const HTML_4_PREFIXES: &[&str] = &["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

const LIMITED_PREFIXES: &[&str] = &["-//w3c//dtd xhtml 1.0 frameset//", "-//w3c//dtd xhtml 1.0 transitional//"];

const QUIRKY_PUBLIC_PREFIXES: &[&str] = &[
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];
