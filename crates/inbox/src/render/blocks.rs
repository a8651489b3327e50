//! Markdown as events that are harmless to write as HTML: HTML is text, links show their address, images are
//! words, and blocks say on which lines of the text they stand.

use super::{Heading, code, colour::Budget, diff_view::DiffView, escape, plain_diff};
use holdpoint::{describe, visible};
use pulldown_cmark::{Alignment, CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// What is nested deeper loses its marks and keeps its text: a sanitizer's time grows with the
/// square of the depth, and no person reads that.
const DEEPEST: usize = 32;
/// How many headings an outline has at most.
const MOST_HEADINGS: usize = 1_000;

/// Makes events of one text.
pub(super) struct Blocks<'a, 'd> {
    text: &'a str,
    events: Vec<Event<'a>>,
    /// Where each line of the text begins; empty where blocks do not say on which they stand.
    lines: Vec<usize>,
    /// Before the numbers of headings.
    prefix: char,
    headings: Vec<Heading>,
    /// Where diffs go; those of a text that stands alone are coloured lines in it.
    diffs: Option<&'d mut Vec<DiffView>>,
    budget: &'d mut Budget,
    /// The links that are open: where each leads, and where its text begins.
    links: Vec<(CowStr<'a>, usize)>,
    images: Vec<CowStr<'a>>,
    /// The items that are open: where each begins among the events, and on which lines.
    items: Vec<(usize, String)>,
    /// Where the open heading's text begins among the events.
    heading: usize,
    table: Table,
    depth: usize,
}

/// The table that is open.
#[derive(Default)]
struct Table {
    alignments: Vec<Alignment>,
    in_head: bool,
    column: usize,
}

/// What Markdown is read as.
pub(super) fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS
}

/// Whether a block of code is a diff.
pub(super) fn is_diff(kind: &CodeBlockKind<'_>, code: &str) -> bool {
    match language_of(kind) {
        "diff" | "patch" => true,
        "" => code.starts_with("diff --git "),
        _ => false,
    }
}

/// Whether there is a diff in a text: it is shown as data beside the HTML.
pub fn has_diff(text: &str) -> bool {
    let marks = ["```", "~~~", "diff --git "];
    if !marks.iter().any(|mark| text.contains(mark)) {
        return false;
    }
    let mut events = Parser::new_ext(text, options()).peekable();
    while let Some(event) = events.next() {
        if let Event::Start(Tag::CodeBlock(kind)) = event {
            let code = match events.peek() {
                Some(Event::Text(code)) => code.as_ref(),
                _ => "",
            };
            if is_diff(&kind, code) {
                return true;
            }
        }
    }
    false
}

pub(super) fn language_of<'k>(kind: &'k CodeBlockKind<'_>) -> &'k str {
    match kind {
        CodeBlockKind::Fenced(info) => info.split_whitespace().next().unwrap_or_default(),
        CodeBlockKind::Indented => "",
    }
}

impl<'a, 'd> Blocks<'a, 'd> {
    /// Of a text that stands alone.
    pub fn new(text: &'a str, budget: &'d mut Budget) -> Self {
        Self {
            text,
            events: Vec::new(),
            lines: Vec::new(),
            prefix: 'm',
            headings: Vec::new(),
            diffs: None,
            budget,
            links: Vec::new(),
            images: Vec::new(),
            items: Vec::new(),
            heading: 0,
            table: Table::default(),
            depth: 0,
        }
    }

    /// Of a text whose blocks say on which lines they stand, whose headings have ids with this before their number,
    /// and whose diffs go there.
    pub fn with_lines(mut self, prefix: char, diffs: &'d mut Vec<DiffView>) -> Self {
        let ends = self.text.match_indices('\n').map(|(place, _)| place + 1);
        self.lines = [0].into_iter().chain(ends).collect();
        (self.prefix, self.diffs) = (prefix, Some(diffs));
        self
    }

    /// The events.
    pub fn events(self) -> Vec<Event<'a>> {
        self.events_and_headings().0
    }

    /// The events, and the headings among them.
    pub fn events_and_headings(mut self) -> (Vec<Event<'a>>, Vec<Heading>) {
        let parser = Parser::new_ext(self.text, options());
        let mut parser = parser.into_offset_iter().peekable();
        while let Some((event, range)) = parser.next() {
            match event {
                Event::Start(Tag::CodeBlock(kind)) => {
                    let mut code = String::new();
                    while let Some((Event::Text(text), _)) =
                        parser.next_if(|(event, _)| matches!(event, Event::Text(_)))
                    {
                        code.push_str(&text);
                    }
                    parser.next_if(|(event, _)| matches!(event, Event::End(TagEnd::CodeBlock)));
                    self.code(&kind, &code, &range);
                }
                Event::Start(tag) => self.start(tag, &range),
                Event::End(tag) => self.end(tag),
                Event::Html(raw) | Event::InlineHtml(raw) => self.events.push(Event::Text(raw)),
                Event::TaskListMarker(done) => self.task(done),
                other => self.events.push(other),
            }
        }
        (self.events, self.headings)
    }

    fn start(&mut self, tag: Tag<'a>, range: &Range<usize>) {
        match tag {
            Tag::HtmlBlock => self.html(format!("<p{}>", self.lines_of(range))),
            Tag::Link { dest_url, .. } => {
                if leads_out(&dest_url) {
                    self.inline(format!("<a href=\"{}\">", escape(&dest_url)));
                }
                self.links.push((dest_url, self.events.len()));
            }
            Tag::Image { dest_url, .. } => {
                self.events.push(Event::Text("[image: ".into()));
                self.images.push(dest_url);
            }
            tag => {
                self.depth += 1;
                if self.depth <= DEEPEST {
                    self.start_element(tag, range);
                }
            }
        }
    }

    fn start_element(&mut self, tag: Tag<'a>, range: &Range<usize>) {
        let lines = self.lines_of(range);
        match tag {
            Tag::Paragraph => self.html(format!("<p{lines}>")),
            Tag::BlockQuote(_) => self.html(format!("<blockquote{lines}>\n")),
            Tag::Heading { level, .. } => {
                let id = if self.lines.is_empty() || self.headings.len() >= MOST_HEADINGS {
                    String::new()
                } else {
                    format!(" id=\"{}\"", self.heading_id())
                };
                self.html(format!("<{level}{id}{lines}>"));
                self.heading = self.events.len();
            }
            Tag::Item => {
                self.items.push((self.events.len(), lines.clone()));
                self.html(format!("<li{lines}>"));
            }
            Tag::Table(alignments) => {
                self.table.alignments = alignments;
                self.html("<table>".into());
            }
            Tag::TableHead => {
                (self.table.in_head, self.table.column) = (true, 0);
                self.html(format!("<thead><tr{lines}>"));
            }
            Tag::TableRow => {
                self.table.column = 0;
                self.html(format!("<tr{lines}>"));
            }
            Tag::TableCell => {
                let class = match self.table.alignments.get(self.table.column) {
                    Some(Alignment::Center) => " class=\"center\"",
                    Some(Alignment::Right) => " class=\"right\"",
                    _ => "",
                };
                self.table.column += 1;
                let cell = self.table.cell();
                self.html(format!("<{cell}{class}>"));
            }
            tag => self.events.push(Event::Start(tag)),
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::HtmlBlock => self.html("</p>\n".into()),
            TagEnd::Link => {
                if let Some((address, start)) = self.links.pop() {
                    let same = text_of(&self.events[start..]) == *address;
                    if leads_out(&address) {
                        self.inline("</a>".into());
                    }
                    if !same {
                        self.address(address);
                    }
                }
            }
            TagEnd::Image => {
                self.events.push(Event::Text("]".into()));
                if let Some(address) = self.images.pop() {
                    self.address(address);
                }
            }
            tag => {
                if self.depth <= DEEPEST {
                    self.end_element(tag);
                }
                self.depth -= 1;
            }
        }
    }

    fn end_element(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph => self.html("</p>\n".into()),
            TagEnd::BlockQuote(_) => self.html("</blockquote>\n".into()),
            TagEnd::Heading(level) => {
                if !self.lines.is_empty() && self.headings.len() < MOST_HEADINGS {
                    let text = text_of(&self.events[self.heading..]);
                    self.headings.push(Heading {
                        level: level as u8,
                        text: describe::one_line(text.trim()),
                        id: self.heading_id(),
                    });
                }
                self.html(format!("</{level}>\n"));
            }
            TagEnd::Item => {
                self.items.pop();
                self.html("</li>\n".into());
            }
            TagEnd::Table => self.html("</tbody></table>\n".into()),
            TagEnd::TableHead => {
                self.table.in_head = false;
                self.html("</tr></thead><tbody>\n".into());
            }
            TagEnd::TableRow => self.html("</tr>\n".into()),
            TagEnd::TableCell => {
                let cell = self.table.cell();
                self.html(format!("</{cell}>"));
            }
            tag => self.events.push(Event::End(tag)),
        }
    }

    /// The id of the next heading.
    fn heading_id(&self) -> String {
        format!("{}-{}", self.prefix, self.headings.len() + 1)
    }

    /// Makes the open item one of a list of tasks.
    fn task(&mut self, done: bool) {
        if let Some((place, lines)) = self.items.last() {
            self.events[*place] = Event::Html(format!("<li class=\"task\"{lines}>").into());
        }
        let (class, words) = if done {
            ("done", "Done:")
        } else {
            ("open", "To do:")
        };
        self.inline(format!(
            "<span class=\"box {class}\"></span><span class=\"unseen\">{words} </span>"
        ));
    }

    fn code(&mut self, kind: &CodeBlockKind<'_>, code: &str, range: &Range<usize>) {
        let lines = self.lines_of(range);
        let html = match (is_diff(kind, code), &mut self.diffs) {
            (true, Some(diffs)) => {
                diffs.push(DiffView::new(code, self.budget));
                let number = diffs.len() - 1;
                format!("<div class=\"diff\" data-diff=\"{number}\"{lines}></div>\n")
            }
            (true, None) => plain_diff::coloured(code, &lines),
            (false, _) => code::coloured(language_of(kind), code, &lines, self.budget),
        };
        self.html(html);
    }

    /// The attribute that says on which lines a part of the text stands.
    fn lines_of(&self, range: &Range<usize>) -> String {
        if self.lines.is_empty() {
            return String::new();
        }
        let line = |place: usize| self.lines.partition_point(|start| *start <= place);
        let part = self.text.get(range.clone()).unwrap_or_default();
        let first = line(range.start);
        let last = line(range.start + part.trim_end().len().saturating_sub(1));
        if last > first {
            format!(" data-line=\"{first}-{last}\"")
        } else {
            format!(" data-line=\"{first}\"")
        }
    }

    fn html(&mut self, html: String) {
        self.events.push(Event::Html(html.into()));
    }

    fn inline(&mut self, html: String) {
        self.events.push(Event::InlineHtml(html.into()));
    }

    fn address(&mut self, address: CowStr<'a>) {
        self.inline(" <span class=\"address\">(".into());
        self.events.push(Event::Text(address));
        self.inline(")</span>".into());
    }
}

impl Table {
    fn cell(&self) -> &'static str {
        if self.in_head { "th" } else { "td" }
    }
}

/// Whether an address is one that a browser may be sent to. A relative one would lead into the
/// page itself.
fn leads_out(address: &str) -> bool {
    let known = ["http://", "https://", "mailto:"];
    let start = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    known.iter().any(|scheme| start.starts_with(scheme))
}

/// The text of these events.
pub(super) fn text_of(events: &[Event<'_>]) -> String {
    let text = |event: &Event<'_>| match event {
        Event::Text(text) | Event::Code(text) => visible(text).into_owned(),
        Event::SoftBreak | Event::HardBreak => " ".to_owned(),
        _ => String::new(),
    };
    events.iter().map(text).collect()
}
