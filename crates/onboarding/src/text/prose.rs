//! Rules in prose, made bullets: one for each sentence, or for each line of loose notes.

use super::{
    canonical::is_to_settle,
    document::{Document, Kind},
    lexicon::{IMPERATIVES, MODALS},
    sentences::{each_line, sentences},
};

/// Sentences that belong to the one before them.
const GOES_ON: &[&str] = &[
    "it",
    "this",
    "that",
    "they",
    "these",
    "those",
    "otherwise",
    "because",
    "so",
    "then",
    "its",
    "their",
    "see",
];

/// The text with each paragraph that holds rules as a list; none where that is not safe.
pub(super) fn as_bullets(text: &str) -> Option<String> {
    let document = Document::read(text);
    let mut lines: Vec<String> = Vec::new();
    let mut next = 0;
    let mut settling = false;
    for block in &document.blocks {
        if matches!(block.kind, Kind::Heading { .. }) {
            settling = settling || is_to_settle(block);
        }
        if block.kind != Kind::Paragraph || settling {
            continue;
        }
        let Some(bullets) = bullets(&document.lines[block.lines.clone()]) else {
            continue;
        };
        lines.extend(
            document.lines[next..block.lines.start]
                .iter()
                .map(|line| (*line).to_owned()),
        );
        // A list must not go on with what stood right before or behind the paragraph.
        lines.push(String::new());
        lines.extend(bullets);
        lines.push(String::new());
        next = block.lines.end;
    }
    lines.extend(document.lines[next..].iter().map(|line| (*line).to_owned()));
    let mut text = lines.join("\n");
    text.push('\n');
    Some(text)
}

fn bullets(lines: &[&str]) -> Option<Vec<String>> {
    let whole = lines.join(" ");
    if whole.trim_end().ends_with(':') || odd(&whole) {
        return None;
    }
    let mut rules: Vec<String> = Vec::new();
    if each_line(lines) {
        rules.extend(lines.iter().map(|line| line.trim().to_owned()));
    } else {
        let joined: Vec<_> = lines.iter().map(|line| line.trim()).collect();
        let joined = joined.join(" ");
        for range in sentences(&joined) {
            let sentence = joined[range].trim();
            let first = sentence.split([' ', ',']).next().unwrap_or_default();
            let goes_on = GOES_ON.contains(&first.to_lowercase().as_str());
            match rules.last_mut() {
                Some(before) if goes_on || odd(before) => {
                    before.push(' ');
                    before.push_str(sentence);
                }
                _ => rules.push(sentence.to_owned()),
            }
        }
    }
    let is_safe = |rule: &String| {
        rule.starts_with(|char: char| char.is_alphanumeric() || "`*_\"“(".contains(char))
            && !odd(rule)
            && !looks_numbered(rule)
            && !rule.starts_with("* ")
    };
    let wanted = rules.iter().any(|rule| is_rule(rule)) && rules.iter().all(is_safe);
    wanted.then(|| rules.into_iter().map(|rule| format!("- {rule}")).collect())
}

/// Whether a text tells somebody to do something.
fn is_rule(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    let mut words = text
        .split(|char: char| !char.is_alphanumeric() && char != '\'')
        .filter(|word| !word.is_empty());
    let first = words.clone().next().unwrap_or_default();
    IMPERATIVES.contains(&first) || words.any(|word| MODALS.contains(&word))
}

/// Code or emphasis begins in it and does not end.
fn odd(text: &str) -> bool {
    let count = |mark: &str| text.matches(mark).count();
    count("`") % 2 == 1
        || count("**") % 2 == 1
        || count("[") != count("]")
        || count("(") != count(")")
        || text.contains('<')
        || text.ends_with('\\')
}

fn looks_numbered(text: &str) -> bool {
    let rest = text.trim_start_matches(|char: char| char.is_ascii_digit());
    rest.len() < text.len() && rest.starts_with(['.', ')'])
}
