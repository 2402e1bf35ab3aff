//! Walks the wanted parts of a page once and tells a sink what a reader sees: headings, lists, tables, text.
//!
//! What is text, and what stands between two stretches of it, is the page's flow, so all sinks tell the same words.
//! Parts are told only when something wanted follows inside them, so a sink sees no empty ones; they are always
//! nested, and inline parts hold neither blocks nor the end of a paragraph: they are closed before and opened again.
//! Only cells may be empty, where others of their row stand behind them.

use kuai_page::{Dom, Edge, Gap, NodeId, NodeKind, Page, Run, Tag, collapsed, push_collapsed};

use super::address::Addresses;
use super::among::stands_in_kept_text;
use super::code_lines::CodeLines;
use super::edit_link::is_edit_link;
use super::maths::{self, Maths, Role};
use super::notes::Notes;
use super::part::{self, Part};
use super::raw_tex::{Piece, Reach};
use super::table::{self, TableUse};
use super::unseen::seen;
use super::wanted::{Kept, Wanted};
use super::{code, image, line_number};

/// Writes what the walk tells it.
pub(super) trait Sink {
    fn open(&mut self, part: &Part<'_>);
    fn close(&mut self, part: &Part<'_>);
    /// What stands before the next text; `is_break` where it is a line break inside a paragraph. A cell's border is told
    /// for tables of layout too.
    fn gap(&mut self, gap: Gap, is_break: bool);
    /// White space is collapsed already, except inside `Pre`.
    fn text(&mut self, text: &str);
    fn formula(&mut self, tex: &str, display: bool);
    /// A formula in the middle of a text, as the text shows it and without the signs around it.
    fn raw_formula(&mut self, shown: &str, _tex: &str, _display: bool) {
        self.text(shown);
    }
    fn reference(&mut self, name: &str, shown: &str);
    /// Ends a paragraph before something that is no text.
    fn end_paragraph(&mut self);
    fn rule(&mut self);
    /// Whether it tells the numbers of items by itself.
    fn numbers_items(&self) -> bool {
        false
    }
    fn image(&mut self, source: &str, alt: &str);
}

/// Nodes looked at before a heading is taken for one without words.
const HEADING_LOOK_MAX: usize = 64;

/// Digits of the number of an item.
const ITEM_DIGITS_MAX: usize = 4;

/// Tells `sink` the wanted text of a page, with what encloses it.
pub(super) fn walk(page: &Page, kept: &Kept, wanted: &Wanted, sink: &mut impl Sink) {
    let dom = page.dom();
    let mut walker = Walker {
        page,
        dom,
        kept,
        wanted,
        runs: page.flow().runs(),
        next_run: 0,
        gap: Gap::None,
        is_first: true,
        crossed_block: false,
        crossed_break: false,
        open: Vec::new(),
        pending: Vec::new(),
        tables: Vec::new(),
        empty_cells: Vec::new(),
        code: CodeLines::default(),
        maths: Maths::of(&page.source()[kept.span.range()]),
        raw_tex: Reach::of(page.source(), kept.span),
        after_formula: false,
        has_left_space: false,
        after_reference: false,
        after_blank: false,
        rule_waits: false,
        notes: Notes::of(page),
        addresses: None,
        last_image: String::new(),
        after_space: false,
        sink,
    };
    let mut steps = dom.walk(dom.root());
    while let Some(edge) = steps.next() {
        match edge {
            Edge::Enter(node) => match dom.kind(node) {
                NodeKind::Text => walker.text_node(node),
                NodeKind::Element if !walker.enter(node) => steps.skip_children(node),
                _ => {}
            },
            Edge::Leave(node) => walker.leave(node),
        }
    }
}

struct Walker<'a, 's, S> {
    page: &'a Page,
    dom: Dom<'a>,
    kept: &'a Kept,
    wanted: &'a Wanted,
    /// The text of the page in document order, which is the order of the walk.
    runs: &'a [Run],
    next_run: usize,
    /// What stands between the last text told and the place of the walk.
    gap: Gap,
    is_first: bool,
    /// Whether a block's border was crossed since the last text.
    crossed_block: bool,
    /// Whether a line break was.
    crossed_break: bool,
    open: Vec<(NodeId, Part<'a>)>,
    pending: Vec<(NodeId, Part<'a>)>,
    /// The tables around, and what each is for.
    tables: Vec<(NodeId, TableUse)>,
    /// Cells of the open row that nothing was told in, to be told with the next that has something.
    empty_cells: Vec<Part<'a>>,
    code: CodeLines,
    maths: Maths,
    /// Where text may hold formulas.
    raw_tex: Reach,
    /// Whether the last thing told is a formula, and the flow knows of a space that may stand before or in it.
    after_formula: bool,
    /// Whether white space stands behind the last formula.
    has_left_space: bool,
    /// Whether it is a reference to a footnote.
    after_reference: bool,
    /// Whether a blank line stands before the place of the walk.
    after_blank: bool,
    /// Whether a rule does.
    rule_waits: bool,
    notes: Notes<'a>,
    addresses: Option<Addresses>,
    last_image: String,
    /// Whether white space stands before the place of the walk.
    after_space: bool,
    sink: &'s mut S,
}

impl<'a, S: Sink> Walker<'a, '_, S> {
    /// Whether to go on with what is inside.
    fn enter(&mut self, node: NodeId) -> bool {
        let tag = self.dom.tag(node);
        self.cross(tag);
        self.code.note_begin(self.dom, node);
        if self.maths.any && self.formula(node) {
            return false;
        }
        match tag {
            Tag::Br => return true,
            Tag::Img => self.image(node),
            Tag::Hr => self.rule(node),
            Tag::Span if self.is_cell_by_role(node) => self.gap = self.gap.max(Gap::Space),
            _ => {}
        }
        let has_text = self.kept.any(self.next_run..self.next_run + self.page.flow().runs_of(node).len());
        let is_cell = matches!(tag, Tag::Td | Tag::Th) && self.in_data_table();
        // Code without text may still hold line breaks.
        if !has_text && !is_cell && !self.code.is_code() && !self.may_show_more(node, tag) {
            self.pass(node);
            return false;
        }
        if self.is_dropped(node, tag) {
            self.pass(node);
            return false;
        }
        if tag == Tag::A {
            if self.reference(node) {
                return false;
            }
            // Right behind a reference, a link would be taken for a part of it.
            let would_join = self.after_reference && has_text;
            self.gap = self.gap.max(if would_join { Gap::Space } else { Gap::None });
        }
        let part = self.part_of(node, tag);
        self.pending.extend(part.map(|part| (node, part)));
        true
    }

    fn leave(&mut self, node: NodeId) {
        if !self.dom.is_element(node) {
            return;
        }
        let tag = self.dom.tag(node);
        if tag != Tag::Br {
            self.cross(tag);
            self.code.note_end(self.dom, node);
        }
        self.tables.pop_if(|(table, _)| *table == node);
        self.code.owner.take_if(|owner| *owner == node);
        if let Some((_, part)) = self.pending.pop_if(|(owner, _)| *owner == node) {
            self.empty_cells.extend(Some(part).filter(|part| matches!(part, Part::Cell { .. })));
            return;
        }
        // Only the innermost block, or an inline part in it, can be what is left.
        let first = self.open.iter().rposition(|(_, part)| !part.is_inline()).unwrap_or(0);
        if let Some(place) = self.open[first..].iter().rposition(|(owner, _)| *owner == node) {
            self.suspend_from(first + place + 1);
            let is_border = place == 0 && !self.open[first].1.is_inline();
            self.gap = self.gap.max(if is_border { Gap::Space } else { Gap::None });
            self.rule_waits &= !is_border;
            self.close_last();
        } else if part::inline_part(tag).is_some() || tag == Tag::A {
            // It was suspended, and nothing came after.
            self.pending.retain(|(owner, _)| *owner != node);
        }
    }

    /// Notes that the walk crosses the border of such an element.
    fn cross(&mut self, tag: Tag) {
        self.crossed_break |= tag == Tag::Br;
        self.crossed_block |= part::is_block(tag);
        self.code.cross(tag);
    }

    /// Whether an element without wanted text may hold images or formulas that are.
    fn may_show_more(&self, node: NodeId, tag: Tag) -> bool {
        use Tag::*;
        let shows_none =
            matches!(tag, Script | Style | Template | Iframe | Video | Audio | Object | Select | Svg | Head);
        let is_kept = || self.kept.at(self.dom.span(node)) || (self.wanted.images && self.stands_in_kept_text(node));
        (self.wanted.images || self.maths.any) && !shows_none && is_kept()
    }

    fn stands_in_kept_text(&self, node: NodeId) -> bool {
        stands_in_kept_text(self.page, self.kept, node)
    }

    /// What an element means here.
    fn part_of(&mut self, node: NodeId, tag: Tag) -> Option<Part<'a>> {
        if self.code.is_code() {
            return None;
        }
        if let Some(name) = self.notes.name_of(node) {
            return Some(Part::Note(name.clone()));
        }
        if tag == Tag::Tr {
            self.empty_cells.clear();
        }
        let part = match tag {
            Tag::Table => self.enter_table(node),
            Tag::A => self.link(node),
            Tag::Tr | Tag::Td | Tag::Th | Tag::Caption if self.in_data_table() => part::table_part(self.dom, node),
            _ => part::inline_part(tag).or_else(|| part::block_part(self.dom, node)),
        }?;
        if matches!(part, Part::Pre { .. }) {
            self.code = CodeLines::of(node);
        }
        let is_inside_like = || {
            let open = self.open.iter().rev().take_while(|(_, around)| around.is_inline());
            open.chain(&self.pending).any(|(_, around)| around.is_like(&part))
        };
        if part.is_inline() && is_inside_like() { None } else { Some(part) }
    }

    fn enter_table(&mut self, node: NodeId) -> Option<Part<'a>> {
        let table_use = table::use_of(self.dom, node);
        self.tables.push((node, table_use));
        match table_use {
            TableUse::Data => Some(Part::Table),
            TableUse::Program => Some(Part::Pre { language: code::language(self.dom, node) }),
            TableUse::Layout => None,
        }
    }

    /// Whether an element is shown as a cell of a table that is none.
    fn is_cell_by_role(&self, node: NodeId) -> bool {
        let role = self.dom.attribute(node, "role");
        role.is_some_and(|role| matches!(role.trim(), "cell" | "gridcell" | "columnheader" | "rowheader"))
            && !self.code.is_code()
    }

    fn in_data_table(&self) -> bool {
        self.tables.last().is_some_and(|(_, table_use)| *table_use == TableUse::Data)
    }

    fn link(&mut self, node: NodeId) -> Option<Part<'a>> {
        if !self.wanted.links {
            return None;
        }
        let href = self.dom.attribute(node, "href").filter(|_| self.shows_something(node))?;
        let to_note = self.notes.address(self.dom, href);
        to_note.or_else(|| self.addresses().of_link(href)).map(Part::Link)
    }

