//! Draws the inbox.

use super::{
    App, Pane, deciding,
    layout::{self, Areas, Row},
};
use crate::{
    terminal::{
        ask_text,
        document::wrap,
        reader::{self, Drawing},
    },
    times,
};
use anstyle::{AnsiColor, Style as Ansi};
use holdpoint::journal::AskRecord;
use holdpoint_ask::{
    describe::{one_line, who_asks},
    open_order::Group,
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

pub(super) const TITLE: Ansi = Ansi::new().bold();
pub(super) const FAINT: Ansi = Ansi::new().dimmed();
const HERE: Ansi = Ansi::new().invert();
const ACCENT: Ansi = AnsiColor::Cyan.on_default().bold();

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

/// What it is drawn with.
pub(super) struct Painter<'a> {
    pub(super) app: &'a App,
    pub(super) clock: Instant,
}

impl Painter<'_> {
    pub(super) fn style(&self, style: Ansi) -> Style {
        reader::style(self.app.look.style(style))
    }

    /// A line of text, cut where it is too wide.
    pub(super) fn line(&self, buffer: &mut Buffer, area: Rect, text: &str, style: Ansi) {
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
            None => {
                let shown = app.asks.len();
                let shown = (app.count as usize > shown).then(|| format!("{shown} shown"));
                let parts: Vec<_> = shown.into_iter().chain(app.remembered.clone()).collect();
                format!(" {}", parts.join(" · "))
            }
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
            parts.push(format!("{} left", times::between(self.app.now, at)));
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
            (Some(open), ..) if open.ended.is_some() && !open.draft.is_empty() => {
                "Esc for the list · u what you wrote · v pager · ? keys"
            }
            (Some(open), ..) if open.ended.is_some() => "Esc for the list · v pager · ? keys",
            (Some(_), ..) => "a answer · c comment · ] next heading · / search · ? keys · Esc back",
            (None, ..) if app.asks.is_empty() => "? keys · q to quit",
            (None, ..) => "Enter to read · Tab other pane · / search · ? keys · q to quit",
        };
        self.line(buffer, area, text, FAINT);
    }
}

/// Who asks, where, and how much time is left where that is little.
fn about(record: &AskRecord, app: &App) -> String {
    let mut about = vec![who_asks(&record.origin)];
    if let Some(folder) = &record.origin.workspace {
        let last = folder.trim_end_matches('/').rsplit('/').next();
        about.extend(last.map(one_line));
    }
    if let (Group::Soon, Some(at)) = (record.waiting().group(app.now), record.deadline_at) {
        about.insert(0, format!("{} left", times::between(app.now, at)));
    }
    if record.agent_gone {
        about.push("agent gone".into());
    }
    about.join(" · ")
}
