//! A test over every statement that a server runs in its course: none of them reads a table that grows from its
//! beginning to its end.

use super::{committer::Committer, history, in_memory, query};
use crate::{
    AskQuery, CallBinding, CallQuery, EventKind, Write,
    commit_counters::CommitCounters,
    testing::{ask_of, at, call, decided, grant, yes},
};
use holdpoint_ask::{Ask, ChannelKind};
use rusqlite::{
    Connection,
    trace::{TraceEvent, TraceEventCodes},
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};
use uuid::Uuid;

/// What a plan may read from end to end: what has an index for the few that are open, or of one kind, and tables that
/// stay small.
const FEW: [&str; 6] = [
    "INDEX open_asks",
    "INDEX unfinished_calls",
    "INDEX guard_events",
    "INDEX pruned_events",
    "INDEX listed_calls",
    "SCAN owners",
];

#[test]
fn nothing_that_a_server_does_reads_all_of_a_table() {
    let statements = run_all();
    assert!(statements.len() > 50, "only {} seen", statements.len());
    let conn = in_memory::connect().unwrap();
    let mut failed = Vec::new();
    for sql in &statements {
        for line in plan(&conn, sql) {
            let is_scan = line.starts_with("SCAN") && !line.starts_with("SCAN CONSTANT");
            if is_scan && !FEW.iter().any(|few| line.contains(few)) && !is_newest_first(sql) {
                failed.push(format!("{line}\n    {sql}"));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What is read backwards from the newest row, whatever it holds, and ends at its limit.
fn is_newest_first(sql: &str) -> bool {
    let ends = ["ORDER BY a.id DESC LIMIT ?", "ORDER BY seq DESC LIMIT 1"];
    !sql.contains("WHERE") && ends.iter().any(|end| sql.ends_with(end))
}

fn plan(conn: &Connection, sql: &str) -> Vec<String> {
    let Ok(mut explain) = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")) else {
        panic!("cannot explain {sql}");
    };
    let lines = explain.raw_query().mapped(|row| row.get(3));
    lines.map(Result::unwrap).collect()
}

/// Does all that desks, pages and the writer do, and gives the statements that it took.
fn run_all() -> BTreeSet<String> {
    let seen = Arc::new(Mutex::new(BTreeSet::new()));
    let mut conn = in_memory::connect().unwrap();
    let statements = Arc::clone(&seen);
    let see = move |event: TraceEvent<'_>| {
        if let TraceEvent::Stmt(statement, _) = event {
            let sql = statement.sql().trim().to_owned();
            statements.lock().unwrap().insert(sql);
        }
    };
    conn.trace_v2(TraceEventCodes::SQLITE_TRACE_STMT, Some(see))
        .unwrap();
    let me = Uuid::now_v7();
    let lease = Duration::from_secs(30);
    let mut committer = Committer::new(conn, me, None, CommitCounters::default(), lease).unwrap();
    write_all(&mut committer, me);
    read_all(committer.connection(), me);
    let words = ["SELECT", "INSERT", "UPDATE", "DELETE"];
    let seen = seen.lock().unwrap();
    let of_tables = seen
        .iter()
        .filter(|sql| words.iter().any(|word| sql.starts_with(word)));
    of_tables.cloned().collect()
}

fn write_all(committer: &mut Committer, me: Uuid) {
    let mut commit = |batch: Vec<Write>| {
        let result = committer.commit(vec![batch]).pop();
        result.unwrap().unwrap();
    };
    let (call, gone) = (call(me), call(Uuid::from_u128(7)));
    let (ask, other) = (
        ask_of(call.id, Ask::confirm("Go?")),
        ask_of(None, Ask::confirm("Stop?")),
    );
    let (id, name) = (call.id, || "build".to_owned());
    let start = Write::StartStep {
        call: id,
        epoch: 1,
        name: name(),
        occurrence: 0,
        label: None,
        at: at(1),
    };
    let finish = Write::FinishStep {
        call: id,
        epoch: 1,
        name: name(),
        occurrence: 0,
        result: Value::Null,
        label: None,
        at: at(2),
    };
    let note = |kind| Write::Note {
        call: Some(call.id),
        ask: Some(ask.id),
        kind,
        body: json!({}),
        at: at(3),
    };
    let given = grant(ask.id);
    commit(vec![
        Write::OpenCall(call.clone()),
        Write::OpenAsk(ask.clone()),
    ]);
    commit(vec![
        Write::OpenCall(gone.clone()),
        Write::OpenAsk(other.clone()),
    ]);
    commit(vec![
        start,
        finish,
        note(EventKind::AgentGone),
        note(EventKind::Shown),
    ]);
    commit(vec![
        Write::Refuse {
            ask: other.id,
            refusals: 0,
            channel: ChannelKind::Client,
            errors: Vec::new(),
            takes_away: false,
            at: at(4),
        },
        Write::Extend {
            ask: other.id,
            deadline_at: Some(at(90)),
            by: "ada".into(),
            at: at(5),
        },
        Write::TimeOut(decided(other.id, holdpoint_ask::Outcome::TimedOut)),
    ]);
    commit(vec![
        Write::SettleOwn {
            call: call.id,
            epoch: 1,
            decision: decided(ask.id, yes()),
        },
        Write::IssueGrant(given.clone()),
        Write::RedeemGrant {
            required: false,
            grant: given.id,
            digest: given.digest,
            purpose: given.purpose.clone(),
            principal: given.principal.clone(),
            at: given.issued_at,
        },
        Write::DropParcel { ask: ask.id },
    ]);
    commit(vec![
        Write::FinishCall {
            call: call.id,
            epoch: 1,
            result: Arc::new(Value::Null),
            at: at(6),
        },
        Write::TakeOver {
            call: gone.id,
            epoch: 1,
            owner: me,
            at: at(7),
        },
        Write::Renew {
            owner: me,
            until: at(99),
        },
        Write::NotePin {
            after: 0,
            ask: None,
            kind: EventKind::PinSet,
            body: json!({}),
            at: at(8),
        },
    ]);
    // Nothing is known any more: rows are read from their tables.
    committer.check_foreign();
    committer.renew(std::time::Instant::now() + Duration::from_secs(60));
}

fn read_all(conn: &Connection, me: Uuid) {
    let (call, ask) = (call(me), ask_of(None, Ask::confirm("Go?")));
    query::ask(conn, ask.id).unwrap();
    query::call(conn, call.id).unwrap();
    for dangerous in [None, Some(true)] {
        for before in [None, Some(ask.id)] {
            for principal in [None, Some("ada".to_owned())] {
                let open = AskQuery {
                    open: true,
                    dangerous,
                    before,
                    principal,
                    ..AskQuery::default()
                };
                query::asks(conn, &open).unwrap();
                query::asks(
                    conn,
                    &AskQuery {
                        limit: Some(50),
                        ..open
                    },
                )
                .unwrap();
            }
        }
    }
    query::asks(
        conn,
        &AskQuery {
            call: Some(call.id),
            ..AskQuery::default()
        },
    )
    .unwrap();
    query::asks(
        conn,
        &AskQuery {
            limit: Some(50),
            ..AskQuery::default()
        },
    )
    .unwrap();
    query::open_asks(conn).unwrap();
    query::unfinished_calls(conn, CallBinding::from(&*call), me).unwrap();
    query::latest_step(conn, "build", None).unwrap();
    query::latest_steps(conn, "build", None).unwrap();
    query::grant(conn, grant(ask.id).id).unwrap();
    query::unused_grants(conn, "scope").unwrap();
    query::events(conn, 0, 100).unwrap();
    query::guard_events(conn, &EventKind::PIN, 1).unwrap();
    query::head(conn).unwrap();
    query::parcel(conn, ask.id).unwrap();
    query::calls(
        conn,
        &CallQuery {
            limit: 20,
            ..CallQuery::default()
        },
    )
    .unwrap();
    history::history(conn, ask.id).unwrap();
    let pruned = "WHERE kind = 'pruned' ORDER BY seq DESC LIMIT 1";
    query::select_events(conn, pruned, []).unwrap();
}
