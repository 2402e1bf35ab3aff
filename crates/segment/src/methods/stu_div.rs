//! `stu-div`, after Ouyang, Yang & Yi: the page as a forest of DIV trees. Each tree's own text against its own link text
//! tells main text; the link trees close behind it are related links; the rest is pruned.
//!
//! Every DIV with text is a block, so blocks nest as the DIVs do, and each is labelled by what is its own.

use kuai_page::{BlockTree, Dom, Edge, Label, NodeId, Page, Run, Span, Tag};

use super::nom::body_span;
use super::{Method, Parameter, Settings};
use crate::Segmenter;
use crate::length::length;

pub(super) const METHOD: Method = Method {
    name: "stu-div",
    summary: "keeps the DIV trees with more text than links, and the link lists close behind them",
    origin: "Ouyang, Yang & Yi, topic extraction based on DIV tag trees",
    tells_related_links: true,
    keeps_hidden_text: false,
    reads_styles: true,
    keeps_titles: true,
    parameters: &[
        Parameter {
            name: "link_length_min",
            symbol: "k",
            summary: "characters of a link's text below which it is not counted; a word counts three",
            default: 6.0,
            min: 0.0,
            max: 100.0,
        },
        Parameter {
            name: "topic_correlation_min",
            symbol: "m",
            summary: "characters outside links over those in links, from which a tree is main text",
            default: 0.5,
            min: 0.0,
            max: 100.0,
        },
        Parameter {
            name: "text_length_min",
            symbol: "n",
            summary: "characters below which a tree without links is empty; a word counts three",
            default: 50.0,
            min: 0.0,
            max: 10_000.0,
        },
        Parameter {
            name: "related_distance_max",
            symbol: "d",
            summary: "trees between the last main text and the related links, at most",
            default: 5.0,
            min: 0.0,
            max: 1_000.0,
        },
        Parameter {
            name: "related_links_min",
            symbol: "s",
            summary: "links from which a tree of links can be related links",
            default: 2.0,
            min: 1.0,
            max: 1_000.0,
        },
    ],
    make: |settings: &Settings| {
        Box::new(StuDiv {
            link_length_min: settings.get("link_length_min") as u32,
            topic_correlation_min: settings.get("topic_correlation_min"),
            text_length_min: settings.get("text_length_min") as u32,
            related_distance_max: settings.get("related_distance_max") as usize,
            related_links_min: settings.get("related_links_min") as u32,
        })
    },
};

/// What a word of a space-separated script counts: the paper's k, six characters, is two words.
const WORD_LENGTH: u32 = 3;

/// Trees at the end of the page that hold its copyright.
const COPYRIGHT_TREES: usize = 2;

struct StuDiv {
    link_length_min: u32,
    topic_correlation_min: f64,
    text_length_min: u32,
    related_distance_max: usize,
    related_links_min: u32,
}

/// A DIV with what is its own: nested DIVs are trees of their own.
#[derive(Debug)]
struct DivTree {
    span: Span,
    parent: Option<usize>,
    /// C in the paper: length of its text outside links.
    text_length: u32,
    /// L in the paper: length of its link text.
    link_length: u32,
    link_count: u32,
    /// Whether any text stands in it, filtered out or not.
    has_text: bool,
}

impl Segmenter for StuDiv {
    fn cut(&self, page: &Page) -> BlockTree {
        let forest = Forest::read(page, self.link_length_min);
        let labels = self.labels(&forest.trees);
        let trees = forest.trees.iter().zip(labels).filter(|(tree, _)| tree.has_text);
        let blocks = trees.map(|(tree, label)| (tree.span, Some(label)));
        let noise = forest.noise.iter().map(|&span| (span, Some(Label::Noise)));
        let tree = BlockTree::from_labelled(blocks.chain(noise));
        if tree.blocks().is_empty() { BlockTree::from_labelled([(page.span(), Some(Label::Noise))]) } else { tree }
    }
}

