//! Hands our tokens to the index as one text, which its tokenizer only takes apart again: a letter for the step of the position, the
//! token, the end of a line.

use tantivy::tokenizer::{Token as IndexToken, TokenStream, Tokenizer};

use crate::tokens::Token;

/// The name of the tokenizer in the index.
pub(crate) const PACKED: &str = "kuai";

/// The letter that stands for no step.
const ZERO: u32 = 0x30;

/// Steps that a letter can stand for; no word is wider.
const STEP_MAX: usize = 0xD000;

/// Packs tokens.
pub(crate) fn pack(tokens: &[Token]) -> String {
    let mut packed = String::with_capacity(tokens.len() * 8);
    let mut position = 0;
    for token in tokens {
        let step = (token.position - position).min(STEP_MAX) as u32;
        position = token.position;
        packed.push(char::from_u32(ZERO + step).expect("a step stays below the surrogates"));
        packed.push_str(&token.text);
        packed.push('\n');
    }
    packed
}

/// Takes packed tokens apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    token: IndexToken,
}

/// Packed tokens on their way.
pub(crate) struct PackedStream<'a> {
    lines: std::str::Lines<'a>,
    position: usize,
    token: &'a mut IndexToken,
}

impl Tokenizer for Packed {
    type TokenStream<'a> = PackedStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PackedStream<'a> {
        self.token.reset();
        PackedStream { lines: text.lines(), position: 0, token: &mut self.token }
    }
}

impl TokenStream for PackedStream<'_> {
    fn advance(&mut self) -> bool {
        let Some(line) = self.lines.next() else { return false };
        let mut letters = line.chars();
        let step = letters.next().map_or(0, |letter| u32::from(letter).saturating_sub(ZERO));
        self.position += step as usize;
        self.token.position = self.position;
        self.token.text.clear();
        self.token.text.push_str(letters.as_str());
        true
    }

    fn token(&self) -> &IndexToken {
        self.token
    }

    fn token_mut(&mut self) -> &mut IndexToken {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Language;

    #[test]
    fn tokens_come_back_with_their_positions() {
        let tokens = crate::Tokenizer::default().tokens("用Rust写 中华人民共和国 3.14", Language::default());
        let (mut packed, text) = (Packed::default(), pack(&tokens));
        let mut stream = packed.token_stream(&text);
        let mut back = Vec::new();
        while stream.advance() {
            back.push((stream.token().text.clone(), stream.token().position));
        }
        assert_eq!(back, tokens.into_iter().map(|token| (token.text, token.position)).collect::<Vec<_>>());
    }
}
