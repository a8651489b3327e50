//! Markdown at several widths.

use super::*;

const PLAIN: Look = Look {
    strikes: true,
    ..Look::PLAIN
};
const POOR: Look = Look {
    unicode: false,
    ..Look::PLAIN
};

#[track_caller]
fn check(markdown: &str, wanted: &str) {
    assert_eq!(render(markdown, 40, PLAIN), wanted, "{markdown:?}");
}

#[test]
fn as_people_read_it() {
    check(
        "# Plan\n\nIt is **short**, and `done`.",
        "Plan\n\nIt is short, and done.",
    );
    check(
        "1. one\n2. two\n   - below\n   - again\n3. three",
        "1. one\n2. two\n   • below\n   • again\n3. three",
    );
    check("```rust\nlet a = 1;\n\nb\n```", "  let a = 1;\n\n  b");
    check("soft\nbreak, hard  \nbreak", "soft break, hard\nbreak");
    check("not \\*bold\\* <b>html</b>", "not *bold* <b>html</b>");
    check(
        "words go on until the line of forty is full",
        "words go on until the line of forty is\nfull",
    );
    check("```\na\tb\n```", "  a    b");
    check("\u{1b}[2J", "⟨U+001B⟩[2J");
    check("> quoted\n>\n> twice", "│ quoted\n│\n│ twice");
    check("- a\n\n- b\n\n  more\n\nend", "• a\n• b\n\n  more\n\nend");
    check("- [x] done\n- [ ] not", "• ☑ done\n• ☐ not");
    check("-\n- b", "•\n• b");
    check("a\n\n---\n\nb", &format!("a\n\n{}\n\nb", "─".repeat(40)));
    check(
        "[safe](https://evil.example) ![cat](http://x/y.png)",
        "safe (https://evil.example) cat\n(http://x/y.png)",
    );
}

#[test]
fn a_poor_locale_has_ascii() {
    let shown = render("> “a”\n\n- [x] é\n- b\n\n| a |\n|---|\n| b |", 40, POOR);
    let wanted = "| \"a\"\n\n- [x] <U+00E9>\n- b\n\n+---+\n| a |\n+---+\n| b |\n+---+";
    assert_eq!(shown, wanted);
    assert!(shown.is_ascii());
}

#[test]
fn struck_out_text_looks_so() {
    let struck = "keep \u{1b}[9mnot this\u{1b}[0m";
    assert_eq!(render("keep ~~not this~~", 40, Look::FULL), struck);
    assert_eq!(
        render("keep ~~not this~~", 40, Look::PLAIN),
        "keep ~~not this~~"
    );
    // A line through half of a word goes through that half only.
    assert_eq!(render("a~~b~~", 40, Look::PLAIN), "a~~b~~");
}

#[test]
fn styles() {
    let bold = "\u{1b}[1ma b\u{1b}[0m c";
    assert_eq!(render("**a b** c", 40, Look::FULL), bold);
    let both = "\u{1b}[1m\u{1b}[3ma\u{1b}[0m";
    assert_eq!(render("***a***", 40, Look::FULL), both);
    let no_colours = Look {
        colours: false,
        ..Look::FULL
    };
    assert_eq!(render("`a`", 40, no_colours), "a");
}

