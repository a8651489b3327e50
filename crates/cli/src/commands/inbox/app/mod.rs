//! The inbox over the whole screen, as a state: what came is put in, and what is to be done comes out.
//!
//! | module | holds |
//! |---|---|
//! | `keys` | what a key, a paste and the mouse do |
//! | `dialog_keys` | what a key does in what is over an ask |
//! | [`open_ask`] | the ask that is read: its text, comments and edits |
//! | [`dialog`] | what is over it: endings, a text, comments, help |
//! | `drafts` | what was written and not sent |
//! | [`deciding`] | from a chosen ending to a reply |
//! | [`layout`] | which part of the screen shows what |
//! | `view` | draws it |
//! | `dialog_view` | draws what is over it |

pub mod deciding;
pub mod dialog;
mod dialog_keys;
mod dialog_view;
mod drafts;
pub mod keys;
pub mod layout;
pub mod open_ask;
#[cfg(test)]
mod tests;
pub mod view;

use super::list::{self, Open};
use crate::terminal::{abilities::Abilities, ask_text, reader::Reader};
use deciding::{Outgoing, Prompting};
use dialog::Dialog;
use drafts::{Draft, Drafts};
use holdpoint::{AskId, Decision, journal::AskRecord};
use holdpoint_ask::describe;
use jiff::Timestamp;
use open_ask::OpenAsk;
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

/// What is typed so soon after a question came on the screen was not meant for it.
pub const SETTLE: Duration = Duration::from_millis(500);

/// What is to be done outside.
#[derive(Debug)]
pub enum Effect {
    /// The person ends it.
    Quit,
    /// This ask is to be read.
    Open(AskId),
    /// A reply to the ask that is open.
    Send(Outgoing),
    /// The rest of its form is asked for by prompts.
    Prompt(Prompting),
    /// The ask that is open waits so many minutes longer.
    Longer(i64),
    /// Somebody is at work on the ask that is open, and little time is left.
    KeepOpen,
    /// A text goes to the person's editor, and comes back to [`App::edited`].
    Edit(String),
    /// A text goes to the person's pager.
    Page(String),
    /// The mouse is taken, or left to the terminal.
    Mouse(bool),
}

/// Where keys go while no ask is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// The list.
    List,
    /// What is seen of the ask under the cursor.
    Preview,
}

/// The inbox over the whole screen.
pub struct App {
    /// What the terminal can show.
    pub look: Abilities,
    /// Columns and rows.
    pub size: (u16, u16),
    /// The mouse comes here.
    pub mouse: bool,
    /// How long reading takes at least, ordinarily and where a yes is dangerous.
    pub reading: [Duration; 2],
    asks: Vec<AskRecord>,
    count: u64,
    remembered: Option<String>,
    /// All that were ever shown here: only what is new rings.
    known: HashSet<AskId>,
    /// The ask under the cursor; it stays there when others come and go.
    at: Option<AskId>,
    pane: Pane,
    preview: Option<(AskId, usize, Reader)>,
    /// What the list is filtered by.
    filter: String,
    open: Option<OpenAsk>,
    dialog: Option<Dialog>,
    /// What is searched for while it is typed.
    search: Option<crate::terminal::text_input::TextInput>,
    /// What was written about asks that are not on the screen, and not sent.
    drafts: Drafts,
    /// What was done last.
    note: String,
    /// Until then no key counts.
    deaf_until: Option<Instant>,
    /// The time as it is shown.
    now: Timestamp,
}

impl App {
    /// One of this size.
    pub fn new(look: Abilities, size: (u16, u16), mouse: bool, reading: [Duration; 2]) -> Self {
        Self {
            look,
            size,
            mouse,
            reading,
            asks: Vec::new(),
            count: 0,
            remembered: None,
            known: HashSet::new(),
            at: None,
            pane: Pane::List,
            preview: None,
            filter: String::new(),
            open: None,
            dialog: None,
            search: None,
            drafts: Drafts::default(),
            note: String::new(),
            deaf_until: None,
            now: Timestamp::now(),
        }
    }

