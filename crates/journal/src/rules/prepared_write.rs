//! A write made ready: the body of its event is built before anything is changed.

use super::{
    event_body::{Asked, Called, Ended, Extended, Granted, Refused, Step, no_json, to_json},
    rows,
};
use crate::{EventKind, InClient, JournalError, Write};
use holdpoint_ask::CallId;
use std::borrow::Cow;

/// A write that [`apply`](super::apply()) can apply.
#[derive(Debug)]
pub struct PreparedWrite {
    pub(super) write: Write,
    /// The body of its event; empty where it depends on rows, or where there is no event.
    pub(super) body: String,
}

impl PreparedWrite {
    /// Prepares a batch.
    ///
    /// # Errors
    /// When one of its values cannot be recorded.
    pub fn prepare_batch(batch: Vec<Write>) -> Result<Vec<Self>, JournalError> {
        batch.into_iter().map(Self::prepare).collect()
    }

    /// What it is made of.
    pub fn write(&self) -> &Write {
        &self.write
    }

    /// The call that it ends, if it is applied.
    pub fn finished_call(&self) -> Option<CallId> {
        match &self.write {
            Write::FinishCall { call, .. } => Some(*call),
            _ => None,
        }
    }

    /// Whether it says that a person accepts what the journal holds less than its mark says.
    pub fn accepts_loss(&self) -> bool {
        matches!(&self.write, Write::Note { kind, .. } if *kind == EventKind::LossAccepted)
    }

    fn prepare(mut write: Write) -> Result<Self, JournalError> {
        if let Write::IssueGrant(grant) | Write::SettleGranting { grant, .. } = &mut write {
            *grant = rows::to_stored(grant)?;
        }
        let body = event_body(&write)?;
        Ok(Self { write, body })
    }
}

