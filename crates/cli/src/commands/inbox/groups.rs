//! Under which heading an open ask is listed, and in which order: as on the page.

use holdpoint::{Ask, journal::AskRecord};
use jiff::{SignedDuration, Timestamp};

/// An ask whose time is up within this is due soon.
const SOON: SignedDuration = SignedDuration::from_mins(10);
/// Details longer than this are a text to review.
const LONG: usize = 1_500;

/// A heading of the list, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Its time is up within minutes.
    Soon,
    /// A yes to it cannot be taken back.
    Dangerous,
    /// It is to be read.
    Reviews,
    /// Everything else.
    Questions,
}

impl Group {
    /// The group of this ask.
    pub fn of(record: &AskRecord, now: Timestamp) -> Self {
        let ask = &record.ask;
        let details = ask.details.as_deref().unwrap_or_default();
        let soon = |deadline: Timestamp| deadline.duration_since(now) <= SOON;
        if record.deadline_at.is_some_and(soon) {
            Self::Soon
        } else if ask.dangerous {
            Self::Dangerous
        } else if is_prompt(ask) {
            Self::Questions
        } else if ask.round.is_some()
            || ask.editable.is_some()
            || details.chars().count() > LONG
            || [details, &ask.message]
                .iter()
                .any(|text| text.contains("```diff"))
        {
            Self::Reviews
        } else {
            Self::Questions
        }
    }

    /// Its heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Soon => "Due soon",
            Self::Dangerous => "Dangerous",
            Self::Reviews => "Reviews",
            Self::Questions => "Questions",
        }
    }
}

/// Whether a harness prompts for it: short, also where it changes a file.
fn is_prompt(ask: &Ask) -> bool {
    ask.in_person && ask.round.is_none() && ask.editable.is_none() && ask.form.endings().is_some()
}

/// Puts asks in order: by group, what is due first by its deadline, the rest by age.
pub fn sort(asks: &mut [AskRecord], now: Timestamp) {
    asks.sort_by_cached_key(|record| {
        let group = Group::of(record, now);
        let urgent = match (group, record.deadline_at) {
            (Group::Soon, Some(deadline)) => deadline,
            _ => record.opened_at,
        };
        (group, urgent, record.id)
    });
}
