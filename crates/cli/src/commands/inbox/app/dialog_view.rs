//! Draws what is over an ask or the list: windows with endings, texts, comments and the keys.

use super::{
    deciding::WantedText,
    dialog::{Dialog, LONGER, TextOf},
    view::{FAINT, Painter, TITLE},
};
use crate::terminal::{ask_text, document::wrap};
use anstyle::{AnsiColor, Style as Ansi};
use holdpoint_ask::{describe::one_line, visible};
use ratatui::{
    buffer::Buffer,
    layout::{Position, Rect},
};

const GO: Ansi = AnsiColor::Green.on_default();

const HELP: [(&str, &str); 20] = [
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
    ("u", "read in $PAGER what you wrote and did not send"),
    ("t", "more time; while you are at it, it comes by itself"),
    ("v |", "read it in $PAGER"),
    ("m", "mouse on or off (off: select text)"),
    ("Esc q", "back; in the list: quit"),
    ("Ctrl-C", "quit; nothing is answered"),
];

impl Painter<'_> {
    /// Draws what is over the rest; where the cursor is in it.
    pub(super) fn dialog(&self, buffer: &mut Buffer) -> Option<Position> {
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
