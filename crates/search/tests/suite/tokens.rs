//! What holds of tokens of any text.

use kuai_search::{Language, Token, Tokenizer};
use proptest::prelude::*;

/// A word of some script, or something between words.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z]{1,9}",
        "[0-9]{1,5}",
        "[äöüéèñß]{1,4}",
        "[我们学习编程中华人民共和国漢語詞典]{1,6}",
        "[а-я]{1,6}",
        "[あ-んア-ン]{1,4}",
        "[ａ-ｚ０-９]{1,4}",
        "[ ,.;:!?，。、-]{1,2}",
        "\\PC{0,3}",
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..20).prop_map(|pieces| pieces.concat())
}

fn tokens(text: &str, language: Language) -> Vec<Token> {
    thread_local!(static TOKENIZER: Tokenizer = Tokenizer::default());
    TOKENIZER.with(|tokenizer| tokenizer.tokens(text, language))
}

fn english() -> Language {
    Language::of_code("en").expect("English is known")
}

proptest! {
    #[test]
    fn positions_rise_and_spans_lie_in_the_text(text in text()) {
        let tokens = tokens(&text, english());
        for pair in tokens.windows(2) {
            prop_assert!(pair[0].position <= pair[1].position);
            prop_assert!(pair[0].span.start <= pair[1].span.start);
        }
        for token in &tokens {
            prop_assert!(!text[token.span.clone()].is_empty());
            prop_assert!(!token.text.is_empty());
        }
    }

    #[test]
    fn no_position_is_left_out(text in text()) {
        let tokens = tokens(&text, english());
        let mut next = 0;
        for token in &tokens {
            prop_assert!(token.position <= next, "{token:?} stands behind a gap");
            next = next.max(token.position + token.width);
        }
    }

    #[test]
    fn a_text_between_others_has_its_tokens_in_a_row(before in text(), inside in text(), after in text()) {
        // Between separators nothing around a text changes how it is cut.
        let whole = tokens(&format!("{before} | {inside} | {after}"), english());
        let shift = tokens(&before, english()).iter().map(|token| token.position + token.width).max().unwrap_or(0);
        for token in tokens(&inside, english()) {
            let same = |other: &Token| other.text == token.text && other.position == token.position + shift;
            prop_assert!(whole.iter().any(same), "{token:?} is not in {whole:?}");
        }
    }

    #[test]
    fn width_case_and_script_make_no_difference(word in "[a-z0-9]{1,12}") {
        let wide: String = word.chars().map(|letter| char::from_u32(letter as u32 + 0xFEE0).expect("a wide form")).collect();
        let texts = |text: &str| tokens(text, english()).into_iter().map(|token| token.text).collect::<Vec<_>>();
        prop_assert_eq!(texts(&word), texts(&wide));
        prop_assert_eq!(texts(&word), texts(&word.to_uppercase()));
    }
}
