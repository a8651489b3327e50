//! What has changed from one Markdown text to the next, rendered: the blocks that changed with their words marked,
//! a little of what stands around them, and what was left out counted.

use super::{
    changed_block::{Block, BlockKind, Fate},
    read_blocks::read_blocks,
    sanitize,
};
use similar::{Algorithm, DiffTag, capture_diff_slices_deadline};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

/// How many blocks that stayed the same are shown around a change.
const AROUND: usize = 1;
/// How many comparisons of two words, or two blocks, may be made; beyond, whole blocks are gone and new.
const BUDGET: usize = 30_000_000;
/// How many of these it takes to look whether two blocks are alike, for each word.
const LOOK: usize = 20;
/// What is not aligned by then is gone and new as a whole.
const LONGEST_TIME: Duration = Duration::from_millis(300);
/// Deeper lists and quotes are shown at this depth.
const DEEPEST: usize = 8;

/// What has changed from one Markdown text to the next, as harmless HTML; none where nothing has.
pub fn changes(old: &str, new: &str) -> Option<String> {
    if old == new {
        return None;
    }
    let (old, new) = (read_blocks(old), read_blocks(new));
    let rows = rows(&old, &new);
    let changed = |row: &Row<'_>| !matches!(row, Row::Same(_));
    rows.iter()
        .any(changed)
        .then(|| sanitize::clean(&html(&rows)))
}

