//! What agents find of their own decisions, and nobody else's.

use crate::setup;
use holdpoint::{
    Ask, ChannelKind, Decision, Field, Form, Holdpoint, Kind, Origin, Outcome, ToolServer,
    journal::{NewAsk, Write, jiff::Timestamp},
};
use holdpoint_testkit::{Conversation, ERAS, Era, StandSetup, ToolStand, accept, decline};
use holdpoint_tools::{ElicitTools, RecordTools};
use rmcp::model::Implementation;
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

const SEARCH: &str = "search_decisions";
const STATS: &str = "decision_stats";

/// A stand whose record is in a file, with an index; in memory every ask is looked at.
async fn stand_in_a_file() -> (tempfile::TempDir, ToolStand) {
    let folder = tempfile::tempdir().unwrap();
    let journal = format!("sqlite:{}", folder.path().join("journal.db").display());
    let setup = StandSetup { journal, ..setup() };
    (folder, setup.stand().await)
}

/// Where the calls of a stand come from.
fn origin(stand: &ToolStand) -> Origin {
    Origin {
        server: Some("holdpoint".into()),
        principal: "local".into(),
        client: Some("vscode 1.110".into()),
        client_name: Some("vscode".into()),
        tool: Some("elicit_confirm".into()),
        workspace: Some(stand.path().to_str().unwrap().into()),
    }
}

/// Puts an ask with its end on record, opened so many hours after the first.
async fn put(
    stand: &ToolStand,
    origin: Origin,
    hours: i64,
    ask: Ask,
    end: Option<(Outcome, Option<ChannelKind>, u64)>,
) -> String {
    let opened = Timestamp::from_second(1_785_000_000 + 3_600 * hours).unwrap();
    let new = NewAsk::new(ask, origin, opened);
    let id = new.id;
    let mut batch = vec![Write::OpenAsk(Arc::new(new))];
    if let Some((outcome, channel, duration_ms)) = end {
        let took = Duration::from_millis(duration_ms);
        let mut decision = Decision::new(id, outcome, opened + took);
        decision.answered_by = channel.map(|_| "ann".to_owned());
        (decision.channel, decision.duration_ms) = (channel, duration_ms);
        batch.push(Write::Settle(decision));
    }
    stand.desk.journal().commit(batch).await.unwrap();
    id.to_string()
}

fn accepted(value: Value) -> Outcome {
    Outcome::Accepted(value.as_object().unwrap().clone())
}

/// Five asks: two yes, one no, one that timed out, one open.
async fn fill(stand: &ToolStand) -> Vec<String> {
    let yes = || accepted(json!({ "confirmed": true }));
    let no = Outcome::Declined {
        reason: Some("not on a Friday".into()),
    };
    let plans = Origin {
        tool: Some("request_plan_approval".into()),
        ..origin(stand)
    };
    let confirm = |message: &str| Ask::confirm(message);
    let client = Some(ChannelKind::Client);
    let inbox = Some(ChannelKind::Inbox);
    let own = origin(stand);
    vec![
        put(
            stand,
            own.clone(),
            0,
            confirm("Deploy to Zürich?"),
            Some((yes(), client, 1_000)),
        )
        .await,
        put(
            stand,
            own.clone(),
            1,
            confirm("Deploy to Bern?"),
            Some((no, inbox, 3_000)),
        )
        .await,
        put(
            stand,
            plans,
            2,
            confirm("Approve the plan?"),
            Some((yes(), inbox, 8_000)),
        )
        .await,
        put(
            stand,
            own.clone(),
            30,
            confirm("Anybody?"),
            Some((Outcome::TimedOut, None, 300_000)),
        )
        .await,
        put(stand, own, 31, confirm("Still open?"), None).await,
    ]
}