fn event_body(write: &Write) -> Result<String, JournalError> {
    match write {
        Write::OpenCall(call) => to_json(&Called {
            method: Cow::Borrowed(&call.method),
            origin: Cow::Borrowed(&call.origin),
            flow_version: Cow::Borrowed(&call.flow_version),
            owner: call.owner,
            arguments: Cow::Borrowed(&call.arguments),
            run: call.run,
        }),
        Write::OpenAsk(new) => to_json(&Asked {
            key: Cow::Borrowed(&new.key),
            digest: new.digest,
            occurrence: new.occurrence,
            origin: Cow::Borrowed(&new.origin),
            deadline_at: new.deadline_at.map(|time| time.as_millisecond()),
            ask: Cow::Borrowed(&new.ask),
            seal_to: new.seal_to,
            in_client: new.in_client != InClient::NotShown,
            client_opens: new.in_client == InClient::Opens,
        }),
        Write::Refuse {
            refusals,
            channel,
            errors,
            takes_away,
            ..
        } => to_json(&Refused {
            refusals: refusals.saturating_add(1),
            channel: Cow::Borrowed(channel.as_str()),
            errors: Cow::Borrowed(errors),
            takes_away: *takes_away,
        }),
        Write::Settle(decision)
        | Write::SettleOwn { decision, .. }
        | Write::TimeOut(decision)
        | Write::SettleSealed { decision, .. }
        | Write::SettleGranting { decision, .. } => to_json(decision),
        Write::Extend {
            deadline_at, by, ..
        } => to_json(&Extended {
            deadline_at: deadline_at.map(|time| time.as_millisecond()),
            by: Cow::Borrowed(by),
        }),
        Write::StartStep {
            epoch,
            name,
            occurrence,
            label,
            ..
        } => to_json(&Step {
            name: Cow::Borrowed(name),
            occurrence: *occurrence,
            epoch: *epoch,
            label: label.as_deref().map(Cow::Borrowed),
            result: None,
        }),
        Write::FinishStep {
            epoch,
            name,
            occurrence,
            result,
            label,
            ..
        } => to_json(&Step {
            name: Cow::Borrowed(name),
            occurrence: *occurrence,
            epoch: *epoch,
            label: label.as_deref().map(Cow::Borrowed),
            result: Some(Cow::Borrowed(result)),
        }),
        Write::FinishCall { epoch, result, .. } => to_json(&Ended {
            epoch: *epoch,
            result: &result.json().map_err(no_json)?,
        }),
        Write::IssueGrant(grant) => to_json(&Granted::from(grant)),
        Write::Note { kind, body, .. } if kind.is_note() => to_json(body),
        Write::NotePin { kind, body, .. } if kind.is_pin() => to_json(body),
        Write::Note { kind, .. } | Write::NotePin { kind, .. } => {
            Err(JournalError::write(format!(
                "`{}` cannot be noted: it is recorded by the write that makes it true",
                kind.as_str()
            )))
        }
        Write::DropParcel { .. }
        | Write::TakeOver { .. }
        | Write::Renew { .. }
        | Write::RedeemGrant { .. } => Ok(String::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GrantRecord, NewAsk, NewCall};
    use holdpoint_ask::{
        Ask, AskId, ChannelKind, Decision, Digest, FieldError, GrantId, Origin, Outcome,
    };
    use jiff::Timestamp;
    use serde_json::{Value, json};
    use std::sync::Arc;
    use uuid::Uuid;

    /// Files of every version hold them, and their hashes cover them byte for byte.
    #[test]
    fn the_bodies_of_events_stay_what_they_were() {
        let check = |write, expected: &str| {
            assert_eq!(PreparedWrite::prepare(write).unwrap().body, expected);
        };
        let (ask, call) = (AskId::from_bytes([1; 16]), CallId::from_bytes([2; 16]));
        let at = Timestamp::from_millisecond(1_785_000_000_123).unwrap();
        let origin = Origin {
            principal: "ada".into(),
            ..Origin::default()
        };
        let digest = Digest::from_bytes([3; 32]);
        check(
            Write::OpenCall(Arc::new(NewCall {
                id: call,
                origin: origin.clone(),
                method: "tools/call".into(),
                arguments: json!({"b": 1, "a": null}),
                flow_version: "1".into(),
                owner: Uuid::from_bytes([4; 16]),
                opened_at: at,
                run: false,
            })),
            r#"{"method":"tools/call","origin":{"principal":"ada"},"flowVersion":"1","owner":"04040404-0404-0404-0404-040404040404","arguments":{"b":1,"a":null}}"#,
        );
        check(
            Write::OpenAsk(Arc::new(NewAsk {
                id: ask,
                call: None,
                key: "001".into(),
                digest,
                occurrence: 0,
                ask: Ask::confirm("Go?").dangerous(),
                origin,
                opened_at: at,
                deadline_at: Some(at),
                epoch: 1,
                seal_to: Some([5; 32]),
                in_client: InClient::NotShown,
            })),
            r#"{"key":"001","digest":"0303030303030303030303030303030303030303030303030303030303030303","occurrence":0,"origin":{"principal":"ada"},"deadlineAt":1785000000123,"ask":{"message":"Go?","form":[{"name":"confirmed","kind":"confirm"}],"dangerous":true},"sealTo":"0505050505050505050505050505050505050505050505050505050505050505"}"#,
        );
        let errors = vec![FieldError::new("a", "no")];
        check(
            Write::Refuse {
                ask,
                refusals: 0,
                channel: ChannelKind::Client,
                errors,
                takes_away: false,
                at,
            },
            r#"{"refusals":1,"channel":"client","errors":[{"field":"a","message":"no"}]}"#,
        );
        let mut decision = Decision::new(ask, Outcome::Declined { reason: None }, at);
        decision.channel = Some(ChannelKind::Inbox);
        (decision.duration_ms, decision.said_no) = (5, true);
        check(
            Write::Settle(decision),
            r#"{"ask":"01010101-0101-0101-0101-010101010101","outcome":{"status":"declined","detail":{"reason":null}},"channel":"inbox","at":"2026-07-25T17:20:00.123Z","durationMs":5,"saidNo":true}"#,
        );
        check(
            Write::FinishStep {
                call,
                epoch: 1,
                name: "build".into(),
                occurrence: 0,
                result: Value::Null,
                label: None,
                at,
            },
            r#"{"name":"build","occurrence":0,"epoch":1,"result":null}"#,
        );
        check(
            Write::StartStep {
                call,
                epoch: 1,
                name: "run 9f2c".into(),
                occurrence: 0,
                label: Some("git push".into()),
                at,
            },
            r#"{"name":"run 9f2c","occurrence":0,"epoch":1,"label":"git push"}"#,
        );
        check(
            Write::IssueGrant(GrantRecord {
                id: GrantId::from_bytes([6; 16]),
                ask,
                principal: "ada".into(),
                purpose: "migrate".into(),
                digest,
                issued_at: at,
                expires_at: at,
                redeemed_at: None,
            }),
            r#"{"grant":"06060606-0606-0606-0606-060606060606","principal":"ada","purpose":"migrate","digest":"0303030303030303030303030303030303030303030303030303030303030303","expiresAt":1785000000123}"#,
        );
        let note = Write::Note {
            call: None,
            ask: Some(ask),
            kind: EventKind::Decided,
            body: json!({}),
            at,
        };
        let refused = PreparedWrite::prepare(note).unwrap_err().to_string();
        assert!(refused.contains("`decided` cannot be noted"), "{refused}");
    }
}
