//! Whether everything of a file is still there.

use super::sentences::sentences;
use std::collections::{HashMap, HashSet};

/// Whether each line of the source is in the result or among what was removed. Indentation and a
/// list's mark do not count, and a line of several sentences may have been taken apart. No word
/// may have become fewer either.
pub(super) fn nothing_lost<'a>(
    source: &str,
    result: &'a str,
    removed: impl Iterator<Item = &'a str> + Clone,
) -> bool {
    lost(source, result, removed).is_empty()
}

/// The parts of lines, and the words, that are gone.
pub(super) fn lost<'a>(
    source: &str,
    result: &'a str,
    removed: impl Iterator<Item = &'a str> + Clone,
) -> Vec<String> {
    let now = Words::count(std::iter::once(result).chain(removed.clone()));
    let mut lost = Vec::new();
    for line in source.lines().map(content).filter(|line| !line.is_empty()) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if now.have(&line) {
            continue;
        }
        let parts = sentences(&line).into_iter();
        let parts = parts.map(|range| line[range].trim().to_owned());
        lost.extend(parts.filter(|part| !now.have(part)));
    }
    let mut words: HashMap<&str, isize> = HashMap::new();
    for word in source.lines().map(content).flat_map(str::split_whitespace) {
        *words.entry(word).or_default() += 1;
    }
    for word in &now.words {
        if let Some(count) = words.get_mut(word) {
            *count -= 1;
        }
    }
    let fewer = words.into_iter().filter(|(_, count)| *count > 0);
    lost.extend(fewer.map(|(word, _)| word.to_owned()));
    lost
}

/// The words of texts in their order, with the places of each pair of neighbours.
struct Words<'a> {
    words: Vec<&'a str>,
    lines: HashSet<&'a str>,
    pairs: HashMap<(&'a str, &'a str), Vec<usize>>,
}

/// How many places of one pair are kept; where there are more, all words are looked through.
const PLACES: usize = 256;

impl<'a> Words<'a> {
    fn count(texts: impl Iterator<Item = &'a str>) -> Self {
        let lines: Vec<&str> = texts.flat_map(str::lines).map(content).collect();
        let words: Vec<&str> = lines
            .iter()
            .flat_map(|line| line.split_whitespace())
            .collect();
        let mut pairs: HashMap<_, Vec<usize>> = HashMap::new();
        for at in 0..words.len() {
            let pair = (words[at], words.get(at + 1).copied().unwrap_or_default());
            let places = pairs.entry(pair).or_default();
            if places.len() < PLACES {
                places.push(at);
            }
        }
        Self {
            lines: lines.into_iter().collect(),
            words,
            pairs,
        }
    }

    /// Whether these words stand somewhere in a row.
    fn have(&self, text: &str) -> bool {
        if self.lines.contains(text) {
            return true;
        }
        let wanted: Vec<&str> = text.split_whitespace().collect();
        let [first, second, ..] = wanted.as_slice() else {
            return wanted.iter().all(|word| self.words.contains(word));
        };
        let stands = |at: &usize| self.words.get(*at..at + wanted.len()) == Some(&wanted[..]);
        match self.pairs.get(&(*first, *second)) {
            None => false,
            Some(places) if places.iter().any(stands) => true,
            Some(places) => places.len() == PLACES && (0..self.words.len()).any(|at| stands(&at)),
        }
    }
}

/// A line without indentation and the mark of a list.
pub(super) fn content(line: &str) -> &str {
    let line = line.trim().trim_start_matches('\u{feff}');
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let unmarked = if rest.len() < line.len() {
        rest.strip_prefix(['.', ')'])
    } else {
        line.strip_prefix(['-', '*', '+'])
    };
    match unmarked {
        Some(rest) if rest.starts_with([' ', '\t']) || rest.is_empty() => rest.trim_start(),
        _ => line,
    }
}
