//! The state of a reel: a stream of distinct pieces that only grows, and the pieces, head, notes and facts of its newest entry.
//!
//! A writer adds entries to it; a reader plays the parts of stored entries one after another and ends in the same state.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::facts::Facts;
use crate::frame;
use crate::limits::{DROPPED_MAX, FRAME_LEVEL, PREFIX_FACTOR, PREFIX_MAX, PREFIX_MIN};
use crate::lines::Lines;
use crate::pieces::{cut, print_of};
use crate::recipe::{self, Step};

/// The state of a reel after its newest entry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reel {
    /// All distinct pieces. May reach beyond the last piece's end while a pack is played.
    pub(crate) stream: Vec<u8>,
    /// Where each piece ends in the stream.
    ends: Vec<u32>,
    /// The pieces of the newest body that is kept as text.
    pieces: Vec<u32>,
    pub(crate) head: Lines,
    pub(crate) notes: Lines,
    pub(crate) facts: Facts,
    pub(crate) entry_count: u32,
}

/// Finds pieces of a reel again; only writers need one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prints {
    pieces: HashMap<u64, u32, BuildHasherDefault<PrintHasher>>,
}

/// What a text body adds to its reel.
#[derive(Debug)]
pub(crate) struct Added {
    pub(crate) recipe: Vec<u8>,
    /// Empty where nothing is fresh.
    pub(crate) frame: Vec<u8>,
}

impl Added {
    /// What a body adds that begins a reel: all of it, as one run in which nothing is looked for twice.
    pub(crate) fn whole(body: &[u8], first_frame: impl FnOnce(&[u8]) -> Vec<u8>) -> Added {
        Added { recipe: recipe::encode(&[], &[0], 0, |_| body.len()), frame: first_frame(body) }
    }
}

impl Reel {
    /// Adds a body: fresh pieces go to the stream, and the body becomes the newest one. `first_frame` compresses what
    /// the reel begins with.
    pub(crate) fn add(
        &mut self,
        body: &[u8],
        prints: &mut Prints,
        first_frame: impl FnOnce(&[u8]) -> Vec<u8>,
    ) -> Added {
        let (fresh_from, fresh_at) = (self.ends.len() as u32, self.stream.len());
        let pieces: Vec<u32> = cut(body).map(|piece| self.number_of(piece, prints)).collect();
        let recipe = recipe::encode(&self.pieces, &pieces, fresh_from, |number| self.piece(number).len());
        let frame = match self.stream.split_at(fresh_at) {
            (_, []) => Vec::new(),
            ([], fresh) => first_frame(fresh),
            (done, fresh) => {
                let dropped = dropped_pieces(&self.pieces, pieces.iter().copied());
                frame::compress(fresh, &self.prefix(done, fresh.len(), &dropped), FRAME_LEVEL)
            }
        };
        self.pieces = pieces;
        Added { recipe, frame }
    }

    /// Plays a recipe and its frame as [`Reel::add`] wrote them.
    pub(crate) fn play(&mut self, recipe: &[u8], frame: &[u8], root: &[u8]) -> Option<()> {
        let steps = recipe::decode(recipe)?;
        let length = recipe::fresh_length(&steps).filter(|length| *length <= frame.len().saturating_mul(1 << 17))?;
        if length > 0 {
            if self.stream.is_empty() {
                self.stream = frame::decompress(frame, length, root)?;
            } else {
                self.open_frame(&steps, frame, length)?;
            }
        }
        self.follow(&steps)
    }

    /// Makes the newest body from the stream, which has the fresh bytes already.
    pub(crate) fn follow(&mut self, steps: &[Step]) -> Option<()> {
        let mut pieces = Vec::with_capacity(self.pieces.len() + 16);
        for step in steps {
            match *step {
                Step::Copy { from, count } => {
                    pieces.extend_from_slice(self.pieces.get(from..from.checked_add(count)?)?)
                }
                Step::Fresh { length } => {
                    let mut end = self.filled();
                    for piece in cut(self.stream.get(end..end.checked_add(length)?)?) {
                        end += piece.len();
                        pieces.push(self.ends.len() as u32);
                        self.ends.push(u32::try_from(end).ok()?);
                    }
                }
                Step::Older { number, count } => {
                    let end = (number as usize).checked_add(count).filter(|end| *end <= self.ends.len())?;
                    pieces.extend(number..end as u32);
                }
            }
        }
        self.pieces = pieces;
        Some(())
    }

