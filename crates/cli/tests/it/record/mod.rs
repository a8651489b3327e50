//! `holdpoint log`, the real binary over a record that was made for it.

mod copied;
mod made;
#[cfg(unix)]
mod pruned;
mod runs;
mod words;

use crate::support::{self, Home, new_home, stderr, stdout};
use made::{asked_by, made, run};
use serde_json::Value;
use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

fn json(home: &Home, args: &[&str]) -> Value {
    let output = run(home, args);
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn as_people_see_it() {
    let home = made();
    for (name, args) in [
        ("list", &["log"][..]),
        ("show", &["log", "show", "019f9a00-0001"]),
        ("show open", &["log", "show", "019f9a00-0005"]),
        ("stats", &["log", "stats"]),
        ("stats by tool", &["log", "stats", "--by", "tool"]),
        (
            "stats by day",
            &["log", "stats", "--by", "day", "--until", "2026-11-02"],
        ),
    ] {
        let output = run(&home, args);
        assert!(output.status.success(), "{}", stderr(&output));
        insta::assert_snapshot!(name, stdout(&output));
    }
    let verified = stdout(&run(&home, &["log", "verify"]));
    let sound = "16 events: the chain is whole\nhead  ";
    assert!(verified.starts_with(sound), "{verified}");
}

#[test]
fn names_of_others_stay_in_their_line() {
    let name = "x\n019f9a00-0007  decided  Accepted by ann\u{1b}[2J\u{202e}";
    let home = asked_by(name);
    let listed = stdout(&run(&home, &["log"]));
    assert_eq!(listed.lines().count(), 1, "{listed}");
    let shown = stdout(&run(&home, &["log", "show", "019f9a00-0001"]));
    let about: Vec<_> = shown.lines().skip(1).take(5).collect();
    for (line, what) in about.iter().zip(["server", "tool", "client", "workspace"]) {
        assert!(line.trim_start().starts_with(what), "{shown}");
    }
    assert_eq!(about[4], "", "{shown}");
    let counted = stdout(&run(&home, &["log", "stats"]));
    for text in [listed, shown, counted] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text}");
        assert!(!text.contains("\n019f9a00-0007"), "{text}");
    }
}

#[test]
fn words_and_filters() {
    let home = made();
    let check = |args: &[&str], wanted: &[&str]| {
        let args: Vec<_> = ["log", "--json"].iter().chain(args).copied().collect();
        let found = json(&home, &args);
        let asks = found["asks"].as_array().unwrap().iter();
        let ids: Vec<_> = asks.map(|ask| &ask["id"].as_str().unwrap()[..13]).collect();
        let wanted: Vec<_> = wanted
            .iter()
            .map(|last| format!("019f9a00-000{last}"))
            .collect();
        assert_eq!(ids, wanted, "{args:?}");
    };
    check(&[], &["5", "4", "3", "2", "1"]);
    check(&["drop"], &["2"]);
    check(&["plan", "approve"], &["1"]);
    check(&["the table"], &["2"]);
    check(&["table the"], &[]);
    check(&["--tool", "plan"], &["1"]);
    check(&["release-mcp"], &["4"]);
    check(&["--server", "release"], &["4"]);
    check(&["--server", "holdpoint", "--tool", "confirm"], &["3", "2"]);
    check(&["--client", "cursor"], &["3"]);
    check(&["--outcome", "declined,timed_out"], &["4", "2"]);
    check(&["--outcome", "pending"], &["5"]);
    check(&["--channel", "client"], &["3"]);
    check(&["--since", "2026-11-02"], &["5", "4", "3"]);
    check(&["--until", "2026-11-01"], &["2", "1"]);
    check(&["--until", "2026-11-01T09:30"], &["1"]);
    check(&["--slower-than", "30s"], &["4", "2"]);
    check(&["--limit", "2"], &["5", "4"]);
    check(&["--limit", "2", "--before", "019f9a00-0003"], &["2", "1"]);
    check(&["--limit", "0"], &["5", "4", "3", "2", "1"]);
    check(&["--", "stats"], &[]);
    let first = json(&home, &["log", "--json", "-n", "1"]);
    assert_eq!(first["next"], first["asks"][0]["id"]);
}

