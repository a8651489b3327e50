//! `holdpoint journal copy` and `journal check`, the real binary.

use super::{json, made, run};
use crate::support::{Home, stderr, stdout};
use serde_json::Value;
use std::fs;

fn copy(home: &Home, to: &str) -> std::process::Output {
    let from = format!("sqlite:{}", home.journal().display());
    run(home, &["journal", "copy", &from, to])
}

fn elsewhere(home: &Home, name: &str) -> String {
    format!("sqlite:{}", home.root().join(name).display())
}

#[test]
fn a_journal_is_copied_with_its_keys_and_goes_on_from_there() {
    let home = made();
    let to = elsewhere(&home, "copies/journal.db");
    let copied = copy(&home, &to);
    assert!(copied.status.success(), "{}", stderr(&copied));
    let said = stdout(&copied);
    assert!(
        said.contains("16 events were copied, 0 were there"),
        "{said}"
    );
    let head = &json(&home, &["log", "verify", "--json"])["head"];
    assert!(said.contains(head.as_str().unwrap()), "{said}");
    let there = |args: &[&str]| json(&home, &[args, &["--json", "--journal", &to]].concat());
    assert_eq!(there(&["log", "verify"])["head"], *head);
    assert_eq!(
        there(&["log"])["asks"],
        json(&home, &["log", "--json"])["asks"]
    );
    let exported = |more: &[&str]| stdout(&run(&home, &[&["log", "export"], more].concat()));
    assert_eq!(exported(&["--journal", &to]), exported(&[]));
    // Again: nothing is left to copy. Then one attempt more, which is recorded.
    assert!(stdout(&copy(&home, &to)).contains("0 events were copied, 16"));
    assert!(!run(&home, &["pin", "set"]).status.success());
    assert!(stdout(&copy(&home, &to)).contains("1 events were copied, 16"));
    // The key of the page is the same at both ends.
    let page = |journal: &str| fs::read(format!("{journal}-keys/page"));
    let _ = run(&home, &["token", "list"]);
    if let Ok(key) = page(&home.journal().display().to_string()) {
        copy(&home, &to);
        assert_eq!(page(to.strip_prefix("sqlite:").unwrap()).unwrap(), key);
    }
}

#[test]
fn what_cannot_be_copied_is_refused() {
    let home = made();
    let other = made();
    let check = |output: std::process::Output, why: &str| {
        assert_eq!(output.status.code(), Some(1), "{why}");
        assert!(stderr(&output).contains(why), "{why}: {}", stderr(&output));
    };
    // Another record.
    assert!(!run(&other, &["pin", "set"]).status.success());
    let to = format!("sqlite:{}", other.journal().display());
    check(copy(&home, &to), "are not the first");
    check(copy(&home, "memory:"), "ends with its process");
    let nowhere = elsewhere(&home, "nowhere.db");
    check(
        run(
            &home,
            &["journal", "copy", &nowhere, &elsewhere(&home, "new.db")],
        ),
        "there is no journal at",
    );
    assert!(!home.root().join("new.db").exists());
    // One that somebody has open.
    let to = elsewhere(&home, "open.db");
    let path = home.root().join("open.db");
    let open = holdpoint::journal::SqliteJournal::open(&path).unwrap();
    check(copy(&home, &to), "another process has the journal open");
    drop(open);
    // One that was changed.
    let raw = rusqlite::Connection::open(home.journal()).unwrap();
    raw.execute("UPDATE events SET at = at + 1 WHERE seq = 3", [])
        .unwrap();
    drop(raw);
    check(copy(&home, &to), "has a flaw at event 3");
    assert!(stdout(&run(&home, &["log", "--journal", &to])).is_empty());
    // An agent hands no keys on, and the attempt is recorded.
    let home = made();
    let from = format!("sqlite:{}", home.journal().display());
    let new = elsewhere(&home, "agents.db");
    let mut command = home.command(&["journal", "copy", &from, &new]);
    let output = command.env("CLAUDECODE", "1").output().unwrap();
    check(output, "run by an agent");
    assert!(!home.root().join("agents.db").exists());
    let odd = stdout(&run(&home, &["log", "odd"]));
    assert!(odd.contains("holdpoint journal copy"), "{odd}");
}