impl StuDiv {
    /// One label per tree: main text, then related links behind the last of it; all else is pruned.
    fn labels(&self, trees: &[DivTree]) -> Vec<Label> {
        let copyright_start = copyright_start(trees);
        let mut labels: Vec<Label> = trees.iter().map(pruned_label).collect();
        for (index, tree) in trees.iter().enumerate() {
            if index >= copyright_start {
                labels[index] = Label::Copyright;
            } else if self.is_main(tree) {
                labels[index] = Label::Main;
            }
        }
        if let Some(last_main) = last_main(trees, &labels) {
            self.label_related(trees, last_main, &mut labels[..copyright_start]);
        }
        labels
    }

    /// Decision: the distance counts trees with something in them; today's pages hold many bare wrappers.
    fn label_related(&self, trees: &[DivTree], last_main: usize, labels: &mut [Label]) {
        let behind =
            (last_main + 1..labels.len()).filter(|&index| trees[index].text_length + trees[index].link_length > 0);
        let common = Ancestors::of(trees, last_main);
        for index in behind.take(self.related_distance_max) {
            if trees[index].link_count >= self.related_links_min && common.shared_with(trees, index) {
                labels[index] = Label::Related;
            }
        }
    }

    fn is_main(&self, tree: &DivTree) -> bool {
        let is_empty = tree.text_length < self.text_length_min && tree.link_length == 0;
        let is_on_topic =
            f64::from(tree.text_length) >= self.topic_correlation_min * f64::from(tree.link_length.max(1));
        !is_empty && tree.text_length > 0 && is_on_topic
    }
}

/// The last tree of the main text, behind which related links stand.
// Decision: one line of text in a side column or below the page is no such tree, so it must be a fair share of the longest.
fn last_main(trees: &[DivTree], labels: &[Label]) -> Option<usize> {
    let mains = || (0..trees.len()).filter(|&index| labels[index] == Label::Main);
    let longest = mains().map(|index| trees[index].text_length).max()?;
    mains().rfind(|&index| trees[index].text_length >= longest / LONGEST_SHARE)
}

/// A tree of the main text has at least one part in this many of the longest one's text.
const LONGEST_SHARE: u32 = 5;

fn pruned_label(tree: &DivTree) -> Label {
    if tree.link_length > tree.text_length { Label::Navigation } else { Label::Noise }
}

/// The index from which trees hold the copyright.
// Decision: bare wrappers at the end do not count, and the tree with the most text is never one of them.
fn copyright_start(trees: &[DivTree]) -> usize {
    let longest = (0..trees.len()).max_by_key(|&index| trees[index].text_length).unwrap_or(0);
    let filled = (longest + 1..trees.len()).filter(|&index| trees[index].text_length + trees[index].link_length > 0);
    filled.rev().take(COPYRIGHT_TREES).last().unwrap_or(trees.len())
}

/// The trees around one tree, besides the page itself.
struct Ancestors(Vec<usize>);

impl Ancestors {
    fn of(trees: &[DivTree], index: usize) -> Ancestors {
        let mut ancestors: Vec<usize> = lineage(trees, index).collect();
        ancestors.reverse();
        Ancestors(ancestors)
    }

    /// Whether a tree hangs below one of these.
    fn shared_with(&self, trees: &[DivTree], index: usize) -> bool {
        lineage(trees, index).any(|ancestor| self.0.binary_search(&ancestor).is_ok())
    }
}

/// A tree and those around it, inner ones first, without the body.
fn lineage(trees: &[DivTree], index: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(index), |&index| trees[index].parent).filter(|&index| trees[index].parent.is_some())
}

/// The DIV trees in document order, the body first, and what was filtered out of them.
struct Forest {
    trees: Vec<DivTree>,
    noise: Vec<Span>,
}

impl Forest {
    fn read(page: &Page, link_length_min: u32) -> Forest {
        let dom = page.dom();
        let mut reader = ForestReader {
            dom,
            link_length_min,
            forest: Forest { trees: vec![DivTree::new(body_span(page), None)], noise: Vec::new() },
            open: vec![(NodeId::DOCUMENT, 0)],
            link: None,
            noise: None,
        };
        let Some(body) = dom.body() else { return reader.forest };
        let mut runs = page.flow().runs_of(body).iter().peekable();
        for edge in dom.walk(body) {
            match edge {
                Edge::Enter(node) if node == body => {}
                Edge::Enter(node) => match runs.next_if(|run| run.node == node) {
                    Some(run) => reader.read_run(run),
                    None => reader.enter(page, node),
                },
                Edge::Leave(node) => reader.leave(node),
            }
        }
        reader.forest
    }
}

