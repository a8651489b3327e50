//! What a key, a paste and the mouse do.

use super::{
    App, Effect, Pane, SETTLE,
    deciding::{self, WantedText},
    dialog::{Dialog, TextOf},
    layout,
};
use crate::terminal::text_input::TextInput;
use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use holdpoint_ask::review::{Comment, Place};
use std::time::{Duration, Instant};

/// A wheel moves so many lines.
const WHEEL: isize = 3;

impl App {
    /// Takes what came from the terminal; gives what is to be done outside.
    pub fn update(&mut self, event: Event, clock: Instant) -> Option<Effect> {
        match event {
            Event::Resize(columns, rows) => {
                self.resize(columns, rows);
                return None;
            }
            Event::Key(key) if key.kind == KeyEventKind::Press => {
                if is_control(key, 'c') {
                    return Some(Effect::Quit);
                }
                // In the list only an Enter can be meant for an ask that is gone.
                let in_list = self.open.is_none() && self.dialog.is_none();
                if (self.hears(clock) || (in_list && key.code != KeyCode::Enter))
                    && let Some(effect) = self.key(key, clock)
                {
                    return Some(effect);
                }
            }
            Event::Paste(text) if self.hears(clock) => self.paste(&text),
            Event::Mouse(mouse) if self.hears(clock) && is_used(mouse) => self.pointed(mouse),
            _ => return None,
        }
        let open = self.open.as_ref()?;
        open.needs_time(self.now).then_some(Effect::KeepOpen)
    }

    /// What came back from the editor.
    pub fn edited(&mut self, text: String) {
        if let Some(Dialog::Text { input, .. }) = &mut self.dialog {
            *input = TextInput::new(text, input.multiline);
        } else if let Some(open) = &mut self.open {
            let same = open
                .record
                .ask
                .editable
                .as_ref()
                .is_some_and(|is| is.text == text);
            let said = if same {
                "The text is as it was."
            } else {
                "Your version is sent with a yes."
            };
            self.note = said.into();
            open.draft.edited = (!same).then_some(text);
        }
    }

    fn paste(&mut self, text: &str) {
        match &mut self.dialog {
            // The word of a dangerous ask is typed.
            Some(Dialog::Text {
                of: TextOf::Reply(wanted),
                wrong,
                ..
            }) if matches!(wanted.of, WantedText::Word(_)) => {
                *wrong = Some("Type it; it cannot be pasted.".into());
            }
            Some(Dialog::Text { input, .. }) => input.insert(text),
            Some(_) => {}
            None => {
                if let Some(search) = &mut self.search {
                    search.insert(text);
                }
            }
        }
    }

    fn key(&mut self, key: KeyEvent, clock: Instant) -> Option<Effect> {
        if self.dialog.is_some() {
            return self.dialog_key(key, clock);
        }
        if self.search.is_some() {
            self.search_key(key);
            return None;
        }
        match key.code {
            KeyCode::Char('?') => {
                self.dialog = Some(Dialog::Help { top: 0 });
                None
            }
            KeyCode::Char('m') => {
                self.mouse = !self.mouse;
                let said = if self.mouse {
                    "The mouse scrolls and points."
                } else {
                    "The mouse selects text."
                };
                self.note = said.into();
                Some(Effect::Mouse(self.mouse))
            }
            KeyCode::Char('/') => {
                let now = match &self.open {
                    Some(_) => String::new(),
                    None => self.filter.clone(),
                };
                self.search = Some(TextInput::new(now, false));
                None
            }
            KeyCode::Char('u') if key.modifiers.is_empty() => {
                let unsent = self.drafts.text(self.open.as_ref());
                if unsent.is_none() {
                    self.note = "There is nothing that you wrote and did not send.".into();
                }
                unsent.map(Effect::Page)
            }
            _ if self.open.is_some() => self.ask_key(key, clock),
            _ => self.list_key(key),
        }
    }