#[test]
fn asked_decided_and_executed_are_entries_of_their_own() {
    let home = made();
    let ask = json(&home, &["log", "show", "019f9a000001", "--json"]);
    assert_eq!(ask["status"], "accepted");
    assert_eq!(ask["server"], "holdpoint");
    assert_eq!(ask["asked"]["at"], "2026-11-01T09:00:00Z");
    assert_eq!(ask["decided"]["at"], "2026-11-01T09:00:12Z");
    assert_eq!(ask["decided"]["content"]["decision"], "approve");
    let executed = ask["executed"].as_array().unwrap();
    let steps: Vec<_> = executed.iter().map(|deed| deed["step"].as_str()).collect();
    assert_eq!(steps, [Some("write the plan"), Some("push")]);
    assert_eq!(executed[1]["endedAt"], Value::Null, "it was interrupted");
    let kinds: Vec<_> = ask["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| &event["kind"])
        .collect();
    assert_eq!(
        kinds,
        [
            "called",
            "step_started",
            "step_finished",
            "asked",
            "refused",
            "decided",
            "step_started",
            "step_finished",
            "step_started"
        ]
    );
}

#[test]
fn every_event_is_exported() {
    let home = made();
    let lines = |args: &[&str]| -> Vec<Value> {
        let output = run(&home, args);
        let text = stdout(&output);
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    let all = lines(&["log", "export"]);
    let places: Vec<_> = all
        .iter()
        .map(|event| event["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(places, (1..=all.len() as u64).collect::<Vec<_>>());
    assert_eq!(lines(&["log", "export", "--after", "3"]), all[3..]);
    let day = lines(&[
        "log",
        "export",
        "--since",
        "2026-11-02",
        "--until",
        "2026-11-02",
    ]);
    assert!(!day.is_empty() && day.len() < all.len());
    assert!(
        day.iter()
            .all(|event| event["at"].as_str().unwrap().starts_with("2026-11-02"))
    );
    let asked = all.iter().filter(|event| event["kind"] == "asked");
    let servers: Vec<_> = asked
        .map(|event| &event["body"]["origin"]["server"])
        .collect();
    let holdpoint = "holdpoint";
    assert_eq!(
        servers,
        [holdpoint, holdpoint, holdpoint, "release-mcp", holdpoint]
    );
    let head = json(&home, &["log", "verify", "--json"]);
    assert_eq!(head["head"], all[all.len() - 1]["hash"]);
}

#[test]
fn a_change_of_the_record_is_found() {
    let home = made();
    let before = json(&home, &["log", "verify", "--json"]);
    assert_eq!(
        (&before["ok"], &before["flaws"]),
        (&true.into(), &Value::Array(vec![]))
    );
    let head = before["head"].as_str().unwrap();
    assert!(
        run(&home, &["log", "verify", "--head", head])
            .status
            .success()
    );
    let other = run(&home, &["log", "verify", "--head", &"0".repeat(64)]);
    assert_eq!(other.status.code(), Some(1));
    assert!(stdout(&other).contains("is not in the chain"));

    let raw = rusqlite::Connection::open(home.journal()).unwrap();
    let changed = raw.execute(
        "UPDATE events SET body = replace(body, 'declined', 'accepted') WHERE kind = 'decided'",
        [],
    );
    assert!(changed.unwrap() > 0);
    let output = run(&home, &["log", "verify"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stdout(&output).contains("was changed"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn what_is_wrong_is_said() {
    let home = made();
    let check = |args: &[&str], code: i32, what: &str| {
        let output = run(&home, args);
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains(what), "{args:?}: {said}");
    };
    check(&["log", "nothing of this"], 0, "Nothing was found.");
    check(&["log", "show", "ffff"], 1, "has an id with ffff in it");
    check(&["log", "show", "019f9a00"], 1, "several have 019f9a00");
    check(&["log", "show", "019f9a00"], 1, "00000002  Drop the table");
    check(&["log", "show", "deploy"], 1, "`deploy` is not an id");
    check(&["log", "--since", "soon"], 2, "expected 2h, 3d, today");
    check(&["log", "--slower-than", "5"], 2, "such as 30s");
    check(&["log", "--outcome", "yes"], 2, "accepted");
    check(
        &["log", "--channel", "Pigeon"],
        2,
        "only lower-case letters",
    );
    check(
        &["log", "--channel", "pending"],
        2,
        "a word of Holdpoint's own",
    );
    check(&["log", "--channel", "pigeon"], 0, "Nothing was found.");
    check(&["log", "--journal", "sqlite:"], 1, "the path is missing");
}

#[test]
fn groups_have_rates_and_times_as_json() {
    let home = made();
    let args = |by| ["log", "stats", "--json", "--by", by];
    for (by, key) in [
        ("tool", "byTool"),
        ("server", "byServer"),
        ("client", "byClient"),
        ("channel", "byChannel"),
        ("outcome", "byOutcome"),
        ("day", "byDay"),
    ] {
        let groups = json(&home, &args(by));
        let groups = groups[key].as_array().unwrap();
        assert!(!groups.is_empty(), "{by}");
        for group in groups {
            for field in ["asks", "ended", "accepted", "timedOut"] {
                assert!(group[field].is_u64(), "{by}: {group}");
            }
            let ended = group["ended"].as_u64().unwrap();
            assert_eq!(group["successRate"].is_f64(), ended > 0, "{by}: {group}");
        }
    }
    let wrong = run(&home, &["log", "stats", "--by", "principal"]);
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn looking_makes_no_journal() {
    let home = new_home();
    let output = run(&home, &["log"]);
    assert!(output.status.success());
    assert!(stderr(&output).contains("There is no record yet"));
    assert!(!home.journal().exists());
    let stats = json(&home, &["log", "stats", "--json"]);
    assert_eq!(stats["asks"], 0);
}

#[test]
fn log_verify_of_a_path_that_is_not_there_says_so_and_fails() {
    let home = new_home();
    let elsewhere = format!("sqlite:{}", home.root().join("nowhere.db").display());
    for args in [
        &["log", "verify"][..],
        &["log", "verify", "--journal", &elsewhere],
        &["log", "verify", "--json", "--journal", &elsewhere],
    ] {
        let output = run(&home, args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains("There is no record"), "{args:?}");
        assert_eq!(stdout(&output), "", "nothing is called whole: {args:?}");
    }
    let check = run(&home, &["journal", "check"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(stderr(&check).contains("there is no journal at"));
}

#[test]
fn nothing_is_made_or_migrated_by_being_looked_at() {
    let home = made();
    let folder = home.root().join("copy");
    std::fs::create_dir(&folder).unwrap();
    let copy = folder.join("journal.db");
    std::fs::copy(home.journal(), &copy).unwrap();
    let raw = rusqlite::Connection::open(&copy).unwrap();
    let older = "DROP INDEX guard_events; CREATE INDEX guard_events ON events (seq)
         WHERE kind = 'pin_set'; DROP TABLE schema_version; DROP INDEX pruned_events;
         PRAGMA user_version = 4";
    raw.execute_batch(older).unwrap();
    drop(raw);
    let bytes = std::fs::read(&copy).unwrap();
    let mut permissions = std::fs::metadata(&copy).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&copy, permissions).unwrap();
    let url = format!("sqlite:{}", copy.display());
    for args in [
        &["log"][..],
        &["log", "drop"],
        &["log", "stats"],
        &["log", "show", "019f9a00-0002"],
        &["log", "export"],
        &["log", "verify"],
        &["journal", "check"],
        &["doctor"],
    ] {
        let output = run(&home, &[args, &["--journal", &url]].concat());
        // Doctor may say that it cannot be written, which it will have to be.
        let fine = output.status.success() || args == ["doctor"];
        assert!(fine, "{args:?}: {}", stderr(&output));
        assert_eq!(std::fs::read(&copy).unwrap(), bytes, "{args:?}");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "{args:?}");
    }
}

#[test]
fn the_high_water_mark_tells_of_an_older_copy_until_a_person_accepts_it() {
    let home = made();
    let events = json(&home, &["log", "verify", "--json"])["events"].clone();
    let older = std::fs::read(home.journal()).unwrap();
    // An attempt that is refused, and recorded.
    assert!(!run(&home, &["pin", "set"]).status.success());
    std::fs::write(home.journal(), older).unwrap();

    let verified = run(&home, &["log", "verify", "--json"]);
    assert_eq!(verified.status.code(), Some(1));
    let verified: Value = serde_json::from_str(&stdout(&verified)).unwrap();
    assert_eq!(
        (&verified["ok"], &verified["events"]),
        (&false.into(), &events)
    );
    assert!(verified["lost"]["seq"].as_u64() > events.as_u64());
    let doctor = run(&home, &["doctor"]);
    assert_eq!(doctor.status.code(), Some(1));
    assert!(
        stdout(&doctor).contains("older copy"),
        "{}",
        stdout(&doctor)
    );
    let check = run(&home, &["journal", "check"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(stdout(&check).contains("--accept"), "{}", stdout(&check));

    // Not without a person at a terminal.
    let refused = run(&home, &["journal", "check", "--accept"]);
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(run(&home, &["log", "verify"]).status.code(), Some(1));
    #[cfg(unix)]
    {
        use support::person::Person;
        let args = ["journal", "check", "--accept"];
        let marked = Person::runs(&home, &args, &[("CLAUDECODE", "1")]);
        assert_eq!(marked.code(), 1, "an agent accepts nothing");
        let mut person = Person::runs(&home, &args, &[]);
        person
            .sees("Type `accept`")
            .sees("Esc to leave")
            .types("yes\r");
        person.sees("nothing was accepted");
        assert_eq!(person.code(), 1);
        let mut person = Person::runs(&home, &args, &[]);
        person
            .sees("Type `accept`")
            .sees("Esc to leave")
            .types("accept\r");
        person.sees("the mark starts anew");
        assert_eq!(person.code(), 0);
        assert!(run(&home, &["log", "verify"]).status.success());
        assert!(run(&home, &["journal", "check"]).status.success());
        let all = stdout(&run(&home, &["log", "export"]));
        assert!(all.contains("loss_accepted"), "{all}");
    }
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let home = made();
    let mut command = home.command(&["log", "export"]);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
}
