//! Pages that somebody is looking into, with their blocks marked: kept for a while, for the frame on the side of archived pages that draws them.
//!
//! A draft is known by a name that nobody guesses, so whoever asks for it was shown it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::HEXLOWER;

use crate::refusal::Refusal;

/// Drafts that are kept, and bytes of them all.
const DRAFTS_MAX: usize = 64;
const BYTES_MAX: usize = 64 << 20;

/// See above.
#[derive(Default)]
pub(crate) struct Drafts {
    kept: Mutex<VecDeque<(String, Arc<Draft>)>>,
}

/// A page to be drawn.
pub(crate) struct Draft {
    /// The page with a comment before and behind each block, and the script that draws them.
    pub(crate) html: String,
    /// Whether what it needs to be shown is in the archive, where its addresses lead.
    pub(crate) is_archived: bool,
}

impl Drafts {
    /// Keeps a draft, the oldest ones for it no longer; gives what it is known by.
    pub(crate) fn put(&self, draft: Draft) -> Result<String, Refusal> {
        let mut name = [0; 16];
        getrandom::fill(&mut name).map_err(|_| Refusal::broken())?;
        let name = HEXLOWER.encode(&name);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_back((name.clone(), Arc::new(draft)));
        let mut bytes: usize = kept.iter().map(|(_, draft)| draft.html.len()).sum();
        while kept.len() > DRAFTS_MAX || bytes > BYTES_MAX && kept.len() > 1 {
            let Some((_, oldest)) = kept.pop_front() else { break };
            bytes -= oldest.html.len();
        }
        Ok(name)
    }

    pub(crate) fn get(&self, name: &str) -> Option<Arc<Draft>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(known, _)| known == name).map(|(_, draft)| Arc::clone(draft))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_drafts_go_when_there_are_too_many_or_too_large_ones() {
        let drafts = Drafts::default();
        let put =
            |bytes: usize| drafts.put(Draft { html: "x".repeat(bytes), is_archived: false }).expect("random numbers");
        let first = put(10);
        assert!(drafts.get(&first).is_some());
        (0..DRAFTS_MAX).for_each(|_| drop(put(10)));
        assert!(drafts.get(&first).is_none());
        let large = put(BYTES_MAX);
        assert!(drafts.get(&large).is_some(), "the latest stays, however large");
        assert_eq!(drafts.kept.lock().expect("nobody panicked").len(), 1);
    }
}
