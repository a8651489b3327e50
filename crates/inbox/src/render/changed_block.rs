//! Blocks of Markdown as words and the marks around them, so that two versions can be compared word by word.

use super::{escape, plain_diff};
use similar::{Algorithm, ChangeTag, DiffTag, TextDiff, capture_diff_slices};
use std::time::Duration;

/// How long lines of code are compared; then the rest is gone and new.
const CODE_TIME: Duration = Duration::from_millis(100);

/// A heading, a paragraph, an item's first lines, a table or a block of code.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Block {
    /// What it is, and what it stands in.
    pub shape: Shape,
    /// What stands in it.
    pub tokens: Vec<Token>,
}

/// What a block is, and what it stands in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub kind: BlockKind,
    /// How many quotes it is in.
    pub quotes: usize,
    /// How many lists it is in.
    pub lists: usize,
    /// It is the first of its item.
    pub begins_item: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum BlockKind {
    Text,
    Heading(u8),
    Code,
    Table,
    Rule,
}

/// A word, or a mark around words.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Token {
    /// A word or a sign, and whether it is struck out or code, which changes what it says.
    Word {
        text: String,
        struck: bool,
        code: bool,
    },
    /// HTML that this crate wrote.
    Mark(String),
}

/// What became of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Same,
    New,
    Gone,
}

impl Token {
    fn is_word(&self) -> bool {
        matches!(self, Self::Word { .. })
    }

    /// What it says; nothing where it is a mark.
    pub fn text(&self) -> &str {
        match self {
            Self::Word { text, .. } => text,
            Self::Mark(_) => "",
        }
    }

    /// As HTML.
    fn html(&self, fate: Fate, out: &mut String) {
        let (mut text, struck, code) = match self {
            Self::Mark(mark) => return out.push_str(mark),
            Self::Word { text, struck, code } => (escape(text), *struck, *code),
        };
        if code {
            text = format!("<code>{text}</code>");
        }
        if struck {
            text = format!("<span class=\"struck\">{text}</span>");
        }
        match fate {
            Fate::Same => out.push_str(&text),
            Fate::New => out.push_str(&format!("<ins>{text}</ins>")),
            Fate::Gone => out.push_str(&format!("<del>{text}</del>")),
        }
    }
}

impl Block {
    /// The words in it.
    fn words(&self) -> Vec<&Token> {
        self.tokens.iter().filter(|token| token.is_word()).collect()
    }

    /// What is in it, all of the same fate.
    pub fn html(&self, fate: Fate) -> String {
        if self.shape.kind == BlockKind::Code {
            let text = self.text();
            let lines: Vec<_> = text.lines().map(|line| (fate, line)).collect();
            return code_lines(&lines);
        }
        let mut out = String::new();
        for token in &self.tokens {
            token.html(fate, &mut out);
        }
        joined(out)
    }

    /// What is in it, with what has changed since the older one.
    pub fn html_since(&self, old: &Self) -> String {
        if self.shape.kind == BlockKind::Code {
            return self.code_since(old);
        }
        let (before, after) = (old.words(), self.words());
        let mut fates = Vec::with_capacity(after.len());
        // The words that are gone, before the word that they stood before.
        let mut gone: Vec<Vec<&Token>> = vec![Vec::new(); after.len() + 1];
        for change in capture_diff_slices(Algorithm::Myers, &before, &after) {
            let fate = match change.tag() {
                DiffTag::Equal => Fate::Same,
                _ => Fate::New,
            };
            if fate == Fate::New {
                gone[change.new_range().start].extend(&before[change.old_range()]);
            }
            fates.extend(change.new_range().map(|_| fate));
        }
        let mut out = String::new();
        let mut place = 0;
        for token in &self.tokens {
            if token.is_word() {
                for word in &gone[place] {
                    word.html(Fate::Gone, &mut out);
                }
                token.html(fates[place], &mut out);
                place += 1;
            } else {
                token.html(Fate::Same, &mut out);
            }
        }
        let mut rest = String::new();
        for word in &gone[place] {
            word.html(Fate::Gone, &mut rest);
        }
        // What is gone from the end of a table stood in its last cell.
        let end = match self.shape.kind {
            BlockKind::Table => out.rfind("</td>").or(out.rfind("</th>")),
            _ => None,
        };
        out.insert_str(end.unwrap_or(out.len()), &rest);
        joined(out)
    }

    fn code_since(&self, old: &Self) -> String {
        let (before, after) = (old.text(), self.text());
        let diff = TextDiff::configure()
            .timeout(CODE_TIME)
            .diff_lines(&before, &after);
        let lines: Vec<_> = diff
            .iter_all_changes()
            .map(|change| {
                let fate = match change.tag() {
                    ChangeTag::Equal => Fate::Same,
                    ChangeTag::Insert => Fate::New,
                    ChangeTag::Delete => Fate::Gone,
                };
                (fate, change.value().trim_end_matches('\n'))
            })
            .collect();
        code_lines(&lines)
    }

    /// What it says, and how: blocks of the same key are the same to a reader.
    pub fn key(&self) -> String {
        let mut key = format!("{} {} ", self.shape.quotes, self.shape.lists);
        for token in &self.tokens {
            match token {
                Token::Word { text, struck, code } => {
                    key.push_str(text);
                    if *struck || *code {
                        key.push_str(if *struck { "\0s" } else { "\0c" });
                    }
                }
                Token::Mark(mark) if self.shape.kind == BlockKind::Table => key.push_str(mark),
                Token::Mark(_) => {}
            }
        }
        key
    }

    /// How many words it has.
    pub fn size(&self) -> usize {
        self.tokens.len()
    }

    /// All its words, as they stand.
    pub fn text(&self) -> String {
        self.tokens.iter().map(Token::text).collect()
    }

    /// Whether two tables have the same rows and columns, and so can be compared cell by cell.
    pub fn is_shaped_like(&self, other: &Self) -> bool {
        let marks = |block: &Self| -> Vec<Token> {
            let marks = block.tokens.iter().filter(|token| !token.is_word());
            marks.cloned().collect()
        };
        self.shape == other.shape
            && (self.shape.kind != BlockKind::Table || marks(self) == marks(other))
    }
}

/// Words next to each other that are all new, or all gone, are one.
fn joined(html: String) -> String {
    html.replace("</ins><ins>", "")
        .replace("</del><del>", "")
        .replace("</code><code>", "")
        .replace("</span><span class=\"struck\">", "")
}

fn code_lines(lines: &[(Fate, &str)]) -> String {
    let marked: Vec<String> = lines
        .iter()
        .map(|(fate, line)| match fate {
            Fate::Same => format!(" {line}"),
            Fate::New => format!("+{line}"),
            Fate::Gone => format!("-{line}"),
        })
        .collect();
    plain_diff::lines(marked.iter().map(String::as_str), "")
}
