//! Accepting replies, and settling asks: the only way from a reply to a decision.

use super::{
    channel::ReplyTaker,
    desk::{Desk, Inner, Waiting},
    evidence::Refusal,
    guard::refusal_note,
    judge::{self, Case, Received, Replier, Verdict, unanswered},
    open_ask::{OpenAsk, SecretAnswer, Settlement},
    remembered,
    reply_result::ReplyResult,
    secret_box,
};
use crate::{AskError, sync::lock};
use futures::{FutureExt, future::BoxFuture};
use holdpoint_ask::{Answer, AskId, ChannelKind, Decision, Outcome, Reply, Review, Withdrawal};
use holdpoint_journal::{AskRecord, JournalError, Settled, Write, Written};
use jiff::Timestamp;
use std::sync::Arc;

impl ReplyTaker for Inner {
    fn take_reply(
        self: Arc<Self>,
        ask: AskId,
        from: Replier,
        reply: Reply,
    ) -> BoxFuture<'static, Result<ReplyResult, AskError>> {
        let desk = Desk { inner: self };
        async move { desk.reply(ask, from, reply).await }.boxed()
    }
}

impl Desk {
    /// Takes a reply to an open ask, from whatever surface: the first valid one wins, across all
    /// processes; a later one gets the recorded decision.
    ///
    /// # Errors
    /// When there is no such ask or the record cannot be kept; then nothing was decided.
    pub async fn reply(
        &self,
        id: AskId,
        from: Replier,
        reply: Reply,
    ) -> Result<ReplyResult, AskError> {
        let review = Review::default();
        self.reply_with_review(id, from, reply, review).await
    }

