//! Emphasis in a line of Markdown: where it begins and ends, and whether signs or elements say so.
//!
//! Markdown's signs do not count everywhere: beside punctuation, as between a quotation mark and a Chinese character, or
//! where emphasis inside emphasis would be read in two ways, an element does it instead.

/// The emphasised stretches of a line, each behind those that begin before it or are around it.
#[derive(Default)]
pub(super) struct Marks {
    marks: Vec<Mark>,
    /// The places in `marks` of those that are open, the outermost first; `None` where emphasis is not told.
    open: Vec<Option<usize>>,
    /// The places in `marks` of those that ended where the last one did.
    ended_last: Vec<usize>,
    /// Where the last of them began or ended.
    pub(super) last_place: usize,
}

struct Mark {
    emphasis: Emphasis,
    start: usize,
    end: Option<usize>,
    /// How many are around it.
    depth: usize,
    /// Where, before its end, another began or ended last.
    place_before_end: usize,
}

/// A kind of emphasis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Emphasis {
    /// Markdown's sign for it.
    sign: &'static str,
    /// The HTML element that says the same.
    element: &'static str,
}

pub(super) const STRONG: Emphasis = Emphasis { sign: "**", element: "strong" };
pub(super) const EMPHASIS: Emphasis = Emphasis { sign: "*", element: "em" };
pub(super) const STRIKE: Emphasis = Emphasis { sign: "~~", element: "del" };

/// Marks that end where another would begin, and of which one may go on instead.
const CONTINUED_MAX: usize = 4;

impl Marks {
    pub(super) fn open(&mut self, emphasis: Emphasis, place: usize) {
        if let Some(index) = self.ended_at(place, emphasis) {
            self.marks[index].end = None;
            self.last_place = self.marks[index].place_before_end;
            self.open.push(Some(index));
        } else {
            let depth = self.open.len();
            self.open.push(Some(self.marks.len()));
            self.marks.push(Mark { emphasis, start: place, end: None, depth, place_before_end: place });
            self.last_place = place;
        }
    }

    /// The mark of the same kind, in the same emphasis, that ended at this place.
    fn ended_at(&self, place: usize, emphasis: Emphasis) -> Option<usize> {
        let around = self.open.last().copied().flatten();
        let inside = around.map_or(0, |index| index + 1)..self.marks.len();
        inside.rev().take(CONTINUED_MAX).find(|&index| {
            let mark = &self.marks[index];
            mark.emphasis == emphasis && mark.depth == self.open.len() && mark.end == Some(place)
        })
    }

    /// Opens emphasis that is not told.
    pub(super) fn open_untold(&mut self) {
        self.open.push(None);
    }

    pub(super) fn close(&mut self, place: usize) {
        let Some(index) = self.open.pop().flatten() else { return };
        let ended_before = |&index: &usize| self.marks[index].end != Some(place);
        if self.ended_last.last().is_some_and(ended_before) {
            self.ended_last.clear();
        }
        self.ended_last.push(index);
        let mark = &mut self.marks[index];
        mark.end = Some(place);
        mark.place_before_end = self.last_place;
        self.last_place = place;
    }

    /// A byte was written before the last one of the line: what begins or ends behind that moves on.
    pub(super) fn shift(&mut self, place: usize) {
        for mark in self.marks.iter_mut().rev().take_while(|mark| mark.start > place) {
            mark.start += 1;
        }
        for &index in &self.ended_last {
            let end = &mut self.marks[index].end;
            *end = end.map(|end| end + usize::from(end > place));
        }
        self.last_place += usize::from(self.last_place > place);
    }

    /// The line with its emphasis written out; the next line begins without any.
    pub(super) fn write(&mut self, line: String) -> String {
        self.last_place = 0;
        self.open.fill(None);
        self.ended_last.clear();
        if self.marks.is_empty() {
            return line;
        }
        let marks = std::mem::take(&mut self.marks);
        with_stretches(&line, &stretches(&line, &marks))
    }
}

/// A mark without the spaces around its words: signs beside a space inside do not count.
struct Stretch {
    emphasis: Emphasis,
    start: Border,
    end: Border,
    follows_another: bool,
}

/// Where a stretch begins or ends.
struct Border {
    place: usize,
    outside: Option<char>,
    inside: Option<char>,
    /// Whether the sign touches another, or stands inside emphasis.
    is_strict: bool,
}

/// The stretches of a line, with what stands around their borders.
fn stretches(line: &str, marks: &[Mark]) -> Vec<Stretch> {
    let mut found: Vec<Stretch> = Vec::with_capacity(marks.len());
    let mut around: Vec<usize> = Vec::new();
    let mut last_end = 0;
    for mark in marks {
        let marked = &line[mark.start..mark.end.unwrap_or(line.len())];
        let words = marked.trim();
        if words.is_empty() {
            continue;
        }
        let start = mark.start + (marked.len() - marked.trim_start().len());
        let end = start + words.len();
        while let Some(ended) = around.pop_if(|ended| found[*ended].end.place <= start) {
            last_end = last_end.max(found[ended].end.place);
        }
        let mut stretch = Stretch {
            emphasis: mark.emphasis,
            start: Border::new(start, line[..start].chars().next_back(), words.chars().next()),
            end: Border::new(end, line[end..].chars().next(), words.chars().next_back()),
            follows_another: last_end == start && start > 0,
        };
        if let Some(&outer) = around.last() {
            stretch.start.touch(&mut found[outer].start);
            stretch.end.touch(&mut found[outer].end);
        }
        around.push(found.len());
        found.push(stretch);
    }
    found
}

