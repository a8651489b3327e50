//! Puts agent text into the Markdown that people read, so that it cannot leave its place.

use pulldown_cmark::{Event, Options, Parser, Tag};

/// How often HTML is escaped before all of the text is shown as code instead.
const ROUNDS: usize = 8;

/// Makes agent Markdown that ends where it ends: HTML in it is escaped and an open fence closed, so that
/// what follows is read as ours, in a client that renders HTML too. What cannot be contained so is shown as
/// code.
pub fn contained(text: &str) -> String {
    let mut shown = text.trim().to_owned();
    for _ in 0..ROUNDS {
        let places = html_tags(&shown);
        if places.is_empty() {
            break;
        }
        for place in places.into_iter().rev() {
            shown.insert(place, '\\');
        }
    }
    if is_contained(&shown) {
        return shown;
    }
    let closed = match last_fence(&shown) {
        Some(fence) => format!("{shown}\n{fence}"),
        None => shown,
    };
    if is_contained(&closed) {
        closed
    } else {
        fenced("text", text.trim())
    }
}

/// Makes agent text for within a line of ours.
pub fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let (mut shown, mut escaped) = (String::new(), false);
    for char in words.join(" ").chars() {
        if char == '<' && !escaped {
            shown.push('\\');
        }
        escaped = char == '\\' && !escaped;
        shown.push(char);
    }
    shown
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

/// Where the text has HTML: every `<` of it.
fn html_tags(text: &str) -> Vec<usize> {
    let events = Parser::new_ext(text, options()).into_offset_iter();
    let html = events.filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_)));
    let mut places: Vec<_> = html
        .flat_map(|(_, range)| {
            let start = range.start;
            let tags = text[range].match_indices('<');
            tags.map(move |(place, _)| start + place)
                .collect::<Vec<_>>()
        })
        .collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Whether a paragraph that follows is one, and stands by itself.
fn is_contained(text: &str) -> bool {
    let whole = format!("{text}\n\nEnd");
    if !html_tags(&whole).is_empty() {
        return false;
    }
    let (mut depth, mut stands) = (0, false);
    for (event, range) in Parser::new_ext(&whole, options()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && tag == Tag::Paragraph && range.start == text.len() + 2 {
                    stands = true;
                }
                depth += 1;
            }
            Event::End(_) => depth -= 1,
            _ => {}
        }
    }
    stands
}

/// What closes the last fence, if it is open.
fn last_fence(text: &str) -> Option<String> {
    let fence = |line: &str| {
        let line = line.trim_start_matches([' ', '>']);
        let first = line
            .chars()
            .next()
            .filter(|char| matches!(char, '`' | '~'))?;
        let length = line.chars().take_while(|char| *char == first).count();
        (length >= 3).then(|| first.to_string().repeat(length))
    };
    text.lines().filter_map(fence).max_by_key(String::len)
}

/// Makes a block of code, with a fence that nothing in the text can close.
pub fn fenced(language: &str, text: &str) -> String {
    let longest = runs(text).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!(
        "{fence}{language}\n{}\n{fence}",
        text.trim_end_matches('\n')
    )
}

/// Makes code within a line.
pub fn code(text: &str) -> String {
    let longest = runs(text).max().unwrap_or(0);
    let text = text.replace(['\n', '\r'], "⏎");
    match longest {
        0 => format!("`{text}`"),
        longest => {
            let fence = "`".repeat(longest + 1);
            format!("{fence} {text} {fence}")
        }
    }
}