impl DivTree {
    fn new(span: Span, parent: Option<usize>) -> DivTree {
        DivTree { span, parent, text_length: 0, link_length: 0, link_count: 0, has_text: false }
    }
}

/// Lifts the DIVs out of the document, filters noise and counts.
struct ForestReader<'a> {
    dom: Dom<'a>,
    link_length_min: u32,
    forest: Forest,
    /// The open DIVs and their trees.
    open: Vec<(NodeId, usize)>,
    /// The open link, and whether it counts.
    link: Option<(NodeId, bool)>,
    /// The open element that is filtered out.
    noise: Option<NodeId>,
}

impl ForestReader<'_> {
    fn enter(&mut self, page: &Page, node: NodeId) {
        if !self.dom.is_element(node) || self.noise.is_some() {
            return;
        }
        let tag = self.dom.tag(node);
        // Decision: a DIV inside a link is part of that link, not a tree.
        if self.link.is_some() {
            return;
        }
        if is_tree(tag) {
            let parent = self.tree();
            self.open.push((node, self.forest.trees.len()));
            self.forest.trees.push(DivTree::new(self.dom.span(node), Some(parent)));
        } else if tag == Tag::A && self.dom.attribute(node, "href").is_some() {
            self.open_link(page, node);
        } else if is_noise(self.dom, node) {
            self.noise = Some(node);
            self.forest.noise.push(self.dom.span(node));
        }
    }

    fn leave(&mut self, node: NodeId) {
        if let Some((_, tree)) = self.open.pop_if(|(open, _)| *open == node) {
            self.fold_item(tree);
        }
        self.link.take_if(|(open, _)| *open == node);
        self.noise.take_if(|open| *open == node);
    }

    /// Decision: today's pages put each link of a list into a DIV of its own, with bare ones for pictures. A DIV that holds
    /// one link and little else, or nothing, is part of the tree around it.
    fn fold_item(&mut self, index: usize) {
        let is_last = index + 1 == self.forest.trees.len();
        let is_item = |tree: &mut DivTree| {
            let holds_one_link = tree.link_count == 1 && tree.text_length <= tree.link_length;
            is_last && (holds_one_link || !tree.has_text)
        };
        if let Some(item) = self.forest.trees.pop_if(is_item) {
            let around = self.tree();
            let around = &mut self.forest.trees[around];
            around.text_length += item.text_length;
            around.link_length += item.link_length;
            around.link_count += item.link_count;
            around.has_text |= item.has_text;
        }
    }

    fn open_link(&mut self, page: &Page, node: NodeId) {
        let runs = page.flow().runs_of(node).iter().filter(|run| !run.hidden);
        let link_length: u32 = runs.map(|run| length(self.dom.text(run.node).as_bytes(), WORD_LENGTH)).sum();
        let counts = link_length >= self.link_length_min && link_length > 0;
        self.link = Some((node, counts));
        let tree = self.tree();
        self.forest.trees[tree].link_count += u32::from(counts);
    }

    fn read_run(&mut self, run: &Run) {
        if run.hidden || self.noise.is_some() {
            return;
        }
        let tree = self.tree();
        let tree = &mut self.forest.trees[tree];
        tree.has_text = true;
        let run_length = length(self.dom.text(run.node).as_bytes(), WORD_LENGTH);
        match self.link {
            None => tree.text_length += run_length,
            Some((_, true)) => tree.link_length += run_length,
            // Decision: a link too short to count stays where it is, as it may be part of a sentence.
            Some((_, false)) => {}
        }
    }

    fn tree(&self) -> usize {
        self.open.last().map_or(0, |&(_, tree)| tree)
    }
}

/// Decision: the elements that took over from DIV are trees as well.
fn is_tree(tag: Tag) -> bool {
    use Tag::*;
    matches!(tag, Div | Article | Section | Main | Aside | Nav | Header | Footer | Center)
}

/// What the paper filters out, where it holds no text anybody reads.
// Decision: a form around much of the page, as ASP.NET writes, is no form in the paper's sense.
fn is_noise(dom: Dom<'_>, node: NodeId) -> bool {
    use Tag::*;
    match dom.tag(node) {
        Select | Textarea | Button | Object | Embed | Applet | Marquee => true,
        Form => !dom.descendants(node).take(FORM_LOOK_MAX).any(|inner| is_tree(dom.tag(inner))),
        _ => false,
    }
}

