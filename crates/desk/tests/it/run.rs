//! Flows that no client called: from a shell or a page.

use holdpoint::{
    Desk, FlowStart, Origin, Outcome, Reply, ResumeError, ToolContext, Yes,
    journal::{JournalEngine, SqliteJournal},
};
use holdpoint_testkit::ReplyingChannel;
use rmcp::{
    ErrorData,
    model::{CallToolResult, ContentBlock},
};
use serde_json::{Map, Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

fn begin() -> FlowStart {
    FlowStart::new(
        Origin {
            principal: "shell:ada".into(),
            tool: Some("paint".into()),
            ..Origin::default()
        },
        "script",
    )
    .arguments(json!({ "wall": "north" }))
    .version("1")
}

async fn paint(cx: ToolContext, painted: Arc<AtomicU32>) -> Result<CallToolResult, ErrorData> {
    cx.step("paint", async { painted.fetch_add(1, Ordering::Relaxed) })
        .await?;
    let said = match cx.elicitor().confirm("Again?").await? {
        Outcome::Accepted(Yes) => "again".to_owned(),
        other => other.status().to_owned(),
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(said)]))
}

fn yes() -> Reply {
    let mut content = Map::new();
    content.insert("confirmed".into(), Value::Bool(true));
    Reply::Accept { content }
}

#[tokio::test]
async fn a_flow_asks_and_ends() {
    let painted = Arc::new(AtomicU32::new(0));
    let desk = Desk::builder(Arc::new(SqliteJournal::in_memory().unwrap()))
        .channel(ReplyingChannel::says([yes()]))
        .build();
    let desk = desk.await.unwrap();
    let run = desk.run(begin(), |cx| paint(cx, painted.clone()));
    let ended = run.ended().await.unwrap();
    assert_eq!(ended.content[0].as_text().unwrap().text, "again");
    assert_eq!(painted.load(Ordering::Relaxed), 1);
    let history = desk.journal().call(run.id()).await.unwrap().unwrap();
    assert_eq!(history.call.arguments, json!({ "wall": "north" }));
}

#[tokio::test]
async fn what_is_taken_back_is_no_yes() {
    let desk = Desk::builder(Arc::new(SqliteJournal::in_memory().unwrap()))
        .channel(ReplyingChannel::says([]))
        .build();
    let desk = desk.await.unwrap();
    let run = desk.run(begin(), |cx| paint(cx, Arc::default()));
    let mut commits = desk.journal().commits();
    while run.open_asks().is_empty() {
        commits.changed().await.unwrap();
    }
    run.withdraw().await;
    let ended = run.ended().await.unwrap();
    assert_eq!(ended.content[0].as_text().unwrap().text, "withdrawn");
}

#[tokio::test]
async fn a_call_that_cannot_be_resumed_says_why() {
    let desk = Desk::builder(Arc::new(SqliteJournal::in_memory().unwrap()))
        .channel(ReplyingChannel::says([yes()]))
        .build();
    let desk = desk.await.unwrap();
    let again = async |call, version: &str| {
        let resumed = desk.resume(call, version, |cx, _| paint(cx, Arc::default()));
        resumed.await.err().map(|error| error.to_string())
    };
    let unknown = again(holdpoint::CallId::new(), "1").await;
    assert_eq!(unknown, Some(ResumeError::Unknown.to_string()));
    let run = desk.run(begin(), |cx| paint(cx, Arc::default()));
    run.ended().await.unwrap();
    let mut commits = desk.journal().commits();
    while desk
        .journal()
        .call(run.id())
        .await
        .unwrap()
        .unwrap()
        .call
        .result
        .is_none()
    {
        commits.changed().await.unwrap();
    }
    let ended = again(run.id(), "1").await;
    assert_eq!(ended, Some(ResumeError::Ended.to_string()));
}

#[test]
fn a_killed_run_goes_on_and_no_step_runs_twice() {
    let journal: Arc<dyn JournalEngine> = Arc::new(SqliteJournal::in_memory().unwrap());
    let painted = Arc::new(AtomicU32::new(0));
    let process = || {
        tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .unwrap()
    };
    let first = process();
    let id = first.block_on(async {
        let silent = ReplyingChannel::says([]);
        let desk = Desk::builder(journal.clone()).channel(silent).build().await;
        let run = desk.unwrap().run(begin(), |cx| paint(cx, painted.clone()));
        let mut commits = journal.commits();
        while journal.open_asks().await.unwrap() == 0 {
            commits.changed().await.unwrap();
        }
        run.id()
    });
    first.shutdown_background();

    let again = process().block_on(async {
        let willing = ReplyingChannel::says([yes()]);
        let desk = Desk::builder(journal.clone())
            .channel(willing)
            .build()
            .await;
        let desk = desk.unwrap();
        let other = desk
            .resume(id, "2", |cx, _| paint(cx, painted.clone()))
            .await;
        assert!(matches!(other, Err(ResumeError::OtherVersion { .. })));
        let run = desk.resume(id, "1", |cx, record| {
            assert_eq!(record.arguments, json!({ "wall": "north" }));
            paint(cx, painted.clone())
        });
        run.await.unwrap().ended().await.unwrap()
    });
    assert_eq!(again.content[0].as_text().unwrap().text, "again");
    assert_eq!(painted.load(Ordering::Relaxed), 1);
}
