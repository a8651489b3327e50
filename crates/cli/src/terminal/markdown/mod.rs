//! Markdown as a terminal shows it.
//!
//! | module | holds |
//! |---|---|
//! | `table` | tables with lines, in whatever width there is |
//! | [`diff`] | differences, with line numbers and marks |

pub mod diff;
mod table;

use super::{
    document::{Document, Jump, Line, Span, wrap},
    look::Look,
};
use anstyle::{AnsiColor, Style};
use holdpoint_ask::{review::Place, visible};
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::{mem, ops::Range};
use table::Table;

/// Markdown as lines of text with styles, no wider than `width`. What is hidden in it is made visible
/// first; raw HTML is shown as it is written.
pub fn render(markdown: &str, width: usize, look: Look) -> String {
    document(markdown, width, look).ansi()
}

/// Markdown as a document of this width.
pub fn document(markdown: &str, width: usize, look: Look) -> Document {
    let markdown = visible(markdown);
    let mut page = Page::new(&markdown, width.max(MIN_WIDTH), look);
    let options =
        Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS;
    for (event, range) in Parser::new_ext(&markdown, options).into_offset_iter() {
        page.event(event, range);
    }
    page.flush();
    let lines = &mut page.document.lines;
    while lines.last().is_some_and(|line| line.spans.is_empty()) {
        lines.pop();
    }
    page.document
}

const MIN_WIDTH: usize = 8;
/// However deep lists and quotations are nested, so much is left for their text.
const LEAST_TEXT: usize = 8;
/// The most characters that are quoted of a block.
const MAX_QUOTE: usize = 1_000;

const BOLD: Style = Style::new().bold();
const TOP: Style = Style::new().bold().underline();
const ITALIC: Style = Style::new().italic();
const STRUCK: Style = Style::new().strikethrough();
const FAINT: Style = Style::new().dimmed();
const CODE: Style = AnsiColor::Cyan.on_default();
/// A tab's width is the terminal's to choose, so that nobody could tell how many lines a text takes.
const TAB: &str = "    ";

struct Page<'a> {
    markdown: &'a str,
    /// Where each line of the Markdown begins.
    starts: Vec<usize>,
    width: usize,
    look: Look,
    document: Document,
    /// What stands before each line, outermost first.
    margins: Vec<Margin>,
    /// The text of the block that is open.
    text: Vec<Span>,
    styles: Vec<Style>,
    /// The headings that the text stands below, with their levels.
    headings: Vec<(HeadingLevel, String)>,
    heading: Option<HeadingLevel>,
    /// The next number of each list that is open; none where it has bullets.
    lists: Vec<Option<u64>>,
    /// The lines of the Markdown that the open block is in.
    range: Range<usize>,
    code: Option<Code>,
    table: Option<Table>,
    /// The addresses of the links that are open.
    links: Vec<String>,
    /// A line was just left free.
    gap: bool,
}

/// What stands at the left of a quotation or an item.
struct Margin {
    /// Before its first line, until that was written.
    first: Option<Span>,
    rest: Span,
}

struct Code {
    diff: bool,
    text: String,
    /// The line of the Markdown on which it begins.
    line: usize,
}

