//! A record that is the same every time.

use super::support::{Home, new_home};
use holdpoint::{
    Ask, AskId, CallId, ChannelKind, Decision, Field, FieldError, Form, Kind, Origin, Outcome,
    field::{Choice, Pick, Text},
    journal::{Journal as _, NewAsk, NewCall, SqliteJournal, Write},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{process::Output, sync::Arc, time::Duration};

/// Runs the binary in one place of the world.
pub fn run(home: &Home, args: &[&str]) -> Output {
    home.command(args).env("TZ", "UTC").output().unwrap()
}

/// A home whose journal has five asks.
pub fn made() -> Home {
    let home = new_home();
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let call = Arc::new(NewCall {
        id: CallId::from_bytes(bytes(9)),
        origin: origin("holdpoint", "request_plan_approval", "vscode 1.110"),
        method: "tools/call".into(),
        arguments: json!({}),
        flow_version: "1".into(),
        owner: journal.owner(),
        opened_at: at("2026-11-01T08:59:58Z"),
        run: false,
    });
    let of_call = Some(call.id);
    let step = |name: &str, when: &str| Write::StartStep {
        call: call.id,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(when),
    };
    let done = |name: &str, result: Value, when: &str| Write::FinishStep {
        call: call.id,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        result,
        label: None,
        at: at(when),
    };
    let batch = vec![
        Write::OpenCall(call.clone()),
        step("read the plan", "2026-11-01T08:59:58Z"),
        done("read the plan", json!("…"), "2026-11-01T08:59:59Z"),
        ask(
            1,
            of_call,
            plan(),
            origin("holdpoint", "request_plan_approval", "vscode 1.110"),
            "2026-11-01T09:00:00Z",
        ),
        Write::Refuse {
            ask: id(1),
            refusals: 0,
            takes_away: false,
            channel: ChannelKind::Inbox,
            errors: vec![FieldError::new("decision", "Choose one of the options.")],
            at: at("2026-11-01T09:00:05Z"),
        },
        decide(
            1,
            json!({"decision": "approve", "feedback": "keep it small"}),
            12_000,
            "2026-11-01T09:00:12Z",
        ),
        step("write the plan", "2026-11-01T09:00:12Z"),
        done(
            "write the plan",
            json!({"file": "plans/retry.md"}),
            "2026-11-01T09:00:13Z",
        ),
        step("push", "2026-11-01T09:00:13Z"),
        ask(
            2,
            None,
            Ask::confirm("Drop the table `users`?\u{202e}").dangerous(),
            origin("holdpoint", "elicit_confirm", "vscode 1.110"),
            "2026-11-01T10:00:00Z",
        ),
        end(
            2,
            Outcome::Declined {
                reason: Some("not on a Friday".into()),
            },
            Some(ChannelKind::Terminal),
            61_000,
            "2026-11-01T10:01:01Z",
        ),
        ask(
            3,
            None,
            Ask::confirm("Go on?"),
            origin("holdpoint", "elicit_confirm", "cursor 2.0"),
            "2026-11-02T11:00:00Z",
        ),
        fast(3, "2026-11-02T11:00:00.040Z"),
        ask(
            4,
            None,
            Ask::confirm("Deploy to production?"),
            origin("release-mcp", "elicit_confirm", "codex 0.9"),
            "2026-11-02T12:00:00Z",
        ),
        end(4, Outcome::TimedOut, None, 300_000, "2026-11-02T12:05:00Z"),
        ask(
            5,
            None,
            Ask::choose("Which region?", ["eu-west-1", "us-east-2"]),
            origin("holdpoint", "elicit_choice", "vscode 1.110"),
            "2026-11-05T09:00:00Z",
        ),
    ];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(journal.commit(batch)).unwrap();
    home
}

/// A home whose journal has one ask, of a server, a tool and a client of this name.
pub fn asked_by(name: &str) -> Home {
    let home = new_home();
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let go = Ask::confirm("Go on?");
    let asked = ask(
        1,
        None,
        go,
        origin(name, name, name),
        "2026-11-01T09:00:00Z",
    );
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(journal.commit(vec![asked])).unwrap();
    home
}

fn plan() -> Ask {
    let options = vec![
        Pick::new("approve").label("✅ Approve - Start Implementation"),
        Pick::new("cancel").label("❌ Cancel Task"),
    ];
    let choice = Choice {
        options,
        ..Choice::default()
    };
    let form = Form::new()
        .field(Field::new("decision", Kind::Choice(choice)).title("Plan Approval Decision"))
        .field(
            Field::new("feedback", Kind::Text(Text::default()))
                .title("Feedback")
                .optional(),
        );
    Ask::new("**Approve the plan?**\n\nRetry uploads, in 2 phases.", form)
        .details("1. Backoff\n2. Limits")
}

fn bytes(number: u8) -> [u8; 16] {
    [
        0x01, 0x9f, 0x9a, 0x00, 0x00, number, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, number,
    ]
}

fn id(number: u8) -> AskId {
    AskId::from_bytes(bytes(number))
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

fn origin(server: &str, tool: &str, client: &str) -> Origin {
    Origin {
        server: Some(server.into()),
        principal: "local".into(),
        client: Some(client.into()),
        tool: Some(tool.into()),
        workspace: Some("/home/ada/demo".into()),
        ..Origin::default()
    }
}

fn ask(number: u8, call: Option<CallId>, ask: Ask, origin: Origin, when: &str) -> Write {
    Write::OpenAsk(Arc::new(NewAsk {
        id: id(number),
        call,
        key: "001".into(),
        deadline_at: Some(at(when) + Duration::from_secs(300)),
        ..NewAsk::new(ask, origin, at(when))
    }))
}

fn decide(number: u8, answer: Value, millis: u64, when: &str) -> Write {
    let answer = answer.as_object().cloned().unwrap();
    end(
        number,
        Outcome::Accepted(answer),
        Some(ChannelKind::Inbox),
        millis,
        when,
    )
}

fn fast(number: u8, when: &str) -> Write {
    let answer = json!({"confirmed": true}).as_object().cloned().unwrap();
    let end = end(
        number,
        Outcome::Accepted(answer),
        Some(ChannelKind::Client),
        40,
        when,
    );
    let Write::Settle(mut decision) = end else {
        unreachable!()
    };
    decision.fast = true;
    Write::Settle(decision)
}

fn end(
    number: u8,
    outcome: Outcome,
    channel: Option<ChannelKind>,
    millis: u64,
    when: &str,
) -> Write {
    let mut decision = Decision::new(id(number), outcome, at(when));
    decision.channel = channel;
    decision.answered_by = channel.map(|_| "ann".into());
    decision.duration_ms = millis;
    Write::Settle(decision)
}
