//! Runs of scripts, and how people find them.

use super::fixture::{Fixture, at, call};
use crate::{NewCall, RunSearch, Write};
use holdpoint_ask::{CallId, short_id};
use serde_json::json;
use std::sync::Arc;

/// Opens a run that takes these steps, and ends it unless it is still under way.
async fn run(fixture: &Fixture, tool: &str, minute: i64, steps: &[&str], ends: bool) -> CallId {
    let mut new = NewCall::clone(&call(fixture.journal.owner()));
    (new.run, new.opened_at) = (true, at(minute * 60));
    new.origin.tool = Some(tool.into());
    new.flow_version = "studio 1.0, release.js 9f2c".into();
    let id = new.id;
    let mut batch = vec![Write::OpenCall(Arc::new(new))];
    for (place, label) in steps.iter().enumerate() {
        let name = format!("run {place}");
        batch.push(Write::StartStep {
            call: id,
            epoch: 1,
            name: name.clone(),
            occurrence: 0,
            label: Some((*label).to_owned()),
            at: at(minute * 60 + 1),
        });
        batch.push(Write::FinishStep {
            call: id,
            epoch: 1,
            name,
            occurrence: 0,
            result: json!({ "stdout": "hidden in the result" }),
            label: Some("exit code 0".into()),
            at: at(minute * 60 + 2),
        });
    }
    if ends {
        batch.push(Write::FinishCall {
            call: id,
            epoch: 1,
            result: Arc::new(json!({ "done": true })),
            at: at(minute * 60 + 3),
        });
    }
    fixture.journal.commit(batch).await.unwrap();
    id
}

async fn check(fixture: &Fixture, search: RunSearch, expected: &[CallId]) {
    let found = fixture.journal.runs(search.clone()).await.unwrap();
    let ids: Vec<_> = found.runs.iter().map(|run| run.call.id).collect();
    assert_eq!(ids, expected, "{}: {search:?}", fixture.name);
}

fn words(words: &[&str]) -> RunSearch {
    RunSearch {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        ..RunSearch::default()
    }
}

pub async fn runs_are_found_by_what_they_did(fixture: &Fixture) {
    let first = run(
        fixture,
        "release_cut",
        0,
        &["git commit -m 'Fix Zürich'", "git push"],
        true,
    )
    .await;
    let second = run(
        fixture,
        "notes_add",
        1,
        &["write notes/a.md (12 bytes)"],
        true,
    )
    .await;
    let open = run(fixture, "release_cut", 2, &["git commit --amend"], false).await;
    let silent = run(fixture, "notes_count", 3, &[], true).await;
    // A call that is no run is found by its asks only.
    fixture
        .one(Write::OpenCall(call(fixture.journal.owner())))
        .await;
    let all = [silent, open, second, first];
    // Twice: the index is filled the first time, and used the second.
    for _ in 0..2 {
        check(fixture, words(&[]), &all).await;
        check(fixture, words(&["git commit"]), &[open, first]).await;
        check(fixture, words(&["commit", "zurich"]), &[first]).await;
        check(fixture, words(&["notes/a.md"]), &[second]).await;
        check(fixture, words(&["release.js"]), &all).await;
        check(fixture, words(&["production"]), &all).await;
        check(fixture, words(&["hidden in the result"]), &[]).await;
        check(fixture, words(&["exit code 0", "push"]), &[first]).await;
    }
    let end = Write::FinishCall {
        call: open,
        epoch: 1,
        result: Arc::new(json!(null)),
        at: at(300),
    };
    fixture.one(end).await;
    check(fixture, words(&["amend"]), &[open]).await;
    let found = fixture.journal.runs(words(&["amend"])).await.unwrap();
    assert!(found.runs[0].call.run && found.runs[0].call.result.is_some());
    fixture.check_sound().await;
}

pub async fn runs_are_found_by_everything_that_is_asked_for(fixture: &Fixture) {
    let first = run(fixture, "release_cut", 0, &[], true).await;
    let second = run(fixture, "notes_add", 1, &[], true).await;
    let third = run(fixture, "notes_add", 2, &[], true).await;
    let of = |change: &dyn Fn(&mut RunSearch)| {
        let mut search = RunSearch::default();
        change(&mut search);
        search
    };
    let tool = of(&|search| search.tool = Some("NOTES".into()));
    check(fixture, tool, &[third, second]).await;
    check(
        fixture,
        of(&|search| search.client = Some("cursor".into())),
        &[],
    )
    .await;
    check(
        fixture,
        of(&|search| search.server = Some("stud".into())),
        &[third, second, first],
    )
    .await;
    check(
        fixture,
        of(&|search| search.since = Some(at(60))),
        &[third, second],
    )
    .await;
    check(fixture, of(&|search| search.until = Some(at(60))), &[first]).await;
    check(
        fixture,
        of(&|search| search.before = Some(third)),
        &[second, first],
    )
    .await;
    let part = short_id(&second).parse().ok();
    check(fixture, of(&|search| search.part = part.clone()), &[second]).await;
    let one = of(&|search| search.limit = Some(1));
    let found = fixture.journal.runs(one).await.unwrap();
    assert!(found.more && found.runs.len() == 1 && found.runs[0].call.id == third);
}