#[test]
fn check_says_what_keeps_the_record() {
    let home = made();
    let checked = json(&home, &["journal", "check", "--json"]);
    for (name, wanted) in [
        ("ok", Value::from(true)),
        ("version", 6.into()),
        ("lowestVersion", 5.into()),
        ("events", 16.into()),
        ("pruned", 0.into()),
        ("openAsks", 1.into()),
        ("lost", Value::Null),
    ] {
        assert_eq!(checked[name], wanted, "{name}: {checked}");
    }
    assert!(checked["engine"].as_str().unwrap().starts_with("SQLite 3."));
    assert!(checked["bytes"].as_u64() > Some(1000));
    let said = stdout(&run(&home, &["journal", "check"]));
    for wanted in [
        "version 6; a program must know version 5",
        "asks    1 open",
        "nothing is missing",
    ] {
        assert!(said.contains(wanted), "{said}");
    }
    let raw = rusqlite::Connection::open(home.journal()).unwrap();
    raw.execute("UPDATE asks SET refusals = 7", []).unwrap();
    drop(raw);
    let wrong = run(&home, &["journal", "check", "--json"]);
    assert_eq!(wrong.status.code(), Some(1));
    let wrong: Value = serde_json::from_str(&stdout(&wrong)).unwrap();
    assert_eq!(wrong["ok"], false);
    assert!(!wrong["flaws"].as_array().unwrap().is_empty());
    let said = run(&home, &["journal", "check"]);
    assert_eq!(said.status.code(), Some(1));
    assert!(stdout(&said).contains("compare it with a backup"));
}

#[test]
fn a_journal_goes_to_postgresql_and_back() {
    let home = made();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(test_postgres::Server::shared().database());
    let (there, back) = (database.url(), elsewhere(&home, "back.db"));
    let head = json(&home, &["log", "verify", "--json"])["head"].clone();
    let copied = copy(&home, &there);
    let said = format!("{}{}", stdout(&copied), stderr(&copied));
    assert!(copied.status.success(), "{said}");
    assert!(
        said.contains("16 events were copied, 0 were there"),
        "{said}"
    );
    assert!(!said.contains(&database.password), "{said}");
    let looked = |url: &str, args: &[&str]| {
        let output = run(&home, &[args, &["--journal", url]].concat());
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    let verified: Value =
        serde_json::from_str(&looked(&there, &["log", "verify", "--json"])).unwrap();
    assert_eq!((&verified["ok"], &verified["head"]), (&true.into(), &head));
    let own = format!("sqlite:{}", home.journal().display());
    for args in [&["log", "export"][..], &["log"], &["log", "stats"]] {
        assert_eq!(looked(&there, args), looked(&own, args), "{args:?}");
    }
    // What happened meanwhile follows, and all of it comes back.
    assert!(!run(&home, &["pin", "set"]).status.success());
    assert!(stdout(&copy(&home, &there)).contains("1 events were copied, 16"));
    let output = run(&home, &["journal", "copy", &there, &back]);
    assert!(output.status.success(), "{}", stderr(&output));
    let export = ["log", "export"];
    assert_eq!(looked(&back, &export), looked(&own, &export));
    let checked: Value =
        serde_json::from_str(&looked(&there, &["journal", "check", "--json"])).unwrap();
    assert!(
        checked["engine"]
            .as_str()
            .unwrap()
            .starts_with("PostgreSQL")
    );
    assert_eq!(
        (&checked["ok"], &checked["events"]),
        (&true.into(), &17.into())
    );
}
