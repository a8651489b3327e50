//! What the page says of the person who answers, and how much of it is believed.

use super::error::ApiError;
use crate::{
    gate::{Gate, Visitor},
    server::Page,
};
use axum::{
    Extension, Json,
    extract::{Path, State},
};
use holdpoint::{
    AskId, ChannelKind, Gesture, Presence,
    journal::{AskRecord, Event, EventKind, JournalError},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// What the page says of an answer: how long the whole ask was in view, and what was done.
pub(crate) struct Said {
    shown: SignedDuration,
    gesture: Gesture,
}

impl Said {
    /// Reads it from a request. Nothing else is taken for it: it is what makes an answer a person's.
    pub fn read(body: &Map<String, Value>) -> Result<Self, ApiError> {
        let refuse = || {
            ApiError::bad_request(
                "`presence` must say `shownMs`, a number, and `gesture`: `chosen`, `held`, or `word` with the `word`.",
            )
        };
        let shown = body.get("shownMs").and_then(Value::as_u64);
        let shown = shown.and_then(|shown| i64::try_from(shown).ok());
        let word = match body.get("word") {
            None => None,
            Some(word) => Some(word.as_str().ok_or_else(refuse)?),
        };
        let gesture = match (body.get("gesture").and_then(Value::as_str), word) {
            (Some("chosen"), None) => Gesture::Chosen,
            (Some("held"), None) => Gesture::Held,
            (Some("word"), Some(word)) => Gesture::Word(word.to_owned()),
            _ => return Err(refuse()),
        };
        Ok(Self {
            shown: SignedDuration::from_millis(shown.ok_or_else(refuse)?),
            gesture,
        })
    }
}

impl Page {
    /// How much is believed: that the ask was in view since no earlier than it was opened, and than a page of
    /// this journal first gave it to a browser. Where nothing was said, nothing is.
    pub(crate) async fn presence(
        &self,
        record: &AskRecord,
        said: Option<&Said>,
    ) -> Result<Presence, JournalError> {
        let Some(said) = said else {
            return Ok(Presence::default());
        };
        let given = match self.first_given.time(record.id) {
            Some(given) => Some(given),
            None => self.shown_elsewhere(record.id).await?,
        };
        let now = self.desk().now();
        let claimed = now.checked_sub(said.shown).unwrap_or(Timestamp::MIN);
        let shown_at = claimed.max(given.unwrap_or(now)).max(record.opened_at);
        Ok(Presence::seen(shown_at, said.gesture.clone()))
    }

    /// When the page first showed an ask, in whatever process: another one may have given it to the browser that
    /// answers here.
    async fn shown_elsewhere(&self, ask: AskId) -> Result<Option<Timestamp>, JournalError> {
        let history = self.desk().journal().history(ask).await?;
        let events = history.map(|history| history.events).unwrap_or_default();
        let of_page = |event: &&Event| {
            event.kind == EventKind::Shown && event.body["channel"] == json!(ChannelKind::Inbox)
        };
        Ok(events.iter().find(of_page).map(|event| event.at))
    }
}

/// Takes a browser's word that an ask is in view, and puts it on record once.
pub(crate) async fn shown(
    State(gate): State<Gate>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let page = &gate.page;
    let record = page.record(&id).await?;
    // What was not given to a browser is not in view there; but another process of the same address may have given
    // it, and then the browser has it from now on at the latest.
    if gate.site.public.is_some() {
        page.first_given.note(record.id, page.desk().now());
    }
    if record.decision.is_none() && page.first_given.mark_shown(record.id) {
        let (desk, by) = (page.desk(), page.name_of(&visitor));
        desk.note_shown(record.id, ChannelKind::Inbox, by.as_deref())
            .await?;
    }
    Ok(Json(json!({})))
}

/// How many asks are remembered; beyond that the one that was given first is forgotten, and is given anew.
const MOST: usize = 20_000;

/// When each open ask was first given to a browser. All browsers of a person are one here.
#[derive(Debug, Default)]
pub(crate) struct FirstGiven(Mutex<Given>);

#[derive(Debug, Default)]
struct Given {
    asks: HashMap<AskId, Once>,
    order: VecDeque<AskId>,
}

/// One ask that was given to a browser.
#[derive(Debug)]
struct Once {
    at: Timestamp,
    /// A browser said that it is in view, which is on record then.
    shown: bool,
}

impl FirstGiven {
    /// Notes that an ask is given to a browser now.
    pub fn note(&self, ask: AskId, now: Timestamp) {
        let mut given = self.lock();
        if given.asks.contains_key(&ask) {
            return;
        }
        let once = Once {
            at: now,
            shown: false,
        };
        given.asks.insert(ask, once);
        given.order.push_back(ask);
        if given.order.len() > MOST
            && let Some(oldest) = given.order.pop_front()
        {
            given.asks.remove(&oldest);
        }
    }

    fn time(&self, ask: AskId) -> Option<Timestamp> {
        self.lock().asks.get(&ask).map(|once| once.at)
    }

    /// Marks an ask as shown; says whether it had been given and was not marked yet.
    fn mark_shown(&self, ask: AskId) -> bool {
        let mut given = self.lock();
        let once = given.asks.get_mut(&ask);
        once.is_some_and(|once| !std::mem::replace(&mut once.shown, true))
    }

    fn lock(&self) -> MutexGuard<'_, Given> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_says_it_all_is_presence() {
        let read = |body: Value| Said::read(body.as_object().unwrap()).map(|said| said.gesture);
        let word = Gesture::Word("drop".into());
        let fine = [
            (
                json!({ "shownMs": 0, "gesture": "chosen" }),
                Gesture::Chosen,
            ),
            (json!({ "shownMs": 900, "gesture": "held" }), Gesture::Held),
            (
                json!({ "shownMs": 9, "gesture": "word", "word": "drop" }),
                word,
            ),
        ];
        for (body, gesture) in fine {
            assert_eq!(read(body).unwrap(), gesture);
        }
        for body in [
            json!({}),
            json!({ "shownMs": 500 }),
            json!({ "gesture": "held" }),
            json!({ "shownMs": -1, "gesture": "held" }),
            json!({ "shownMs": "500", "gesture": "held" }),
            json!({ "shownMs": 500.5, "gesture": "held" }),
            json!({ "shownMs": u64::MAX, "gesture": "held" }),
            json!({ "shownMs": 500, "gesture": "form" }),
            json!({ "shownMs": 500, "gesture": { "held": null } }),
            json!({ "shownMs": 500, "gesture": ["held"] }),
            json!({ "shownMs": 500, "gesture": "word" }),
            json!({ "shownMs": 500, "gesture": "word", "word": true }),
            json!({ "shownMs": 500, "gesture": "held", "word": "drop" }),
        ] {
            assert!(read(body.clone()).is_err(), "{body}");
        }
    }

    #[test]
    fn an_ask_that_was_forgotten_is_given_anew() {
        let given = FirstGiven::default();
        let first = AskId::new();
        let (early, late) = (Timestamp::UNIX_EPOCH, Timestamp::now());
        given.note(first, early);
        given.note(first, late);
        assert_eq!(given.time(first), Some(early));
        for _ in 0..MOST {
            given.note(AskId::new(), early);
        }
        assert_eq!(given.time(first), None);
        given.note(first, late);
        assert_eq!(given.time(first), Some(late));
    }
}
