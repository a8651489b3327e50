//! Draws the inbox.

use super::{
    App, Pane,
    deciding::{self, WantedText},
    dialog::{Dialog, LONGER, TextOf},
    layout::{self, Areas, Row},
};
use crate::terminal::{
    ask_text,
    document::wrap,
    reader::{self, Drawing},
};
use anstyle::{AnsiColor, Style as Ansi};
use holdpoint::journal::AskRecord;
use holdpoint_ask::{
    describe::{one_line, who_asks},
    visible,
};
use ratatui::{
    Frame,
    buffer::Buffer,
    layout::{Position, Rect},
    style::Style,
};
use std::time::Instant;
use unicode_width::UnicodeWidthStr as _;

const TITLE: Ansi = Ansi::new().bold();
const FAINT: Ansi = Ansi::new().dimmed();
const HERE: Ansi = Ansi::new().invert();
const ACCENT: Ansi = AnsiColor::Cyan.on_default().bold();
const GO: Ansi = AnsiColor::Green.on_default();

const HELP: [(&str, &str); 19] = [
    ("j k ↓ ↑", "move a line"),
    (
        "Space b PgDn PgUp",
        "move a page; Ctrl-D Ctrl-U half of one",
    ),
    ("g G", "to the beginning, to the end"),
    ("] [", "next, previous heading, hunk or file"),
    ("} {", "next, previous file"),
    ("/ n N", "search; next, previous match"),
    ("Tab", "between the list and the ask"),
    ("Enter", "open the ask; in it: answer"),
    ("a", "answer: the endings of the ask"),
    ("c C", "comment on this place, on all of it"),
    ("s", "suggest a change of this place"),
    ("l", "list comments: Enter edits, x deletes"),
    ("e", "edit the text that the ask lets you edit"),
    ("d", "what differs from the last round"),
    ("t", "more time"),
    ("v |", "read it in $PAGER"),
    ("m", "mouse on or off (off: select text)"),
    ("Esc q", "back; in the list: quit"),
    ("Ctrl-C", "quit; nothing is answered"),
];

/// Draws all of it.
pub fn draw(app: &App, frame: &mut Frame<'_>, clock: Instant) {
    let areas = layout::areas(app);
    let painter = Painter { app, clock };
    let buffer = frame.buffer_mut();
    painter.title(buffer, areas.title);
    match app.open {
        Some(_) => painter.ask(buffer, &areas),
        None => painter.lists(buffer, &areas),
    }
    painter.note(buffer, areas.note);
    painter.keys(buffer, areas.keys);
    let mut at = painter.dialog(buffer);
    if let (None, Some(search)) = (&app.dialog, &app.search) {
        let (_, (column, _)) = search.lines(usize::from(areas.note.width).max(8) - 2);
        at = Some(Position::new(column as u16 + 1, areas.note.y));
    }
    if let Some(at) = at {
        frame.set_cursor_position(at);
    }
}

struct Painter<'a> {
    app: &'a App,
    clock: Instant,
}

