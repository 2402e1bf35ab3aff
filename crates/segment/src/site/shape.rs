//! What an element looks like from outside: its name, what its author called it, and how it is laid out.
//!
//! A shape is written like a selector, `div#main.text[align=center]`, so that a model can be read. What differs from page to page of
//! one template (numbers, ids made by machines) is folded, so that one example stands for all.

use kuai_page::{Dom, NodeId, Tag};

/// Bytes of an attribute's value that are read.
const VALUE_BYTES_MAX: usize = 160;
/// Classes that are told.
const CLASSES_MAX: usize = 8;
/// What old pages are laid out by, told with its value; of measures only that they are given.
const LAYOUT: [(&str, bool); 12] = [
    ("align", true),
    ("bgcolor", true),
    ("border", false),
    ("cellpadding", false),
    ("color", true),
    ("face", true),
    ("height", false),
    ("itemprop", true),
    ("role", true),
    ("size", true),
    ("valign", true),
    ("width", false),
];

/// Writes the shape of an element into `out`, which is cleared first.
pub(super) fn write_shape(dom: Dom<'_>, node: NodeId, out: &mut String) {
    out.clear();
    out.push_str(dom.name(node));
    // What the outermost elements are called differs from page to page and tells nothing: they are there in any case.
    if matches!(dom.tag(node), Tag::Html | Tag::Body) {
        return;
    }
    let (mut id, mut class, mut layout) = (None, None, [None; LAYOUT.len()]);
    for attribute in dom.attributes(node) {
        match attribute.name {
            "id" => id = Some(attribute.value),
            "class" => class = Some(attribute.value),
            name => {
                if let Ok(place) = LAYOUT.binary_search_by(|(known, _)| (*known).cmp(name)) {
                    layout[place] = Some(attribute.value);
                }
            }
        }
    }
    if let Some(id) = id.filter(|_| is_layout(dom.tag(node))) {
        push_folded(out, '#', cut(id).trim());
    }
    if let Some(class) = class {
        for name in cut(class).split_ascii_whitespace().take(CLASSES_MAX) {
            push_folded(out, '.', name);
        }
    }
    for ((name, has_value), value) in LAYOUT.iter().zip(layout) {
        let Some(value) = value else { continue };
        push_folded(out, '[', name);
        if *has_value {
            out.push('=');
            out.extend(cut(value).trim().chars().map(|letter| letter.to_ascii_lowercase()));
        }
        out.push(']');
    }
}

/// Whether an id names a part of the site's frame. On others it names what the page says there, for links to lead to.
fn is_layout(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Div | Table | Td | Tr | Ul | Ol | Nav | Aside | Header | Footer | Main | Form | Span | Center)
}

/// How alike two shapes are, from 0 (other names) to 1 (equal): the share of their marks that both have.
pub(super) fn likeness(one: &str, other: &str) -> f64 {
    let (one_name, one_marks) = parted(one);
    let (other_name, other_marks) = parted(other);
    if one_name != other_name {
        return 0.0;
    }
    let (one_count, other_count) = (marks(one_marks).count(), marks(other_marks).count());
    let shared = marks(one_marks).filter(|mark| marks(other_marks).any(|other| other == *mark)).count();
    if one_count.max(other_count) == 0 { 1.0 } else { shared as f64 / one_count.max(other_count) as f64 }
}

fn parted(shape: &str) -> (&str, &str) {
    shape.split_at(shape.find(['#', '.', '[']).unwrap_or(shape.len()))
}

/// `#id`, `.class` and `[attribute` of a shape.
fn marks(marks: &str) -> impl Iterator<Item = &str> {
    let mut rest = marks;
    std::iter::from_fn(move || {
        let end = 1 + rest.get(1..)?.find(['#', '.', '[']).unwrap_or(rest.len() - 1);
        let (mark, after) = rest.split_at(end);
        rest = after;
        Some(mark)
    })
}

fn cut(value: &str) -> &str {
    &value[..value.floor_char_boundary(VALUE_BYTES_MAX)]
}

/// A name after its sign, each number in it as one `0`. Signs inside it become `_`, so that marks can be told apart.
fn push_folded(out: &mut String, sign: char, name: &str) {
    out.push(sign);
    let mut after_digit = false;
    for letter in name.chars() {
        match letter {
            '0'..='9' if after_digit => continue,
            '0'..='9' => out.push('0'),
            '#' | '.' | '[' => out.push('_'),
            letter => out.push(letter),
        }
        after_digit = letter.is_ascii_digit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kuai_page::Page;

    fn shape(html: &str) -> String {
        let page = Page::from_html(html);
        let dom = page.dom();
        let node = dom.body().and_then(|body| dom.first_child(body)).expect("there is an element");
        let mut shape = String::from("left over");
        write_shape(dom, node, &mut shape);
        shape
    }

    #[test]
    fn a_shape_reads_like_a_selector_with_its_numbers_folded() {
        assert_eq!(shape("<div id=post-1234 class='text  entry-99 a.b'>"), "div#post-0.text.entry-0.a_b");
        assert_eq!(shape("<font color='#000082' size=2 style='x'>"), "font[color=#000082][size=2]");
        assert_eq!(shape("<table width=600 border=0 align=Center>"), "table[align=center][border][width]");
        assert_eq!(shape("<p>"), "p");
    }

    #[test]
    fn likeness_is_the_share_of_marks_that_both_have() {
        assert_eq!(likeness("div.a.b", "div.a.b"), 1.0);
        assert_eq!(likeness("div.a.b", "div.a.c"), 0.5);
        assert_eq!(likeness("div.a", "p.a"), 0.0);
        assert_eq!(likeness("div", "div"), 1.0);
        assert_eq!(likeness("div#x.a.b.c", "div"), 0.0);
    }
}