fn ids(found: &Value) -> Vec<&str> {
    let found = found["decisions"].as_array().unwrap();
    found
        .iter()
        .map(|one| one["askId"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_decision_is_found_by_what_is_said_of_it() {
    let (_kept, stand) = stand_in_a_file().await;
    let asks = fill(&stand).await;
    for era in ERAS {
        let mut client = Conversation::new(&stand, era).await;
        for (arguments, wanted) in [
            (json!({}), &[3, 2, 1, 0][..]),
            (json!({ "text": "deploy" }), &[1, 0]),
            (json!({ "text": "friday BERN" }), &[1]),
            (json!({ "text": "\"to zurich\"" }), &[0]),
            (json!({ "tool": "plan" }), &[2]),
            (json!({ "status": "declined" }), &[1]),
            (json!({ "status": "pending" }), &[4]),
            (json!({ "channel": "inbox" }), &[2, 1]),
            (json!({ "from": "2026-07-26" }), &[3]),
            (json!({ "until": "2026-07-25T18:00:00Z" }), &[0]),
            (
                json!({ "from": "2026-07-25T18:00:00Z", "until": "2026-07-25T19:00:00Z" }),
                &[1],
            ),
            (json!({ "from": "1h" }), &[]),
            (json!({ "text": "nothing like it" }), &[]),
        ] {
            let ended = stand
                .drive(&mut client, SEARCH, arguments.clone(), &[])
                .await;
            let wanted: Vec<_> = wanted.iter().map(|place: &usize| &asks[*place]).collect();
            assert_eq!(ids(&ended.body), wanted, "{arguments}");
            assert!(!ended.error && ended.body["proceed"] == false);
        }
        let said = stand
            .drive(&mut client, SEARCH, json!({ "text": "bern" }), &[])
            .await;
        assert_eq!(
            said.body["decisions"][0],
            json!({
                "askId": asks[1], "status": "declined", "message": "Deploy to Bern?",
                "tool": "elicit_confirm", "askedAt": "2026-07-25T18:20:00Z",
                "decidedAt": "2026-07-25T18:20:03Z", "channel": "inbox", "answeredBy": "ann",
                "durationMs": 3_000, "reason": "not on a Friday",
            })
        );
        let yes = stand
            .drive(&mut client, SEARCH, json!({ "text": "zürich" }), &[])
            .await;
        assert_eq!(
            yes.body["decisions"][0]["answer"],
            json!({ "confirmed": true })
        );
        assert_eq!(yes.body["proceed"], false);
        assert!(yes.next().contains("permit nothing now"), "{}", yes.next());
        let mut pages = Vec::new();
        let mut page = json!({ "limit": 2 });
        loop {
            let found = stand
                .drive(&mut client, SEARCH, page.clone(), &[])
                .await
                .body;
            pages.push(ids(&found).len());
            let Some(next) = found.get("next") else { break };
            page["before"] = next.clone();
        }
        assert_eq!(pages, [2, 2]);
    }
}

#[tokio::test]
async fn counts_have_rates_and_times_together_and_by_group() {
    let (_kept, stand) = stand_in_a_file().await;
    fill(&stand).await;
    for era in ERAS {
        let counted = stand
            .run(era, STATS, json!({ "groupBy": "tool" }), &[])
            .await;
        let all = [
            "asks",
            "ended",
            "successRate",
            "timedOutRate",
            "byStatus",
            "response",
        ];
        assert_eq!(
            counted.fields(&all),
            json!({
                "asks": 5, "ended": 4, "successRate": 0.5, "timedOutRate": 0.25,
                "byStatus": { "accepted": 2, "declined": 1, "pending": 1, "timed_out": 1 },
                "response": { "answered": 3, "p50Ms": 3_000, "p90Ms": 8_000, "meanMs": 4_000 },
            })
        );
        let groups = &counted.body["groups"];
        assert_eq!(
            groups[0],
            json!({
                "name": "elicit_confirm", "asks": 4, "ended": 3, "accepted": 1, "timedOut": 1,
                "successRate": 0.3333, "timedOutRate": 0.3333,
                "response": { "answered": 2, "p50Ms": 1_000, "p90Ms": 3_000, "meanMs": 2_000 },
            })
        );
        assert_eq!(groups[1]["name"], "request_plan_approval");
        assert_eq!(groups[1]["successRate"], 1.0);
        for (by, names) in [
            ("channel", &["inbox", "client"][..]),
            ("status", &["accepted", "declined", "pending", "timed_out"]),
            ("client", &["vscode 1.110"]),
        ] {
            let counted = stand.run(era, STATS, json!({ "groupBy": by }), &[]).await;
            let groups = counted.body["groups"].as_array().unwrap();
            let found: Vec<_> = groups
                .iter()
                .map(|group| group["name"].as_str().unwrap())
                .collect();
            assert_eq!(found, names, "{by}");
        }
        let days = stand
            .run(era, STATS, json!({ "groupBy": "day" }), &[])
            .await;
        let days = days.body["groups"].as_array().unwrap();
        let asks: u64 = days.iter().map(|day| day["asks"].as_u64().unwrap()).sum();
        assert!(asks == 5 && days.len() > 1, "{days:?}");
        let none = stand.run(era, STATS, json!({ "from": "1h" }), &[]).await;
        let rates = none.fields(&["asks", "ended", "successRate", "response"]);
        assert_eq!(
            rates,
            json!({ "asks": 0, "ended": 0, "successRate": null, "response": null })
        );
    }
}

/// Another principal, another workspace, another server: each over the same record.
fn others(stand: &ToolStand) -> [Holdpoint<ToolServer>; 3] {
    let tools = ToolServer::new(
        Implementation::new("another-server", "1"),
        "",
        [
            Arc::new(ElicitTools::new()) as Arc<dyn holdpoint::ToolSource>,
            Arc::new(RecordTools::new()),
        ],
    );
    let another = tools.over(stand.desk.clone()).unwrap();
    [
        stand.server.clone().principal(|_| Some("eve".into())),
        stand.server.clone().workspace("/elsewhere"),
        another.workspace(stand.path().to_str().unwrap()),
    ]
}

#[tokio::test]
async fn nobody_finds_or_counts_what_is_anothers() {
    let (_kept, on_disk) = stand_in_a_file().await;
    let in_memory = setup().stand().await;
    for stand in [on_disk, in_memory] {
        let asks = fill(&stand).await;
        for (place, other) in others(&stand).into_iter().enumerate() {
            for era in ERAS {
                let mut client =
                    Conversation::with(other.clone(), era, json!({ "elicitation": {} })).await;
                for arguments in [
                    json!({}),
                    json!({ "status": "pending" }),
                    json!({ "text": "deploy" }),
                    json!({ "text": "ann" }),
                    json!({ "text": stand.path() }),
                    json!({ "from": "2020-01-01", "limit": 100 }),
                ] {
                    let found = stand
                        .drive(&mut client, SEARCH, arguments.clone(), &[])
                        .await;
                    assert_eq!(found.body["decisions"], json!([]), "{place} {arguments}");
                }
                for arguments in [json!({}), json!({ "text": "deploy", "groupBy": "tool" })] {
                    let counted = stand.drive(&mut client, STATS, arguments, &[]).await;
                    assert_eq!(counted.body["asks"], 0, "{place}");
                    assert!(!counted.text.contains("elicit_confirm"), "{}", counted.text);
                }
                // A page cannot be begun at another's ask, which looks like one that never was.
                let mut refusals = Vec::new();
                for before in [
                    asks[3].as_str(),
                    "019f9a00-0000-7000-8000-000000000000",
                    "x",
                ] {
                    let page = json!({ "before": before });
                    let refused = stand.drive(&mut client, SEARCH, page, &[]).await;
                    assert!(refused.error, "{place} {before}");
                    refusals.push(refused.text);
                }
                refusals.dedup();
                assert_eq!(refusals.len(), 1, "{refusals:?}");
            }
            // One's own is found among them.
            let yes = accept(json!({ "confirmed": true }));
            let ask = json!({ "message": "Mine?" });
            let mut client =
                Conversation::with(other, Era::Modern, json!({ "elicitation": {} })).await;
            stand
                .drive(&mut client, "elicit_confirm", ask, &[yes])
                .await;
            let found = stand.drive(&mut client, SEARCH, json!({}), &[]).await;
            assert_eq!(ids(&found.body).len(), 1, "{place}");
        }
        let own = stand
            .run(Era::Modern, SEARCH, json!({ "limit": 100 }), &[])
            .await;
        assert_eq!(ids(&own.body).len(), 4);
    }
}

#[tokio::test]
async fn secrets_are_not_there_and_nothing_is_hidden() {
    let stand = setup().stand().await;
    let form = Form::string_input("user").field(Field::new("token", Kind::Secret));
    let answer = accepted(json!({ "user": "a\u{202e}da", "token": { "secret": "given" } }));
    let ask = Ask::new(format!("Sign in\u{1b}[2J {}", "x".repeat(500)), form);
    let end = Some((answer, Some(ChannelKind::Inbox), 5));
    put(&stand, origin(&stand), 0, ask, end).await;
    for era in ERAS {
        let found = stand.run(era, SEARCH, json!({}), &[]).await;
        let one = &found.body["decisions"][0];
        let message = one["message"].as_str().unwrap();
        assert!(
            message.starts_with("Sign in") && message.ends_with('…'),
            "{message}"
        );
        assert!(message.chars().count() < 220, "{message}");
        for said in [&found.text, &found.body.to_string()] {
            assert!(!said.contains("hunter2"), "{said}");
            assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
        }
        let by_secret = stand
            .run(era, SEARCH, json!({ "text": "hunter2" }), &[])
            .await;
        assert_eq!(by_secret.body["decisions"], json!([]));
    }
}

#[tokio::test]
async fn what_does_not_fit_is_refused_by_name() {
    let stand = setup().stand().await;
    for (tool, arguments, name) in [
        (SEARCH, json!({ "limit": 0 }), "limit"),
        (SEARCH, json!({ "limit": 101 }), "limit"),
        (SEARCH, json!({ "status": "yes" }), "status"),
        (SEARCH, json!({ "channel": "No Such!" }), "channel"),
        (SEARCH, json!({ "from": "soon" }), "from"),
        (SEARCH, json!({ "until": "tomorrow" }), "until"),
        (SEARCH, json!({ "from": "1d", "until": "2d" }), "until"),
        (SEARCH, json!({ "before": "../x" }), "before"),
        (SEARCH, json!({ "text": "x".repeat(501) }), "text"),
        (SEARCH, json!({ "principal": "eve" }), "principal"),
        (SEARCH, json!({ "workspace": "/" }), "workspace"),
        (STATS, json!({ "groupBy": "principal" }), "groupBy"),
        (STATS, json!({ "from": "99999999y" }), "from"),
    ] {
        let refused = stand.run(Era::Modern, tool, arguments.clone(), &[]).await;
        assert!(refused.error, "{arguments}");
        assert!(
            refused.text.contains(&format!("`{name}`")),
            "{}",
            refused.text
        );
    }
}

/// A decision that is found is not a decision that is made.
#[tokio::test(start_paused = true)]
async fn looking_writes_nothing_and_permits_nothing() {
    let stand = setup().stand().await;
    for era in ERAS {
        let ask = json!({ "message": "Deploy?" });
        stand.run(era, "elicit_confirm", ask, &[decline()]).await;
        let before = stand.desk.journal().head().await.unwrap();
        for tool in [SEARCH, STATS] {
            let looked = stand.run(era, tool, json!({}), &[]).await;
            assert_eq!(looked.body["proceed"], false);
            assert_eq!(looked.body.get("status"), None);
        }
        assert_eq!(stand.desk.journal().head().await.unwrap(), before);
    }
}
