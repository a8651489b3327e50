//! Differences, with line numbers and marks of what changed within a line.

use super::{BOLD, FAINT, TAB, quote};
use crate::terminal::{
    abilities::Abilities,
    document::{Document, Jump, Line, Span, wrap},
};
use anstyle::{AnsiColor, Style};
use holdpoint_ask::{
    diff::{self, FileDiff, FileStatus, LineKind},
    review::{Place, Side},
    visible,
};
use std::ops::Range;

const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();
const HUNK: Style = AnsiColor::Cyan.on_default();
/// Numbers need so much room beside the text of a line.
const NARROWEST: usize = 30;

/// A diff in this width, below these headings.
pub fn document(text: &str, width: usize, look: Abilities, headings: &[String]) -> Document {
    let mut document = Document::default();
    for file in &diff::parse(text) {
        let shown = Shown {
            file,
            width,
            look,
            headings,
            digits: digits(file, width),
        };
        shown.write(&mut document);
    }
    document
}

/// How wide the numbers of its lines are; none where there are none, or no room for them.
fn digits(file: &FileDiff, width: usize) -> usize {
    let lines = file.hunks.iter().flat_map(|hunk| &hunk.lines);
    let most = lines.flat_map(|line| [line.old, line.new]).flatten().max();
    match most {
        Some(most) if width >= NARROWEST => most.to_string().len(),
        _ => 0,
    }
}

struct Shown<'a> {
    file: &'a FileDiff,
    width: usize,
    look: Abilities,
    headings: &'a [String],
    digits: usize,
}

impl Shown<'_> {
    fn write(&self, document: &mut Document) {
        let file = self.file;
        if !file.is_nameless() {
            if !document.lines.is_empty() {
                document.push(Vec::new());
            }
            self.title(document);
        }
        // Git's own lines say what the title says; others are the agent's words.
        for header in file.untold() {
            self.wrapped(document, header, FAINT, None);
        }
        if file.binary {
            self.wrapped(document, "Binary content, not shown.", FAINT, None);
        }
        for hunk in &file.hunks {
            if !hunk.header.is_empty() {
                self.wrapped(document, &hunk.header, HUNK, Some(Jump::Hunk));
            }
            for line in &hunk.lines {
                self.line(document, line);
            }
        }
    }

    fn title(&self, document: &mut Document) {
        let file = self.file;
        let path = one_line(&file.path);
        let name = match &file.from {
            Some(from) => format!("{} {} {path}", one_line(from), self.look.pick("→", "->")),
            None => path,
        };
        let happened = match file.status {
            FileStatus::Modified | FileStatus::Unknown => String::new(),
            FileStatus::Mode => " (mode changed)".to_owned(),
            status => format!(" ({})", status.as_str()),
        };
        let style = |style| self.look.style(style);
        let mut spans = vec![
            Span::new(self.look.text(&name), style(BOLD.underline())),
            Span::plain(happened),
        ];
        if !file.binary {
            spans.push(Span::plain(" "));
            spans.push(Span::new(format!("+{}", file.added()), style(ADDED)));
            spans.push(Span::plain(" "));
            spans.push(Span::new(format!("-{}", file.removed()), style(REMOVED)));
        }
        let block = document.block(self.place(None), quote(&one_line(&file.path)));
        let mut jump = Some(Jump::File);
        for spans in wrap::words(&spans, self.width) {
            let (jump, block) = (jump.take(), Some(block));
            document.lines.push(Line { spans, jump, block });
        }
    }

    fn line(&self, document: &mut Document, line: &diff::Line) {
        let style = match line.kind {
            LineKind::Added => ADDED,
            LineKind::Removed => REMOVED,
            LineKind::Context => Style::new(),
            LineKind::Remark => FAINT,
        };
        let block = document.block(self.place(Some(line)), quote(&line.text));
        let mut margin = Vec::new();
        if self.digits > 0 {
            let number = |number: Option<u32>| {
                let number = number.map(|number| number.to_string());
                format!("{:>1$}", number.unwrap_or_default(), self.digits)
            };
            let numbers = format!("{} {} ", number(line.old), number(line.new));
            margin.push(Span::new(numbers, self.look.style(FAINT)));
        }
        let used: usize = margin.iter().map(Span::width).sum::<usize>() + 1;
        let text = self.marked(&line.text, &line.words, style);
        let room = self.width.saturating_sub(used).max(1);
        let mut mark = line.kind.mark().to_string();
        for text in wrap::exactly(&text, room) {
            let mut spans = margin.clone();
            spans.push(Span::new(&mark, self.look.style(style)));
            spans.extend(text);
            let block = Some(block);
            document.lines.push(Line {
                spans,
                jump: None,
                block,
            });
            // What goes on in the next line has no number of its own.
            " ".clone_into(&mut mark);
            margin = vec![Span::plain(" ".repeat(used - 1))];
        }
    }

    /// The text of a line, with the words that changed in it marked.
    fn marked(&self, text: &str, words: &[Range<usize>], style: Style) -> Vec<Span> {
        let plain = self.look.style(style);
        let strong = self.look.style(style.bold().invert());
        let shown = |part: &str| {
            let part = visible(part);
            self.look.text(&part).replace('\t', TAB)
        };
        let (mut spans, mut at) = (Vec::new(), 0);
        for word in words {
            let (Some(before), Some(marked)) = (text.get(at..word.start), text.get(word.clone()))
            else {
                continue;
            };
            spans.push(Span::new(shown(before), plain));
            spans.push(Span::new(shown(marked), strong));
            at = word.end;
        }
        spans.push(Span::new(shown(text.get(at..).unwrap_or_default()), plain));
        spans
    }

    fn wrapped(&self, document: &mut Document, text: &str, style: Style, mut jump: Option<Jump>) {
        let text = one_line(text);
        let spans = [Span::new(self.look.text(&text), self.look.style(style))];
        let block = Some(document.block(self.place(None), quote(&text)));
        for spans in wrap::exactly(&spans, self.width) {
            let jump = jump.take();
            document.lines.push(Line { spans, jump, block });
        }
    }

    fn place(&self, line: Option<&diff::Line>) -> Place {
        let mut place = Place::below(self.headings.iter().cloned());
        if !self.file.is_nameless() {
            place.file = Some(one_line(&self.file.path));
        }
        let Some(line) = line else { return place };
        place.line = line.new.or(line.old);
        if line.kind == LineKind::Removed {
            place.line = line.old;
            place.side = Some(Side::Old);
        }
        place
    }
}

fn one_line(text: &str) -> String {
    holdpoint_ask::describe::one_line(text)
}
