//! Where one rule of a text ends and the next begins.

use std::ops::Range;

/// A line is taken for wrapped prose from this length on.
const WRAPPED: usize = 55;

/// Whether each of these lines stands for itself, as in notes, and they are not wrapped prose.
pub(super) fn each_line(lines: &[&str]) -> bool {
    let stands = |pair: &[&str]| {
        let (line, next) = (pair[0].trim(), pair[1].trim());
        let ended = line.ends_with(['.', '!', '?', ':', ';']);
        let goes_on = next.starts_with(char::is_lowercase);
        let wrapped = line.chars().count() >= WRAPPED && goes_on;
        ended || !wrapped && !line.ends_with(',')
    };
    lines.len() > 1 && lines.windows(2).all(stands)
}

/// The sentences of a text; a newline in it ends one.
pub(super) fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, char) in text.char_indices() {
        let end = at + char.len_utf8();
        let ends = match char {
            '\n' => true,
            '.' | '!' | '?' => {
                let gap = bytes.get(end) == Some(&b' ');
                let rest = text[end..].trim_start();
                let upper = rest
                    .chars()
                    .next()
                    .is_some_and(|next| !next.is_lowercase() && !")]…,".contains(next));
                gap && upper && !is_abbreviation(&text[start..at])
            }
            _ => false,
        };
        if ends {
            push(text, start..end, &mut found);
            start = end;
        }
    }
    push(text, start..text.len(), &mut found);
    found
}

fn push(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let lead = text[range.clone()].len() - text[range.clone()].trim_start().len();
    if !text[range.clone()].trim().is_empty() {
        found.push(range.start + lead..range.end);
    }
}

fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let word = word.to_lowercase();
    matches!(
        word.as_str(),
        "e.g" | "i.e" | "vs" | "etc" | "cf" | "approx" | "no"
    ) || word.len() == 1 && word.chars().all(char::is_alphabetic)
}
