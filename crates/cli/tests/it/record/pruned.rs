//! `holdpoint journal prune`: a person at a terminal, and nobody else.

use super::{json, made, run};
use crate::support::{Home, person::Person, stderr, stdout};
use serde_json::Value;

const ARGS: [&str; 4] = ["journal", "prune", "--before", "2026-11-05"];

fn kinds(home: &Home) -> Vec<String> {
    let exported = stdout(&run(home, &["log", "export"]));
    let lines = exported.lines();
    let kind = |line: &str| -> String {
        let event: Value = serde_json::from_str(line).unwrap();
        event["kind"].as_str().unwrap().to_owned()
    };
    lines.map(kind).collect()
}

#[test]
fn a_person_prunes_what_is_over() {
    let home = made();
    let head = json(&home, &["log", "verify", "--json"])["head"].clone();
    let dry = run(&home, &[&ARGS[..], &["--dry-run"]].concat());
    let said = stdout(&dry);
    assert!(said.contains("were over before"), "{said}{}", stderr(&dry));
    assert_eq!(json(&home, &["log", "verify", "--json"])["head"], head);

    let mut person = Person::runs(&home, &ARGS, &[]);
    person
        .sees("DANGEROUS")
        .sees("Esc to leave")
        .types("yes\r")
        .sees("prune")
        .types("\u{1b}");
    person.killed();
    assert!(!kinds(&home).contains(&"pruned".to_owned()));

    let mut person = Person::runs(&home, &ARGS, &[]);
    person
        .sees("DANGEROUS")
        .sees("cannot use the journal afterwards")
        .sees("Esc to leave")
        .types("prune\r");
    person.sees("were pruned.").sees("the chain is whole");
    assert_eq!(person.code(), 0);

    let verified = json(&home, &["log", "verify", "--json"]);
    assert_eq!(verified["ok"], true);
    // What was asked first, with the reply that did not fit, and the three that came after it.
    assert_eq!(verified["pruned"], 9, "{verified}");
    let said = stdout(&run(&home, &["log", "verify"]));
    assert!(said.contains("were pruned: the chain is whole"), "{said}");
    // Who said so is on record: the ask, its answer, and what went.
    let kinds = kinds(&home);
    let last: Vec<_> = kinds.iter().rev().take(3).rev().collect();
    assert_eq!(last.last().unwrap().as_str(), "pruned", "{kinds:?}");
    assert!(kinds[16..].contains(&"decided".to_owned()), "{kinds:?}");
    // What is gone is said, wherever one looks for it.
    let listed = run(&home, &["log"]);
    assert!(
        stderr(&listed).contains("were pruned by"),
        "{}",
        stderr(&listed)
    );
    assert!(
        !stdout(&listed).contains("019f9a00-0002"),
        "{}",
        stdout(&listed)
    );
    let shown = run(&home, &["log", "show", "019f9a00-0002"]);
    assert_eq!(shown.status.code(), Some(1));
    assert!(
        stderr(&shown).contains("among what went"),
        "{}",
        stderr(&shown)
    );
    let odd = stdout(&run(&home, &["log", "odd"]));
    assert!(odd.contains("were pruned by"), "{odd}");
    let checked = json(&home, &["journal", "check", "--json"]);
    assert_eq!(checked["lowestVersion"], 6);
    // The open ask is there, and nothing is left to prune.
    let open = json(&home, &["log", "--json", "--outcome", "pending"]);
    assert_eq!(open["asks"].as_array().unwrap().len(), 1);
    let dry = stdout(&run(&home, &[&ARGS[..], &["--dry-run"]].concat()));
    assert!(dry.contains("left to prune"), "{dry}");
}

#[test]
fn nobody_else_does() {
    let home = made();
    // Without a terminal, and inside an agent.
    let piped = run(&home, &ARGS);
    assert_eq!(piped.status.code(), Some(1));
    assert!(stderr(&piped).contains("recorded"), "{}", stderr(&piped));
    let (seen, status) = Person::runs(&home, &ARGS, &[("CLAUDECODE", "1")]).ends();
    assert_eq!(status.exit_code(), 1);
    assert!(seen.contains("run by an agent"), "{seen}");
    // What is younger than a day stays, and a flaw stays to be looked at.
    let young = run(&home, &["journal", "prune", "--before", "1h", "--dry-run"]);
    assert_eq!(young.status.code(), Some(1));
    assert!(stderr(&young).contains("younger than a day"));
    let raw = rusqlite::Connection::open(home.journal()).unwrap();
    raw.execute("UPDATE events SET at = at + 1 WHERE seq = 3", [])
        .unwrap();
    drop(raw);
    let mut person = Person::runs(&home, &ARGS, &[]);
    person.sees("nothing may go");
    assert_eq!(person.code(), 1);
    let kinds = kinds(&home);
    assert!(!kinds.contains(&"pruned".to_owned()));
    let attempts = kinds.iter().filter(|kind| *kind == "agent_answered");
    assert_eq!(attempts.count(), 2);
}