    /// Whether there is more in a link than spaces.
    fn shows_something(&self, link: NodeId) -> bool {
        let runs = self.page.flow().runs_of(link);
        runs.iter().any(|run| !self.dom.text(run.node).trim().is_empty())
            || self.dom.descendants(link).any(|node| self.dom.tag(node) == Tag::Img)
    }

    fn addresses(&mut self) -> &Addresses {
        let page = self.page;
        self.addresses.get_or_insert_with(|| Addresses::of(page))
    }

    /// Whether an element is no text of the page, though it shows some: line numbers of code, signs beside headings
    /// that link to them or where one edits what they head, readings above words, labels of footnotes and ways back from them, and tables that are not
    /// wanted.
    fn is_dropped(&self, node: NodeId, tag: Tag) -> bool {
        match tag {
            // Decision: words are told without their readings, so that they can be found and no reading is taken for a word.
            Tag::Rt | Tag::Rp | Tag::Rtc => true,
            Tag::Table => !self.wanted.tables && table::use_of(self.dom, node) == TableUse::Data,
            Tag::Td | Tag::Th if self.in_data_table() => false,
            Tag::Td | Tag::Th => {
                line_number::is_line_number(self.dom, node) || self.notes.is_label_beside(self.page, node)
            }
            _ if self.code.is_code() => self.is_no_code(node, tag),
            Tag::Span | Tag::Div if self.sink.numbers_items() && self.is_number_of_item(node) => true,
            Tag::Div => line_number::is_number_of_editor(self.dom, node),
            Tag::Span => is_edit_link(self.dom, node) || (!self.notes.is_empty() && self.is_label_of_note(node)),
            Tag::Dt => self.notes.is_label_beside(self.page, node),
            Tag::A if is_edit_link(self.dom, node) => true,
            Tag::A => {
                let within = self.dom.attribute(node, "href").and_then(|href| self.notes.fragment(href));
                within.is_some_and(|name| self.is_sign_of_heading(node, name) || self.is_way_back(node))
            }
            _ => false,
        }
    }

