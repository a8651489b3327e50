//! What the record says of a run: what it did in words, and that it was at all.
#![cfg(unix)]

use super::stand::*;
use holdpoint::journal::{CallHistory, RunSearch};
use serde_json::json;

/// The runs that these words find.
async fn found(stand: &Stand, words: &[&str]) -> Vec<CallHistory> {
    let search = RunSearch {
        words: words.iter().map(|word| (*word).to_owned()).collect(),
        ..RunSearch::default()
    };
    stand.journal.runs(search).await.unwrap().runs
}

/// What the steps of the only run say, but for what is said of permissions.
async fn labels(stand: &Stand) -> Vec<String> {
    let runs = found(stand, &[]).await;
    let [run] = &runs[..] else {
        panic!("{} runs", runs.len())
    };
    let said = run.steps.iter().map(|step| {
        let (label, end) = (step.label.as_deref(), step.end_label.as_deref());
        format!("{} → {}", label.unwrap_or(&step.name), end.unwrap_or("-"))
    });
    said.filter(|said| !said.contains("may act here")).collect()
}

#[tokio::test]
async fn the_record_says_what_a_script_did() {
    let stand = Stand::new();
    stand.file("notes/a.txt", "hello");
    let source = may(
        "{ run: ['git', 'sh', 'no-such-program'], read: ['notes'], write: ['out'] }",
        r#"yield { run: ['git', 'commit', '-m', "It's two words"] };
           yield { run: ['sh', '-c', 'exit 3'], cwd: 'notes' };
           yield { read: 'notes/a.txt' };
           yield { write: 'out/b.txt', text: 'äbc' };
           try { yield { run: ['no-such-program', '\u202ehidden'] }; } catch {}
           try { yield { read: 'notes/none' }; } catch {}
           yield { run: ['sh', '-c', ': ' + 'x'.repeat(5000)] };
           yield { checkpoint: true, state: 1 };"#,
    );
    stand.run(&source, vec![yes()]).await;
    let said = labels(&stand).await;
    let wanted = [
        r"git commit -m 'It'\''s two words' → exit code 128",
        "sh -c 'exit 3' (in notes) → exit code 3",
        "read notes/a.txt → 5 bytes",
        "write out/b.txt (4 bytes) → -",
        "no-such-program '⟨U+202E⟩hidden' → failed: no-such-program is not there",
        "read notes/none → failed: notes/none is not there",
    ];
    assert_eq!(said[..6], wanted);
    assert!(said[6].starts_with("sh -c ': xxx") && said[6].chars().count() < 450);
    assert_eq!(said[7], "checkpoint → -");
    for words in [
        &["git commit"][..],
        &["two words"],
        &["notes/a.txt"],
        &["exit code 3"],
    ] {
        assert_eq!(found(&stand, words).await.len(), 1, "{words:?}");
    }
    assert!(found(&stand, &["git push"]).await.is_empty());
    assert!(stand.journal.verify().await.unwrap().flaws.is_empty());
}

#[tokio::test]
async fn no_secret_is_in_what_the_record_says() {
    const SECRET: &str = "hunter2/& correct";
    let stand = Stand::new();
    let source = may(
        "{ run: ['sh', 'echo'], write: ['out'], net: ['127.0.0.1'] }",
        r#"const pw = yield { ask: 'password', message: 'Password?' };
           yield { run: ['sh', '-c', 'true', pw, '--key=' + pw] };
           yield { run: ['echo', '--api-key', 'written-into-the-file'] };
           yield { write: 'out/' + pw, text: pw };
           for (const path of ['/p/' + encodeURIComponent(pw), '/x?q=' + encodeURIComponent(pw) + '&page=2#frag', '/x?access_token=abc'])
             try { yield { fetch: 'http://127.0.0.1:1' + path, headers: { authorization: pw } }; } catch {}"#,
    );
    let replies = vec![accept(json!({ "value": SECRET })), yes()];
    stand.run(&source, replies).await;
    let said = labels(&stand).await;
    let starts = [
        "sh -c true •••• --key=•••• → exit code 0",
        "echo --api-key •••• → exit code 0",
        "write out/•••• → ",
        "GET http://127.0.0.1:1/p/•••• → failed: ",
        "GET http://127.0.0.1:1/x?q=••••&page=2 → failed: ",
        "GET http://127.0.0.1:1/x?access_token=•••• → failed: ",
    ];
    assert_eq!(said.len(), starts.len(), "{said:#?}");
    for (said, start) in said.iter().zip(starts) {
        assert!(said.starts_with(start), "{said}");
    }
    let all = format!("{:?}", found(&stand, &[]).await);
    for secret in [SECRET, "hunter2%2F", "correct"] {
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    assert!(found(&stand, &["hunter2"]).await.is_empty());
}

#[tokio::test]
async fn a_run_that_asks_and_does_nothing_is_on_record() {
    let stand = Stand::new();
    let desk = stand.desk(None).await;
    let program =
        program("export function* main({ word, apiKey }) { return word.length + apiKey.length; }");
    let begin = || {
        let given = json!({ "word": "hello", "apiKey": "written-by-somebody" });
        let mut job = stand.job(&program);
        job.arguments = given.as_object().unwrap().clone();
        let heard = stand.heard.clone();
        desk.run(stand.begun(&program).arguments(given), |cx| {
            holdpoint_script::run(cx, job, heard)
        })
    };
    let commits = *desk.journal().commits().borrow();
    let run = begin();
    let result = run.ended().await.unwrap();
    assert_eq!(body(&result)["result"], 24);
    assert_eq!(
        *desk.journal().commits().borrow() - commits,
        1,
        "one commit"
    );
    let runs = found(&stand, &["hello"]).await;
    let call = &runs[0].call;
    assert_eq!(call.id, run.id());
    assert!(call.run && runs[0].steps.is_empty() && runs[0].asks.is_empty());
    assert_eq!(call.arguments, json!({ "word": "hello", "apiKey": "••••" }));
    assert_eq!(call.origin.workspace, stand.origin().workspace);
    assert!(call.flow_version.starts_with("script.js "));
    assert!(call.result.is_some() && call.ended_at.is_some_and(|end| end >= call.opened_at));
    assert!(stand.journal.verify().await.unwrap().flaws.is_empty());
}

#[tokio::test]
async fn a_run_that_fails_is_on_record_and_one_that_was_not_begun_is_not() {
    let stand = Stand::new();
    stand
        .run(&main("throw new Error('too late');"), Vec::new())
        .await;
    let runs = found(&stand, &[]).await;
    let result = runs[0].call.result.as_ref().unwrap().to_string();
    assert!(result.contains("too late"), "{result}");

    let stand = Stand::new();
    let desk = stand.desk(None).await;
    let program = program("/** @param {string} word */\nexport function* main({ word }) {}");
    stand.begin(&desk, &program).ended().await.unwrap();
    assert!(
        found(&stand, &[]).await.is_empty(),
        "its arguments did not fit"
    );
}
