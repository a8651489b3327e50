//! The words of kinds that only a newer program knows.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

/// How many words are kept at most, and how long each may be: a program that is this much older than
/// another is helped by no further word, and a file that was made up must not fill the memory.
const MOST: usize = 64;
const LONGEST: usize = 64;

/// The same word, for as long as the process lives.
pub(crate) fn word(word: &str) -> &'static str {
    static WORDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut words = WORDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = words.get(word) {
        return known;
    }
    if words.len() >= MOST || word.len() > LONGEST {
        return "other";
    }
    let kept: &'static str = Box::leak(word.to_owned().into_boxed_str());
    words.insert(kept);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_kept_once_and_not_without_end() {
        let first = word("delegated");
        assert_eq!(first, "delegated");
        assert!(std::ptr::eq(first, word("delegated")));
        assert_eq!(word(&"x".repeat(LONGEST + 1)), "other");
        for number in 0..2 * MOST {
            word(&format!("kind_{number}"));
        }
        assert_eq!(word("one too many"), "other");
        assert_eq!(word("delegated"), "delegated");
    }
}