    /// Whether an element in a block of code is none of it: a line number, or what copies or runs the code.
    fn is_no_code(&self, node: NodeId, tag: Tag) -> bool {
        let is_number = || line_number::is_line_number(self.dom, node) || line_number::is_number_of_row(self.dom, node);
        match tag {
            Tag::Button => true,
            Tag::Span | Tag::Div | Tag::Pre => is_number(),
            _ => false,
        }
    }

    /// Whether an element at the beginning of a numbered item tells nothing but its number.
    fn is_number_of_item(&self, node: NodeId) -> bool {
        let dom = self.dom;
        let is_in = |node: NodeId, tag: Tag| dom.parent(node).filter(|&parent| dom.tag(parent) == tag);
        let is_in_item = || is_in(node, Tag::Li).is_some_and(|item| is_in(item, Tag::Ol).is_some());
        let is_blank = |before: NodeId| dom.is_text(before) && dom.text(before).trim().is_empty();
        let is_first = || {
            let before = dom.previous_sibling(node);
            before.is_none_or(|before| is_blank(before) && dom.previous_sibling(before).is_none())
        };
        let number = || self.only_text_of(node).and_then(|text| text.strip_suffix(['.', ')']));
        let is_number = |text: &str| text.len() <= ITEM_DIGITS_MAX && text.bytes().all(|byte| byte.is_ascii_digit());
        is_in_item() && is_first() && number().is_some_and(is_number)
    }