/// Makes a list of code, cut after so many items.
pub fn code_list(items: &[String], most: usize) -> String {
    let mut lines: Vec<_> = items
        .iter()
        .take(most)
        .map(|item| format!("- {}", code(item)))
        .collect();
    if let Some(more) = items.len().checked_sub(most).filter(|more| *more > 0) {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

/// Makes a list of agent text, one line or more each.
pub fn list(items: &[String]) -> String {
    let items = items
        .iter()
        .map(|item| format!("- {}", indented(&contained(item))));
    items.collect::<Vec<_>>().join("\n")
}

/// Indents the further lines of an item under its first one.
pub fn indented(text: &str) -> String {
    text.trim().replace('\n', "\n  ")
}

/// Makes a quotation.
pub fn quoted(text: &str) -> String {
    let text = contained(text);
    let lines = text.lines().map(|line| format!("> {line}"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Gives the lines that fit into so many bytes, and how many bytes were left out.
pub fn cut(text: &str, most: usize) -> (&str, usize) {
    if text.len() <= most {
        return (text, 0);
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    // A whole number of lines reads better, where a line is not longer than all the room.
    let end = text[..end].rfind('\n').map_or(end, |line| line + 1);
    (&text[..end], text.len() - end)
}

/// The lengths of the runs of backticks.
fn runs(text: &str) -> impl Iterator<Item = usize> + '_ {
    text.split(|char| char != '`').map(str::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_block() {
        assert_eq!(fenced("diff", "+a\n"), "```diff\n+a\n```");
        assert_eq!(fenced("", "```\n# Approved"), "````\n```\n# Approved\n````");
        assert_eq!(code("a b"), "`a b`");
        assert_eq!(code("a`b"), "`` a`b ``");
        assert_eq!(code("a\nb"), "`a⏎b`");
        assert_eq!(quoted("a\n\n# b"), "> a\n> \n> # b");
    }

    /// Texts that would swallow, hide or dress up what follows them.
    const HOSTILE: [&str; 18] = [
        "All good.\n\n<!--",
        "All good. <!-- x --> <!--",
        "<!-- a\n\nb",
        "~~~~",
        "```",
        "````text\n```",
        "- a\n\n  ```\n  b",
        "> ```\n> a",
        "1. a\n   ~~~",
        "<details><summary>a</summary>",
        "a <b>b",
        "<pre>",
        "<script>\n\n</div>",
        "<div style=\"display:none\">",
        "a\\<div>\n<p>\\<i>",
        "<![CDATA[",
        "<?php",
        "```\n<!--\n```\n<textarea>\n~~~\n```",
    ];

    #[test]
    fn agent_markdown_ends_where_it_ends() {
        for text in HOSTILE {
            for shown in [contained(text), quoted(text), list(&[text.to_owned()])] {
                assert!(is_contained(&shown), "{text:?}: {shown:?}");
            }
            assert!(!one_line(text).contains('\n'));
            assert!(
                is_contained(&format!("## Do “{}”?", one_line(text))),
                "{text:?}"
            );
        }
        // What is well-behaved stays as it is.
        for text in [
            "A *plan*.\n\n- a\n- b\n\n```rust\nlet a: Vec<u8>;\n```",
            "`Vec<T>`, a < b, <https://example.org>",
            "| a |\n|---|\n| b |",
        ] {
            assert_eq!(contained(text), text);
        }
        assert_eq!(contained("Vec<T> <!-- x -->"), "Vec\\<T> \\<!-- x -->");
        assert_eq!(contained("a\n\n```js\nb"), "a\n\n```js\nb\n```");
    }

    #[test]
    fn long_text_is_cut_at_a_line() {
        assert_eq!(cut("a\nb\n", 9), ("a\nb\n", 0));
        assert_eq!(cut("aa\nbb\ncc", 7), ("aa\nbb\n", 2));
        assert_eq!(cut("ééé", 3), ("é", 4));
    }

    #[test]
    fn long_lists_are_cut() {
        let items: Vec<String> = (1..=4).map(|n| n.to_string()).collect();
        assert_eq!(code_list(&items, 2), "- `1`\n- `2`\n- and 2 more");
        assert_eq!(code_list(&items[..2], 2), "- `1`\n- `2`");
        assert_eq!(list(&["a\nb".into()]), "- a\n  b");
    }
}
