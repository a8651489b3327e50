//! Running a flow: linear code that asks, as a task of its own.

use crate::{
    AskError,
    core::ask_task::{run_ask, show_client},
    core::judge::{Incoming, Replier, unanswered},
    core::open_ask::OpenAsk,
    core::small_future_set::SmallFutureSet,
    flow::call::{Call, Fresh, Input, Wanted},
    flow::result::FlowResult,
    flow::session::Surface,
    mcp::wire,
};
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use holdpoint_ask::describe::error_chain;
use holdpoint_ask::{AskId, ChannelKind, Outcome, Withdrawal};
use holdpoint_journal::{Write, Written};
use rmcp::ErrorData;
use std::{future::poll_fn, panic::AssertUnwindSafe, sync::Arc, time::Duration};

/// Runs a flow to its end. It outlives the request that started it.
pub(crate) async fn run(call: Arc<Call>, flow: BoxFuture<'static, FlowResult>) {
    let mut flow = AssertUnwindSafe(flow).catch_unwind();
    let mut opening = SmallFutureSet::new();
    let mut tending = FuturesUnordered::new();
    let ended = loop {
        let polled = poll_fn(|cx| {
            let polled = flow.poll_unpin(cx);
            if polled.is_pending() {
                call.rested();
            }
            polled
        });
        tokio::select! {
            biased;
            ended = polled => break ended,
            () = call.registered.notified() => {
                let (fresh, dropped) = call.take_fresh();
                if !fresh.is_empty() {
                    opening.push(open(call.clone(), fresh));
                }
                for ask in dropped {
                    tending.push(withdraw(call.clone(), ask).boxed());
                }
                for ask in std::mem::take(&mut call.state().again) {
                    tending.push(show_client(call.clone(), ask).boxed());
                }
            }
            Some(opened) = opening.next() => {
                for ask in opened {
                    tending.push(run_ask(call.clone(), ask).boxed());
                }
            }
            Some(()) = tending.next() => {}
        }
    };
    // Boxed, so that a flow that waits has no room for its end yet.
    Box::pin(wind_up(call, ended, opening, tending)).await;
}

/// Ends a call whose flow has ended, or panicked.
async fn wind_up(
    call: Arc<Call>,
    ended: std::thread::Result<FlowResult>,
    mut opening: SmallFutureSet<'static, Vec<Arc<OpenAsk>>>,
    mut tending: FuturesUnordered<BoxFuture<'static, ()>>,
) {
    let result = ended.unwrap_or_else(|_| {
        tracing::error!(call = %call.id, "a flow panicked");
        FlowResult::Error(ErrorData::internal_error(
            "The tool failed unexpectedly; nothing more was done.",
            None,
        ))
    });
    call.close();
    let (fresh, dropped) = call.take_fresh();
    if !fresh.is_empty() {
        opening.push(open(call.clone(), fresh));
    }
    for ask in dropped {
        tending.push(withdraw(call.clone(), ask).boxed());
    }
    while let Some(opened) = opening.next().await {
        for ask in opened {
            tending.push(run_ask(call.clone(), ask).boxed());
        }
    }
    // Surfaces are cleared before the client hears the end; one that hangs does not hold it up.
    let mut cleared = async { while tending.next().await.is_some() {} }.boxed();
    let in_time = tokio::time::timeout(CLEARING, &mut cleared).await;
    end(&call, result).await;
    if in_time.is_err() {
        cleared.await;
    }
}

const CLEARING: Duration = Duration::from_secs(1);

/// Tells the result to whoever waits, and records it if the call is in the journal.
async fn end(call: &Arc<Call>, result: FlowResult) {
    let result = Arc::new(call.mask_result(result));
    let (opened, epoch) = {
        let state = call.state();
        (state.opened, state.epoch)
    };
    call.finish(result.clone());
    if !opened {
        return;
    }
    let finish = Write::FinishCall {
        call: call.id,
        epoch,
        result,
        at: call.desk.now(),
    };
    if let Err(error) = call.desk.journal().commit(vec![finish]).await {
        tracing::error!(call = %call.id, error = error_chain(&error), "a result was not recorded");
    }
    call.desk.leave_call(call);
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
            Fresh::Replaced(decision) => replaced.push(Write::Settle(decision)),
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
                call.desk.fail(&ask, AskError::Journal(error.clone()));
            }
            call.shown(how_many);
            return Vec::new();
        }
    };
    let mut written = written.into_iter().skip(first_ask);
    let mut shown = Vec::with_capacity(asks.len());
    for (ask, again) in asks {
        if !again && written.next() == Some(Written::Applied(false)) {
            call.desk.fail(&ask, AskError::LostCall);
            continue;
        }
        if let Some(why) = ask.recorded() {
            Box::pin(call.withdraw(&ask, why)).await;
        } else if again {
            Box::pin(catch_up(&call, &ask)).await;
            call.agent_back(&ask);
        }
        show(&call, &ask).await;
        shown.push(ask);
    }
    show_inputs(&call, inputs);
    call.shown(how_many);
    shown
}

/// An ask of an earlier run may have ended while this one was starting.
async fn catch_up(call: &Arc<Call>, open: &OpenAsk) {
    match call.desk.journal().ask(open.id()).await {
        Ok(Some(record)) => {
            if let Some(decision) = record.decision
                && let Err(error) = call.desk.conclude_recorded(decision).await
            {
                call.desk.fail(open, AskError::Journal(error));
            }
        }
        Ok(None) => {}
        Err(error) => call.desk.fail(open, AskError::Journal(error)),
    }
}

/// Puts an ask before a modern client, if that can show it; ends it where nobody can be reached.
async fn show(call: &Arc<Call>, open: &Arc<OpenAsk>) {
    if open.ended.is_cancelled() || given_beforehand(call, open).await {
        return;
    }
    let by_client = call.shows(open);
    if by_client && call.session.modern {
        call.put_in_round(open);
    }
    if !by_client && !call.desk.shown_elsewhere(open.ask()) {
        let why = if call.session.supports_elicitation() {
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
    let Some(given) = call.state().beforehand.remove(&open.new.key) else {
        return false;
    };
    let surface = call.surface(open);
    let Some(Surface::Form(lowered)) = surface.as_deref() else {
        return false;
    };
    let Incoming::Reply(reply @ holdpoint_ask::Reply::Accept { .. }) =
        wire::read_reply(given, Some(lowered.raiser()))
    else {
        return false;
    };
    let from = Replier::new(ChannelKind::Preset, call.session.client.clone());
    let _ = Box::pin(call.desk.reply(open.id(), from, reply)).await;
    open.ended.is_cancelled()
}

fn show_inputs(call: &Call, inputs: Vec<(String, Input)>) {
    let mut state = call.state();
    for (key, input) in inputs {
        state.round.insert(key, Wanted::Input(input));
    }
}

/// The flow no longer waits for an ask.
async fn withdraw(call: Arc<Call>, ask: AskId) {
    if let Some(open) = call.desk.live_ask(ask) {
        call.withdraw(&open, Withdrawal::Replaced).await;
    }
}