    /// Whether a link is the sign (`¶`, `#`, `#name`) that a heading can be linked to by, beside the heading's words.
    fn is_sign_of_heading(&self, link: NodeId, name: &str) -> bool {
        let mut around = self.open.iter().chain(&self.pending);
        let heading = around.find(|(_, part)| matches!(part, Part::Heading(_) | Part::Term)).map(|(owner, _)| *owner);
        heading.is_some_and(|heading| {
            if self.has_words(link) {
                self.is_name_of_heading(link, name, heading)
            } else {
                self.is_marked_as_sign(link) && self.has_words(heading)
            }
        })
    }

    fn is_marked_as_sign(&self, link: NodeId) -> bool {
        let is_sign = |shown: &str| matches!(shown, "#" | "§" | "🔗");
        self.dom.attribute(link, "class").is_some()
            || self.only_text_of(link).is_some_and(is_sign)
            || self.dom.descendants(link).any(|node| self.dom.text(node).contains('¶'))
    }

    /// Whether a link says where it leads, with more of the heading around it.
    fn is_name_of_heading(&self, link: NodeId, name: &str, heading: NodeId) -> bool {
        let shown = self.only_text_of(link).and_then(|shown| shown.strip_prefix('#'));
        shown == Some(name) && self.page.flow().runs_of(heading).len() > 1
    }

