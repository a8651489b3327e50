//! What a person can quote of Markdown: its text, without its marks.

use super::blocks::{is_diff, options};
use holdpoint::visible;
use holdpoint_ask::diff::{self, LineKind};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The text of Markdown without its marks, with nothing hidden. A diff in it is left out: what it takes away
/// does not stand there any more.
pub fn plain(text: &str) -> String {
    without_marks(text, |_, _| {})
}

/// As [`plain`], with each diff as it is, and as each of its two versions.
pub fn plain_with_diffs(text: &str) -> String {
    without_marks(text, |code, shown| {
        shown.push_str(code);
        versions(code, shown);
    })
}

fn without_marks(text: &str, add_diff: impl Fn(&str, &mut String)) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut addresses = Vec::new();
    let mut parser = Parser::new_ext(text, options());
    while let Some(event) = parser.next() {
        match event {
            Event::Text(text) | Event::Code(text) => shown.push_str(&text),
            Event::Html(text) | Event::InlineHtml(text) => shown.push_str(&text),
            Event::Start(Tag::CodeBlock(kind)) => {
                let code: String = parser
                    .by_ref()
                    .map_while(|event| match event {
                        Event::Text(text) => Some(text.into_string()),
                        _ => None,
                    })
                    .collect();
                if is_diff(&kind, &code) {
                    add_diff(&code, &mut shown);
                } else {
                    shown.push_str(&code);
                }
                shown.push('\n');
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                addresses.push((dest_url, shown.len()));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                if let Some((address, start)) = addresses.pop()
                    && shown[start..] != *address
                {
                    shown.push_str(&format!(" ({address})"));
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough)
            | Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {}
            _ => shown.push('\n'),
        }
    }
    visible(&shown).into_owned()
}

/// The lines of a diff after the change, and before it.
fn versions(code: &str, shown: &mut String) {
    let files = diff::parse(code);
    for gone in [LineKind::Removed, LineKind::Added] {
        let lines = files
            .iter()
            .flat_map(|file| &file.hunks)
            .flat_map(|hunk| &hunk.lines);
        for line in lines.filter(|line| line.kind != gone) {
            shown.push('\n');
            shown.push_str(&line.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, plain_with_diffs};

    #[test]
    fn what_can_be_quoted() {
        let check = |text: &str, quotes: &[&str]| {
            let shown = plain_with_diffs(text);
            let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
            for quote in quotes {
                assert!(shown.contains(quote), "{quote:?} in {shown:?}");
            }
        };
        check("# A *b*\n\nc `d`\ne ~~f~~g", &["A b", "c d e fg"]);
        check("- one\n- two", &["one two"]);
        check("[a](https://b.example) <i>", &["a (https://b.example) <i>"]);
        check(
            "```diff\n one\n-two\n+three\n four\n```",
            &["one three four", "one two four"],
        );
        check("```\nlet x\n```\n\nend", &["let x end"]);
        check("a\u{202e}b", &["a⟨U+202E⟩b"]);
        assert_eq!(plain("a\n\n```diff\n-b\n```").trim(), "a");
    }
}