    /// As [`Self::reply`], with what the person said beside it: comments, and their own version of the text
    /// that the ask lets them edit. That is in the decision, and reaches the agent.
    ///
    /// ```
    /// # use holdpoint::{AskError, AskId, Desk, Replier, Reply, ReplyResult};
    /// use holdpoint::{Review, review::{Comment, Place}};
    ///
    /// async fn with_a_remark(desk: &Desk, ask: AskId, ann: Replier, yes: Reply) -> Result<ReplyResult, AskError> {
    ///     let mut review = Review::default();
    ///     review.comments.push(Comment::new(Place::file("src/main.rs", 12), "Handle the error."));
    ///     desk.reply_with_review(ask, ann, yes, review).await
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`Self::reply`].
    pub async fn reply_with_review(
        &self,
        id: AskId,
        from: Replier,
        reply: Reply,
        review: Review,
    ) -> Result<ReplyResult, AskError> {
        self.accept_reply(id, from, Received::Reply(reply), review)
            .await
    }

    /// As [`Self::reply_with_review`], for what a channel brought back.
    pub(crate) async fn accept_reply(
        &self,
        id: AskId,
        from: Replier,
        received: Received,
        review: Review,
    ) -> Result<ReplyResult, AskError> {
        if let Some(open) = self.live_ask(id) {
            return self.accept_live(&open, from, received, review).await;
        }
        let record = self.inner.journal.ask(id).await?;
        let record = record.ok_or(AskError::Unknown(id))?;
        self.accept_recorded(record, from, received, review).await
    }

    async fn accept_live(
        &self,
        open: &OpenAsk,
        from: Replier,
        received: Received,
        review: Review,
    ) -> Result<ReplyResult, AskError> {
        // Its timer may lag behind, above all after the machine slept: a late yes does not count.
        let now = self.now();
        if open.new.deadline_at.is_some_and(|at| at <= now)
            && let Some(record) = self.inner.journal.ask(open.id()).await?
            && record.deadline_at.is_some_and(|at| at <= now)
            && let Some(late) = self.time_out(open.id(), open.new.opened_at).await?
        {
            return Ok(ReplyResult::Late(late));
        }
        self.look_for_inbox().await;
        let case = Case {
            id: open.id(),
            ask: open.ask(),
            asked_by: &open.new.origin.principal,
            opened_at: open.new.opened_at,
            refusals: open.refusals(),
            taken_from_client: open.is_taken_from_client(),
            seal_to: open.new.seal_to,
            elsewhere: self.shown_elsewhere(open),
            page: self.page_of(open.id()).is_some(),
        };
        self.decide(case, Some(open), from, received, review).await
    }

    /// As [`Self::accept_reply`], for an ask whose flow does not run in this process.
    pub(crate) async fn accept_recorded(
        &self,
        record: AskRecord,
        from: Replier,
        received: Received,
        review: Review,
    ) -> Result<ReplyResult, AskError> {
        if let Some(decision) = record.decision {
            return Ok(ReplyResult::Late(decision));
        }
        let now = self.now();
        // Its process is gone and nobody has ended it yet: a late yes does not count.
        if record.deadline_at.is_some_and(|at| at <= now)
            && let Some(late) = self.time_out(record.id, record.opened_at).await?
        {
            return Ok(ReplyResult::Late(late));
        }
        self.look_for_inbox().await;
        let case = Case {
            id: record.id,
            ask: &record.ask,
            asked_by: &record.origin.principal,
            opened_at: record.opened_at,
            refusals: record.refusals,
            taken_from_client: record.taken_from_client,
            seal_to: record.seal_to,
            elsewhere: self.can_show_elsewhere(&record.ask),
            page: self.page_of(record.id).is_some(),
        };
        self.decide(case, None, from, received, review).await
    }

    /// Judges a reply, journals the verdict, and only then lets anyone see it.
    async fn decide(
        &self,
        case: Case<'_>,
        open: Option<&OpenAsk>,
        from: Replier,
        received: Received,
        review: Review,
    ) -> Result<ReplyResult, AskError> {
        let now = self.now();
        let mut verdict = judge::judge(&case, &self.inner.settings, &from, received, now);
        if let Verdict::Settle(decision, _) = &mut verdict
            && let Err(errors) = judge::add_review(case.ask, decision, review)
        {
            return Ok(ReplyResult::Invalid(errors));
        }
        if case.ask.dangerous
            && let Verdict::Settle(decision, _) = &verdict
            && let Some(refused) = self.hold_up(&case, open, &from, decision).await?
        {
            return Ok(refused);
        }
        match verdict {
            Verdict::Settle(decision, answer) => {
                let settled = match answer {
                    Some(answer) if open.is_none() && case.ask.form.has_secret() => {
                        self.settle_sealed(decision, &answer, case.seal_to).await?
                    }
                    _ if case.ask.remember.is_some() => {
                        let write = remembered::settling(case.ask, case.asked_by, decision.clone());
                        self.settle_by(write, decision, None).await?
                    }
                    answer => self.settle_reply(decision, answer).await?,
                };
                Ok(match settled {
                    Some((decision, true)) => ReplyResult::Settled(decision),
                    Some((decision, false)) => ReplyResult::Late(decision),
                    // Another process has taken it from the client meanwhile.
                    None => {
                        let refusal = Refusal::TakenAway;
                        let note = refusal_note(case.id, &from, &refusal, now);
                        self.take_from_client(&case, open, &from, note).await?;
                        ReplyResult::NotTaken(refusal)
                    }
                })
            }
            Verdict::Refuse { errors, kept } => {
                let refuse = Write::Refuse {
                    ask: case.id,
                    refusals: case.refusals,
                    channel: from.channel,
                    errors: errors.clone(),
                    takes_away: false,
                    at: now,
                };
                let written = self.inner.journal.commit(vec![refuse]).await?;
                match (open, written.as_slice()) {
                    (Some(open), [Written::Applied(true)]) => open.refused(errors.clone(), kept),
                    (Some(open), _) => {
                        if let Some(record) = self.inner.journal.ask(case.id).await? {
                            open.refused_elsewhere(record);
                        }
                    }
                    _ => {}
                }
                Ok(ReplyResult::Invalid(errors))
            }
            Verdict::Correct(errors) => Ok(ReplyResult::Invalid(errors)),
            Verdict::NotTaken(refusal) => {
                let note = refusal_note(case.id, &from, &refusal, now);
                self.inner.journal.commit(vec![note]).await?;
                Ok(ReplyResult::NotTaken(refusal))
            }
            Verdict::TakeAway(refusal, end) => {
                let note = refusal_note(case.id, &from, &refusal, now);
                self.take_from_client(&case, open, &from, note).await?;
                match end {
                    Some(decision) => {
                        Ok(ReplyResult::Settled(self.settle(decision, None).await?.0))
                    }
                    None => Ok(ReplyResult::NotTaken(refusal)),
                }
            }
            Verdict::Opened => {
                if let Some(open) = open {
                    open.set_sent_to_page(true);
                }
                Ok(ReplyResult::Opened)
            }
        }
    }

    /// Ends an ask with an outcome that no reply made.
    pub(crate) async fn end(
        &self,
        open: &OpenAsk,
        outcome: Outcome,
    ) -> Result<Decision, JournalError> {
        let decision = unanswered(open.id(), open.new.opened_at, outcome, self.now());
        Ok(self.settle(decision, None).await?.0)
    }

    /// Takes an open ask back from everybody, whichever process opened it: for whoever asked it. Gives how it ended,
    /// also where it had ended before.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use holdpoint::{Ask, Desk, Origin, Outcome, Withdrawal};
    /// # let desk = Desk::builder(holdpoint::journal::open("memory:").await?).shared_inbox().build().await?;
    /// let left = desk.ask_and_leave(Origin::default(), None, Ask::confirm("Deploy?")).await?;
    /// let ended = desk.take_back(left.record.id, Withdrawal::CallCancelled).await?;
    /// assert!(matches!(ended.outcome, Outcome::Withdrawn { .. }));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When there is no such ask or the record cannot be kept.
    pub async fn take_back(&self, ask: AskId, why: Withdrawal) -> Result<Decision, AskError> {
        let record = self.inner.journal.ask(ask).await?;
        let record = record.ok_or(AskError::Unknown(ask))?;
        if let Some(decision) = record.decision {
            return Ok(decision);
        }
        let outcome = Outcome::Withdrawn { why };
        let decision = unanswered(ask, record.opened_at, outcome, self.now());
        Ok(self.settle(decision, None).await?.0)
    }

    /// Ends an ask whose time is up: the process that asked, whose timer does that, may be gone. False where it is
    /// not due.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use holdpoint::{Ask, Desk, Origin};
    /// # let desk = Desk::builder(holdpoint::journal::open("memory:").await?).shared_inbox().build().await?;
    /// let left = desk.ask_and_leave(Origin::default(), None, Ask::confirm("Deploy?")).await?;
    /// assert!(!desk.end_if_due(&left.record).await?);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn end_if_due(&self, record: &AskRecord) -> Result<bool, JournalError> {
        if record.deadline_at.is_none_or(|at| at > self.now()) {
            return Ok(false);
        }
        let ended = self.time_out(record.id, record.opened_at).await?;
        Ok(ended.is_some())
    }

    /// Ends an ask whose time is up; no decision where it was given more meanwhile.
    pub(crate) async fn time_out(
        &self,
        ask: AskId,
        opened_at: Timestamp,
    ) -> Result<Option<Decision>, JournalError> {
        let decision = unanswered(ask, opened_at, Outcome::TimedOut, self.now());
        let write = Write::TimeOut(decision.clone());
        let settled = self.settle_by(write, decision, None).await?;
        Ok(settled.map(|(decision, _)| decision))
    }

    /// Journals a decision that no client made; gives the one that counts, and whether it is this one.
    pub(crate) async fn settle(
        &self,
        decision: Decision,
        answer: Option<Answer>,
    ) -> Result<(Decision, bool), JournalError> {
        let ask = decision.ask;
        let settled = self.settle_reply(decision, answer).await?;
        settled.ok_or_else(|| not_on_record(ask))
    }

    /// As `settle`, for a reply; none where it is of a client that the ask was taken from.
    async fn settle_reply(
        &self,
        decision: Decision,
        answer: Option<Answer>,
    ) -> Result<Option<(Decision, bool)>, JournalError> {
        if let Some(answer) = &answer
            && let Some(open) = self.live_ask(decision.ask)
            && open.ask().form.has_secret()
        {
            open.offer(decision.clone(), answer.clone());
        }
        let write = self.settling(decision.clone());
        self.settle_by(write, decision, answer).await
    }

    /// A person's own surface may settle whatever is open. What its client replied, or that nobody did, only
    /// the process that runs the call may say: one that was stopped for long may have lost it.
    fn settling(&self, decision: Decision) -> Write {
        let by_asker = matches!(
            decision.channel,
            None | Some(ChannelKind::Client | ChannelKind::Url)
        );
        match self.live_ask(decision.ask).filter(|_| by_asker) {
            Some(open) => match open.new.call {
                Some(call) => Write::SettleOwn {
                    call,
                    epoch: open.new.epoch,
                    decision,
                },
                None => Write::Settle(decision),
            },
            None => Write::Settle(decision),
        }
    }

    /// As `settle`, for an answer with secrets to a flow of another process.
    async fn settle_sealed(
        &self,
        decision: Decision,
        answer: &Answer,
        to: Option<[u8; 32]>,
    ) -> Result<Option<(Decision, bool)>, AskError> {
        let write = match &decision.outcome {
            Outcome::Accepted(_) => Write::SettleSealed {
                decision: decision.clone(),
                sealed: secret_box::seal(answer, to)?,
            },
            _ => Write::Settle(decision.clone()),
        };
        Ok(self.settle_by(write, decision, None).await?)
    }

    async fn settle_by(
        &self,
        write: Write,
        decision: Decision,
        answer: Option<Answer>,
    ) -> Result<Option<(Decision, bool)>, JournalError> {
        let written = self.inner.journal.commit(vec![write]).await?;
        match written.into_iter().next() {
            Some(Written::Settled(Settled::Won)) => {
                self.conclude(decision.clone(), answer);
                Ok(Some((decision, true)))
            }
            Some(Written::Settled(Settled::Lost(earlier))) => {
                self.conclude_recorded(Decision::clone(&earlier)).await?;
                Ok(Some((*earlier, false)))
            }
            Some(Written::Settled(Settled::TakenAway | Settled::NotDue)) => Ok(None),
            Some(Written::Settled(Settled::CallLost)) => {
                if let Some(open) = self.live_ask(decision.ask) {
                    self.fail(&open, AskError::LostCall);
                }
                Err(JournalError::write(
                    "another process has taken this call over, so nothing was decided here",
                ))
            }
            _ => Err(not_on_record(decision.ask)),
        }
    }

    /// Tells a flow that its ask cannot be answered, for a fault. The ask is not approved.
    pub(crate) fn fail(&self, open: &OpenAsk, error: AskError) {
        lock(&self.inner.redelivered).remove(&open.id());
        if lock(&self.inner.live).remove(&open.id()).is_some() {
            self.dismiss(&open.new.origin.principal);
        }
        open.end(Err(error));
    }

    /// Hands a decision that was recorded elsewhere to the flow that waits for it here, with the
    /// secrets that were sealed to this process.
    pub(crate) async fn conclude_recorded(&self, decision: Decision) -> Result<(), JournalError> {
        let secret = self
            .live_ask(decision.ask)
            .is_some_and(|open| open.ask().form.has_secret());
        let mut answer = None;
        if secret && let Some(sealed) = self.inner.journal.parcel(decision.ask).await? {
            answer = self.inner.secrets.open(&sealed);
            let forget = Write::DropParcel { ask: decision.ask };
            self.inner.journal.commit(vec![forget]).await?;
        }
        self.conclude(decision, answer);
        Ok(())
    }

    /// Hands a recorded decision to the flow that waits for it in this process, if one does.
    pub(crate) fn conclude(&self, decision: Decision, answer: Option<Answer>) {
        if let Some(ended) = lock(&self.inner.redelivered).remove(&decision.ask) {
            ended.set(Some(decision.clone()));
        }
        let take = || lock(&self.inner.live).remove(&decision.ask);
        let open = match take() {
            Some(open) => open,
            None => match self.inner.calls.decided(&decision, &mut { take }) {
                Waiting::Here(open) => open,
                Waiting::LetGo { principal } => return self.dismiss(&principal),
                Waiting::Nobody => return,
            },
        };
        self.dismiss(&open.new.origin.principal);
        let answer = answer
            .or_else(|| open.take_offered(&decision))
            .map(SecretAnswer);
        open.end(Ok(Settlement { decision, answer }));
    }
}

fn not_on_record(ask: AskId) -> JournalError {
    JournalError::damaged(format!("the ask {ask} is open and not in the record"))
}