    /// Takes what is open now; whether something is new.
    pub fn list(&mut self, open: Open, now: Timestamp, clock: Instant) -> bool {
        self.now = now;
        let was = self.at;
        let row = self.row();
        self.count = open.count;
        self.remembered = open.remembered_words();
        self.asks = open.asks;
        list::sort(&mut self.asks, now);
        if let Some(open) = &mut self.open
            && let Some(record) = self.asks.iter().find(|ask| ask.id == open.record.id)
        {
            // What the list has may be older than what was done here: a deadline only moves on.
            let (known, listed) = (open.record.deadline_at, record.deadline_at);
            open.record.deadline_at = known.zip(listed).map(|(known, listed)| known.max(listed));
        }
        self.keep_cursor(row);
        if self.at != was && was.is_some() && self.open.is_none() {
            // A key that is on its way was meant for the ask that was here.
            self.settle(clock, SETTLE);
        }
        let before = self.known.len();
        self.known.extend(self.asks.iter().map(|ask| ask.id));
        self.refresh();
        self.known.len() > before
    }

    /// Whether asks were shown here before: what is there at first does not ring.
    pub fn knows_any(&self) -> bool {
        !self.known.is_empty()
    }

    /// The time goes on.
    pub fn tick(&mut self, now: Timestamp) {
        self.now = now;
    }

    /// Shows this ask over the whole screen.
    pub fn opened(&mut self, record: AskRecord, past: Vec<AskRecord>, clock: Instant) {
        let (draft, carried) = self.drafts.take(record.id, &past);
        self.at = Some(record.id);
        self.note = match carried {
            0 => String::new(),
            _ => "What you could not send in the last round is among the comments: l lists them."
                .into(),
        };
        self.dialog = None;
        self.search = None;
        self.open = Some(OpenAsk::new(record, past, draft));
        self.refresh();
        self.settle(clock, Duration::ZERO);
    }

    /// The ask that is open has another deadline.
    pub fn renewed(&mut self, record: AskRecord) {
        if let Some(open) = &mut self.open
            && open.record.id == record.id
        {
            open.record = record;
        }
    }

    /// The ask that is open waits until then because somebody is at it; none where it does not move on any more.
    pub fn kept_open(&mut self, until: Option<Timestamp>) {
        if let Some(open) = &mut self.open {
            match until {
                Some(until) if Some(until) != open.record.deadline_at => {
                    open.record.deadline_at = Some(until);
                }
                _ => open.last_deadline = open.record.deadline_at,
            }
        }
    }

    /// The ask that is open has ended, not by a reply from here.
    pub fn ended_elsewhere(&mut self, decision: &Decision) {
        let Some(open) = &mut self.open else { return };
        if open.ended.is_some() {
            return;
        }
        let how = describe::decision_on(&open.record.ask.form, decision);
        open.ended = Some(how);
        self.rescue();
        self.dialog = None;
        let open = self.open.as_ref();
        if open.is_some_and(|open| !open.draft.is_empty()) {
            self.note = "What you wrote was not sent; it is kept: u shows it in $PAGER.".into();
        }
    }

    /// Back to the list, with what was done. What was written and not sent is kept.
    pub fn close(&mut self, note: impl Into<String>) {
        self.rescue();
        self.note = note.into();
        if let Some(open) = self.open.take() {
            if open.ended.is_some() && !open.draft.is_empty() && self.note.is_empty() {
                self.note = "What you wrote was not sent; u shows it in $PAGER.".into();
            }
            self.drafts.keep(&open.record, open.draft);
        }
        self.dialog = None;
        self.search = None;
        self.refresh();
    }

    /// The reply was taken: the draft is sent with it.
    pub fn sent(&mut self, note: impl Into<String>) {
        if let Some(open) = &mut self.open {
            open.draft = Draft::default();
        }
        self.close(note);
    }

    /// The reply came too late: what it said is kept with the rest.
    pub fn late(&mut self, said: Option<String>, how: &str) {
        if let Some(open) = &mut self.open {
            open.draft.reply = said;
        }
        let kept = match &self.open {
            Some(open) if !open.draft.is_empty() => "; u shows what you wrote in $PAGER",
            _ => "",
        };
        self.close(format!("Too late. {how}{kept}"));
    }