impl<'a> Page<'a> {
    fn new(markdown: &'a str, width: usize, look: Look) -> Self {
        let breaks = markdown.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            markdown,
            starts: std::iter::once(0).chain(breaks).collect(),
            width,
            look,
            document: Document::default(),
            margins: Vec::new(),
            text: Vec::new(),
            styles: Vec::new(),
            headings: Vec::new(),
            heading: None,
            lists: Vec::new(),
            range: 0..0,
            code: None,
            table: None,
            links: Vec::new(),
            gap: true,
        }
    }

    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(&tag, range),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => {
                    if code.text.is_empty() {
                        code.line = line_of(&self.starts, range.start);
                    }
                    code.text.push_str(&text);
                }
                None => self.put(&text, None),
            },
            Event::Html(text) | Event::InlineHtml(text) => self.put(&text, None),
            Event::Code(text) => self.put(&text, Some(CODE)),
            Event::SoftBreak => self.put(" ", None),
            Event::HardBreak => self.put("\n", None),
            Event::TaskListMarker(done) => {
                let mark = if done {
                    self.look.pick("☑ ", "[x] ")
                } else {
                    self.look.pick("☐ ", "[ ] ")
                };
                self.put(mark, None);
            }
            Event::Rule => {
                self.gap();
                let line = self.look.pick("─", "-").repeat(self.room().min(40));
                self.emit(vec![Span::new(line, self.look.style(FAINT))], None, None);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Heading { level, .. } => {
                self.begin(range);
                self.heading = Some(*level);
                self.styles.push(match level {
                    HeadingLevel::H1 => TOP,
                    _ => BOLD,
                });
            }
            Tag::Paragraph | Tag::HtmlBlock => self.begin(range),
            Tag::CodeBlock(kind) => {
                self.begin(range.clone());
                let diff = match kind {
                    CodeBlockKind::Fenced(name) => {
                        matches!(name.split_whitespace().next(), Some("diff" | "patch"))
                    }
                    CodeBlockKind::Indented => false,
                };
                let line = line_of(&self.starts, range.start);
                let text = String::new();
                self.code = Some(Code { diff, text, line });
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.gap();
                let bar = Span::new(self.look.pick("│ ", "| "), self.look.style(FAINT));
                let (first, rest) = (None, bar);
                self.margins.push(Margin { first, rest });
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(*first);
            }
            Tag::Item => {
                self.flush();
                let mark = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => self.look.pick("• ", "- ").to_owned(),
                };
                let rest = Span::plain(" ".repeat(mark.chars().count()));
                let first = Some(Span::plain(mark));
                self.margins.push(Margin { first, rest });
                self.range = range;
            }
            Tag::Table(sides) => {
                self.begin(range);
                self.table = Some(Table::new(sides.clone()));
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = &mut self.table {
                    table.row(line_of(&self.starts, range.start));
                }
                if matches!(tag, Tag::TableHead) {
                    self.styles.push(BOLD);
                }
            }
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.links.push(dest_url.to_string());
            }
            Tag::Strong => self.styles.push(BOLD),
            Tag::Emphasis => self.styles.push(ITALIC),
            Tag::Strikethrough => {
                self.tildes();
                self.styles.push(STRUCK);
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                self.styles.pop();
                let text = plain(&self.text);
                while self
                    .headings
                    .last()
                    .is_some_and(|(above, _)| *above >= level)
                {
                    self.headings.pop();
                }
                self.headings.push((level, text));
                self.flush();
            }
            TagEnd::Strong | TagEnd::Emphasis => drop(self.styles.pop()),
            TagEnd::Strikethrough => {
                self.styles.pop();
                self.tildes();
            }
            TagEnd::CodeBlock => self.end_code(),
            // A link is never without its address.
            TagEnd::Link | TagEnd::Image => {
                if let Some(address) = self.links.pop() {
                    self.put(&format!(" ({address})"), None);
                }
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.margins.pop();
            }
            TagEnd::List(_) => drop(self.lists.pop()),
            TagEnd::Item => {
                self.flush();
                // An item without text has its mark all the same.
                if self.margins.last().is_some_and(|item| item.first.is_some()) {
                    self.emit(Vec::new(), None, None);
                }
                self.margins.pop();
            }
            TagEnd::TableCell => {
                let cell = mem::take(&mut self.text);
                if let Some(table) = &mut self.table {
                    table.cell(cell);
                }
            }
            TagEnd::TableHead => drop(self.styles.pop()),
            TagEnd::Table => self.end_table(),
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.flush(),
            _ => {}
        }
    }

    /// Where no line can be drawn through text, tildes stand around it.
    fn tildes(&mut self) {
        if !self.look.strikes {
            self.put("~~", None);
        }
    }

    fn put(&mut self, text: &str, style: Option<Style>) {
        let styles = self.styles.iter().copied().chain(style);
        let style = styles.fold(Style::new(), over);
        let text = self.look.text(text).replace('\t', TAB);
        self.text.push(Span::new(text, self.look.style(style)));
    }

    /// Begins a block of its own, with an empty line before it where it does not begin an item.
    fn begin(&mut self, range: Range<usize>) {
        self.flush();
        if self
            .margins
            .last()
            .is_none_or(|margin| margin.first.is_none())
        {
            self.gap();
        }
        self.range = range;
    }

    /// Writes the text of the block that is open.
    fn flush(&mut self) {
        let text = mem::take(&mut self.text);
        let heading = self.heading.take();
        if text.iter().all(|span| span.text.trim().is_empty()) {
            return;
        }
        let place = self.place(self.range.clone());
        let block = self.document.block(place, quote(&plain(&text)));
        let mut jump = heading.map(|_| Jump::Heading);
        for line in wrap::words(&text, self.room()) {
            self.emit(line, Some(block), jump.take());
        }
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        if code.diff {
            let room = self.room();
            let headings = self.path();
            let shown = diff::document(&code.text, room, self.look, &headings);
            return self.insert(shown);
        }
        for (index, line) in code.text.lines().enumerate() {
            let line_number = (code.line + index) as u32;
            let mut place = Place::below(self.path());
            place.line = Some(line_number);
            let block = self.document.block(place, quote(line));
            let text = self.look.text(line).replace('\t', TAB);
            let spans = [Span::new(text, self.look.style(CODE))];
            for mut line in wrap::exactly(&spans, self.room().saturating_sub(2)) {
                if !line.is_empty() {
                    line.insert(0, Span::plain("  "));
                }
                self.emit(line, Some(block), None);
            }
        }
    }

    fn end_table(&mut self) {
        let Some(table) = self.table.take() else {
            return;
        };
        let headings = self.path();
        let shown = table.document(self.room(), self.look, &headings);
        self.insert(shown);
    }

    /// Puts a document of its own here.
    fn insert(&mut self, shown: Document) {
        let first = self.document.blocks.len();
        self.document.blocks.extend(shown.blocks);
        for line in shown.lines {
            let block = line.block.map(|block| block + first);
            self.emit(line.spans, block, line.jump);
        }
    }

    /// Leaves a line free, where there is something above.
    fn gap(&mut self) {
        if !mem::replace(&mut self.gap, true) {
            // In a quotation its bar goes on.
            let margins = self.margins.iter().map(|margin| margin.rest.clone());
            let spans = margins.collect();
            self.document.push(trimmed(spans));
        }
    }

    fn emit(&mut self, text: Vec<Span>, block: Option<usize>, jump: Option<Jump>) {
        let margins = self.margins.iter_mut();
        let mut spans: Vec<Span> = margins
            .map(|margin| margin.first.take().unwrap_or_else(|| margin.rest.clone()))
            .collect();
        if text.is_empty() {
            spans = trimmed(spans);
        }
        spans.extend(text);
        self.gap = false;
        self.document.lines.push(Line { spans, jump, block });
    }

    /// How wide text can be between the margins.
    fn room(&self) -> usize {
        let margins: usize = self.margins.iter().map(|margin| margin.rest.width()).sum();
        self.width.saturating_sub(margins).max(LEAST_TEXT)
    }

    fn path(&self) -> Vec<String> {
        let names = self.headings.iter().map(|(_, name)| name.clone());
        names.collect()
    }

    /// Where these bytes of the Markdown are.
    fn place(&self, range: Range<usize>) -> Place {
        let text = self.markdown.get(range.clone()).unwrap_or_default();
        let first = line_of(&self.starts, range.start);
        let last = first + text.trim_end().matches('\n').count();
        let mut place = Place::below(self.path());
        place.line = Some(first as u32);
        place.end_line = (last > first).then_some(last as u32);
        place
    }
}

/// The number of the line in which this byte is.
fn line_of(starts: &[usize], at: usize) -> usize {
    starts.partition_point(|start| *start <= at)
}

/// Without the spaces at its end.
fn trimmed(mut spans: Vec<Span>) -> Vec<Span> {
    while let Some(last) = spans.last_mut() {
        last.text.truncate(last.text.trim_end().len());
        if !last.text.is_empty() {
            break;
        }
        spans.pop();
    }
    spans
}

/// One style over another.
fn over(below: Style, above: Style) -> Style {
    let style = below.effects(below.get_effects() | above.get_effects());
    style.fg_color(above.get_fg_color().or(below.get_fg_color()))
}

fn plain(spans: &[Span]) -> String {
    let text: String = spans.iter().map(|span| span.text.as_str()).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As much of a text as is quoted.
fn quote(text: &str) -> String {
    text.chars().take(MAX_QUOTE).collect()
}

#[cfg(test)]
mod tests;
