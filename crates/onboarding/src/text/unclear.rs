//! Rules that nobody could tell to be followed or not.

use super::{
    document::{Document, Kind, Unit},
    lexicon::{ANCHORS, UNFINISHED, UNFINISHED_WORDS, VAGUE},
};
use std::{collections::HashSet, sync::LazyLock};

/// A longer rule says enough to be checked, whatever words it has.
const LONG: usize = 16;

/// What is unclear about a rule.
pub(super) fn find(unit: &Unit) -> Option<&'static str> {
    let text = unit.text.to_lowercase();
    if is_unfinished(&text) {
        return Some("unfinished");
    }
    let words: Vec<&str> = text
        .split(|char: char| !char.is_alphanumeric() && char != '-' && char != '\'')
        .filter(|word| !word.is_empty())
        .collect();
    let checkable = unit.literal
        || words.len() > LONG
        || text.contains(|char: char| char.is_ascii_digit())
        || text.trim_end_matches([':', '.']).contains(':');
    if checkable || !is_vague(&words.join(" ")) {
        return None;
    }
    let anchored = ANCHORS.iter().any(|anchor| text.contains(anchor));
    (!anchored).then_some("vague")
}

static PHRASES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| VAGUE.iter().copied().collect());
/// The most words of a phrase.
const PHRASE: usize = 5;

fn is_vague(words: &str) -> bool {
    let mut starts: Vec<usize> = vec![0];
    starts.extend(words.match_indices(' ').map(|(at, _)| at + 1));
    (0..starts.len()).any(|first| {
        (first + 1..=(first + PHRASE).min(starts.len())).any(|next| {
            let end = starts.get(next).map_or(words.len(), |start| start - 1);
            PHRASES.contains(&words[starts[first]..end])
        })
    })
}

/// A mark at the beginning, or alone: one that is only mentioned is none.
fn is_unfinished(text: &str) -> bool {
    let text = text.trim_start_matches(|char: char| !char.is_alphanumeric() && char != '?');
    let first = text.split(|char: char| !char.is_alphanumeric()).next();
    let marked = first.is_some_and(|first| UNFINISHED.contains(&first));
    let rest = first.map_or("", |first| &text[first.len()..]);
    let alone = rest
        .trim_matches(|char: char| !char.is_alphanumeric())
        .is_empty();
    let mentioned = [
        "s ", " comment", " in ", " without", " mark", " entr", " is ", " are ",
    ];
    let mentioned = mentioned.iter().any(|after| rest.starts_with(after));
    marked && (alone || !mentioned) || UNFINISHED_WORDS.iter().any(|words| text.contains(words))
}

/// Headings with nothing under them, by block.
pub(super) fn empty_sections(document: &Document<'_>) -> Vec<usize> {
    let mut empty = Vec::new();
    for (number, block) in document.blocks.iter().enumerate() {
        let Kind::Heading { level, .. } = block.kind else {
            continue;
        };
        let next = document.blocks.get(number + 1).map(|block| &block.kind);
        let ends = match next {
            None => true,
            Some(Kind::Heading { level: next, .. }) => *next <= level,
            Some(_) => false,
        };
        // A title with nothing else is a file yet to be written, not an empty section.
        if ends && !(number == 0 && next.is_none() && level == 1) {
            empty.push(number);
        }
    }
    empty
}
