//! Under which heading an open ask is listed, and in which order: the same on every surface.

use crate::{Ask, AskId};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// An ask whose time is up within this is due soon.
pub const SOON: SignedDuration = SignedDuration::from_mins(10);
/// Details longer than this are read, rather than glanced at.
const LONG_DETAILS: usize = 1_500;

/// A heading of the list of open asks, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
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

/// A place in the order of open asks, the most urgent first: what is due soon by its deadline, then the dangerous, what
/// is to be read, and all others, each oldest first. So nothing that comes later is in the way of what waits longest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The heading.
    pub group: Group,
    /// The time by which it is ordered below that, in milliseconds since 1970.
    pub at: i64,
    /// The ask.
    pub id: AskId,
}

/// What the place of an open ask depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// The ask.
    pub id: AskId,
    /// A yes to it cannot be taken back.
    pub dangerous: bool,
    /// It is to be read, see [`is_review`].
    pub review: bool,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it times out; never where there is none.
    pub deadline_at: Option<Timestamp>,
}

impl Group {
    /// All of them, in order.
    pub const ALL: [Self; 4] = [Self::Soon, Self::Dangerous, Self::Reviews, Self::Questions];

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

impl Waiting {
    /// Under which heading it is listed at this time.
    pub fn group(&self, now: Timestamp) -> Group {
        let soon = |deadline: Timestamp| deadline.duration_since(now) <= SOON;
        if self.deadline_at.is_some_and(soon) {
            Group::Soon
        } else if self.dangerous {
            Group::Dangerous
        } else if self.review {
            Group::Reviews
        } else {
            Group::Questions
        }
    }

    /// Where it is listed at this time.
    pub fn place(&self, now: Timestamp) -> Place {
        let group = self.group(now);
        let at = match (group, self.deadline_at) {
            (Group::Soon, Some(deadline)) => deadline,
            _ => self.opened_at,
        };
        Place {
            group,
            at: at.as_millisecond(),
            id: self.id,
        }
    }
}

/// Whether an ask is to be read: a plan, a diff, a long text. What a harness prompts for is glanced at, also where it
/// changes a file.
pub fn is_review(ask: &Ask) -> bool {
    if ask.round.is_some() || ask.editable.is_some() {
        return true;
    }
    let is_prompt = ask.in_person && ask.form.endings().is_some();
    !is_prompt && (is_long(ask) || has_diff(ask))
}

fn is_long(ask: &Ask) -> bool {
    let details = ask.details.as_deref().unwrap_or_default();
    details.len() > LONG_DETAILS && details.chars().nth(LONG_DETAILS).is_some()
}

fn has_diff(ask: &Ask) -> bool {
    let texts = [Some(ask.message.as_str()), ask.details.as_deref()];
    let marks = ["```diff", "~~~diff", "```patch", "~~~patch", "diff --git "];
    let has = |text: &str| marks.iter().any(|mark| text.contains(mark));
    texts.into_iter().flatten().any(has)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::Round;

    #[test]
    fn the_most_urgent_comes_first() {
        let now = Timestamp::UNIX_EPOCH + SignedDuration::from_hours(10);
        let minutes = SignedDuration::from_mins;
        let waiting = |dangerous, review, opened: i64, due: Option<i64>| Waiting {
            id: AskId::new(),
            dangerous,
            review,
            opened_at: now - minutes(opened),
            deadline_at: due.map(|due| now + minutes(due)),
        };
        let wanted = [
            waiting(false, false, 1, Some(2)),
            waiting(true, false, 9, Some(9)),
            waiting(true, true, 30, None),
            waiting(true, false, 20, Some(11)),
            waiting(false, true, 40, None),
            waiting(false, false, 50, None),
            waiting(false, false, 5, Some(60)),
        ];
        let mut sorted = wanted;
        sorted.reverse();
        sorted.sort_by_key(|ask| ask.place(now));
        assert_eq!(sorted, wanted);
        let groups = sorted.map(|ask| ask.group(now) as usize);
        assert_eq!(groups, [0, 0, 1, 1, 2, 3, 3]);
    }

    #[test]
    fn what_is_to_be_read() {
        let ask = || Ask::confirm("Go on?");
        assert!(!is_review(&ask()));
        assert!(is_review(&ask().in_round(Round::first("The plan"))));
        assert!(is_review(&ask().details("~~~patch\n+x\n~~~")));
        assert!(!is_review(&ask().details("ä".repeat(1_500))));
        assert!(is_review(&ask().details("ä".repeat(1_501))));
    }
}
