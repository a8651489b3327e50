//! The ask that is read: its text, and what the person says about it.

use super::{drafts::Draft, layout};
use crate::terminal::{
    abilities::Abilities,
    ask_text,
    document::{Block, Document},
    markdown::diff,
    reader::Reader,
};
use holdpoint::journal::AskRecord;
use holdpoint_ask::{diff::unified, review::Review};
use jiff::{SignedDuration, Timestamp};
use ratatui::layout::Rect;

/// With less time than this left, an ask waits longer while somebody is at it.
const LITTLE: SignedDuration = SignedDuration::from_mins(3);

/// The ask that is read.
pub struct OpenAsk {
    /// As it is on record.
    pub record: AskRecord,
    /// Its earlier rounds, the newest first.
    pub past: Vec<AskRecord>,
    /// Its text.
    pub reader: Reader,
    /// What differs from the last round is shown instead of the text.
    pub changes: bool,
    /// What the person wrote about it.
    pub draft: Draft,
    /// Since when its end was on the screen.
    pub shown_at: Option<Timestamp>,
    /// How it ended, where it did so elsewhere.
    pub ended: Option<String>,
    /// The deadline that does not move on by itself any more.
    pub last_deadline: Option<Timestamp>,
    /// What was searched for.
    pub found: String,
    /// The width that the text was set for.
    width: usize,
}

impl OpenAsk {
    /// One that is read from its beginning.
    pub fn new(record: AskRecord, past: Vec<AskRecord>, draft: Draft) -> Self {
        Self {
            record,
            past,
            reader: Reader::default(),
            changes: false,
            draft,
            shown_at: None,
            ended: None,
            last_deadline: None,
            found: String::new(),
            width: 0,
        }
    }

    /// Sets the text into this area.
    pub fn set(&mut self, area: Rect, look: Abilities, now: Timestamp) {
        let width = layout::text_width(area.width);
        if width != self.width {
            self.width = width;
            let document = self.document(width, look, now);
            self.reader.replace(document);
        }
        self.reader.resize(area.height);
    }

    /// Shows what differs from the last round, or the text again.
    pub fn toggle_changes(&mut self, area: Rect, look: Abilities, now: Timestamp) {
        self.changes = !self.changes;
        self.reader = Reader::new(self.document(self.width, look, now));
        self.reader.resize(area.height);
    }

    /// Whether somebody who is at it needs more time: little is left, as on the page.
    pub fn needs_time(&self, now: Timestamp) -> bool {
        let Some(deadline) = self.record.deadline_at else {
            return false;
        };
        let little = LITTLE.min(deadline.duration_since(self.record.opened_at) / 2);
        let left = deadline.duration_since(now);
        self.ended.is_none()
            && self.last_deadline != Some(deadline)
            && left.is_positive()
            && left < little
    }

    /// Whether there was a round before.
    pub fn has_past(&self) -> bool {
        !self.past.is_empty()
    }

    fn document(&self, width: usize, look: Abilities, now: Timestamp) -> Document {
        match self.past.first() {
            Some(before) if self.changes => {
                let (old, new) = (before.ask.shown(), self.record.ask.shown());
                let mut shown = Document::default();
                let round = before.ask.round.as_ref().map_or(0, |round| round.number);
                let title = format!("What differs from round {round}:");
                shown.push_text(&title, anstyle::Style::new().bold(), width, look);
                shown.push(Vec::new());
                if old == new {
                    shown.push_text("Nothing.", anstyle::Style::new(), width, look);
                }
                shown.append(diff::document(&unified(&old, &new), width, look, &[]));
                shown
            }
            _ => ask_text::document(&self.record, &self.past, now, width, look),
        }
    }

    /// All of it as plain text, for a pager.
    pub fn plain(&self, now: Timestamp) -> String {
        let width = self.width.max(40);
        let shown = ask_text::document(&self.record, &self.past, now, width, Abilities::PLAIN);
        shown.text() + "\n"
    }

    /// Whether there is a comment on this block.
    pub fn is_commented(&self, block: &Block) -> bool {
        let mut comments = self.draft.comments.iter();
        comments.any(|comment| {
            comment.place == block.place && comment.quote.as_deref() == Some(block.quote.as_str())
        })
    }

    /// What is sent beside a reply; edits only with a yes.
    pub fn review(&self, yes: bool) -> Review {
        let mut review = Review::default();
        review.comments = self.draft.comments.clone();
        if let (true, Some(text), Some(editable)) =
            (yes, &self.draft.edited, &self.record.ask.editable)
        {
            review.edited = editable.edited(text.clone());
        }
        review
    }

    /// Whether the person's own version of the text differs from what was shown.
    pub fn is_edited(&self) -> bool {
        self.review(true).edited.is_some()
    }
}
