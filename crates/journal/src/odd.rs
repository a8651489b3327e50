//! What in the record looks odd: what was tried and did not count, and answers that were not given in
//! view of the question.

use crate::{Event, EventKind, Journal, JournalError};
use holdpoint_ask::{ChannelKind, visible};
use jiff::Timestamp;
use serde::Deserialize as _;

/// How many events are read at a time.
const CHUNK: u64 = 1_000;

impl Event {
    /// Whether a person who looks for something odd wants to see it: replies that did not count, an
    /// agent's attempts, wrong PINs, tokens that
    /// may answer, extended deadlines, calls that changed hands, a lost end of the
    /// record that somebody settled for, bodies that somebody pruned, and decisions by somebody who was
    /// not shown the ask where they decided.
    pub fn is_odd(&self) -> bool {
        match self.kind {
            // What it was taken away for is an event of its own.
            EventKind::Refused if self.body["takesAway"] == true => false,
            // Who may answer in a person's place is worth a look.
            EventKind::TokenMade => {
                let may = self.body["may"].as_array().into_iter().flatten();
                self.pruned_by.is_none() && may.into_iter().any(|may| may == "answer")
            }
            EventKind::TooFast
            | EventKind::NotTaken
            | EventKind::AgentAnswered
            | EventKind::Refused
            | EventKind::WrongPin
            | EventKind::PinCleared
            | EventKind::Extended
            | EventKind::LossAccepted
            | EventKind::Pruned
            | EventKind::TakenOver => self.pruned_by.is_none(),
            EventKind::Decided => {
                let channel = ChannelKind::deserialize(&self.body["channel"]).ok();
                let unseen = match channel {
                    Some(ChannelKind::Cli | ChannelKind::Preset | ChannelKind::Token) => true,
                    // An author's channel counts without that, and may say when it showed the ask.
                    Some(ChannelKind::Author(_)) => self.body["presence"]["shownAt"].is_null(),
                    _ => false,
                };
                unseen || self.body["fast"] == true
            }
            _ => false,
        }
    }
}

impl Event {
    /// What looks odd about it, in words, with times as `local` writes them.
    pub fn describe_odd(&self, local: &dyn Fn(Timestamp) -> String) -> String {
        if self.kind == EventKind::Decided {
            let channel = self.body["channel"].as_str().unwrap_or("?");
            let by = self.body["answeredBy"].as_str().unwrap_or("somebody");
            let by = visible(by);
            return format!("decided without the question in view, by {by} ({channel})");
        }
        let words = self.describe(local);
        words.unwrap_or_else(|| self.kind.as_str().replace('_', " "))
    }
}

/// Reads the events that look odd, newest first: at most `limit`, of numbers below `before` only, none from
/// before the time `since`.
///
/// # Errors
/// When the record cannot be read.
pub async fn odd_events<J: Journal + ?Sized>(
    journal: &J,
    before: Option<u64>,
    since: Option<Timestamp>,
    limit: usize,
) -> Result<Vec<Event>, JournalError> {
    let mut found = Vec::new();
    let head = journal.head().await?;
    let mut end = before.map_or(head, |before| head.min(before.saturating_sub(1)));
    while end > 0 && found.len() < limit {
        let start = end.saturating_sub(CHUNK);
        let count = usize::try_from(end - start).unwrap_or_default();
        let events = journal.events(start, count).await?;
        let recent = |event: &Event| since.is_none_or(|since| event.at >= since);
        let over = events.first().is_some_and(|event| !recent(event));
        let odd = events.into_iter().rev();
        found.extend(odd.filter(|event| event.seq <= end && recent(event) && event.is_odd()));
        if over {
            break;
        }
        end = start;
    }
    found.truncate(limit);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SqliteJournal, Write};
    use holdpoint_ask::Digest;
    use serde_json::{Value, json};

    #[test]
    fn a_decision_is_odd_where_the_question_was_not_in_view() {
        let check = |body: Value, odd: bool| {
            let event = Event {
                seq: 1,
                at: Timestamp::UNIX_EPOCH,
                kind: EventKind::Decided,
                call: None,
                ask: None,
                body,
                pruned_by: None,
                hash: Digest::hash_bytes(b""),
            };
            assert_eq!(event.is_odd(), odd, "{}", event.body);
        };
        let seen = json!({ "shownAt": "2026-07-25T17:20:00Z" });
        check(json!({ "channel": "inbox" }), false);
        check(json!({ "channel": "inbox", "fast": true }), true);
        check(json!({ "channel": "token", "presence": seen }), true);
        check(json!({ "channel": "telegram" }), true);
        check(json!({ "channel": "telegram", "presence": {} }), true);
        check(json!({ "channel": "telegram", "presence": seen }), false);
        check(json!({ "channel": "other", "presence": seen }), false);
        check(json!({}), false);
    }

    #[test]
    fn a_token_is_odd_where_it_may_answer() {
        let check = |may: Value, odd: bool, words: &str| {
            let event = Event {
                seq: 1,
                at: Timestamp::UNIX_EPOCH,
                kind: EventKind::TokenMade,
                call: None,
                ask: None,
                body: json!({ "name": "phone", "may": may, "by": "ann" }),
                pruned_by: None,
                hash: Digest::hash_bytes(b""),
            };
            assert_eq!(event.is_odd(), odd, "{}", event.body);
            let said = event.describe_odd(&|at| at.to_string());
            assert_eq!(
                said,
                format!("the token `phone` was made by ann: it may {words}")
            );
        };
        check(json!(["ask"]), false, "ask");
        check(json!(["ask", "answer"]), true, "ask and answer");
    }

    #[tokio::test]
    async fn odd_events_come_newest_first_from_far_back() {
        let journal = SqliteJournal::in_memory().unwrap();
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let note = |kind, second: i64| Write::Note {
            call: None,
            ask: None,
            kind,
            body: json!({}),
            at: at(second),
        };
        let mut notes = vec![note(EventKind::TooFast, 1), note(EventKind::NotTaken, 2)];
        notes.extend((3..2_500).map(|second| note(EventKind::AgentGone, second)));
        notes.push(note(EventKind::AgentAnswered, 2_500));
        notes.push(note(EventKind::LossAccepted, 2_501));
        journal.commit(notes).await.unwrap();

        let found = async |since: Option<i64>, limit| {
            let events = odd_events(&journal, None, since.map(at), limit);
            let events = events.await.unwrap();
            events.iter().map(|event| event.kind).collect::<Vec<_>>()
        };
        let all = [
            EventKind::LossAccepted,
            EventKind::AgentAnswered,
            EventKind::NotTaken,
            EventKind::TooFast,
        ];
        assert_eq!(found(None, 10).await, all);
        assert_eq!(found(None, 2).await, all[..2]);
        assert_eq!(found(Some(2), 10).await, all[..3]);
        // On from the last that was read, one by one.
        let mut before = None;
        for kind in all {
            let events = odd_events(&journal, before, None, 1).await.unwrap();
            assert_eq!(events[0].kind, kind);
            before = Some(events[0].seq);
        }
        let rest = odd_events(&journal, before, None, 1).await.unwrap();
        assert!(rest.is_empty());
        assert_eq!(found(Some(3), 10).await, all[..2]);
        assert_eq!(found(Some(9_999), 10).await, []);
    }
}
