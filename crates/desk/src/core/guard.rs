//! What guards an ask: replies that are not taken, and the PIN of what is dangerous.

use super::{
    desk::Desk,
    evidence::Refusal,
    judge::{Case, Replier, unanswered},
    open_ask::OpenAsk,
    reply_result::ReplyResult,
};
use crate::{AskError, clock::later};
use holdpoint_ask::{AskId, ChannelKind, Decision, Outcome, Presence};
use holdpoint_journal::{EventKind, JournalError, Write, Written};
use jiff::Timestamp;
use serde_json::json;

/// Says that a reply was not taken, with all that it brought.
pub(crate) fn refusal_note(ask: AskId, from: &Replier, refusal: &Refusal, at: Timestamp) -> Write {
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
    Write::Note {
        call: None,
        ask: Some(ask),
        kind,
        body,
        at,
    }
}

impl Desk {
    /// Takes an ask from the agent's client, on record: no process shows it there again, and nothing that
    /// the client says about it counts, also where the same reply is sent elsewhere or after a restart.
    pub(crate) async fn take_from_client(
        &self,
        case: &Case<'_>,
        open: Option<&OpenAsk>,
        from: &Replier,
        note: Write,
    ) -> Result<(), JournalError> {
        let _taking = open.map(OpenAsk::taking_from_client);
        let mut refusals = case.refusals;
        let mut batch = vec![note];
        batch.extend(self.more_time(case).await?);
        loop {
            batch.push(Write::Refuse {
                ask: case.id,
                refusals,
                channel: from.channel,
                errors: Vec::new(),
                takes_away: true,
                at: self.now(),
            });
            let written = self.inner.journal.commit(std::mem::take(&mut batch));
            if written.await?.last() == Some(&Written::Applied(true)) {
                return Ok(());
            }
            // It ended meanwhile, or another process has counted a reply or taken it away.
            let record = self.inner.journal.ask(case.id).await?;
            let open_there =
                record.filter(|record| record.decision.is_none() && !record.taken_from_client);
            let Some(record) = open_there else {
                return Ok(());
            };
            refusals = record.refusals;
        }
    }

    /// A client has replied to an ask that it was not shown: that is on record, and counts for nothing.
    pub(crate) async fn refuse_unshown(&self, ask: AskId, client: Option<String>) {
        let from = Replier::new(ChannelKind::Client, client, Presence::default());
        let note = refusal_note(ask, &from, &Refusal::NotByClient, self.now());
        if let Err(error) = self.inner.journal.commit(vec![note]).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(%ask, error, "a reply that did not count could not be recorded");
        }
    }

    /// An ask that the client is shown no more waits as long as one that only the inbox shows, unless
    /// its asker named a time, or somebody gave it more.
    async fn more_time(&self, case: &Case<'_>) -> Result<Option<Write>, JournalError> {
        if case.ask.timeout.is_some() || !case.elsewhere {
            return Ok(None);
        }
        let record = self.inner.journal.ask(case.id).await?;
        let Some(now_at) = record.and_then(|record| record.deadline_at) else {
            return Ok(None);
        };
        let deadline_at = self.inner.settings.inbox_timeout;
        let deadline_at = deadline_at.map(|time| later(case.opened_at, time));
        let longer = deadline_at.is_none_or(|deadline_at| deadline_at > now_at);
        Ok(longer.then(|| Write::Extend {
            ask: case.id,
            deadline_at,
            by: "holdpoint".to_owned(),
            at: self.now(),
        }))
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
            return self.rule_client_out(case, open, from).await.map(Some);
        }
        match &decision.outcome {
            Outcome::Accepted(answer) if case.ask.form.says_no(answer) => Ok(None),
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
        from: &Replier,
    ) -> Result<ReplyResult, AskError> {
        let note = refusal_note(case.id, from, &Refusal::NotByClient, self.now());
        self.take_from_client(case, open, from, note).await?;
        if case.elsewhere {
            return Ok(ReplyResult::PinNeeded);
        }
        let why = "a yes needs the PIN, which a client cannot ask for, and no inbox is open";
        let outcome = Outcome::Unreachable { why: why.into() };
        let decision = unanswered(case.id, case.opened_at, outcome, self.now());
        Ok(ReplyResult::Settled(self.settle(decision, None).await?.0))
    }
}
