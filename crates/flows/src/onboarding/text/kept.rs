//! Whether everything of a file is still there.

use super::document::sentences;
use std::collections::HashMap;

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
    let now: Vec<String> = [flat(result)]
        .into_iter()
        .chain(removed.clone().map(flat))
        .collect();
    let mut lost = Vec::new();
    let there = |part: &str| now.iter().any(|text| text.contains(part));
    for line in source.lines().map(content).filter(|line| !line.is_empty()) {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        if there(&line) {
            continue;
        }
        let parts = sentences(&line)
            .into_iter()
            .map(|range| line[range].trim().to_owned());
        lost.extend(parts.filter(|part| !there(part)));
    }
    let mut words: HashMap<&str, isize> = HashMap::new();
    for word in source.lines().map(content).flat_map(str::split_whitespace) {
        *words.entry(word).or_default() += 1;
    }
    let left = result.lines().map(content).flat_map(str::split_whitespace);
    let gone = removed
        .flat_map(str::lines)
        .map(content)
        .flat_map(str::split_whitespace);
    for word in left.chain(gone) {
        if let Some(count) = words.get_mut(word) {
            *count -= 1;
        }
    }
    let fewer = words.into_iter().filter(|(_, count)| *count > 0);
    lost.extend(fewer.map(|(word, _)| word.to_owned()));
    lost
}

/// A line without indentation and the mark of a list.
pub(super) fn content(line: &str) -> &str {
    let line = line.trim().trim_start_matches('\u{feff}');
    let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let unmarked = match rest.len() < line.len() {
        true => rest.strip_prefix(['.', ')']),
        false => line.strip_prefix(['-', '*', '+']),
    };
    match unmarked {
        Some(rest) if rest.starts_with([' ', '\t']) || rest.is_empty() => rest.trim_start(),
        _ => line,
    }
}

fn flat(text: &str) -> String {
    let words = text.lines().map(content).flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}