/// Nodes of a form that are looked at for a DIV.
const FORM_LOOK_MAX: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{extract, method};

    const TEXT: &str = "这是一段足够长的正文，说的是今天发生的一件大事，大家都在谈论它，所以这里写得很长很长，一直写到五十个字以上才停下来。";

    fn labels(html: &str) -> Vec<(String, Label)> {
        let page = Page::from_html(html);
        let stu_div = method("stu-div").expect("it is in the table");
        let tree = stu_div.segmenter(&stu_div.defaults()).segment(&page);
        let text = |span| page.text(span, Default::default()).chars().take(4).collect();
        tree.leaves().filter_map(|block| Some((text(block.span), block.label?))).collect()
    }

    fn check(html: &str, expected: &[(&str, Label)]) {
        let expected: Vec<_> = expected.iter().map(|&(text, label)| (text.to_owned(), label)).collect();
        assert_eq!(labels(html), expected, "{html}");
    }

    /// Two trees that the paper takes for the copyright.
    const END: &str = "<div>关于我们</div><div>版权所有</div>";

    #[test]
    fn a_tree_with_more_text_than_links_is_main_text() {
        check(
            &format!("<div><a href=a>一二三四五六七</a><a href=b>一二三四五六七</a>甲乙</div><div>{TEXT}</div>{END}"),
            &[
                ("一二三四", Label::Navigation),
                ("这是一段", Label::Main),
                ("关于我们", Label::Copyright),
                ("版权所有", Label::Copyright),
            ],
        );
    }

    #[test]
    fn links_close_behind_the_text_in_the_same_tree_are_related() {
        let links = "<div><a href=a>一二三四五六七</a><a href=b>一二三四五六七</a></div>";
        check(
            &format!("<div><div>{TEXT}</div>{links}</div>{links}{END}"),
            &[
                ("这是一段", Label::Main),
                ("一二三四", Label::Related),
                ("一二三四", Label::Navigation),
                ("关于我们", Label::Copyright),
                ("版权所有", Label::Copyright),
            ],
        );
    }

    #[test]
    fn short_links_are_not_related() {
        let links = "<div><a href=a>一二</a><a href=b>三四</a></div>";
        let found = labels(&format!("<div><div>{TEXT}</div>{links}</div>{END}"));
        assert_eq!(found[1].1, Label::Noise);
    }

    #[test]
    fn links_in_divs_of_their_own_are_one_list() {
        let item = "<div><a href=a>一二三四五六七</a></div>";
        let list = format!("<div>{item}{item}</div>");
        let found = labels(&format!("<div><div>{TEXT}</div>{list}</div>{END}"));
        assert_eq!((found.len(), found[1].1), (4, Label::Related));
    }

    #[test]
    fn a_short_tree_without_links_is_empty() {
        let found = labels(&format!("<div>太短了</div><div>{TEXT}</div>{END}"));
        assert_eq!(found[0].1, Label::Noise);
    }

    #[test]
    fn a_form_is_filtered_out_but_a_tree_in_it_stays() {
        let page =
            Page::from_html(&format!("<div>{TEXT}<form>查询<input></form></div><form><div>{TEXT}</div></form>{END}"));
        let stu_div = method("stu-div").expect("it is in the table");
        let tree = stu_div.segmenter(&stu_div.defaults()).segment(&page);
        assert_eq!(extract(&page, &tree, stu_div).text, format!("{TEXT}\n{TEXT}"));
    }

    #[test]
    fn a_page_of_one_text_is_main_text() {
        check(&format!("<p>{TEXT}"), &[("这是一段", Label::Main)]);
    }

    #[test]
    fn for_other_scripts_words_are_counted() {
        let text = "The moon is the only natural satellite of the Earth and orbits it at a distance of thirty earths.";
        let found = labels(&format!("<div><a href=a>Home</a> <a href=b>News</a></div><div>{text}</div>{END}"));
        assert_eq!((found[0].1, found[1].1), (Label::Noise, Label::Main));
    }
}
