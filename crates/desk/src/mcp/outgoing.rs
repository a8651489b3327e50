//! What is on its way to a client: how a transport tells when a question left.

use crate::{core::departure::Departure, sync::lock};
use rmcp::{
    RoleServer,
    model::{GetExtensions, JsonRpcMessage, ServerResult},
    service::TxJsonRpcMessage,
};
use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
    sync::{Arc, Mutex, Weak},
};

/// Goes with a request that asks: whoever hands it over notes that here.
#[derive(Debug, Clone)]
pub(crate) struct Leaving(pub Arc<Departure>);

/// The rounds that go out through one transport, by their state: a result has no place for a [`Leaving`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Outgoing(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    hasher: RandomState,
    rounds: Mutex<Rounds>,
}

#[derive(Debug, Default)]
struct Rounds {
    by_state: HashMap<u64, Weak<Departure>>,
    /// How many there are when those that nobody waits for are forgotten.
    look_through_at: usize,
}

const FEW: usize = 64;

impl Outgoing {
    /// A round with this state is about to go out.
    pub fn expect(&self, state: &str, departure: &Arc<Departure>) {
        let mut rounds = lock(&self.0.rounds);
        if rounds.by_state.len() >= rounds.look_through_at {
            rounds.by_state.retain(|_, round| round.strong_count() > 0);
            rounds.look_through_at = FEW.max(rounds.by_state.len() * 2);
        }
        let key = self.0.hasher.hash_one(state);
        rounds.by_state.insert(key, Arc::downgrade(departure));
    }

    fn round(&self, state: &str) -> Option<Arc<Departure>> {
        let key = self.0.hasher.hash_one(state);
        lock(&self.0.rounds).by_state.get(&key)?.upgrade()
    }

    /// What is to be noted when this message has left.
    pub fn departure(&self, message: &TxJsonRpcMessage<RoleServer>) -> Option<Arc<Departure>> {
        match message {
            JsonRpcMessage::Request(request) => leaving(&request.request),
            JsonRpcMessage::Response(response) => match &response.result {
                ServerResult::InputRequiredResult(round) => {
                    self.round(round.request_state.as_deref()?)
                }
                ServerResult::CustomResult(round) => self.round(round.0["requestState"].as_str()?),
                _ => None,
            },
            _ => None,
        }
    }

    /// This text leaves: a message, as JSON or as a server-sent event.
    pub fn note_text(&self, text: &str) {
        // In a string the quotes would be escaped.
        const STATE: &str = "\"requestState\":\"";
        for (at, _) in text.match_indices(STATE) {
            let state = &text[at + STATE.len()..];
            if let Some((state, _)) = state.split_once('"')
                && let Some(round) = self.round(state)
            {
                round.note();
            }
        }
    }
}

/// What is to be noted when this request has left.
pub(crate) fn leaving(request: &impl GetExtensions) -> Option<Arc<Departure>> {
    Some(request.extensions().get::<Leaving>()?.0.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;
    use std::time::Duration;

    #[tokio::test(start_paused = true)]
    async fn a_round_left_when_its_state_did_and_what_is_forgotten_is_not_kept() {
        let (outgoing, departure) = (Outgoing::default(), Arc::<Departure>::default());
        outgoing.expect("rs1.a-b_c", &departure);
        let since = || {
            let now = Timestamp::UNIX_EPOCH;
            now.duration_since(departure.shown_at(now)).as_secs()
        };
        let wait = || tokio::time::advance(Duration::from_secs(1));
        outgoing.note_text(r#"data: {"result":{"requestState":"rs1.a-b_c"}}"#);
        wait().await;
        assert_eq!(since(), 1);
        for other in [
            r#"{"result":{"requestState":"rs1.a-b"}}"#,
            r#"{"result":{"text":"\"requestState\":\"rs1.a-b_c\""}}"#,
            r#"{"result":{"requestState":"rs1.a-b_c"#,
        ] {
            outgoing.note_text(other);
            wait().await;
        }
        assert_eq!(since(), 4, "none of them was this round");
        outgoing.note_text("{\"requestState\":\"rs1.a-b_c\"}");
        assert_eq!(since(), 0, "it left again");
        for n in 0..1_000 {
            outgoing.expect(&n.to_string(), &Arc::default());
        }
        let kept = lock(&outgoing.0.rounds).by_state.len();
        assert!(kept <= FEW, "{kept} are kept");
        assert!(outgoing.round("rs1.a-b_c").is_some());
    }
}
