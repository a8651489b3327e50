//! Who may answer a dangerous ask.

use super::{
    desk::Desk,
    judge::{Case, Replier, unanswered},
    open_ask::OpenAsk,
    settle::ReplyResult,
};
use crate::AskError;
use holdpoint_ask::{ChannelKind, Decision, Outcome};
use holdpoint_journal::{EventKind, Write};
use jiff::Timestamp;
use serde_json::json;

impl Desk {
    /// Refuses a reply to a dangerous ask that no person can have given just now: from inside an
    /// agent, or beforehand. The attempt is recorded.
    pub(crate) async fn refuse_agent(
        &self,
        case: &Case<'_>,
        from: &Replier,
        now: Timestamp,
    ) -> Result<Option<ReplyResult>, AskError> {
        if let Some(agent) = &from.inside_agent {
            let note = Write::Note {
                call: None,
                ask: Some(case.id),
                kind: EventKind::AgentAnswered,
                body: json!({ "channel": from.channel, "by": from.name, "agent": agent }),
                at: now,
            };
            self.inner.journal.commit(vec![note]).await?;
            return Ok(Some(ReplyResult::InsideAgent));
        }
        Ok((from.channel == ChannelKind::Preset).then_some(ReplyResult::NotBeforehand))
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
        if !self.pin().is_set().await? {
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