    /// The newest body that is kept as text.
    pub(crate) fn body(&self) -> Vec<u8> {
        let length = self.pieces.iter().map(|&number| self.piece(number).len()).sum();
        let mut body = Vec::with_capacity(length);
        self.pieces.iter().for_each(|&number| body.extend_from_slice(self.piece(number)));
        body
    }

    /// Finds all pieces of the stream again.
    pub(crate) fn prints(&self) -> Prints {
        let pieces = (0..self.ends.len() as u32).map(|number| (print_of(self.piece(number)), number));
        Prints { pieces: pieces.collect() }
    }

    /// About how many bytes of memory this takes.
    pub(crate) fn weight(&self) -> usize {
        let numbers = (self.ends.capacity() + self.pieces.capacity()) * size_of::<u32>();
        size_of::<Reel>() + self.stream.capacity() + numbers + self.head.weight() + self.notes.weight()
    }

    fn piece(&self, number: u32) -> &[u8] {
        &self.stream[self.start(number)..self.ends[number as usize] as usize]
    }

    fn start(&self, number: u32) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before as usize] as usize)
    }

    /// Where the last piece ends.
    fn filled(&self) -> usize {
        self.ends.last().map_or(0, |end| *end as usize)
    }

    /// The number of a piece, which is added to the stream if it is not there.
    fn number_of(&mut self, piece: &[u8], prints: &mut Prints) -> u32 {
        let print = print_of(piece);
        if let Some(&number) = prints.pieces.get(&print)
            && self.piece(number) == piece
        {
            return number;
        }
        let number = self.ends.len() as u32;
        self.stream.extend_from_slice(piece);
        self.ends.push(self.stream.len() as u32);
        prints.pieces.insert(print, number);
        number
    }

    /// What a frame leans on: the end of the stream, and after it pieces that the entry drops and that lie further back,
    /// because what is fresh most often takes the place of what is gone.
    fn prefix<'a>(&self, done: &'a [u8], fresh_length: usize, dropped: &[u32]) -> Cow<'a, [u8]> {
        let tail_at = done.len().saturating_sub((PREFIX_FACTOR * fresh_length).clamp(PREFIX_MIN, PREFIX_MAX));
        let mut further_back = Vec::new();
        for &number in dropped {
            let (start, end) = (self.start(number), self.ends[number as usize] as usize);
            if end > tail_at {
                continue;
            }
            if further_back.len() + (end - start) > DROPPED_MAX {
                break;
            }
            further_back.extend_from_slice(&done[start..end]);
        }
        if further_back.is_empty() {
            return Cow::Borrowed(&done[tail_at..]);
        }
        Cow::Owned([&done[tail_at..], &further_back].concat())
    }

    /// Opens a frame that leans on the stream.
    fn open_frame(&mut self, steps: &[Step], frame: &[u8], length: usize) -> Option<()> {
        let kept = kept_pieces(&self.pieces, steps, self.ends.len())?;
        let dropped = dropped_pieces(&self.pieces, kept.into_iter());
        match self.prefix(&self.stream, length, &dropped) {
            Cow::Borrowed(prefix) => {
                let prefix_length = prefix.len();
                frame::decompress_onto(&mut self.stream, frame, length, prefix_length)
            }
            Cow::Owned(prefix) => {
                let fresh = frame::decompress(frame, length, &prefix)?;
                self.stream.extend_from_slice(&fresh);
                Some(())
            }
        }
    }
}

impl Prints {
    /// About how many bytes of memory this takes.
    pub(crate) fn weight(&self) -> usize {
        self.pieces.capacity() * (size_of::<(u64, u32)>() + 1)
    }
}