    /// The text of an element that holds one stretch of it.
    fn only_text_of(&self, node: NodeId) -> Option<&'a str> {
        match self.page.flow().runs_of(node) {
            [run] => Some(self.dom.text(run.node).trim()),
            _ => None,
        }
    }

    fn has_words(&self, node: NodeId) -> bool {
        let text = self.dom.descendants(node).take(HEADING_LOOK_MAX).filter(|&node| self.dom.is_text(node));
        text.flat_map(|node| self.dom.text(node).chars()).any(char::is_alphanumeric)
    }

    fn is_way_back(&self, link: NodeId) -> bool {
        self.note_around().is_some_and(|(note, name)| self.notes.is_way_back(self.page, link, note, name))
    }

    /// Whether an element holds the number of the note around it, or its ways back.
    fn is_label_of_note(&self, node: NodeId) -> bool {
        let classes = self.dom.attribute(node, "class");
        classes.is_some_and(|classes| classes.contains("mw-cite-backlink"))
            || self.note_around().is_some_and(|(_, name)| self.notes.is_label(self.page, node, name))
    }

    /// The innermost note around the place of the walk, with its name.
    fn note_around(&self) -> Option<(NodeId, &str)> {
        if self.notes.is_empty() {
            return None;
        }
        let mut around = self.open.iter().chain(&self.pending);
        around.find_map(|(owner, part)| if let Part::Note(name) = part { Some((*owner, name.as_str())) } else { None })
    }

    /// Passes the text of an element without telling it.
    fn pass(&mut self, node: NodeId) {
        let count = self.page.flow().runs_of(node).len();
        for run in &self.runs[self.next_run..self.next_run + count] {
            self.gap = self.gap.max(self.gap_before(run));
        }
        self.next_run += count;
        self.after_space = false;
    }

    /// What stands before a run; what is not shown parts nothing, unless it is wanted too.
    fn gap_before(&self, run: &Run) -> Gap {
        match (self.wanted.hidden, run.hidden) {
            (true, _) => run.gap,
            (false, true) => Gap::None,
            (false, false) => run.shown_gap,
        }
    }

    fn text_node(&mut self, node: NodeId) {
        self.after_space = self.dom.text(node).ends_with(|last: char| last.is_ascii_whitespace());
        self.has_left_space |= self.dom.text(node).starts_with(|first: char| first.is_ascii_whitespace());
        let place = self.next_run;
        let Some(run) = self.runs.get(place).filter(|run| run.node == node) else { return };
        self.next_run += 1;
        let gap = self.gap_before(run);
        self.gap = self.gap.max(if self.after_blank && gap >= Gap::Line { Gap::Paragraph } else { gap });
        if !self.kept.any(place..place + 1) {
            return;
        }
        let text = self.dom.text(node);
        if self.code.is_code() {
            self.code_text(text);
            return;
        }
        let text = &*seen(text);
        if (self.is_first || self.gap >= Gap::Line) && text.trim().is_empty() {
            // Spaces that begin a line are an indent or, if no more follows, a blank line.
            self.after_blank = true;
            return;
        }
        if std::mem::take(&mut self.after_formula) && !self.has_left_space && self.gap == Gap::Space {
            self.gap = Gap::None;
        }
        self.before_text();
        if run.preformatted || run.keeps_breaks {
            self.lines(text);
        } else if self.raw_tex == Reach::Nowhere || self.in_inline_code() {
            self.collapsed(text);
        } else {
            self.with_formulas(node, text);
        }
    }

    fn in_inline_code(&self) -> bool {
        let mut around = self.open.iter().rev().take_while(|(_, part)| part.is_inline());
        around.any(|(_, part)| *part == Part::Code)
    }

    /// Tells what stands before a text, and opens what encloses it.
    fn before_text(&mut self) {
        self.before_block();
        self.flush();
    }

    /// Tells what stands before, and opens the blocks that enclose it. Words at the border of a block never join, even
    /// where a style shows it inside a line.
    fn before_block(&mut self) {
        let is_border = self.pending.iter().any(|(_, part)| !part.is_inline());
        let gap = std::mem::take(&mut self.gap).max(if is_border { Gap::Space } else { Gap::None });
        let gap = if std::mem::take(&mut self.is_first) { Gap::None } else { gap };
        let is_break = gap == Gap::Line && self.crossed_break && !self.crossed_block;
        if gap >= Gap::Cell && !is_break {
            self.suspend_inline();
        }
        self.after_reference = false;
        self.after_blank = false;
        self.tell_rule();
        self.sink.gap(gap, is_break);
        self.open_blocks();
        self.crossed_block = false;
        self.crossed_break = false;
    }

    fn collapsed(&mut self, text: &str) {
        for (index, stretch) in collapsed(text).enumerate() {
            if index > 0 {
                self.sink.text(" ");
            }
            self.sink.text(stretch);
        }
    }

    /// Text that may hold formulas in TeX.
    fn with_formulas(&mut self, node: NodeId, text: &str) {
        let mut line = String::with_capacity(text.len());
        push_collapsed(&mut line, text);
        for piece in self.raw_tex.pieces(self.dom, node, &line) {
            match piece {
                Piece::Text(text) => self.sink.text(text),
                Piece::Formula { shown, tex, display } => self.sink.raw_formula(shown, tex, display),
            }
        }
    }

    /// Text whose line breaks are shown, outside of code.
    fn lines(&mut self, text: &str) {
        for (index, line) in text.trim_ascii().lines().enumerate() {
            if index > 0 {
                self.sink.gap(Gap::Line, true);
            }
            self.collapsed(line);
        }
    }

    fn code_text(&mut self, text: &str) {
        if matches!(self.open.last(), Some((_, Part::Pre { .. }))) {
            let styled_break = self.gap >= Gap::Line && !self.code.is_fresh;
            for _ in 0..self.code.breaks.max(u32::from(styled_break)) {
                self.sink.text("\n");
            }
        } else {
            // Breaks before the first line say nothing.
            self.before_text();
        }
        self.sink.text(text);
        self.gap = Gap::None;
        self.crossed_block = false;
        self.crossed_break = false;
        self.code.note_text(text);
    }

    /// Tells a formula instead of what is shown of it. Whether the element was one.
    fn formula(&mut self, node: NodeId) -> bool {
        match self.maths.role_of(self.dom, node) {
            Role::Other => return false,
            Role::Line(_) if !self.tells_text_of(node) => return false,
            Role::Line(line) => {
                self.gap = self.gap.max(self.gap_before_formula(node));
                self.before_text();
                self.sink.text(&line);
                self.end_formula(node);
            }
            Role::Formula(formula) if self.kept.at(self.dom.span(node)) && !self.code.is_code() => {
                self.gap = self.gap.max(self.gap_before_formula(node));
                if formula.display {
                    self.gap = self.gap.max(Gap::Paragraph);
                    self.before_block();
                } else {
                    self.before_text();
                }
                self.sink.formula(formula.tex, formula.display);
                self.end_formula(node);
                self.gap = if formula.display { Gap::Paragraph } else { Gap::None };
            }
            Role::Copy | Role::Formula(_) => self.pass(node),
        }
        true
    }

    /// Passes what is shown of a formula that was told. Spaces inside of it are none behind it.
    fn end_formula(&mut self, node: NodeId) {
        self.pass(node);
        self.gap = Gap::None;
        self.after_formula = !self.is_shown(node) || maths::has_space_inside(self.dom, node).1;
        self.has_left_space = false;
    }

    /// Whether all the text of an element is told, outside of code.
    fn tells_text_of(&self, node: NodeId) -> bool {
        let count = self.page.flow().runs_of(node).len();
        let places = self.next_run..self.next_run + count;
        !self.code.is_code() && self.is_shown(node) && self.kept.any(places)
    }

    /// Spaces inside of a formula are none before it.
    fn gap_before_formula(&self, node: NodeId) -> Gap {
        match self.page.flow().runs_of(node).first().filter(|run| !run.hidden) {
            Some(run) if run.shown_gap == Gap::Space && !self.after_space => {
                if maths::has_space_inside(self.dom, node).0 { Gap::None } else { Gap::Space }
            }
            Some(run) => run.shown_gap,
            None if self.crossed_block => Gap::Paragraph,
            None => Gap::Space,
        }
    }

    fn is_shown(&self, node: NodeId) -> bool {
        self.page.flow().runs_of(node).first().is_some_and(|run| !run.hidden)
    }

    /// Tells a reference to a footnote.
    fn reference(&mut self, node: NodeId) -> bool {
        if self.code.is_code() {
            return false;
        }
        let Some(reference) = self.notes.reference(self.page, self.kept, node) else { return false };
        self.pending.retain(|(_, part)| *part != Part::Above);
        let first = self.page.flow().runs_of(node).first();
        self.gap = self.gap.max(first.map_or(Gap::None, |run| self.gap_before(run)));
        self.before_text();
        self.sink.reference(&reference.name, &reference.shown);
        self.after_reference = true;
        self.pass(node);
        self.gap = Gap::None;
        true
    }

    fn image(&mut self, node: NodeId) {
        let is_kept = || self.kept.at(self.dom.span(node)) || self.stands_in_kept_text(node);
        if !self.wanted.images || self.code.is_code() || !is_kept() || self.is_hidden(node) {
            return;
        }
        let is_formula = self.maths.any && maths::is_fallback_image(self.dom, node);
        let Some(source) = image::source(self.dom, node).filter(|_| !is_formula) else { return };
        let Some(address) = self.addresses().of_image(source) else { return };
        if address == self.last_image {
            // A copy for browsers without scripts.
            return;
        }
        self.tell_rule();
        if std::mem::take(&mut self.crossed_block) {
            self.suspend_inline();
            self.sink.end_paragraph();
        } else if self.after_space {
            self.sink.gap(Gap::Space, false);
        }
        self.flush();
        self.sink.image(&address, self.dom.attribute(node, "alt").unwrap_or("").trim());
        self.last_image = address;
        self.is_first = false;
    }

    fn rule(&mut self, node: NodeId) {
        let is_wanted = self.kept.at(self.dom.span(node)) && !self.is_hidden(node);
        self.rule_waits |= is_wanted && !self.is_first && !self.in_data_table() && !self.code.is_code();
    }

    /// Tells a rule that something follows.
    fn tell_rule(&mut self) {
        if std::mem::take(&mut self.rule_waits) {
            self.suspend_inline();
            self.sink.rule();
        }
    }

    fn is_hidden(&self, node: NodeId) -> bool {
        !self.wanted.hidden && self.page.styles().is_hidden(node)
    }

    /// Opens what is pending: blocks first, since inline parts hold none.
    fn flush(&mut self) {
        self.open_blocks();
        // Code holds no inline parts: they wait until it is over.
        if !self.code.is_code() {
            self.open_pending(self.pending.len());
        }
    }

    fn open_blocks(&mut self) {
        let block_count = self.pending.iter().filter(|(_, part)| !part.is_inline()).count();
        if block_count > 0 {
            self.suspend_inline();
            self.pending.sort_by_key(|(_, part)| part.is_inline());
            self.open_pending(block_count);
        }
    }

    fn open_pending(&mut self, count: usize) {
        for (node, part) in self.pending.drain(..count) {
            if matches!(part, Part::Cell { .. }) {
                for cell in self.empty_cells.drain(..) {
                    self.sink.open(&cell);
                    self.sink.close(&cell);
                }
            }
            self.sink.open(&part);
            self.open.push((node, part));
        }
    }

    /// Closes the inline parts that are open, to be opened again before the next text.
    fn suspend_inline(&mut self) {
        let first = self.open.iter().rposition(|(_, part)| !part.is_inline()).map_or(0, |place| place + 1);
        self.suspend_from(first);
    }

    fn suspend_from(&mut self, first: usize) {
        for (_, part) in self.open[first..].iter().rev() {
            self.sink.close(part);
        }
        drop(self.pending.splice(0..0, self.open.drain(first..)));
    }

    fn close_last(&mut self) {
        if let Some((_, part)) = self.open.pop() {
            self.sink.close(&part);
        }
    }
}