    fn list_key(&mut self, key: KeyEvent) -> Option<Effect> {
        let row = self.row();
        if self.pane == Pane::Preview
            && let Some((.., reader)) = &mut self.preview
            && reader.key(key)
        {
            return None;
        }
        let page = usize::from(self.size.1 / 4).max(1);
        match key.code {
            KeyCode::Char('q') => return Some(Effect::Quit),
            KeyCode::Esc if !self.filter.is_empty() => {
                self.filter.clear();
                self.keep_cursor(0);
                self.refresh();
            }
            KeyCode::Esc if self.pane == Pane::Preview => self.pane = Pane::List,
            KeyCode::Esc => return Some(Effect::Quit),
            KeyCode::Char('d') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Some(Effect::Quit);
            }
            KeyCode::Enter => return self.at.map(Effect::Open),
            KeyCode::Tab | KeyCode::BackTab => {
                self.pane = match self.pane {
                    Pane::List => Pane::Preview,
                    Pane::Preview => Pane::List,
                };
            }
            KeyCode::Up | KeyCode::Char('k') => self.move_cursor(row.saturating_sub(1)),
            KeyCode::Down | KeyCode::Char('j') => self.move_cursor(row + 1),
            KeyCode::PageUp => self.move_cursor(row.saturating_sub(page)),
            KeyCode::PageDown | KeyCode::Char(' ') => self.move_cursor(row + page),
            KeyCode::Home | KeyCode::Char('g') => self.move_cursor(0),
            KeyCode::End | KeyCode::Char('G') => self.move_cursor(usize::MAX),
            _ => {}
        }
        None
    }

    fn ask_key(&mut self, key: KeyEvent, clock: Instant) -> Option<Effect> {
        let area = layout::areas(self).text;
        let (look, now) = (self.look, self.now);
        let open = self.open.as_mut()?;
        if open.reader.key(key) {
            return None;
        }
        let over = open.ended.is_some();
        match key.code {
            KeyCode::Esc | KeyCode::Char('q') => self.close(""),
            KeyCode::Char('n') if !open.found.is_empty() => {
                let found = open.found.clone();
                open.reader.find(&found, true);
            }
            KeyCode::Char('N') if !open.found.is_empty() => {
                let found = open.found.clone();
                open.reader.find(&found, false);
            }
            KeyCode::Char('d') if open.has_past() => open.toggle_changes(area, look, now),
            KeyCode::Char('v' | '|') => return Some(Effect::Page(open.plain(now))),
            KeyCode::Char('l') => self.dialog = Some(Dialog::Comments { at: 0 }),
            _ if over => self.note = "It has ended: Esc for the list.".into(),
            KeyCode::Char('a') | KeyCode::Enter => {
                let endings = deciding::endings(&open.record.ask);
                self.ask_for(Dialog::Endings { endings, at: None }, clock);
            }
            KeyCode::Char('c') => {
                let Some(block) = open.reader.block().cloned() else {
                    self.note =
                        "There is nothing to comment on in this line; C comments on all of it."
                            .into();
                    return None;
                };
                let comments = &open.draft.comments;
                let at = comments.iter().position(|comment| {
                    comment.place == block.place && comment.quote.as_ref() == Some(&block.quote)
                });
                let comment = at.map_or_else(
                    || {
                        let mut comment = Comment::new(block.place, "");
                        comment.quote = Some(block.quote).filter(|quote| !quote.is_empty());
                        comment
                    },
                    |at| comments[at].clone(),
                );
                self.write(TextOf::Comment(at, Box::new(comment)));
            }
            KeyCode::Char('s') => {
                if let Some(block) = open.reader.block().cloned() {
                    let mut comment = Comment::new(block.place, "");
                    comment.quote = Some(block.quote.clone());
                    comment.suggestion = Some(block.quote);
                    self.write(TextOf::Suggestion(None, Box::new(comment)));
                }
            }
            KeyCode::Char('C') => {
                let comment = Comment::new(Place::whole(), "");
                self.write(TextOf::Comment(None, Box::new(comment)));
            }
            KeyCode::Char('e') => match &open.record.ask.editable {
                Some(editable) => {
                    let text = open.draft.edited.as_ref().unwrap_or(&editable.text);
                    return Some(Effect::Edit(text.clone()));
                }
                None => self.note = "Nothing in this ask can be edited.".into(),
            },
            KeyCode::Char('t') => match open.record.deadline_at {
                Some(_) => self.ask_for(Dialog::Longer { at: None }, clock),
                None => self.note = "It has no deadline: take your time.".into(),
            },
            _ => {}
        }
        None
    }

    /// Shows what decides. What is typed before it can have been read is thrown away.
    pub(super) fn ask_for(&mut self, dialog: Dialog, clock: Instant) {
        let mut unread = Duration::ZERO;
        if let Some(open) = &self.open {
            let reading = self.reading[usize::from(open.record.ask.dangerous)];
            let seen = open.shown_at.map(|at| self.now.duration_since(at));
            let seen = seen.and_then(|seen| Duration::try_from(seen).ok());
            unread = reading.saturating_sub(seen.unwrap_or_default());
        }
        self.note.clear();
        self.dialog = Some(dialog);
        self.settle(clock, SETTLE.max(unread));
    }

    pub(super) fn write(&mut self, of: TextOf) {
        let text = match &of {
            TextOf::Comment(_, comment) => comment.text.clone(),
            TextOf::Suggestion(_, comment) => comment.suggestion.clone().unwrap_or_default(),
            TextOf::Reply(_) => String::new(),
        };
        self.note.clear();
        self.dialog = Some(Dialog::Text {
            of,
            input: TextInput::new(text, true),
            wrong: None,
        });
    }

    fn search_key(&mut self, key: KeyEvent) {
        let Some(search) = &mut self.search else {
            return;
        };
        match key.code {
            KeyCode::Esc => {
                self.search = None;
                if self.open.is_none() {
                    self.filter.clear();
                    self.keep_cursor(0);
                }
            }
            KeyCode::Enter => {
                let text = search.text().to_owned();
                self.search = None;
                if let Some(open) = &mut self.open {
                    if !text.is_empty() && !open.reader.find(&text, true) {
                        self.note = format!("Nothing here has “{text}”.");
                    }
                    open.found = text;
                }
            }
            _ => {
                search.key(key);
                if self.open.is_none() {
                    search.text().clone_into(&mut self.filter);
                    self.keep_cursor(0);
                }
            }
        }
        self.refresh();
    }

    fn pointed(&mut self, mouse: MouseEvent) {
        let areas = layout::areas(self);
        let here = (mouse.column, mouse.row).into();
        let lines = match mouse.kind {
            MouseEventKind::ScrollUp => -WHEEL,
            MouseEventKind::ScrollDown => WHEEL,
            MouseEventKind::Down(MouseButton::Left) => 0,
            _ => return,
        };
        if self.dialog.is_some() {
            return;
        }
        if areas.text.contains(here) {
            let reader = match (&mut self.open, &mut self.preview) {
                (Some(open), _) => Some(&mut open.reader),
                (None, Some((.., reader))) => Some(reader),
                _ => None,
            };
            match reader {
                Some(reader) if lines != 0 => reader.scroll(lines),
                Some(reader) => reader.click(mouse.row - areas.text.y),
                None => {}
            }
        } else if self.open.is_none() && areas.list.contains(here) {
            let row = self.row();
            if lines != 0 {
                self.move_cursor(row.saturating_add_signed(lines.signum()));
            } else if let Some(id) = layout::ask_at(self, mouse.row - areas.list.y) {
                self.pane = Pane::List;
                self.at = Some(id);
                self.refresh();
            }
        }
    }
}

/// It scrolls or points, and is not only moved.
fn is_used(mouse: MouseEvent) -> bool {
    use MouseEventKind::{Down, ScrollDown, ScrollUp};
    matches!(mouse.kind, Down(_) | ScrollDown | ScrollUp)
}

fn is_control(key: KeyEvent, char: char) -> bool {
    key.code == KeyCode::Char(char) && key.modifiers.contains(KeyModifiers::CONTROL)
}