/// The pieces that the steps take from before the fresh ones.
fn kept_pieces(old: &[u32], steps: &[Step], piece_count: usize) -> Option<Vec<u32>> {
    let mut kept = Vec::with_capacity(old.len());
    for step in steps {
        match *step {
            Step::Copy { from, count } => kept.extend_from_slice(old.get(from..from.checked_add(count)?)?),
            Step::Fresh { .. } => {}
            Step::Older { number, count } => {
                let end = (number as usize).saturating_add(count).min(piece_count) as u32;
                kept.extend(number..end);
            }
        }
    }
    Some(kept)
}

/// The pieces of the old list that are not among the new ones, each with its neighbours in the old list.
fn dropped_pieces(old: &[u32], new: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut is_kept = vec![false; old.iter().max().map_or(0, |most| *most as usize + 1)];
    for number in new {
        if let Some(is_kept) = is_kept.get_mut(number as usize) {
            *is_kept = true;
        }
    }
    let is_dropped = |place: usize| old.get(place).is_some_and(|number| !is_kept[*number as usize]);
    let is_beside_dropped = |place: &usize| (place.saturating_sub(1)..=place + 1).any(is_dropped);
    (0..old.len()).filter(is_beside_dropped).map(|place| old[place]).collect()
}

/// Prints are hashes already.
#[derive(Clone, Copy, Debug, Default)]
struct PrintHasher(u64);

impl Hasher for PrintHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.0 = self.0.rotate_left(8) ^ u64::from(*byte));
    }

    fn write_u64(&mut self, print: u64) {
        self.0 = print;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(edit: usize) -> Vec<u8> {
        let line = |index: usize| {
            let word = if index == edit % 200 { format!("edited {edit}") } else { "plain".to_owned() };
            format!("<li class=x{index}>{word} {}</li>\n", index * 7919)
        };
        (0..200).map(line).collect::<String>().into_bytes()
    }

    fn alone(fresh: &[u8]) -> Vec<u8> {
        frame::compress(fresh, b"", 3)
    }

    #[test]
    fn played_bodies_are_those_that_were_added() {
        let (mut writer, mut reader, mut prints) = (Reel::default(), Reel::default(), Prints::default());
        let root = b"<li class=x1>plain 7919</li>\n".to_vec();
        let bodies = (0..40).map(|edit| page(edit * 37)).chain([Vec::new(), page(3), b"short".to_vec(), page(5)]);
        for body in bodies {
            let added = writer.add(&body, &mut prints, |fresh| frame::compress(fresh, &root, 3));
            assert_eq!(writer.body(), body);
            reader.play(&added.recipe, &added.frame, &root).expect("the parts are whole");
            assert_eq!(reader.body(), body);
            assert_eq!((&reader.stream, &reader.ends), (&writer.stream, &writer.ends));
        }
    }

    #[test]
    fn a_body_taken_whole_is_played_like_one_that_was_searched_for_repeats() {
        let body = [page(1), page(1)].concat();
        let added = Added::whole(&body, alone);
        let mut reader = Reel::default();
        reader.play(&added.recipe, &added.frame, b"").expect("the parts are whole");
        assert_eq!(reader.body(), body);
        let mut prints = reader.prints();
        let next = reader.clone().add(&page(1), &mut prints, alone);
        assert!(next.frame.is_empty(), "pieces of it are found again");
    }

    #[test]
    fn an_edit_adds_little_to_the_stream() {
        let (mut reel, mut prints) = (Reel::default(), Prints::default());
        reel.add(&page(1), &mut prints, alone);
        let before = reel.stream.len();
        reel.add(&page(2), &mut prints, alone);
        assert!(reel.stream.len() < before + 1500);
        let prints_again = reel.prints();
        assert_eq!(prints_again.pieces.len(), prints.pieces.len());
    }

    #[test]
    fn damaged_parts_never_panic() {
        let (mut writer, mut prints) = (Reel::default(), Prints::default());
        let first = writer.add(&page(1), &mut prints, alone);
        let second = writer.add(&page(2), &mut prints, alone);
        for place in 0..second.recipe.len() {
            for value in [0, 1, 2, 3, 127, 128, 255] {
                let mut recipe = second.recipe.clone();
                recipe[place] = value;
                let mut reader = Reel::default();
                reader.play(&first.recipe, &first.frame, b"").expect("the first parts are whole");
                let _ = reader.play(&recipe, &second.frame, b"");
            }
        }
    }
}
