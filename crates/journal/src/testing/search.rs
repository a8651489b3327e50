//! What people find.

use super::fixture::{Fixture, answer, ask_of, at, decided, origin};
use crate::{Search, Status, Write};
use holdpoint_ask::{Ask, AskId, ChannelKind, Field, Form, Kind, Origin, Outcome};
use serde_json::json;
use std::{sync::Arc, time::Duration};

/// One ask of the scene, opened so many minutes into it.
struct Scene {
    minute: i64,
    ask: Ask,
    server: Option<&'static str>,
    tool: Option<&'static str>,
    client: &'static str,
    end: Option<(Outcome, Option<ChannelKind>, u64)>,
}

fn scene() -> Vec<Scene> {
    let accepted = |value| Outcome::Accepted(answer(value));
    let form = Form::string_input("user").field(Field::new("token", Kind::Secret));
    vec![
        Scene {
            minute: 0,
            ask: Ask::confirm("Deploy to Zürich?").details("```diff\n+ src/main.rs\n```"),
            server: Some("holdpoint"),
            tool: Some("elicit_confirm"),
            client: "vscode 1.110",
            end: Some((
                accepted(json!({"confirmed": true})),
                Some(ChannelKind::Inbox),
                12_000,
            )),
        },
        Scene {
            minute: 1,
            ask: Ask::choose("Which region?", ["eu-west-1", "us-east-2"]),
            server: Some("holdpoint"),
            tool: Some("elicit_choice"),
            client: "cursor 2.0",
            end: Some((
                accepted(json!({"choice": "eu-west-1"})),
                Some(ChannelKind::Client),
                90,
            )),
        },
        Scene {
            minute: 2,
            ask: Ask::confirm("Drop the table?").dangerous(),
            server: Some("release-mcp"),
            tool: Some("elicit_confirm"),
            client: "vscode 1.110",
            end: Some((
                Outcome::Declined {
                    reason: Some("not before the STRASSE backup".into()),
                },
                Some(ChannelKind::Terminal),
                61_000,
            )),
        },
        Scene {
            minute: 3,
            ask: Ask::new("Sign in", form),
            server: None,
            tool: None,
            client: "codex 0.9",
            end: Some((
                accepted(json!({"user": "ada", "token": {"secret": "given"}})),
                Some(ChannelKind::Inbox),
                5_000,
            )),
        },
        Scene {
            minute: 4,
            ask: Ask::confirm("Deploy to 東京都?"),
            server: Some("holdpoint"),
            tool: Some("request_plan_approval"),
            client: "vscode 1.110",
            end: Some((Outcome::TimedOut, None, 300_000)),
        },
        Scene {
            minute: 5,
            ask: Ask::confirm("Delete build_artifacts/out.o -> trash?"),
            server: Some("release-mcp"),
            tool: Some("elicit_confirm"),
            client: "cursor 2.0",
            end: None,
        },
    ]
}

async fn fill(fixture: &Fixture) -> Vec<AskId> {
    let mut ids = Vec::new();
    for scene in scene() {
        let mut ask = (*ask_of(None, scene.ask)).clone();
        ask.opened_at = at(60 * scene.minute);
        ask.origin.server = scene.server.map(str::to_owned);
        ask.origin.tool = scene.tool.map(str::to_owned);
        ask.origin.client = Some(scene.client.into());
        ids.push(ask.id);
        let mut batch = vec![Write::OpenAsk(Arc::new(ask))];
        if let Some((outcome, channel, duration_ms)) = scene.end {
            let mut decision = decided(ids[ids.len() - 1], outcome);
            (decision.channel, decision.duration_ms) = (channel, duration_ms);
            decision.answered_by = channel.map(|_| "ann".into());
            batch.push(Write::Settle(decision));
        }
        fixture.commit(batch).await;
    }
    ids
}

fn words(line: &str) -> Search {
    Search {
        words: Search::split(line),
        ..Search::default()
    }
}

async fn check(fixture: &Fixture, ids: &[AskId], search: Search, wanted: &[usize]) {
    let found = fixture.journal.search(search.clone()).await.unwrap();
    let found: Vec<_> = found.asks.iter().map(|ask| ask.id).collect();
    let wanted: Vec<_> = wanted.iter().map(|index| ids[*index]).collect();
    assert_eq!(found, wanted, "{}: {search:?}", fixture.name);
}