/// A block of the one text, the other, or both.
enum Row<'a> {
    Same(&'a Block),
    Gone(&'a Block),
    New(&'a Block),
    Changed(&'a Block, &'a Block),
}

/// The blocks of both texts beside each other.
fn rows<'a>(old: &'a [Block], new: &'a [Block]) -> Vec<Row<'a>> {
    let mut budget = BUDGET;
    let text = |blocks: &[Block]| -> Vec<(String, BlockKind)> {
        let key = |block: &Block| (block.key(), block.shape.kind.clone());
        blocks.iter().map(key).collect()
    };
    let mut rows = Vec::new();
    let until = Some(Instant::now() + LONGEST_TIME);
    let aligned = capture_diff_slices_deadline(Algorithm::Patience, &text(old), &text(new), until);
    for change in aligned {
        let (gone, came) = (&old[change.old_range()], &new[change.new_range()]);
        match change.tag() {
            DiffTag::Equal => rows.extend(came.iter().map(Row::Same)),
            _ => pair(gone, came, &mut rows, &mut budget),
        }
    }
    rows
}

/// Pairs blocks that changed with what they became, in order.
fn pair<'a>(gone: &'a [Block], came: &'a [Block], rows: &mut Vec<Row<'a>>, budget: &mut usize) {
    let mut left = gone.iter();
    for new in came {
        let found = left.as_slice().iter().position(|old| {
            let cost = old.size().saturating_mul(new.size()).max(1);
            let fits = cost <= *budget;
            *budget = budget.saturating_sub(LOOK * (old.size() + new.size() + 1));
            fits && old.is_shaped_like(new) && alike(old, new)
        });
        let Some(found) = found else {
            rows.push(Row::New(new));
            continue;
        };
        rows.extend(left.by_ref().take(found).map(Row::Gone));
        if let Some(old) = left.next() {
            *budget = budget.saturating_sub(old.size().saturating_mul(new.size()));
            rows.push(Row::Changed(old, new));
        }
    }
    rows.extend(left.map(Row::Gone));
}

/// Whether two blocks have enough words in common to be two versions of one.
fn alike(old: &Block, new: &Block) -> bool {
    let words = |block: &Block| -> HashSet<String> {
        let words = block.tokens.iter().map(|token| token.text().to_owned());
        words
            .filter(|word| word.chars().any(char::is_alphanumeric))
            .collect()
    };
    let (old, new) = (words(old), words(new));
    let shared = old.intersection(&new).count();
    shared * 3 >= old.len().max(new.len()) && shared > 0
}

fn html(rows: &[Row<'_>]) -> String {
    let mut writer = Writer::default();
    let mut place = 0;
    while place < rows.len() {
        let same = rows[place..]
            .iter()
            .take_while(|row| matches!(row, Row::Same(_)));
        let same = same.count();
        if same == 0 {
            writer.row(&rows[place]);
            place += 1;
            continue;
        }
        let before = if place == 0 { 0 } else { AROUND.min(same) };
        let last = place + same == rows.len();
        let after = if last { 0 } else { AROUND.min(same - before) };
        let end = place + same;
        // The heading that a change stands under says where it is.
        let heading = rows[place + before..end - after]
            .iter()
            .rposition(is_heading);
        let heading = heading
            .filter(|_| !last)
            .map(|found| place + before + found);
        rows[place..place + before]
            .iter()
            .for_each(|row| writer.row(row));
        let left_out = same - before - after - usize::from(heading.is_some());
        match left_out {
            0 => {}
            1 => writer.gap("1 block is the same".to_owned()),
            count => writer.gap(format!("{count} blocks are the same")),
        }
        if let Some(heading) = heading {
            writer.row(&rows[heading]);
        }
        rows[end - after..end]
            .iter()
            .for_each(|row| writer.row(row));
        place = end;
    }
    writer.finish()
}

fn is_heading(row: &Row<'_>) -> bool {
    matches!(row, Row::Same(block) if matches!(block.shape.kind, BlockKind::Heading(_)))
}

/// Writes blocks, each in the lists and quotes that it stands in.
#[derive(Default)]
struct Writer {
    out: String,
    /// How many lists are open, each with an item that is open.
    lists: usize,
}

impl Writer {
    fn row(&mut self, row: &Row<'_>) {
        let (block, inner) = match row {
            Row::Same(block) => (block, block.html(Fate::Same)),
            Row::Gone(block) => (block, block.html(Fate::Gone)),
            Row::New(block) => (block, block.html(Fate::New)),
            Row::Changed(old, new) => (new, new.html_since(old)),
        };
        let shape = &block.shape;
        self.enter(shape.lists.min(DEEPEST), shape.begins_item);
        let quotes = shape.quotes.min(DEEPEST);
        self.out.push_str(&"<blockquote>".repeat(quotes));
        match shape.kind {
            BlockKind::Text if shape.begins_item => self.out.push_str(&inner),
            BlockKind::Text => self.out.push_str(&format!("<p>{inner}</p>")),
            BlockKind::Heading(level) => {
                self.out.push_str(&format!("<h{level}>{inner}</h{level}>"));
            }
            BlockKind::Code | BlockKind::Table => self.out.push_str(&inner),
            BlockKind::Rule => self.out.push_str("<hr>"),
        }
        self.out.push_str(&"</blockquote>".repeat(quotes));
        self.out.push('\n');
    }

    fn gap(&mut self, said: String) {
        self.enter(0, false);
        self.out
            .push_str(&format!("<p class=\"same\">… {said} …</p>\n"));
    }

    /// Goes to this depth of lists, and to a new item there.
    fn enter(&mut self, lists: usize, new_item: bool) {
        while self.lists > lists {
            self.out.push_str("</li></ul>");
            self.lists -= 1;
        }
        if self.lists == lists && lists > 0 && new_item {
            self.out.push_str("</li><li>");
        }
        while self.lists < lists {
            self.out.push_str("<ul><li>");
            self.lists += 1;
        }
    }

    fn finish(mut self) -> String {
        self.enter(0, false);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::changes;

    fn check(old: &str, new: &str, wanted: &str) {
        let html = changes(old, new).unwrap_or_default();
        assert_eq!(html.trim_end(), wanted, "{old:?} → {new:?}");
    }

    #[test]
    fn nothing_changed() {
        check("a\n\nb", "a\n\nb", "");
        check("a  \n\n\nb\n", "a\n\nb", "");
    }

    #[test]
    fn words_in_text() {
        check(
            "The plan has two steps.",
            "The plan has three small steps.",
            "<p>The plan has <del>two</del><ins>three small</ins> steps.</p>",
        );
        check(
            "# The old title",
            "# The new title",
            "<h1>The <del>old</del><ins>new</ins> title</h1>",
        );
        check(
            "See **the very** end of it",
            "See **the** end of it",
            "<p>See <strong>the</strong> <del>very </del>end of it</p>",
        );
        check(
            "Use `a` and go on",
            "Use `b` and go on",
            "<p>Use <del><code>a</code></del><ins><code>b</code></ins> and go on</p>",
        );
    }

    #[test]
    fn items_of_lists() {
        check(
            "- first thing\n- second thing\n- third thing",
            "- first thing\n- second other thing\n- third thing\n- fourth",
            concat!(
                "<ul><li>first thing\n</li><li>second <ins>other </ins>thing\n</li><li>third thing\n",
                "</li><li><ins>fourth</ins>\n</li></ul>",
            ),
        );
        check(
            "- [ ] write the tests",
            "- [x] write the tests",
            "<ul><li><del>☐ </del><ins>☑ </ins>write the tests\n</li></ul>",
        );
        check(
            "1. one thing\n2. two things",
            "1. one thing\n2. zero things\n3. two things",
            concat!(
                "<ul><li><span class=\"number\">1.</span> one thing\n",
                "</li><li><span class=\"number\">2.</span> <ins>zero things</ins>\n",
                "</li><li><span class=\"number\">3.</span> two things\n</li></ul>",
            ),
        );
    }

    #[test]
    fn whole_blocks() {
        check(
            "One.\n\nSomething else entirely.",
            "One.\n\n## Quite another heading",
            "<p>One.</p>\n<h2><ins>Quite another heading</ins></h2>\n<p><del>Something else entirely.</del></p>",
        );
        check(
            "```\na\nb\nc\n```",
            "```\na\nx\nc\n```",
            concat!(
                "<pre class=\"diff\"><code><span class=\"line\"> a\n</span><span class=\"line del\">-b\n</span>",
                "<span class=\"line add\">+x\n</span><span class=\"line\"> c\n</span></code></pre>",
            ),
        );
        check(
            "| a | b |\n|-|-|\n| 1 | 2 |",
            "| a | b |\n|-|-|\n| 1 | 3 |",
            "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td><del>2</del><ins>3</ins></td></tr></tbody></table>",
        );
    }

    #[test]
    fn what_is_the_same_is_left_out_but_for_what_stands_around() {
        let text = |word: &str| {
            format!(
                "# Plan\n\none\n\ntwo\n\n## Part\n\nthree\n\nfour\n\nfive\n\nIt is {word} now\n\nsix\n\nseven\n"
            )
        };
        check(
            &text("good"),
            &text("bad"),
            concat!(
                "<p class=\"same\">… 5 blocks are the same …</p>\n<h2>Part</h2>\n<p>five</p>\n",
                "<p>It is <del>good</del><ins>bad</ins> now</p>\n<p>six</p>\n",
                "<p class=\"same\">… 1 block is the same …</p>",
            ),
        );
    }

    #[test]
    fn what_a_change_could_hide_is_seen() {
        // Struck out, and where a link leads.
        check(
            "Do it now please",
            "Do ~~it~~ now please",
            "<p>Do <del>it</del><ins><span class=\"struck\">it</span></ins> now please</p>",
        );
        check(
            "see [the notes](https://a.example) today",
            "see [the notes](https://b.example) today",
            "<p>see the notes <span class=\"address\">(https://<del>a</del><ins>b</ins>.example)</span> today</p>",
        );
        check(
            "<b>a text</b> here",
            "<i>a text</i> here",
            "<p>&lt;<del>b</del><ins>i</ins>&gt;a text&lt;/<del>b</del><ins>i</ins>&gt; here</p>",
        );
        check(
            "same words here",
            "same words\u{202e} here",
            "<p>same words<ins>⟨U+202E⟩</ins> here</p>",
        );
    }

    #[test]
    fn large_texts_take_no_time_to_speak_of() {
        let words = |n: usize| {
            (0..100_000)
                .map(|i| format!("w{} ", i * n % 7_919))
                .collect::<String>()
        };
        let lists = |n: usize| {
            (0..20_000)
                .map(|i| format!("- {}\n", i * n % 7_919))
                .collect::<String>()
        };
        let deep = |n: usize| format!("{}{n}", "> ".repeat(5_000));
        for make in [words as fn(usize) -> String, lists, deep] {
            let html = changes(&make(3), &make(5)).expect("a change");
            assert!(html.contains("<ins>"));
        }
    }
}
