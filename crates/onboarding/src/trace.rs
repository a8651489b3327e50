//! The trace of one ask: what was asked, and what came of it.

use holdpoint::{Ask, CallId, ClientProfile, Decision, Outcome, Withdrawal};
use holdpoint_ask::Revision;
use jiff::Timestamp;
use serde_json::{Value, json};

/// What is asked, as a trace holds it from the moment of asking on.
pub(super) struct Trace {
    pub action: &'static str,
    /// The same after every restart, as the call's is.
    pub at: Timestamp,
    call: CallId,
    message: String,
    schema: Value,
}

impl Trace {
    pub fn new(action: &'static str, ask: &Ask, call: CallId, at: Timestamp) -> Self {
        // The form as it is, not as one client needs it.
        let mut any = ClientProfile::default();
        any.preselects_first = false;
        let lowered = ask.form.lower(&any, Revision::V2026_07_28);
        Self {
            action,
            at,
            call,
            message: ask.shown(),
            schema: lowered
                .map(|lowered| json!(lowered.schema()))
                .unwrap_or_default(),
        }
    }

    /// While nobody has answered; a process that is killed leaves this.
    pub fn pending(&self) -> Value {
        self.with("pending", Value::Null, None)
    }

    /// When it could not be asked at all, for this reason.
    pub fn not_asked(&self, why: &str) -> Value {
        self.with("not_asked", json!({ "why": why }), None)
    }

    /// When it has ended.
    pub fn ended(&self, decision: &Decision) -> Value {
        let (what, content) = response(&decision.outcome);
        self.with(what, content, Some(decision))
    }

    fn with(&self, what: &str, content: Value, decision: Option<&Decision>) -> Value {
        json!({
            "timestamp": self.at,
            "action": self.action,
            "message": self.message,
            "schema": self.schema,
            "response": { "action": what, "content": content },
            "duration_ms": decision.map(|decision| decision.duration_ms),
            "call_id": self.call,
            "ask_id": decision.map(|decision| decision.ask),
            "channel": decision.and_then(|decision| decision.channel),
            "answered_by": decision.and_then(|decision| decision.answered_by.as_deref()),
        })
    }
}

/// What really happened: an ask that timed out was not declined.
fn response(outcome: &Outcome) -> (&'static str, Value) {
    match outcome {
        Outcome::Accepted(answer) => ("accept", json!(answer)),
        Outcome::Declined { reason } => ("decline", json!({ "reason": reason })),
        Outcome::Cancelled => ("cancel", Value::Null),
        Outcome::TimedOut => ("timed_out", Value::Null),
        Outcome::Unreachable { why } => ("unreachable", json!({ "why": why })),
        Outcome::Invalid { errors } => ("invalid", json!({ "errors": errors })),
        Outcome::Withdrawn { why } => {
            let why = match why {
                Withdrawal::CallCancelled => "the call was cancelled",
                _ => "nobody waits for it any more",
            };
            ("withdrawn", json!({ "why": why }))
        }
        other => (other.status(), Value::Null),
    }
}