pub async fn words_are_found_wherever_they_stand(fixture: &Fixture) {
    let ids = fill(fixture).await;
    for (line, wanted) in [
        ("", &[5, 4, 3, 2, 1, 0][..]),
        ("deploy", &[4, 0]),
        ("DEPLOY zurich", &[0]),
        ("zürich", &[0]),
        ("ürich", &[0]),
        ("eploy tokyo", &[]),
        ("京", &[4]),
        ("src/main.rs", &[0]),
        ("c/main.r", &[0]),
        ("c/mai.r", &[]),
        ("eu", &[1]),
        ("st-1", &[1]),
        ("straße", &[2]),
        ("\"the straße\"", &[2]),
        ("\"straße the\"", &[]),
        ("ann", &[3, 2, 1, 0]),
        ("artifacts", &[5]),
        ("d_a", &[5]),
        ("->", &[5]),
        ("-> out.o", &[5]),
        ("vscode", &[4, 2, 0]),
        ("release-mcp", &[5, 2]),
        ("release-mcp cursor", &[5]),
        ("demo", &[5, 4, 3, 2, 1, 0]),
        ("given", &[]),
        ("\" \"", &[5, 4, 3, 2, 1, 0]),
        ("OR AND NOT", &[]),
        ("\u{0} %", &[]),
    ] {
        check(fixture, &ids, words(line), wanted).await;
    }
}

pub async fn everything_that_is_asked_for_must_hold(fixture: &Fixture) {
    let ids = fill(fixture).await;
    let check = async |edit: &dyn Fn(&mut Search), wanted: &[usize]| {
        let mut search = Search::default();
        edit(&mut search);
        check(fixture, &ids, search, wanted).await;
    };
    let some = |text: &str| Some(text.to_owned());
    check(&|search| search.tool = some("confirm"), &[5, 2, 0]).await;
    check(&|search| search.tool = some("ELICIT"), &[5, 2, 1, 0]).await;
    check(&|search| search.tool = some("nothing"), &[]).await;
    check(&|search| search.client = some("cursor"), &[5, 1]).await;
    check(&|search| search.server = some("RELEASE"), &[5, 2]).await;
    let of_one = |search: &mut Search| {
        (search.server, search.tool) = (some("holdpoint"), some("confirm"));
    };
    check(&of_one, &[0]).await;
    let of_plan = |search: &mut Search| (search.tool, search.client) = (some("plan"), some("1.1"));
    check(&of_plan, &[4]).await;
    let status =
        |status: &'static [Status]| move |search: &mut Search| search.status = status.into();
    check(&status(&[Status::Pending]), &[5]).await;
    check(&status(&[Status::Accepted]), &[3, 1, 0]).await;
    check(&status(&[Status::TimedOut, Status::Declined]), &[4, 2]).await;
    let by_inbox = |search: &mut Search| search.channel = Some(ChannelKind::Inbox);
    check(&by_inbox, &[3, 0]).await;
    check(&|search| search.since = Some(at(120)), &[5, 4, 3, 2]).await;
    check(&|search| search.until = Some(at(120)), &[1, 0]).await;
    let between =
        |search: &mut Search| (search.since, search.until) = (Some(at(60)), Some(at(180)));
    check(&between, &[2, 1]).await;
    let slower = |millis| {
        move |search: &mut Search| search.slower_than = Some(Duration::from_millis(millis))
    };
    check(&slower(12_000), &[4, 2]).await;
    check(&slower(11_999), &[4, 2, 0]).await;
    let drops = |search: &mut Search| {
        (search.words, search.tool) = (Search::split("vscode drop"), some("confirm"));
    };
    check(&drops, &[2]).await;
    let deploy = || Search::split("deploy");
    let open = |search: &mut Search| {
        (search.words, search.status) = (deploy(), vec![Status::Pending]);
    };
    check(&open, &[]).await;
    let later = |search: &mut Search| (search.words, search.since) = (deploy(), Some(at(60)));
    check(&later, &[4]).await;
}

