//! Runs of scripts in the record, as people list, find and read them.

use super::{
    json,
    made::{made, run},
    support::{Home, stderr, stdout},
};
use holdpoint::{
    CallId, Origin,
    journal::{Journal as _, NewCall, SqliteJournal, Write},
};
use serde_json::json as value;
use std::sync::Arc;

/// The record of five asks, with a run that made a commit between the third and the fourth.
fn with_run() -> (Home, String) {
    let home = made();
    let journal = SqliteJournal::open(home.journal()).unwrap();
    let at = |time: &str| time.parse().unwrap();
    let mut id = [0; 16];
    id[..8].copy_from_slice(&0x019f_9a00_000a_7abc_u64.to_be_bytes());
    let call = CallId::from_bytes(id);
    let new = NewCall {
        id: call,
        origin: Origin {
            principal: "shell:ann".into(),
            server: Some("holdpoint".into()),
            client: Some("ann's shell".into()),
            client_name: None,
            tool: Some("release_cut".into()),
            workspace: Some("/work/shop".into()),
        },
        method: "script".into(),
        arguments: value!({ "version": "2.0" }),
        flow_version: "release.js 9f2c".into(),
        owner: journal.owner(),
        opened_at: at("2026-11-02T11:30:00Z"),
        run: true,
    };
    let start = |name: &str, label: &str| Write::StartStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: Some(label.into()),
        at: at("2026-11-02T11:30:01Z"),
    };
    let finish = Write::FinishStep {
        call,
        epoch: 1,
        name: "run 1".into(),
        occurrence: 0,
        result: value!({ "at": "…", "ended": { "done": { "code": 0 } } }),
        label: Some("exit code 0".into()),
        at: at("2026-11-02T11:30:02Z"),
    };
    let batch = vec![
        Write::OpenCall(Arc::new(new)),
        start("run 1", "git commit -m 'Version 2.0'"),
        finish,
        start("run 2", "git push\u{1b}[2J"),
        Write::FinishCall {
            call,
            epoch: 1,
            result: Arc::new(value!({ "tool": {
                "content": [{ "type": "text", "text": "result: released" }],
                "structuredContent": { "result": "released" },
            } })),
            at: at("2026-11-02T11:30:09Z"),
        },
    ];
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(journal.commit(batch)).unwrap();
    (home, call.to_string())
}

#[test]
fn what_a_script_did_is_found_and_shown() {
    let (home, id) = with_run();
    for args in [&["log", "git commit"][..], &["log", "search", "git commit"]] {
        let output = run(&home, args);
        assert!(output.status.success(), "{}", stderr(&output));
        let said = stdout(&output);
        let lines: Vec<_> = said.lines().collect();
        let first = "  ran       2026-11-02 11:30:00  holdpoint · release_cut, for ann's shell: git commit -m";
        assert!(
            lines[0].starts_with(&format!("{}{first}", &id[28..])),
            "{said}"
        );
        assert!(
            lines[1].ends_with("ended     2026-11-02 11:30:09  Done."),
            "{said}"
        );
        assert_eq!(lines.len(), 2, "{said}");
    }
    let whole = stdout(&run(&home, &["log", "show", &id[..23]]));
    assert_eq!(whole, stdout(&run(&home, &["log", "show", &id[28..]])));
    for part in [
        "release.js 9f2c",
        "/work/shop",
        r#"{"version":"2.0"}"#,
        "git commit -m 'Version 2.0' (exit code 0)",
        "git push⟨U+001B⟩[2J (started; its end is not recorded)",
        "Done.  2026-11-02 11:30:09",
        "result: released",
    ] {
        assert!(whole.contains(part), "{part}: {whole}");
    }
    assert!(!whole.contains('\u{1b}'));
    let told = json(&home, &["log", "show", &id, "--json"]);
    assert_eq!(told["steps"][0]["label"], "git commit -m 'Version 2.0'");
    assert_eq!(told["steps"][0]["cameTo"], "exit code 0");
    assert_eq!(told["status"], "done");
    let verified = run(&home, &["log", "verify"]);
    assert!(verified.status.success(), "{}", stdout(&verified));
}

#[test]
fn asks_and_runs_are_one_list_and_pages_go_through_both() {
    let (home, id) = with_run();
    let mut seen = Vec::new();
    let mut before = None::<String>;
    loop {
        let mut args = vec!["log", "--json", "-n", "1"];
        if let Some(before) = &before {
            args.extend(["--before", before]);
        }
        let page = json(&home, &args);
        let items = ["asks", "runs"].map(|kind| page[kind].as_array().unwrap().clone());
        let items: Vec<_> = items.concat();
        assert_eq!(items.len(), 1, "{page}");
        seen.push(items[0]["id"].as_str().unwrap()[..13].to_owned());
        match page["next"].as_str() {
            Some(next) => before = Some(next.to_owned()),
            None => break,
        }
    }
    let ids = ["5", "4", "a", "3", "2", "1"].map(|last| format!("019f9a00-000{last}"));
    assert_eq!(seen, ids);
    assert!(id.starts_with(&ids[2]));
    let only_asks = json(&home, &["log", "--json", "--outcome", "accepted"]);
    assert_eq!(
        only_asks["runs"],
        value!([]),
        "runs have no outcome of an ask"
    );
}

#[test]
fn a_run_in_the_terminal_that_asks_nothing_is_on_record() {
    let home = super::support::new_home();
    home.work_file("count.js", "/** @param {string} word - the word\n@param {string} [token] - a secret */\nexport function* letters({ word }) { return word.length; }");
    let done = run(
        &home,
        &[
            "run", "count.js", "letters", "--word", "hello", "--token", "hunter2",
        ],
    );
    assert!(done.status.success(), "{}", stderr(&done));
    let found = json(&home, &["log", "--json", "count.js", "hello"]);
    let told = &found["runs"][0];
    assert_eq!(told["tool"], "count_letters", "{found}");
    assert_eq!(told["status"], "done");
    assert_eq!(
        told["arguments"],
        value!({ "word": "hello", "token": "••••" })
    );
    assert_eq!(told["workspace"], home.workspace().to_str().unwrap());
    assert!(told["endedAt"].is_string() && found["asks"] == value!([]));
    let all = stdout(&run(&home, &["log", "export"]));
    assert_eq!(all.lines().count(), 2, "called and finished: {all}");
    assert!(!all.contains("hunter2"), "{all}");
}
