//! Colour that costs next to nothing, for what is too much for a grammar: comments, texts, numbers, keywords and
//! names, in one pass over a line.

use super::colour::Classes;
use std::{collections::HashSet, sync::LazyLock};

/// A longer line stays plain.
const LONGEST_LINE: usize = 5_000;
/// A longer text in quotes is left alone: looking for its end again and again takes time.
const LONGEST_TEXT: usize = 200;

/// What begins a comment that ends with its line, and the endings of the files that are written so.
const COMMENTS: [(&str, &str); 3] = [
    (
        "//",
        "c cpp cs css dart go java js json jsx kt php rs scala swift ts tsx zig",
    ),
    ("#", "bash ex ini mk pl properties py r rb sh toml yaml yml"),
    ("--", "hs lua sql"),
];

/// An ending of files that is known here, and what begins a comment in them.
pub(super) fn known_ending(ending: &str) -> Option<(&'static str, &'static str)> {
    COMMENTS.into_iter().find_map(|(mark, endings)| {
        let mut endings = endings.split(' ');
        Some((endings.find(|known| *known == ending)?, mark))
    })
}

/// What begins a comment in the language of files that end so; none where the language is not known here.
#[cfg_attr(not(feature = "colours"), allow(dead_code))]
pub(super) fn comment_mark(endings: &[String]) -> Option<&'static str> {
    let mut marks = endings.iter().filter_map(|ending| known_ending(ending));
    marks.next().map(|(_, mark)| mark)
}

/// The classes of a line in a language with this mark of comments.
pub(super) fn line(text: &str, comment: &str) -> Classes {
    let mut classes = Vec::new();
    if text.len() > LONGEST_LINE {
        return classes;
    }
    let mut place = 0;
    while let Some(first) = text[place..].chars().next() {
        let rest = &text[place..];
        let (class, length) = if rest.starts_with(comment) {
            ("com", rest.len())
        } else if matches!(first, '"' | '\'' | '`') {
            text_length(rest, first).map_or(("", first.len_utf8()), |length| ("str", length))
        } else if is_word(first) {
            let length = rest.find(|char| !is_word(char)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(length);
            (class_of(word, after.starts_with(['(', '!'])), length)
        } else {
            ("", first.len_utf8())
        };
        if !class.is_empty() {
            classes.push((place..place + length, class));
        }
        place += length;
    }
    classes
}

/// How long a text in quotes is, which must end on its line.
fn text_length(rest: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (place, char) in rest.char_indices().take(LONGEST_TEXT).skip(1) {
        match char {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if char == quote => return Some(place + char.len_utf8()),
            _ => {}
        }
    }
    None
}

fn class_of(word: &str, is_called: bool) -> &'static str {
    let first = word.chars().next().unwrap_or_default();
    if first.is_ascii_digit() {
        "num"
    } else if KEYWORDS.contains(word.to_ascii_lowercase().as_str()) {
        "kw"
    } else if is_called {
        "fn"
    } else if first.is_uppercase() && word.chars().any(char::is_lowercase) {
        "ty"
    } else {
        ""
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

static KEYWORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    "abstract and as async await begin bool break case catch char class const continue create def default defer \
     delete do double drop elif else elsif end enum except export extends false finally float fn for foreach from \
     func function if impl implements import in insert int interface into is join lambda let long loop match mod \
     module move mut namespace new nil none not null on or order package pass primary private protected pub public \
     raise ref return select self set static string struct super switch table then this throw trait true try type \
     typeof union unless unsafe until update use using var void where while with yield"
        .split_whitespace()
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_at_a_time() {
        let check = |mark: &str, text: &str, wanted: &[(&str, &str)]| {
            let found = line(text, mark);
            let found: Vec<_> = found
                .into_iter()
                .map(|(range, class)| (&text[range], class))
                .collect();
            assert_eq!(found, wanted, "{text}");
        };
        check(
            "//",
            "let x = \"<b>\"; // 1",
            &[("let", "kw"), ("\"<b>\"", "str"), ("// 1", "com")],
        );
        check(
            "--",
            "SELECT 42 -- all",
            &[("SELECT", "kw"), ("42", "num"), ("-- all", "com")],
        );
        check("//", "Thing::new(a)", &[("Thing", "ty"), ("new", "kw")]);
        check("//", "it's go(ä)", &[("go", "fn")]);
        let long = format!("'{}'", "x ".repeat(LONGEST_TEXT));
        check("//", &long, &[]);
        check("//", &"let ".repeat(LONGEST_LINE), &[]);
    }

    #[test]
    fn languages_by_their_files() {
        let mark = |ending: &str| comment_mark(&[ending.to_owned()]);
        assert_eq!(
            [mark("rs"), mark("py"), mark("sql")],
            [Some("//"), Some("#"), Some("--")]
        );
        assert_eq!(mark("txt"), None);
    }
}
