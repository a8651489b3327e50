//! Asks as a journal gets them, for the programs that measure one.
//!
//! Each ask is three durable commits, one after the other: its call and itself, its decision, the call's result.

use holdpoint::{
    Ask, AskId, CallId, ChannelKind, Decision, Origin, Outcome,
    journal::{Journal, JournalEngine, JournalError, NewAsk, NewCall, Write},
};
use jiff::Timestamp;
use serde_json::json;
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

/// How many asks are in one commit where a journal is only filled.
const AT_ONCE: usize = 500;

const TOOLS: [&str; 3] = [
    "elicit_confirm",
    "request_plan_approval",
    "request_phase_commit_approval",
];

/// Opens and settles so many asks, so many of them at a time.
///
/// # Errors
/// When the journal fails.
pub async fn run(
    journal: &Arc<dyn JournalEngine>,
    asks: usize,
    in_flight: usize,
) -> anyhow::Result<Duration> {
    let started = Instant::now();
    run_timed(journal, asks, in_flight).await?;
    Ok(started.elapsed())
}

/// As [`run`], with the time of each commit.
///
/// # Errors
/// When the journal fails.
pub async fn run_timed(
    journal: &Arc<dyn JournalEngine>,
    asks: usize,
    in_flight: usize,
) -> anyhow::Result<Vec<Duration>> {
    let next = Arc::new(AtomicUsize::new(0));
    let workers: Vec<_> = (0..in_flight)
        .map(|_| {
            let (journal, next) = (Arc::clone(journal), Arc::clone(&next));
            tokio::spawn(async move {
                let mut times = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= asks {
                        break;
                    }
                    for batch in writes(&*journal, number) {
                        let started = Instant::now();
                        journal.commit(batch).await?;
                        times.push(started.elapsed());
                    }
                }
                Ok::<_, JournalError>(times)
            })
        })
        .collect();
    let mut times = Vec::with_capacity(3 * asks);
    for worker in workers {
        times.extend(worker.await??);
    }
    Ok(times)
}

/// One of ten who ask in turn.
pub fn caller(number: usize) -> Origin {
    Origin {
        principal: "local".into(),
        workspace: Some(format!("/home/ada/projects/demo-{}", number % 10)),
        ..Origin::default()
    }
}

/// Opens and settles the asks of these numbers, many in one commit.
///
/// # Errors
/// When the journal fails.
pub async fn fill(journal: &dyn Journal, numbers: Range<usize>) -> Result<(), JournalError> {
    let mut numbers = numbers.peekable();
    while numbers.peek().is_some() {
        let some = numbers.by_ref().take(AT_ONCE);
        let writes = some.flat_map(|number| writes(journal, number).into_iter().flatten());
        journal.commit(writes.collect()).await?;
    }
    Ok(())
}

/// What is committed of one ask, one batch after the other.
pub fn writes(journal: &dyn Journal, number: usize) -> [Vec<Write>; 3] {
    let (call, ask, now) = (CallId::new(), AskId::new(), Timestamp::now());
    let origin = Origin {
        client: Some("vscode 1.110.0".into()),
        tool: Some(TOOLS[number % TOOLS.len()].into()),
        ..caller(number)
    };
    let question = Ask::confirm(format!(
        "Delete **5 artifacts** of the build-{number}x in Zürich?"
    ))
    .details(format!(
        "- `target/release/lib-{:04}.so`\n- `target/b`\n- `target/c`\n- `target/d`\n- `target/e`",
        number % 5000
    ));
    let open = vec![
        Write::OpenCall(Arc::new(NewCall {
            id: call,
            origin: origin.clone(),
            method: "tools/call".into(),
            arguments: json!({"message": "Delete 5 artifacts?", "paths": ["a", "b", "c"]}),
            flow_version: "1".into(),
            owner: journal.owner(),
            opened_at: now,
            run: false,
        })),
        Write::OpenAsk(Arc::new(NewAsk {
            id: ask,
            call: Some(call),
            key: "001".into(),
            deadline_at: Some(now + Duration::from_secs(300)),
            ..NewAsk::new(question, origin, now)
        })),
    ];
    let answer = json!({"confirmed": true});
    let outcome = match number % 10 {
        0 => Outcome::Declined {
            reason: Some("not before the backup".into()),
        },
        _ => Outcome::Accepted(answer.as_object().cloned().unwrap_or_default()),
    };
    let mut decision = Decision::new(ask, outcome, now);
    decision.channel = Some(ChannelKind::Client);
    decision.answered_by = Some("vscode 1.110.0".into());
    decision.duration_ms = 1 + number as u64;
    let end = Write::FinishCall {
        call,
        epoch: 1,
        result: Arc::new(
            json!({"content": [{"type": "text", "text": "Deleted."}], "structuredContent": {"status": "accepted"}}),
        ),
        at: now,
    };
    [open, vec![Write::Settle(decision)], vec![end]]
}
