//! Blocks as people would mark them, each with the kind that most of its text is of.

use kuai_page::{BlockTree, Edge, Label, Page, Span, count_characters};

use super::outline::is_skipped;
use crate::blocks::{BlockStyle, blocks};

/// The blocks of a page whose kinds of text are known. Among flat blocks, text that nobody would mark is in blocks of its own, piece
/// by piece; on a page of regions it is left out, as people do.
pub(super) fn marked(page: &Page, style: BlockStyle, kinds: &BlockTree) -> BlockTree {
    let amounts = Amounts::read(page, kinds);
    let tree = blocks(page, style);
    let marked = tree.blocks().iter().map(|block| (block.span, amounts.most_of(block.span)));
    let left_out = left_out(&tree, kinds).filter(|_| style == BlockStyle::Flat);
    BlockTree::from_labelled(marked.chain(left_out))
}

/// The pieces that touch no block.
fn left_out(tree: &BlockTree, kinds: &BlockTree) -> impl Iterator<Item = (Span, Option<Label>)> {
    let outermost: Vec<Span> = tree.blocks().iter().filter(|block| block.depth == 0).map(|block| block.span).collect();
    let is_out = move |span: Span| {
        let next = outermost.partition_point(|block| block.end <= span.start);
        outermost.get(next).is_none_or(|block| span.end <= block.start)
    };
    kinds.leaves().map(|block| (block.span, block.label)).filter(move |(span, _)| is_out(*span))
}

/// How much text of each kind there is before each piece of a page.
struct Amounts {
    pieces: Vec<(Span, Option<Label>)>,
    before: Vec<[u32; Label::ALL.len()]>,
}

impl Amounts {
    fn read(page: &Page, kinds: &BlockTree) -> Amounts {
        let pieces: Vec<_> = kinds.leaves().map(|block| (block.span, block.label)).collect();
        let mut amounts = vec![0; pieces.len()];
        for (start, characters) in shown_texts(page) {
            let next = pieces.partition_point(|(span, _)| span.start <= start);
            if let Some(piece) = next.checked_sub(1).filter(|&piece| start < pieces[piece].0.end) {
                amounts[piece] += characters;
            }
        }
        let mut sums = [0; Label::ALL.len()];
        let mut before = vec![sums];
        for ((_, label), amount) in pieces.iter().zip(amounts) {
            if let Some(label) = label {
                sums[place(*label)] += amount;
            }
            before.push(sums);
        }
        Amounts { pieces, before }
    }

    /// The kind of most text that begins in a span, or around it where none does.
    fn most_of(&self, span: Span) -> Option<Label> {
        let first = self.pieces.partition_point(|(piece, _)| piece.start < span.start);
        let end = self.pieces.partition_point(|(piece, _)| piece.start < span.end);
        let amount = |label: &Label| self.before[end][place(*label)] - self.before[first][place(*label)];
        let most = Label::ALL.into_iter().max_by_key(amount).filter(|label| amount(label) > 0);
        // What shows nothing of what is in it is noise, whatever it would be if it did.
        let of_hidden = (first < end).then_some(Label::Noise);
        most.or(of_hidden).or_else(|| self.pieces[..end].last().and_then(|(_, label)| *label))
    }
}

/// Where each text begins that is read and not hidden, and how many characters it has.
fn shown_texts(page: &Page) -> Vec<(u32, u32)> {
    let (dom, hidden) = (page.dom(), page.hidden());
    let mut texts = Vec::new();
    let mut steps = dom.walk(dom.root());
    while let Some(edge) = steps.next() {
        match edge {
            Edge::Enter(node) if dom.is_text(node) && !hidden.at(node) => {
                texts.push((dom.span(node).start, count_characters(dom.text(node))));
            }
            Edge::Enter(node) if is_skipped(dom.tag(node)) => steps.skip_children(node),
            _ => {}
        }
    }
    texts
}

fn place(label: Label) -> usize {
    Label::ALL.iter().position(|known| *known == label).expect("all labels are there")
}