impl Border {
    fn new(place: usize, outside: Option<char>, inside: Option<char>) -> Border {
        Border { place, outside, inside, is_strict: false }
    }

    /// Notes that it lies inside another stretch, at its border or not.
    fn touch(&mut self, outer: &mut Border) {
        self.is_strict = true;
        if self.place == outer.place {
            outer.is_strict = true;
            self.outside = outer.outside;
        }
    }

    /// Whether a sign here counts, surely.
    fn parts(&self) -> bool {
        let is_open = self.outside.is_none_or(|character| character.is_whitespace() || is_punctuation(character));
        is_open || (!self.is_strict && self.inside.is_some_and(char::is_alphanumeric))
    }
}

/// Whether all readers take it for punctuation, and none for emphasis; they differ about symbols beyond ASCII.
fn is_punctuation(character: char) -> bool {
    character.is_ascii_punctuation() && !matches!(character, '*' | '_' | '~')
        || matches!(character, '\u{2010}'..='\u{2027}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
        || matches!(character, '，' | '；' | '：' | '！' | '？' | '（' | '）')
}

fn with_stretches(line: &str, stretches: &[Stretch]) -> String {
    let mut out = String::with_capacity(line.len() + stretches.len() * 4);
    let mut told = 0;
    let mut open: Vec<&Stretch> = Vec::new();
    for stretch in stretches {
        while let Some(ended) = open.pop_if(|ended| ended.end.place <= stretch.start.place) {
            out.push_str(&line[told..ended.end.place]);
            told = ended.end.place;
            ended.write_end(&mut out);
        }
        out.push_str(&line[told..stretch.start.place]);
        told = stretch.start.place;
        stretch.write_start(&mut out);
        open.push(stretch);
    }
    for ended in open.into_iter().rev() {
        out.push_str(&line[told..ended.end.place]);
        told = ended.end.place;
        ended.write_end(&mut out);
    }
    out.push_str(&line[told..]);
    out
}

impl Stretch {
    fn takes_signs(&self) -> bool {
        !self.follows_another && self.start.parts() && self.end.parts()
    }

    fn write_start(&self, out: &mut String) {
        if self.takes_signs() {
            out.push_str(self.emphasis.sign);
        } else {
            out.extend(["<", self.emphasis.element, ">"]);
        }
    }

    fn write_end(&self, out: &mut String) {
        if self.takes_signs() {
            out.push_str(self.emphasis.sign);
        } else {
            out.extend(["</", self.emphasis.element, ">"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, marks: &[(Emphasis, usize, usize)], expected: &str) {
        let mut told = Marks::default();
        let mut places: Vec<usize> = marks.iter().flat_map(|(_, start, end)| [*start, *end]).collect();
        places.sort_unstable();
        places.dedup();
        for place in places {
            marks.iter().filter(|(_, _, end)| *end == place).for_each(|_| told.close(place));
            marks.iter().filter(|(_, start, _)| *start == place).for_each(|(emphasis, ..)| told.open(*emphasis, place));
        }
        assert_eq!(told.write(line.to_owned()), expected);
    }

    #[test]
    fn emphasis_beside_punctuation_is_an_element() {
        check("a word b", &[(STRONG, 2, 6)], "a **word** b");
        check("甲乙丙", &[(STRONG, 3, 6)], "甲**乙**丙");
        check("甲“乙”丙", &[(STRONG, 3, 12)], "甲<strong>“乙”</strong>丙");
        check("Note: it", &[(STRONG, 0, 5)], "**Note:** it");
        check("甲“乙”，丙", &[(STRONG, 3, 12)], "甲<strong>“乙”</strong>，丙");
        check("（“乙”，丙）", &[(STRONG, 3, 12)], "（**“乙”**，丙）");
    }

    #[test]
    fn signs_of_emphasis_stand_close_to_the_words() {
        check("options: $5", &[(STRONG, 0, 9)], "**options:** $5");
    }

    #[test]
    fn emphasis_inside_emphasis_takes_signs_where_all_readers_agree() {
        check("b", &[(EMPHASIS, 0, 1), (STRONG, 0, 1)], "***b***");
        check("a b c", &[(STRONG, 0, 5), (EMPHASIS, 2, 3)], "**a *b* c**");
        check("a b", &[(STRONG, 0, 3), (EMPHASIS, 2, 3)], "**a *b***");
        check("a b", &[(EMPHASIS, 0, 3), (STRONG, 0, 1)], "***a** b*");
        check("x b", &[(STRIKE, 2, 3), (STRONG, 2, 3), (EMPHASIS, 2, 3)], "x ~~***b***~~");
    }

    #[test]
    fn emphasis_inside_emphasis_is_an_element_where_signs_would_be_read_in_two_ways() {
        check("abc", &[(STRONG, 0, 3), (EMPHASIS, 1, 2)], "**a<em>b</em>c**");
        check("a bc", &[(STRONG, 0, 3), (EMPHASIS, 2, 3)], "<strong>a <em>b</em></strong>c");
        check("甲乙丙", &[(STRONG, 3, 6), (EMPHASIS, 3, 6)], "甲<strong><em>乙</em></strong>丙");
        check("a b", &[(STRONG, 0, 1), (EMPHASIS, 1, 3)], "**a** *b*");
    }
}