    /// What was written and not sent, as a text. The inbox is over.
    pub fn unsent(&mut self) -> Option<String> {
        self.close("");
        self.drafts.text(None)
    }

    /// Says something about the ask that is open, which stays so.
    pub fn say(&mut self, note: impl Into<String>) {
        self.note = note.into();
    }

    /// The ask that is open.
    pub fn open_ask(&self) -> Option<&OpenAsk> {
        self.open.as_ref()
    }

    /// What was drawn was drawn at this time: an ask whose end is on the screen is shown. Whether that is new.
    pub fn drawn(&mut self, now: Timestamp) -> bool {
        if self.dialog.is_none()
            && let Some(open) = &mut self.open
            && open.shown_at.is_none()
            && !open.changes
            && open.reader.shows_end()
        {
            open.shown_at = Some(now);
            return true;
        }
        false
    }

    /// The terminal has another size.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.size = (columns, rows);
        self.refresh();
    }

    /// Whether keys count already.
    pub fn hears(&self, clock: Instant) -> bool {
        self.deaf_until.is_none_or(|until| clock >= until)
    }

    /// No key counts for so long.
    fn settle(&mut self, clock: Instant, time: Duration) {
        let until = clock + time;
        self.deaf_until = Some(self.deaf_until.map_or(until, |before| before.max(until)));
    }

    /// The asks that are listed.
    fn listed(&self) -> Vec<&AskRecord> {
        let filter = self.filter.to_lowercase();
        let all = self.asks.iter();
        all.filter(|record| filter.is_empty() || matches(record, &filter))
            .collect()
    }

    fn row(&self) -> usize {
        let listed = self.listed();
        let at = listed.iter().position(|ask| Some(ask.id) == self.at);
        at.unwrap_or_default()
    }

    /// Keeps the cursor on its ask, or in its row where that is gone.
    fn keep_cursor(&mut self, row: usize) {
        let listed = self.listed();
        if listed.iter().any(|ask| Some(ask.id) == self.at) {
            return;
        }
        let row = row.min(listed.len().saturating_sub(1));
        self.at = listed.get(row).map(|ask| ask.id);
    }

    fn move_cursor(&mut self, to: usize) {
        let listed = self.listed();
        let to = to.min(listed.len().saturating_sub(1));
        self.at = listed.get(to).map(|ask| ask.id);
        self.refresh();
    }

    /// Sets what is read into the room that there is for it.
    fn refresh(&mut self) {
        let areas = layout::areas(self);
        let (look, now) = (self.look, self.now);
        if let Some(open) = &mut self.open {
            open.set(areas.text, look, now);
            return;
        }
        let Some(record) = self.asks.iter().find(|ask| Some(ask.id) == self.at) else {
            self.preview = None;
            return;
        };
        let width = layout::text_width(areas.text.width);
        let same = |(id, set, _): &(AskId, usize, Reader)| *id == record.id && *set == width;
        if !self.preview.as_ref().is_some_and(same) {
            let document = ask_text::document(record, &[], now, width, look);
            self.preview = Some((record.id, width, Reader::new(document)));
        }
        if let Some((.., reader)) = &mut self.preview {
            reader.resize(areas.text.height);
        }
    }
}

/// Whether an ask has this in its title, its text or its origin; the filter is in small letters.
fn matches(record: &AskRecord, filter: &str) -> bool {
    let origin = &record.origin;
    let names = [
        &origin.client,
        &origin.server,
        &origin.tool,
        &origin.workspace,
    ];
    let names = names.into_iter().flatten().map(String::as_str);
    let texts = [
        Some(record.ask.message.as_str()),
        record.ask.details.as_deref(),
    ];
    let title = record.ask.title();
    let mut all = names
        .chain(texts.into_iter().flatten())
        .chain([title.as_str()]);
    all.any(|text| text.to_lowercase().contains(filter))
}
