//! What guards an ask: replies that are not taken, and the PIN of what is dangerous.

use super::{
    desk::Desk,
    evidence::Refusal,
    judge::{Case, Replier, unanswered},
    open_ask::OpenAsk,
    settle::ReplyResult,
};
use crate::AskError;
use holdpoint_ask::{AskId, ChannelKind, Decision, Outcome};
use holdpoint_journal::{EventKind, JournalError, Write};
use jiff::Timestamp;
use serde_json::json;

impl Desk {
    /// Records that a reply was not taken, with all that it brought.
    pub(crate) async fn note_refusal(
        &self,
        ask: AskId,
        from: &Replier,
        refusal: &Refusal,
        at: Timestamp,
    ) -> Result<(), JournalError> {
        let kind = match refusal {
            Refusal::TooFast { .. } => EventKind::TooFast,
            Refusal::InsideAgent(_) => EventKind::AgentAnswered,
            _ => EventKind::NotTaken,
        };
        let mut body = json!({
            "channel": from.channel, "by": from.name,
            "why": refusal.as_str(), "presence": from.presence,
        });
        if let Refusal::InsideAgent(agent) = refusal {
            body["agent"] = agent.as_str().into();
        }
        let note = Write::Note {
            call: None,
            ask: Some(ask),
            kind,
            body,
            at,
        };
        self.inner.journal.commit(vec![note]).await.map(drop)
    }

    /// Records that a surface of the person's own showed an ask whole.
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn note_shown(
        &self,
        ask: AskId,
        channel: ChannelKind,
        by: Option<&str>,
    ) -> Result<(), JournalError> {
        let note = Write::Note {
            call: None,
            ask: Some(ask),
            kind: EventKind::Shown,
            body: json!({ "channel": channel, "by": by }),
            at: self.now(),
        };
        self.inner.journal.commit(vec![note]).await.map(drop)
    }

    /// Holds a decision about a dangerous ask up where a PIN is set: a yes needs it, and a client,
    /// which has no way to ask for it, decides nothing.
    pub(crate) async fn hold_up(
        &self,
        case: &Case<'_>,
        open: Option<&OpenAsk>,
        from: &Replier,
        decision: &Decision,
    ) -> Result<Option<ReplyResult>, AskError> {
        if !self.reload_pin().await? {
            return Ok(None);
        }
        if from.is_client() {
            return self.rule_client_out(case, open).await.map(Some);
        }
        match decision.outcome {
            Outcome::Accepted(_) => self.check_pin(case.id, from).await,
            _ => Ok(None),
        }
    }

    /// The client decides nothing about this ask: it goes on elsewhere, or ends where nobody else
    /// can be asked.
    async fn rule_client_out(
        &self,
        case: &Case<'_>,
        open: Option<&OpenAsk>,
    ) -> Result<ReplyResult, AskError> {
        if let Some(open) = open {
            open.rule_client_out();
        }
        if case.elsewhere {
            return Ok(ReplyResult::PinNeeded);
        }
        let why = "a yes needs the PIN, which a client cannot ask for, and no inbox is open";
        let outcome = Outcome::Unreachable { why: why.into() };
        let decision = unanswered(case.id, case.opened_at, outcome, self.now());
        Ok(ReplyResult::Settled(self.settle(decision, None).await?.0))
    }
}