#[test]
fn tables_fit() {
    let table =
        "| name | what it is for |\n|:--|--:|\n| a | short |\n| long name here | 東京 and more |";
    let wide = render(table, 60, PLAIN);
    insta::assert_snapshot!(wide, @r"
    ┌────────────────┬────────────────┐
    │ name           │ what it is for │
    ├────────────────┼────────────────┤
    │ a              │          short │
    │ long name here │  東京 and more │
    └────────────────┴────────────────┘
    ");
    for width in [8, 12, 20, 30, 40, 100, 250] {
        let document = document(table, width, PLAIN);
        for line in &document.lines {
            assert!(line.width() <= width, "{width}: {:?}", line.text());
        }
        let text = document.text().replace(['│', '\n', ' '], "");
        assert!(text.contains("東京"), "{width}: {text}");
    }
    let listed = render(table, 12, PLAIN);
    assert!(
        listed.starts_with("name: a\nwhat it is\nfor: short\n"),
        "{listed}"
    );
}

#[test]
fn differences_have_numbers_and_marks() {
    let text = "```diff\ndiff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n\
        @@ -9,3 +9,3 @@ fn main\n one\n-let old = 1;\n+let new = 1;\n two\n```";
    insta::assert_snapshot!(render(text, 60, Look::PLAIN), @r"
    src/a.rs +1 -1
    @@ -9,3 +9,3 @@ fn main
     9  9  one
    10    -let old = 1;
       10 +let new = 1;
    11 11  two
    ");
    let document = document(text, 60, Look::FULL);
    let jumps: Vec<Jump> = document.lines.iter().filter_map(|line| line.jump).collect();
    assert_eq!(jumps, [Jump::File, Jump::Hunk]);
    let removed = document
        .lines
        .iter()
        .find(|line| line.text().contains("-let"));
    let block = &document.blocks[removed.unwrap().block.unwrap()];
    assert_eq!(
        block.place.describe(),
        "src/a.rs, line 10, before the change"
    );
    assert_eq!(block.quote, "let old = 1;");
    let marked = document
        .lines
        .iter()
        .find(|line| line.text().contains("+let"));
    let marked = marked.unwrap().spans.iter().find(|span| span.text == "new");
    assert!(
        marked
            .unwrap()
            .style
            .get_effects()
            .contains(anstyle::Effects::INVERT)
    );
    let bare = render("```diff\n-old\n+new\n same\n```", 40, Look::PLAIN);
    assert_eq!(bare, "-old\n+new\n same");
}

#[test]
fn nothing_is_wider_than_the_screen() {
    let wide = "x".repeat(300);
    let text = format!(
        "# {wide}\n\n- - - {wide}\n\n> > {wide}\n\n`{wide}`\n\n```\n{wide}\n```\n\n```diff\n+{wide}\n```\n\n\
         | a | b |\n|---|---|\n| {wide} | c |"
    );
    for width in [8, 20, 40, 250] {
        let document = document(&text, width, Look::FULL);
        let widest = document.lines.iter().map(Line::width).max().unwrap();
        // Deep nesting leaves a few columns to the text all the same.
        assert!(widest <= width.max(16), "{width}: {widest}");
        let shown = document.text().matches('x').count();
        assert_eq!(shown, 7 * 300, "{width}");
    }
}

#[test]
fn every_block_knows_its_place() {
    let text = "Intro\n\n# Plan\n\nFirst\nparagraph.\n\n## Tests\n\n- one\n- two\n\n```\ncode\n```\n\n| a |\n|---|\n| b |\n";
    let document = document(text, 40, Look::FULL);
    let places: Vec<(String, Option<u32>, Option<u32>, &str)> = document
        .blocks
        .iter()
        .map(|block| {
            let Place { line, end_line, .. } = block.place;
            (
                block.place.headings.join("/"),
                line,
                end_line,
                block.quote.as_str(),
            )
        })
        .collect();
    let wanted = [
        ("", Some(1), None, "Intro"),
        ("Plan", Some(3), None, "Plan"),
        ("Plan", Some(5), Some(6), "First paragraph."),
        ("Plan/Tests", Some(8), None, "Tests"),
        ("Plan/Tests", Some(10), None, "one"),
        ("Plan/Tests", Some(11), None, "two"),
        ("Plan/Tests", Some(14), None, "code"),
        ("Plan/Tests", Some(17), None, "a"),
        ("Plan/Tests", Some(19), None, "b"),
    ];
    let wanted = wanted.map(|(path, line, end, quote)| (path.to_owned(), line, end, quote));
    assert_eq!(places, wanted);
}
