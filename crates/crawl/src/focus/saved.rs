//! A topic as JSON text, so that it is kept with its crawl and can be read by people and other programs.

use serde::{Deserialize, Serialize};

use super::topic::{Term, Topic};

/// Why a saved topic was not read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TopicError {
    /// It is no JSON, or not that of a topic.
    #[error("not a topic: {0}")]
    Damaged(#[from] serde_json::Error),
    /// It was written by a newer kuai.
    #[error("the topic is of form {0}, and this kuai reads forms up to {FORM}")]
    Newer(u32),
}

/// The form in which this code writes topics.
const FORM: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Saved<'a> {
    form: u32,
    on_pages: f32,
    off_pages: f32,
    /// Word, given, on, off.
    #[serde(borrow)]
    terms: Vec<(std::borrow::Cow<'a, str>, f32, f32, f32)>,
}

impl Topic {
    /// The topic as JSON text.
    pub fn to_json(&self) -> String {
        let terms = self.terms.iter().map(|term| (term.word.as_ref().into(), term.given, term.on, term.off)).collect();
        let saved = Saved { form: FORM, on_pages: self.on_pages, off_pages: self.off_pages, terms };
        serde_json::to_string(&saved).expect("numbers and texts can be written")
    }

    /// Reads a topic that was saved.
    pub fn from_json(json: &str) -> Result<Topic, TopicError> {
        #[derive(Deserialize)]
        struct Form {
            form: u32,
        }
        let Form { form } = serde_json::from_str(json)?;
        if form > FORM {
            return Err(TopicError::Newer(form));
        }
        let saved: Saved<'_> = serde_json::from_str(json)?;
        let terms = saved.terms.into_iter();
        let terms = terms.map(|(word, given, on, off)| Term::learnt(&word, share(given), count(on), count(off)));
        Ok(Topic::from_terms(terms, count(saved.on_pages), count(saved.off_pages)))
    }
}

/// A count that someone else wrote: what is none counts nothing.
fn count(number: f32) -> f32 {
    if number.is_finite() { number.clamp(0.0, 1e9) } else { 0.0 }
}

fn share(number: f32) -> f32 {
    count(number).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_comes_back_as_it_was() {
        let mut topic = Topic::from_words("layers 图层");
        topic.learn(["layers and masks, 图层和蒙版"], 0.9);
        topic.learn(["bread and butter"], 0.1);
        let again = Topic::from_json(&topic.to_json()).unwrap();
        assert_eq!(again.to_json(), topic.to_json());
        let text = "masks for layers";
        assert!((again.relevance(text) - topic.relevance(text)).abs() < 0.1);
    }

    #[test]
    fn what_is_no_topic_is_not_read() {
        assert!(matches!(Topic::from_json("{}"), Err(TopicError::Damaged(_))));
        assert!(matches!(Topic::from_json(r#"{"form":2}"#), Err(TopicError::Newer(2))));
    }

    #[test]
    fn odd_numbers_do_no_harm() {
        let json =
            r#"{"form":1,"on_pages":-5,"off_pages":3e38,"terms":[["a b",7,-1,3e38],["ab",7,-1,1],["ab",0,0,0]]}"#;
        let relevance = Topic::from_json(json).unwrap().relevance("ab");
        assert!((0.0..=1.0).contains(&relevance));
    }
}
