//! Running a flow: linear code that asks, as a task of its own.

use super::{
    call::Call,
    flow_waker::FlowWaker,
    result::FlowResult,
    rounds::{Fresh, Work},
    surface::Surface,
};
use crate::{
    AskError,
    core::{
        ask_task::{Surfaces, Target, deliver, run_ask},
        judge::{Received, Replier, unanswered},
        open_ask::OpenAsk,
        small_future_set::SmallFutureSet,
    },
};
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use holdpoint_ask::{
    AskId, ChannelKind, Outcome, Presence, Reply, Withdrawal, describe::error_chain,
};
use holdpoint_journal::{Write, Written};
use rmcp::ErrorData;
use std::{
    future::poll_fn,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

/// Runs a flow to its end. It outlives the request that started it.
pub(crate) async fn run(call: Arc<Call>, flow: BoxFuture<'static, FlowResult>) {
    let mut flow = AssertUnwindSafe(flow).catch_unwind();
    let waker = FlowWaker::new();
    call.set_waker(waker.identity());
    let mut jobs = Jobs::new();
    let ended = loop {
        let polled = poll_fn(|cx| {
            let polled = waker.poll(cx, |cx| flow.poll_unpin(cx));
            if polled.is_pending() {
                call.rested();
            }
            polled
        });
        tokio::select! {
            biased;
            ended = polled => break ended,
            () = call.has_work.notified() => {
                jobs.take_up(&call);
                if call.is_release_wanted() {
                    // Whoever runs it again waits until all of it is gone.
                    let turn = call.desk.calls().turn(call.id).try_lock();
                    if turn.is_ok() && jobs.opening.is_empty() && call.release(&waker) {
                        // An author's own drop may panic.
                        let dropped = AssertUnwindSafe(move || drop((flow, jobs)));
                        if catch_unwind(dropped).is_err() {
                            tracing::error!(call = %call.id, "a flow panicked when it was let go");
                        }
                        call.released();
                        return;
                    }
                    call.release_another_time();
                }
            }
            Some(opened) = jobs.opening.next() => jobs.run_asks(&call, opened),
            Some(()) = jobs.running.next() => {}
        }
    };
    // Boxed: keeps the end's state off the task of a flow that waits.
    Box::pin(wind_up(call, ended, jobs)).await;
}

/// What a flow's task does beside the flow.
struct Jobs {
    /// Asks that are put on record.
    opening: SmallFutureSet<'static, Vec<Arc<OpenAsk>>>,
    /// Asks that are open, and ones that are withdrawn or shown again.
    running: FuturesUnordered<BoxFuture<'static, ()>>,
}

impl Jobs {
    fn new() -> Self {
        Self {
            opening: SmallFutureSet::new(),
            running: FuturesUnordered::new(),
        }
    }

    fn take_up(&mut self, call: &Arc<Call>) {
        let Work {
            fresh,
            dropped,
            again,
        } = call.take_work();
        if !fresh.is_empty() {
            self.opening.push(open(call.clone(), fresh));
        }
        for ask in dropped {
            self.running.push(withdraw(call.clone(), ask).boxed());
        }
        for ask in again {
            let begins = ask.under_way();
            let shown = show_again(call.clone(), ask);
            let shown = shown.map(move |()| drop(begins));
            self.running.push(shown.boxed());
        }
    }

    fn run_asks(&mut self, call: &Arc<Call>, opened: Vec<Arc<OpenAsk>>) {
        for ask in opened {
            let surfaces = surfaces_for(call, &ask);
            let begins = ask.under_way();
            let running = run_ask(call.desk.clone(), ask, surfaces, begins);
            self.running.push(running.boxed());
        }
    }
}

/// Where this ask is shown: to a client of whatever era, and by the desk's own channels.
fn surfaces_for(call: &Call, open: &OpenAsk) -> Surfaces {
    if open.ended.is_set() {
        return Surfaces::default();
    }
    let channel = call.client_channel(open);
    let in_round = channel.is_none() && call.shows(open);
    Surfaces {
        client: channel,
        in_round,
        own: call.desk.channels_to_deliver(open),
    }
}

/// Ends a call whose flow has ended, or panicked.
async fn wind_up(call: Arc<Call>, ended: std::thread::Result<FlowResult>, mut jobs: Jobs) {
    let result = ended.unwrap_or_else(|_| {
        tracing::error!(call = %call.id, "a flow panicked");
        FlowResult::Error(ErrorData::internal_error(
            "The tool failed unexpectedly; nothing more was done.",
            None,
        ))
    });
    call.close();
    jobs.take_up(&call);
    while let Some(opened) = jobs.opening.next().await {
        jobs.run_asks(&call, opened);
    }
    let mut cleared = async { while jobs.running.next().await.is_some() {} }.boxed();
    let in_time = tokio::time::timeout(CLEARING, &mut cleared).await;
    end(&call, result).await;
    if in_time.is_err() {
        cleared.await;
    }
}

/// Surfaces are cleared before the client hears the end; one that hangs does not hold it up for longer.
pub(super) const CLEARING: Duration = Duration::from_secs(1);

/// Records the result if the call is in the journal, and gives it to whoever waits. A result that is not on
/// record is given to nobody.
async fn end(call: &Arc<Call>, result: FlowResult) {
    let result = Arc::new(call.mask_result(result));
    let opening = call.opening_at_end();
    let opens_call = opening.is_some();
    let Some(epoch) = call.recorded_epoch() else {
        call.finish(result);
        return;
    };
    let finish = Write::FinishCall {
        call: call.id,
        epoch,
        result: result.clone(),
        at: call.desk.now(),
    };
    // First on record, then told: a call without a result is taken up by the same call again, and one
    // that its client was told the end of must not answer another.
    let batch = opening.into_iter().chain([finish]).collect();
    let recorded = call.desk.journal().commit(batch).await;
    let told = match recorded.as_deref() {
        Ok([.., Written::Applied(true)]) => {
            call.desk.calls().remove_unrecorded(call);
            withdraw_failed(call).await;
            result
        }
        Ok(_) => {
            tracing::warn!(call = %call.id, "a result is not given: the call was taken over");
            Arc::new(FlowResult::lost())
        }
        Err(error) => {
            let error = error_chain(error);
            tracing::error!(call = %call.id, error, "a result was not recorded");
            if opens_call {
                call.not_opened();
            } else {
                call.desk.calls().add_unrecorded(call);
            }
            Arc::new(FlowResult::Error(ErrorData::internal_error(
                format!(
                    "The result could not be put on record, so it is not given and nothing is approved by it ({error}). What was answered before stays on record: make room for the journal, then call again with the same arguments to go on with it."
                ),
                None,
            )))
        }
    };
    call.finish(told);
    call.desk.calls().leave(call);
}

/// Ends the asks that a fault of the record kept from ending: their call is over, and nobody waits for them.
async fn withdraw_failed(call: &Call) {
    let (now, why) = (call.desk.now(), Withdrawal::Replaced);
    let withdraw = |(ask, opened_at)| {
        Write::Settle(unanswered(ask, opened_at, Outcome::Withdrawn { why }, now))
    };
    let batch: Vec<_> = call.take_failed().into_iter().map(withdraw).collect();
    if !batch.is_empty()
        && let Err(error) = call.desk.journal().commit(batch).await
    {
        tracing::warn!(call = %call.id, error = error_chain(&error), "asks of a call that is over stay open");
    }
}

/// Puts what was registered into the journal, in one commit, then shows it.
async fn open(call: Arc<Call>, fresh: Vec<Fresh>) -> Vec<Arc<OpenAsk>> {
    let how_many = fresh.len();
    let mut batch = Vec::new();
    let mut asks = Vec::with_capacity(how_many);
    let mut inputs = Vec::new();
    let mut replaced = Vec::new();
    for item in fresh {
        match item {
            Fresh::Ask(open) if open.is_unwanted() => {
                // Nobody waits for it and nobody has seen it.
                call.desk.fail(&open, AskError::LostCall);
            }
            Fresh::Ask(open) => {
                batch.push(Write::OpenAsk(open.new.clone()));
                asks.push((open, false));
            }
            Fresh::Again(open) => asks.push((open, true)),
            Fresh::Replaced(decision) => replaced.push(Write::SettleOwn {
                call: call.id,
                epoch: call.epoch(),
                decision,
            }),
            Fresh::Input(key, input) => inputs.push((key, input)),
        }
    }
    batch.extend(replaced);
    let opens_call = if batch.is_empty() && inputs.is_empty() {
        None
    } else {
        call.opening()
    };
    let first_ask = opens_call.iter().len();
    let opens_call = opens_call.map(|write| batch.insert(0, write)).is_some();
    let committed = if batch.is_empty() {
        Ok(Vec::new())
    } else {
        call.desk.journal().commit(batch).await
    };
    let written = match committed {
        Ok(written) => written,
        Err(error) => {
            if opens_call {
                call.not_opened();
            }
            for (ask, _) in asks {
                call.desk.fail(&ask, AskError::NotAsked(error.clone()));
            }
            call.shown(how_many);
            return Vec::new();
        }
    };
    call.desk.look_for_inbox().await;
    let mut written = written.into_iter().skip(first_ask);
    let mut shown = Vec::with_capacity(asks.len());
    for (ask, again) in asks {
        if !again && written.next() == Some(Written::Applied(false)) {
            call.desk.fail(&ask, AskError::LostCall);
            continue;
        }
        if let Some(why) = ask.recorded() {
            Box::pin(call.desk.withdraw(&ask, why)).await;
        } else if again {
            Box::pin(catch_up(&call, &ask)).await;
            if call.active.get().is_some() {
                call.desk.agent_back(&ask);
            }
        }
        if again && (ask.ended.is_set() || call.client_channel(&ask).is_none()) {
            // Its client may have had it in view when the flow was let go.
            call.client().withdraw_form(ask.id()).await;
        }
        show(&call, &ask).await;
        shown.push(ask);
    }
    call.rounds(|rounds| rounds.put_inputs(inputs));
    call.shown(how_many);
    shown
}

/// An ask of an earlier run may have ended while this one was starting.
async fn catch_up(call: &Arc<Call>, open: &OpenAsk) {
    match call.desk.journal().ask(open.id()).await {
        Ok(Some(record)) => {
            if let Some(decision) = record.decision.clone()
                && let Err(error) = call.desk.conclude_recorded(decision).await
            {
                call.desk.fail(open, AskError::Journal(error));
            }
            open.refused_elsewhere(record);
        }
        Ok(None) => {}
        Err(error) => call.desk.fail(open, AskError::Journal(error)),
    }
}

/// Puts an ask before a modern client, if that can show it; ends it where nobody can be reached.
async fn show(call: &Arc<Call>, open: &Arc<OpenAsk>) {
    if open.ended.is_set() || given_beforehand(call, open).await {
        return;
    }
    let by_client = call.shows(open);
    if by_client && call.session.modern && !open.is_sent_to_page() {
        call.rounds(|rounds| rounds.put_ask(open));
    }
    if !by_client && !open.was_shown() && !call.desk.shown_elsewhere(open) {
        let why = if call.session.unattended {
            "nobody is at the client and no inbox is open"
        } else if call.session.supports_elicitation() {
            "the client cannot show this question and no inbox is open"
        } else {
            "the client shows no questions and no inbox is open"
        };
        let outcome = Outcome::Unreachable { why: why.into() };
        let decision = unanswered(open.id(), open.new.opened_at, outcome, call.desk.now());
        if let Err(error) = Box::pin(call.desk.settle(decision, None)).await {
            call.desk.fail(open, AskError::Journal(error));
        }
    }
}

/// Takes an answer that came before the ask, where the author named it and nothing is decided by
/// it. An invalid one is as good as none.
async fn given_beforehand(call: &Arc<Call>, open: &Arc<OpenAsk>) -> bool {
    let ask = open.ask();
    if ask.key.as_deref() != Some(open.new.key.as_str())
        || ask.dangerous
        || ask.form.fields.iter().any(|field| field.decides())
    {
        return false;
    }
    let Some(given) = call.rounds(|rounds| rounds.take_beforehand(&open.new.key)) else {
        return false;
    };
    let surface = call.session.surface(&call.desk, open.id(), ask, None);
    let Some(Surface::Form(lowered)) = surface else {
        return false;
    };
    let received = call.client().read_reply(given, lowered.raiser());
    let Received::Reply(reply @ Reply::Accept { .. }) = received else {
        return false;
    };
    let from = Replier::new(
        ChannelKind::Preset,
        call.session.client.clone(),
        Presence::default(),
    );
    let _ = Box::pin(call.desk.reply(open.id(), from, reply)).await;
    open.ended.is_set()
}

/// Shows an open ask to the client that has taken its call over.
async fn show_again(call: Arc<Call>, open: Arc<OpenAsk>) {
    if let Some(channel) = call.client_channel(&open) {
        deliver(&call.desk, Target::Live(&open), &channel).await;
    } else if call.session.modern && call.shows(&open) {
        call.rounds(|rounds| rounds.put_ask(&open));
        call.notify();
    }
}

/// The flow no longer waits for an ask.
async fn withdraw(call: Arc<Call>, ask: AskId) {
    if let Some(open) = call.desk.live_ask(ask) {
        call.desk.withdraw(&open, Withdrawal::Replaced).await;
    }
}
