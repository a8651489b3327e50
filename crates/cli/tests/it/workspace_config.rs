//! A mistake in a repository's own configuration: agents are not served there, and a person's record stays theirs.

use crate::support::{person::*, *};
use serde_json::Value;
use std::process::{Child, Output, Stdio};

const FAULTS: [(&str, &str); 4] = [
    (
        "timeout_seconds = 60\ntool = [\"elicit\"]\n",
        "line 2: unknown key `tool`",
    ),
    (
        "timeout_seconds = 60\nhold_seconds = \n",
        "line 2: this is not valid TOML",
    ),
    (
        "\n\n[trust]\ndangerous = \"client\"\n",
        "line 4: a workspace may not set `trust.dangerous`",
    ),
    ("timeout_seconds = 0\n", "line 1: `timeout_seconds` must be"),
];

fn with_fault(text: &str) -> Home {
    let home = new_home();
    home.work_file(".holdpoint/config.toml", text);
    home
}

/// The one line that says that the file was left out.
#[track_caller]
fn left_out(output: &Output, part: &str) {
    let said = stderr(output);
    let lines: Vec<_> = said
        .lines()
        .filter(|line| line.contains("is left out"))
        .collect();
    assert_eq!(lines.len(), 1, "{said}");
    for part in ["work/.holdpoint/config.toml", part] {
        assert!(lines[0].contains(part), "{part:?} is not in {said}");
    }
}

#[test]
fn agents_are_not_served_and_nobody_is_asked() {
    for (text, part) in FAULTS {
        let home = with_fault(text);
        let refused: [&[&str]; 2] = [&["serve"], &["ask", "confirm", "Go on?", "--wait", "5s"]];
        for args in refused {
            let output = home.run(args);
            assert!(!output.status.success(), "{args:?}");
            let said = stderr(&output);
            assert!(
                said.contains("work/.holdpoint/config.toml"),
                "{args:?}: {said}"
            );
            assert!(said.contains(part), "{args:?}: {said}");
            assert!(!said.contains("left out"), "{args:?}: {said}");
        }
        assert!(!home.journal().exists(), "nobody was asked");
    }
}

#[test]
fn what_is_about_the_persons_own_record_works() {
    for (text, part) in FAULTS {
        let home = with_fault(text);
        let record: [&[&str]; 7] = [
            &["log"],
            &["log", "stats"],
            &["log", "--json"],
            &["inbox"],
            &["inbox", "--json"],
            &["rules", "list"],
            &["token", "list"],
        ];
        for args in record {
            let output = home.run(args);
            assert!(output.status.success(), "{args:?}: {}", stderr(&output));
            left_out(&output, part);
            // What a program reads is not disturbed.
            if args.contains(&"--json") {
                serde_json::from_str::<Value>(&stdout(&output)).unwrap();
            }
        }
        // An ask of a program in another folder, answered from there.
        let mut asking = Elsewhere::asks(&home);
        let (code, page) = Person::ran(&home, &["answer", &asking.id, "yes"]);
        assert_eq!(code, 0, "{page}");
        assert!(
            page.contains("is left out") && page.contains("Approved by"),
            "{page}"
        );
        assert!(asking.child.wait().unwrap().success());
    }
}

/// A program in another folder that asks.
struct Elsewhere {
    child: Child,
    id: String,
}

impl Elsewhere {
    fn asks(home: &Home) -> Self {
        let mut ask = home.command(&["ask", "confirm", "Go on?", "--wait", "1m"]);
        ask.current_dir(home.root())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let child = ask.spawn().unwrap();
        let id = eventually_blocking("the ask", || {
            let mut inbox = home.command(&["inbox", "--json"]);
            let listed = stdout(&inbox.current_dir(home.root()).output().unwrap());
            let listed: Value = serde_json::from_str(&listed).unwrap();
            Some(listed["asks"][0]["id"].as_str()?.to_owned())
        });
        Self { child, id }
    }
}

impl Drop for Elsewhere {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Its other commands too: the mistakes of a folder are not those of the person.
#[test]
fn mistakes_elsewhere_are_still_errors() {
    let home = with_fault("tool = []");
    home.config("inbx = \"off\"");
    let output = home.run(&["log"]);
    assert!(!output.status.success());
    assert!(
        stderr(&output).contains("unknown key `inbx`"),
        "{}",
        stderr(&output)
    );
    let home = with_fault("tool = []");
    let mut log = home.command(&["log"]);
    let output = log.env("HOLDPOINT_FAST_REPLY_MS", "1").output().unwrap();
    assert!(!output.status.success(), "a variable that loosens");
    assert!(stderr(&output).contains("HOLDPOINT_FAST_REPLY_MS"));
}

#[test]
fn doctor_goes_on_and_says_what_it_blocks() {
    let home = with_fault("timeout_seconds = 60\ntool = []\n");
    let output = home.run(&["doctor", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let config = checks
        .iter()
        .find(|check| check["name"] == "config")
        .unwrap();
    assert_eq!(config["state"], "problem");
    assert!(
        config["what"].as_str().unwrap().contains("line 2"),
        "{config}"
    );
    assert!(
        config["mend"].as_str().unwrap().contains("in this folder"),
        "{config}"
    );
    for name in ["journal", "page"] {
        assert!(checks.iter().any(|check| check["name"] == name), "{name}");
    }
}
