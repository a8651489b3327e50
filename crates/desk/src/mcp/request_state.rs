//! The sealed `requestState`: which call a retry belongs to, and that it is the same one.

use holdpoint_ask::{AskId, CallId};
use holdpoint_journal::CallBinding;
use jiff::Timestamp;
use rmcp::model::{RequestStateCodec, SealOptions};

/// Seals and opens `requestState`. The key belongs to the journal and outlives the process.
pub(crate) struct StateSealer(RequestStateCodec);

/// What a state says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenedState {
    pub call: CallId,
    /// When the round went out.
    pub sealed_at: Timestamp,
    /// The last ask of the round: what was asked later is not answered by it, be it in the same
    /// millisecond.
    pub last_ask: AskId,
}

/// What a state says of its round.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sealed {
    pub round: u32,
    /// The last ask in it, if one is.
    pub last_ask: Option<AskId>,
    pub at: Timestamp,
}

/// Before every ask.
const NONE: AskId = AskId::from_bytes([0; 16]);

impl StateSealer {
    pub fn new(key: [u8; 32]) -> Self {
        Self(RequestStateCodec::new_unchecked(key.to_vec()))
    }

    pub fn seal(
        &self,
        call: CallId,
        sealed: Sealed,
        binding: CallBinding,
        expires: Timestamp,
    ) -> String {
        let mut payload = call.as_bytes().to_vec();
        payload.extend(sealed.at.as_millisecond().to_be_bytes());
        payload.extend(expires.as_millisecond().to_be_bytes());
        payload.extend(sealed.last_ask.unwrap_or(NONE).as_bytes());
        payload.extend(sealed.round.to_be_bytes());
        let options = SealOptions::new().associated_data(binding.0.as_bytes());
        self.0.seal_with(&payload, &options)
    }

    /// The call that a state names; none where it was altered, has expired, or is bound to
    /// something else. Which of these it was is not said.
    pub fn open(&self, state: &str, binding: CallBinding, now: Timestamp) -> Option<OpenedState> {
        let payload = self.0.open_with(state, binding.0.as_bytes());
        let payload = payload
            .inspect_err(|error| tracing::warn!(%error, "a requestState was refused"))
            .ok()?;
        let (call, rest) = payload.split_first_chunk::<16>()?;
        let (sealed, rest) = rest.split_first_chunk::<8>()?;
        let (expires, rest) = rest.split_first_chunk::<8>()?;
        let (last_ask, _round) = rest.split_first_chunk::<16>()?;
        if i64::from_be_bytes(*expires) <= now.as_millisecond() {
            tracing::warn!("a requestState was refused: it has expired");
            return None;
        }
        Some(OpenedState {
            call: CallId::from_bytes(*call),
            sealed_at: Timestamp::from_millisecond(i64::from_be_bytes(*sealed)).ok()?,
            last_ask: AskId::from_bytes(*last_ask),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_ask::Origin;
    use serde_json::{Value, json};

    const NOW: Timestamp = Timestamp::UNIX_EPOCH;
    const LATER: Timestamp = Timestamp::MAX;

    fn first() -> Sealed {
        Sealed {
            round: 1,
            last_ask: Some(AskId::from_bytes([3; 16])),
            at: NOW,
        }
    }

    fn binding(principal: &str, tool: &str, arguments: Value) -> CallBinding {
        CallBinding::new(&origin(principal, tool), "tools/call", &arguments)
    }

    fn origin(principal: &str, tool: &str) -> Origin {
        Origin {
            server: Some("studio".into()),
            principal: principal.into(),
            client: Some("code 1.0".into()),
            client_name: Some("code".into()),
            tool: Some(tool.into()),
            workspace: Some("/shop".into()),
        }
    }

    #[test]
    fn a_state_is_good_for_one_call_of_one_caller() {
        let seal = StateSealer::new([7; 32]);
        let call = CallId::new();
        let mine = || binding("ann", "delete", json!({"id": 1}));
        let state = seal.seal(call, first(), mine(), LATER);
        let opened = seal.open(&state, mine(), NOW).unwrap();
        assert_eq!((opened.call, opened.sealed_at), (call, NOW));
        assert_eq!(opened.last_ask, AskId::from_bytes([3; 16]));

        let of = |change: fn(&mut Origin)| {
            let mut origin = origin("ann", "delete");
            change(&mut origin);
            CallBinding::new(&origin, "tools/call", &json!({"id": 1}))
        };
        let updated = of(|origin| origin.client = Some("code 1.1".into()));
        assert!(seal.open(&state, updated, NOW).is_some());
        let others = [
            binding("bob", "delete", json!({"id": 1})),
            binding("ann", "rename", json!({"id": 1})),
            binding("ann", "delete", json!({"id": 2})),
            CallBinding::new(&origin("ann", "delete"), "prompts/get", &json!({"id": 1})),
            of(|origin| origin.server = Some("other".into())),
            of(|origin| origin.client_name = None),
            of(|origin| origin.workspace = Some("/elsewhere".into())),
        ];
        for other in others {
            assert_eq!(seal.open(&state, other, NOW), None);
        }
        assert_eq!(StateSealer::new([8; 32]).open(&state, mine(), NOW), None);
    }

    #[test]
    fn an_altered_or_expired_state_is_refused() {
        let seal = StateSealer::new([7; 32]);
        let mine = || binding("ann", "delete", json!({}));
        let state = seal.seal(CallId::new(), first(), mine(), LATER);
        for altered in [
            format!("{state}-TAMPERED"),
            state[1..].to_owned(),
            String::new(),
            "rs1.x".into(),
        ] {
            assert_eq!(seal.open(&altered, mine(), NOW), None, "{altered}");
        }
        for at in 0..state.len() {
            let mut bytes = state.clone().into_bytes();
            bytes[at] = if bytes[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(bytes).unwrap();
            assert_eq!(seal.open(&altered, mine(), NOW), None, "altered at {at}");
        }
        let expired = seal.seal(CallId::new(), first(), mine(), NOW);
        assert_eq!(seal.open(&expired, mine(), NOW), None);
    }

    #[test]
    fn every_round_has_a_state_of_its_own() {
        let seal = StateSealer::new([7; 32]);
        let mine = binding("ann", "delete", json!({}));
        let call = CallId::new();
        assert_ne!(
            seal.seal(call, first(), mine, LATER),
            seal.seal(
                call,
                Sealed {
                    round: 2,
                    ..first()
                },
                mine,
                LATER
            )
        );
    }
}
