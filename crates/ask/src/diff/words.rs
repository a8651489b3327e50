//! Which words of a line changed.

use super::{Hunk, Line, LineKind};
use similar::{Algorithm, DiffTag, capture_diff_slices};
use std::{collections::HashMap, ops::Range};

/// A line of more words or signs than this gets no marks: what changed in it is not seen better by them.
const MOST_WORDS: usize = 240;
/// How many lines a change may have on one side to be compared line by line.
const MOST_LINES: usize = 100;

/// How many comparisons of two words one diff may cost; then lines get no marks any more.
pub(super) struct Budget(usize);

impl Default for Budget {
    fn default() -> Self {
        Self(20_000_000)
    }
}

impl Budget {
    fn spend(&mut self, cost: usize) -> bool {
        let left = self.0.checked_sub(cost);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// Marks the words that changed, wherever removed lines are followed by added ones.
pub(super) fn mark(hunk: &mut Hunk, budget: &mut Budget) {
    let mut rest = hunk.lines.as_mut_slice();
    while let Some(start) = rest.iter().position(|line| line.kind == LineKind::Removed) {
        rest = &mut rest[start..];
        // That there was no newline at the end of the file stands between the two.
        let removed = run(rest, LineKind::Removed);
        let (old, after) = rest.split_at_mut(removed);
        let added = run(after, LineKind::Added);
        let (new, after) = after.split_at_mut(added);
        if removed <= MOST_LINES && added <= MOST_LINES {
            mark_change(old, new, budget);
        }
        rest = after;
    }
}

/// How many lines from the first are of this kind, remarks between them counted.
fn run(lines: &[Line], kind: LineKind) -> usize {
    let of_kind = |line: &&Line| line.kind == kind || line.kind == LineKind::Remark;
    lines.iter().take_while(of_kind).count()
}

fn mark_change(old: &mut [Line], new: &mut [Line], budget: &mut Budget) {
    let mut new: Vec<_> = of_kind(new, LineKind::Added);
    let mut old: Vec<_> = of_kind(old, LineKind::Removed);
    let in_order = old.len() == new.len();
    let mut next = 0;
    for (place, (old, old_words)) in old.iter_mut().enumerate() {
        let found = if in_order {
            (place < new.len()).then_some(place)
        } else {
            (next..new.len()).find(|&other| {
                let cost = old_words.len() + new[other].1.len();
                budget.spend(cost) && alike(&old.text, old_words, &new[other].0.text, &new[other].1)
            })
        };
        if let Some(found) = found {
            next = found + 1;
            let (new, new_words) = &mut new[found];
            mark_pair(old, old_words, new, new_words, budget);
        }
    }
}

type Words = Vec<Range<usize>>;

fn of_kind(lines: &mut [Line], kind: LineKind) -> Vec<(&mut Line, Words)> {
    let lines = lines.iter_mut().filter(|line| line.kind == kind);
    lines
        .map(|line| (words_of(&line.text), line))
        .map(|(words, line)| (line, words))
        .collect()
}

/// Whether two lines have at least half of their words in common, in whatever order.
fn alike(old: &str, old_words: &Words, new: &str, new_words: &Words) -> bool {
    let mut counts: HashMap<&str, isize> = HashMap::new();
    let is_word = |word: &&str| !word.trim().is_empty();
    let mut total = 0;
    for word in old_words
        .iter()
        .map(|range| &old[range.clone()])
        .filter(is_word)
    {
        *counts.entry(word).or_default() += 1;
        total += 1;
    }
    let mut shared = 0;
    for word in new_words
        .iter()
        .map(|range| &new[range.clone()])
        .filter(is_word)
    {
        total += 1;
        if let Some(count) = counts.get_mut(word).filter(|count| **count > 0) {
            *count -= 1;
            shared += 2;
        }
    }
    shared > 0 && shared * 2 >= total
}

fn mark_pair(
    old: &mut Line,
    old_words: &Words,
    new: &mut Line,
    new_words: &Words,
    budget: &mut Budget,
) {
    let short = old_words.len() <= MOST_WORDS && new_words.len() <= MOST_WORDS;
    if !short || !budget.spend(old_words.len() * new_words.len()) {
        return;
    }
    if !alike(&old.text, old_words, &new.text, new_words) {
        return;
    }
    let before: Vec<&str> = old_words
        .iter()
        .map(|range| &old.text[range.clone()])
        .collect();
    let after: Vec<&str> = new_words
        .iter()
        .map(|range| &new.text[range.clone()])
        .collect();
    let (mut gone, mut came) = (Vec::new(), Vec::new());
    for change in capture_diff_slices(Algorithm::Myers, &before, &after) {
        if change.tag() != DiffTag::Equal {
            join(&mut gone, &old_words[change.old_range()]);
            join(&mut came, &new_words[change.new_range()]);
        }
    }
    (old.words, new.words) = (joined(&old.text, gone), joined(&new.text, came));
}

/// Adds the stretch from the first word to the last.
fn join(ranges: &mut Words, words: &[Range<usize>]) {
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        ranges.push(first.start..last.end);
    }
}

/// The ranges, with those made one that only spaces stand between.
fn joined(text: &str, ranges: Words) -> Words {
    let mut joined: Words = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if text[last.end..range.start].trim().is_empty() => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}

/// The words of a line, the spaces between them, and every other sign by itself.
fn words_of(text: &str) -> Words {
    let kind = |char: char| match char {
        char if char.is_alphanumeric() || char == '_' => 1,
        char if char.is_whitespace() => 2,
        _ => 0,
    };
    let mut words: Words = Vec::new();
    let mut before = 0;
    for (place, char) in text.char_indices() {
        let (now, end) = (kind(char), place + char.len_utf8());
        match words.last_mut() {
            Some(word) if now != 0 && now == before => word.end = end,
            _ => words.push(place..end),
        }
        if words.len() > MOST_WORDS + 1 {
            break;
        }
        before = now;
    }
    words
}