impl Painter<'_> {
    fn style(&self, style: Ansi) -> Style {
        reader::style(self.app.look.style(style))
    }

    /// A line of text, cut where it is too wide.
    fn line(&self, buffer: &mut Buffer, area: Rect, text: &str, style: Ansi) {
        if area.is_empty() {
            return;
        }
        let look = self.app.look;
        let text = wrap::cut(&look.text(text), area.width.into(), look.pick("…", "..."));
        buffer.set_string(area.x, area.y, text, self.style(style));
    }

    fn title(&self, buffer: &mut Buffer, area: Rect) {
        let app = self.app;
        let text = match &app.open {
            Some(open) => open.record.ask.title(),
            None => format!(
                "Holdpoint · {}",
                match app.count {
                    0 => "nothing waits for you".to_owned(),
                    1 => "1 ask waits for you".to_owned(),
                    count => format!("{count} asks wait for you"),
                }
            ),
        };
        self.line(buffer, area, &text, TITLE);
        let right = match &app.open {
            Some(open) => format!(" {}%", open.reader.percent()),
            None if app.count as usize > app.asks.len() => format!(" {} shown", app.asks.len()),
            None => return,
        };
        let width = (right.width() as u16).min(area.width);
        let end = Rect::new(area.right() - width, area.y, width, 1);
        self.line(buffer, end, &right, FAINT);
    }

    fn lists(&self, buffer: &mut Buffer, areas: &Areas) {
        let app = self.app;
        let rows = layout::rows(app, areas.list.height);
        let listed = app.listed();
        for (y, row) in (areas.list.y..).zip(&rows) {
            let line = Rect::new(areas.list.x, y, areas.list.width, 1);
            match row {
                Row::Heading(group) => self.line(buffer, line, group.title(), ACCENT),
                Row::Title(index) => self.row(buffer, line, listed[*index]),
                Row::About(index) => {
                    let inner = Rect::new(line.x + 4, y, line.width.saturating_sub(5), 1);
                    self.line(buffer, inner, &about(listed[*index], app), FAINT);
                }
            }
        }
        if listed.is_empty() && !areas.list.is_empty() {
            let text = if app.filter.is_empty() {
                "New asks appear here."
            } else {
                "No open ask has that."
            };
            self.line(buffer, areas.list, text, FAINT);
        }
        let line = match areas.between.width {
            1 => app.look.pick("│", "|"),
            _ => app.look.pick("─", "-"),
        };
        for place in areas.between.positions() {
            buffer.set_string(place.x, place.y, line, self.style(FAINT));
        }
        if let Some((.., reader)) = &app.preview {
            let how = Drawing {
                look: app.look,
                focused: app.pane == Pane::Preview,
                accent: self.style(ACCENT),
                is_marked: &|_| false,
                found: &app.filter,
            };
            reader.draw(areas.text, buffer, &how);
        }
    }

    fn row(&self, buffer: &mut Buffer, area: Rect, record: &AskRecord) {
        let app = self.app;
        let here = Some(record.id) == app.at;
        let mark = if here { app.look.pick("›", ">") } else { " " };
        self.line(buffer, area, mark, TITLE);
        let mut x = area.x + 2;
        if record.ask.dangerous {
            let danger = app.look.pick("⚠ ", "! ");
            self.line(buffer, Rect::new(x, area.y, 2, 1), danger, ask_text::DANGER);
            x += 2;
        }
        let room = area.right().saturating_sub(x + 1);
        let title = Rect::new(x, area.y, room, 1);
        let style = match (here, app.pane) {
            (true, Pane::List) => HERE,
            (true, Pane::Preview) => TITLE,
            (false, _) => Ansi::new(),
        };
        self.line(buffer, title, &record.ask.title(), style);
    }

    fn ask(&self, buffer: &mut Buffer, areas: &Areas) {
        let Some(open) = &self.app.open else { return };
        let how = Drawing {
            look: self.app.look,
            focused: true,
            accent: self.style(ACCENT),
            is_marked: &|block| open.is_commented(block),
            found: &open.found,
        };
        open.reader.draw(areas.text, buffer, &how);
        if let Some(ended) = &open.ended {
            let text = format!("It has ended: {ended}");
            return self.line(buffer, areas.bar, &text, HERE);
        }
        let endings = deciding::endings(&open.record.ask);
        let actions: Vec<_> = endings.into_iter().map(|ending| ending.action).collect();
        let mut parts = vec![actions.join(" / ")];
        if let Some(at) = open.record.deadline_at {
            parts.push(format!("{} left", ask_text::time_between(self.app.now, at)));
        }
        match open.draft.comments.len() {
            0 => {}
            1 => parts.push("1 comment".into()),
            count => parts.push(format!("{count} comments")),
        }
        if open.is_edited() {
            parts.push("edited".into());
        }
        if open.shown_at.is_none() {
            parts.insert(0, "more below".into());
        }
        let style = if open.record.ask.dangerous {
            ask_text::DANGER
        } else {
            TITLE
        };
        self.line(buffer, areas.bar, &parts.join(" · "), style);
    }

    fn note(&self, buffer: &mut Buffer, area: Rect) {
        let app = self.app;
        match &app.search {
            Some(search) => {
                let (lines, _) = search.lines(usize::from(area.width).max(8) - 2);
                let text = format!("/{}", lines.first().map_or("", String::as_str));
                self.line(buffer, area, &text, Ansi::new());
            }
            None if app.note.is_empty() && app.open.is_none() && !app.filter.is_empty() => {
                let text = format!("only with “{}”; Esc for all", visible(&app.filter));
                self.line(buffer, area, &text, FAINT);
            }
            None => self.line(buffer, area, &visible(&app.note), FAINT),
        }
    }

    fn keys(&self, buffer: &mut Buffer, area: Rect) {
        let app = self.app;
        let text = match (&app.open, &app.dialog, &app.search) {
            (_, Some(_), _) => return,
            (_, _, Some(_)) => "Enter to search · Esc to leave",
            (Some(open), ..) if open.ended.is_some() => "Esc for the list · v pager · ? keys",
            (Some(_), ..) => "a answer · c comment · ] next heading · / search · ? keys · Esc back",
            (None, ..) if app.asks.is_empty() => "? keys · q to quit",
            (None, ..) => "Enter to read · Tab other pane · / search · ? keys · q to quit",
        };
        self.line(buffer, area, text, FAINT);
    }

    /// Draws what is over the rest; where the cursor is in it.
    fn dialog(&self, buffer: &mut Buffer) -> Option<Position> {
        let app = self.app;
        let wait = (!app.hears(self.clock)).then_some("wait…");
        match app.dialog.as_ref()? {
            Dialog::Help { top } => {
                let rows = HELP.iter().map(|(keys, what)| format!("{keys:<18} {what}"));
                let rows: Vec<String> = rows.skip((*top).min(HELP.len() - 1)).collect();
                let area = self.window(buffer, "Keys", rows.len(), "any key to go on");
                for (y, row) in (area.y..area.bottom()).zip(&rows) {
                    self.line(buffer, at_row(area, y), row, Ansi::new());
                }
                None
            }
            Dialog::Endings { endings, at } => {
                let open = app.open.as_ref()?;
                let edited = if open.is_edited() {
                    " (with your edits)"
                } else {
                    ""
                };
                let rows: Vec<(String, Ansi)> = endings
                    .iter()
                    .map(|ending| {
                        let own = if ending.yes { edited } else { "" };
                        let about = ending.about.as_ref().map(|about| format!(" – {about}"));
                        let text = format!("{}{own}{}", ending.action, about.unwrap_or_default());
                        let style = match (ending.yes, open.record.ask.dangerous) {
                            (true, true) => ask_text::DANGER,
                            (true, false) => GO,
                            (false, _) => Ansi::new(),
                        };
                        (text, style)
                    })
                    .collect();
                let keys = wait.unwrap_or("↑↓ to choose, Enter to do it, Esc to go on reading");
                self.choices(buffer, "How does it end?", &rows, *at, keys);
                None
            }
            Dialog::Longer { at } => {
                let rows = LONGER.map(|(words, _)| (words.to_owned(), Ansi::new()));
                let keys = wait.unwrap_or("↑↓ to choose, Enter to do it, Esc to leave");
                self.choices(buffer, "How much longer?", &rows, *at, keys);
                None
            }
            Dialog::Comments { at } => {
                let open = app.open.as_ref()?;
                let row = |comment: &holdpoint_ask::review::Comment| {
                    let said = match &comment.suggestion {
                        Some(suggestion) => format!("suggested: {suggestion}"),
                        None => comment.text.clone(),
                    };
                    let place = comment.place.describe();
                    (one_line(&format!("{place}: {said}")), Ansi::new())
                };
                let rows: Vec<_> = open.draft.comments.iter().map(row).collect();
                let title = if rows.is_empty() {
                    "No comments yet"
                } else {
                    "Comments"
                };
                let keys = "Enter to edit, x to delete, Esc to go on";
                self.choices(buffer, title, &rows, Some(*at), keys);
                None
            }
            Dialog::Text { of, input, wrong } => {
                let (title, keys) = self.text_title(of);
                let keys = wait.unwrap_or(keys);
                let width = self.window_width();
                let (lines, (column, row)) = input.lines(width.max(2) - 1);
                let (rows, _) = self.room();
                let shown = lines.len().clamp(3, rows.saturating_sub(1).max(1));
                let area = self.window(buffer, &title, shown + 1, keys);
                let first = (row + 1).saturating_sub(shown);
                for (y, line) in (area.y..).zip(lines.iter().skip(first).take(shown)) {
                    self.line(buffer, at_row(area, y), line, Ansi::new());
                }
                if let Some(wrong) = wrong {
                    let last = at_row(area, area.bottom().saturating_sub(1));
                    self.line(buffer, last, &visible(wrong), ask_text::DANGER);
                }
                let y = area.y + (row - first) as u16;
                Some(Position::new(area.x + column as u16, y))
            }
        }
    }

    fn text_title(&self, of: &TextOf) -> (String, &'static str) {
        const KEYS: &str = "Enter to keep it, Alt+Enter new line, Ctrl+G $EDITOR, Esc to leave";
        match of {
            TextOf::Comment(_, comment) => {
                let place = format!("Comment on {}", comment.place.describe());
                (one_line(&place), KEYS)
            }
            TextOf::Suggestion(_, comment) => {
                let place = format!("Instead, in {}", comment.place.describe());
                (one_line(&place), KEYS)
            }
            TextOf::Reply(wanted) => match &wanted.of {
                WantedText::Reason => (
                    "Why not? (optional; the agent is told)".to_owned(),
                    "Enter to decline, Alt+Enter new line, Ctrl+G $EDITOR, Esc to leave",
                ),
                WantedText::Word(word) => (
                    format!("This is dangerous: type {} for yes", visible(word)),
                    "the word, then Enter; Esc to leave",
                ),
                WantedText::Field(field) => (
                    one_line(&field.full_label()),
                    "Enter to send it, Alt+Enter new line, Ctrl+G $EDITOR, Esc to leave",
                ),
            },
        }
    }

    fn choices(
        &self,
        buffer: &mut Buffer,
        title: &str,
        rows: &[(String, Ansi)],
        at: Option<usize>,
        keys: &str,
    ) {
        let area = self.window(buffer, title, rows.len(), keys);
        let height = usize::from(area.height);
        let first = at.map_or(0, |at| (at + 1).saturating_sub(height));
        for (y, (index, (text, style))) in
            (area.y..area.bottom()).zip(rows.iter().enumerate().skip(first))
        {
            let here = Some(index) == at;
            let mark = if here {
                self.app.look.pick("› ", "> ")
            } else {
                "  "
            };
            let style = if here { style.invert() } else { *style };
            self.line(buffer, at_row(area, y), &format!("{mark}{text}"), style);
        }
    }

    /// How many rows of text a window can have, and where it begins.
    fn room(&self) -> (usize, u16) {
        let rows = self.app.size.1;
        (usize::from(rows.saturating_sub(4)).max(1), 1)
    }

    fn window_width(&self) -> usize {
        usize::from(self.app.size.0.saturating_sub(4).clamp(8, 90))
    }

    /// A window of its own with a frame, at the bottom of the screen; the area within it.
    fn window(&self, buffer: &mut Buffer, title: &str, rows: usize, keys: &str) -> Rect {
        let (columns, height) = self.app.size;
        let look = self.app.look;
        let rows = rows.clamp(1, self.room().0) as u16;
        let width = (self.window_width() as u16 + 4).min(columns);
        let area = Rect::new(
            (columns - width) / 2,
            height.saturating_sub(rows + 3),
            width,
            rows + 3,
        );
        let area = area.intersection(*buffer.area());
        for place in area.positions() {
            if let Some(cell) = buffer.cell_mut(place) {
                cell.reset();
            }
        }
        let across = look
            .pick("─", "-")
            .repeat(usize::from(width.saturating_sub(2)));
        let (left, right) = look.pick(("┌", "┐"), ("+", "+"));
        let edge = at_row(area, area.y);
        self.line(buffer, edge, &format!("{left}{across}{right}"), FAINT);
        let inner = Rect::new(area.x + 2, area.y, area.width.saturating_sub(4), 1);
        let title = wrap::cut(
            &look.text(title),
            usize::from(inner.width.max(2)) - 2,
            look.pick("…", "..."),
        );
        self.line(buffer, inner, &format!(" {title} "), TITLE);
        let down = look.pick("│", "|");
        for y in area.y + 1..area.bottom() {
            for x in [area.x, area.right().saturating_sub(1)] {
                buffer.set_string(x, y, down, self.style(FAINT));
            }
        }
        let last = Rect::new(inner.x, area.bottom().saturating_sub(1), inner.width, 1);
        self.line(buffer, last, keys, FAINT);
        Rect::new(
            inner.x,
            area.y + 1,
            inner.width,
            area.height.saturating_sub(3),
        )
    }
}

fn at_row(area: Rect, y: u16) -> Rect {
    Rect::new(area.x, y, area.width, 1)
}

/// Who asks, where, and how much time is left where that is little.
fn about(record: &AskRecord, app: &App) -> String {
    use crate::commands::inbox::groups::Group;
    let mut about = vec![who_asks(&record.origin)];
    if let Some(folder) = &record.origin.workspace {
        let last = folder.trim_end_matches('/').rsplit('/').next();
        about.extend(last.map(one_line));
    }
    if let (Group::Soon, Some(at)) = (Group::of(record, app.now), record.deadline_at) {
        about.insert(0, format!("{} left", ask_text::time_between(app.now, at)));
    }
    if record.agent_gone {
        about.push("agent gone".into());
    }
    about.join(" · ")
}