pub async fn pages_go_back(fixture: &Fixture) {
    let ids = fill(fixture).await;
    let page = |before, limit| Search {
        before,
        limit: Some(limit),
        ..Search::default()
    };
    for (search, wanted, more) in [
        (page(None, 4), &[5, 4, 3, 2][..], true),
        (page(Some(ids[2]), 4), &[1, 0], false),
        (page(Some(ids[2]), 2), &[1, 0], false),
        (page(Some(ids[5]), 1), &[4], true),
        (page(Some(ids[0]), 1), &[], false),
        (page(None, 0), &[], true),
    ] {
        let found = fixture.journal.search(search.clone()).await.unwrap();
        assert_eq!(found.more, more, "{}: {search:?}", fixture.name);
        check(fixture, &ids, search, wanted).await;
    }
    let unknown = fixture.journal.search(page(Some(AskId::new()), 1)).await;
    let error = unknown.unwrap_err().to_string();
    assert!(error.contains("page back"), "{error}");
}

/// Whoever looks for their own asks finds no other's: not by words, not by paging back from one.
pub async fn a_caller_finds_only_its_own(fixture: &Fixture) {
    let ids = fill(fixture).await;
    let caller = |edit: &dyn Fn(&mut Origin)| {
        let mut caller = Origin {
            server: Some("holdpoint".into()),
            ..origin()
        };
        edit(&mut caller);
        Search {
            seen_by: Some(caller),
            ..Search::default()
        }
    };
    let own = caller(&|_| ());
    check(fixture, &ids, own.clone(), &[4, 1, 0]).await;
    let with = |line: &str| Search {
        words: Search::split(line),
        ..own.clone()
    };
    check(fixture, &ids, with("deploy"), &[4, 0]).await;
    check(fixture, &ids, with("drop"), &[]).await;
    check(fixture, &ids, with("trash"), &[]).await;
    let release = caller(&|caller| caller.server = Some("release-mcp".into()));
    check(fixture, &ids, release, &[5, 2]).await;
    check(fixture, &ids, caller(&|caller| caller.server = None), &[3]).await;
    // What is a part of a name is another name.
    for edit in [
        &(|caller: &mut Origin| caller.server = Some("hold".into())) as &dyn Fn(&mut Origin),
        &|caller| caller.principal = "eve".into(),
        &|caller| caller.principal = String::new(),
        &|caller| caller.principal = "ADA".into(),
        &|caller| caller.workspace = None,
        &|caller| caller.workspace = Some("/work/demo/".into()),
    ] {
        check(fixture, &ids, caller(edit), &[]).await;
    }
    // Its own pages go on from its own asks; another's, and one that never was, look the same.
    let page = |before| Search {
        before: Some(before),
        limit: Some(1),
        ..own.clone()
    };
    check(fixture, &ids, page(ids[4]), &[1]).await;
    let error = async |before| {
        let found = fixture.journal.search(page(before)).await;
        let error = found.unwrap_err().to_string();
        error.replace(&before.to_string(), "ID")
    };
    let unknown = error(AskId::new()).await;
    for others in [ids[5], ids[3], ids[2]] {
        assert_eq!(error(others).await, unknown, "{}", fixture.name);
    }
    let count = fixture.journal.stats(page(ids[5]), jiff::tz::TimeZone::UTC);
    assert!(count.await.is_err(), "{}", fixture.name);
}

pub async fn what_happens_later_is_found_at_once(fixture: &Fixture) {
    let ids = fill(fixture).await;
    check(fixture, &ids, words("trash"), &[5]).await;
    check(fixture, &ids, words("trash bob"), &[]).await;
    let mut decision = decided(ids[5], Outcome::Declined { reason: None });
    decision.answered_by = Some("bob".into());
    fixture.one(Write::Settle(decision)).await;
    check(fixture, &ids, words("trash bob"), &[5]).await;
    let gone = Search {
        status: vec![Status::Pending],
        ..words("trash")
    };
    check(fixture, &ids, gone, &[]).await;
    if let Some(other_process) = &fixture.other_process {
        let found = other_process.search(words("trash bob")).await.unwrap();
        assert_eq!(found.asks.len(), 1);
    }
    fixture.check_sound().await;
}
