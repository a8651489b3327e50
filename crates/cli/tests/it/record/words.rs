//! Words behind `holdpoint log`: commands, what is searched for, and where the record is.

use super::{
    json,
    made::{made, run},
    support::{Home, new_home, stderr, stdout},
};
use std::{
    io::{BufRead as _, BufReader},
    process::Stdio,
};

#[test]
fn commands_do_what_they_say_and_every_word_can_be_searched_for() {
    let home = made();
    let said = |args: &[&str]| {
        let output = run(&home, args);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    let all = said(&["log"]);
    for args in [&["log", "list"][..], &["log", "ls"], &["log", "search"]] {
        assert_eq!(said(args), all, "{args:?}");
    }
    let drop = said(&["log", "drop"]);
    assert!(drop.contains("Drop the table"), "{drop}");
    for args in [
        &["log", "search", "drop"][..],
        &["log", "list", "drop"],
        &["log", "ls", "drop"],
        &["log", "--", "drop"],
    ] {
        assert_eq!(said(args), drop, "{args:?}");
    }
    // The latest, the newest last.
    let tail = said(&["log", "tail", "-n", "2"]);
    let (first, last) = (
        tail.find("Deploy to production?"),
        tail.find("Which region?"),
    );
    assert!(first.is_some() && first < last, "{tail}");
    assert!(!tail.contains("Go on?"), "{tail}");
    let told = json(&home, &["log", "tail", "--json", "-n", "2"]);
    assert_eq!(told["asks"].as_array().unwrap().len(), 2);
    // The words themselves: nothing has them, and one that has is found.
    for word in ["list", "ls", "tail", "stats", "search"] {
        for args in [&["log", "--", word][..], &["log", "search", word]] {
            let output = run(&home, args);
            assert_eq!(stdout(&output), "", "{args:?}");
            assert!(stderr(&output).contains("Nothing was found."), "{args:?}");
        }
    }
    let misspelt = run(&home, &["log", "verfy"]);
    let hint = "Did you mean `holdpoint log verify`?";
    assert!(stderr(&misspelt).contains(hint), "{}", stderr(&misspelt));
    // What stands before a command and belongs behind it is not lost in silence.
    let lost = run(&home, &["log", "--since", "2d", "stats"]);
    assert_eq!(lost.status.code(), Some(2));
    assert!(stderr(&lost).contains("holdpoint log stats --since"));
}

#[test]
fn an_empty_record_says_that_it_is_empty() {
    let home = new_home();
    // An attempt that is refused is on record; nothing was asked.
    assert!(!home.run(&["pin", "set"]).status.success());
    assert!(home.journal().exists());
    for args in [
        &["log"][..],
        &["log", "deploy"],
        &["log", "list"],
        &["log", "tail"],
        &["log", "stats"],
        &["log", "stats", "--by", "tool"],
    ] {
        let output = run(&home, args);
        assert!(output.status.success(), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains("The record is empty"), "{args:?}: {said}");
        assert!(!said.contains("Nothing was found"), "{args:?}: {said}");
    }
}

/// The address of the record of another home, as a path below this one's folder and as a whole path.
fn elsewhere() -> (Home, [String; 3]) {
    let (home, other) = (new_home(), made());
    let copy = home.workspace().join("x.db");
    std::fs::copy(other.journal(), &copy).unwrap();
    let whole = copy.to_str().unwrap().to_owned();
    (home, ["./x.db".into(), format!("sqlite:{whole}"), whole])
}

#[test]
fn the_journal_is_named_before_and_behind_a_command_and_by_a_bare_path() {
    let (home, places) = elsewhere();
    for place in &places {
        let place = ["--journal", place.as_str()];
        for command in [
            &["log", "stats"][..],
            &["log", "list"],
            &["log", "search", "drop"],
            &["log", "tail"],
            &["log", "show", "00000002"],
            &["log", "odd", "--since", "2026-11-01"],
            &["log", "export"],
            &["log", "verify"],
            &["journal", "check"],
            &["journal", "prune", "--before", "2020-01-01", "--dry-run"],
            &["rules", "list"],
            &["token", "list"],
            &["person", "list"],
        ] {
            let (first, rest) = command.split_first().unwrap();
            let before = run(&home, &[&[*first][..], &place, rest].concat());
            let behind = run(&home, &[command, &place].concat());
            assert!(before.status.success(), "{command:?}: {}", stderr(&before));
            assert!(behind.status.success(), "{command:?}: {}", stderr(&behind));
            assert_eq!(stdout(&before), stdout(&behind), "{command:?}");
        }
        let stats = run(&home, &[&["log"][..], &place, &["stats"]].concat());
        assert!(stdout(&stats).contains("5 asks"), "{}", stdout(&stats));
    }
    assert!(!home.journal().exists(), "no other record was made");
    let copy = ["journal", "copy", "./x.db", "./y.db", "--journal", "./z.db"];
    assert_eq!(run(&home, &copy).status.code(), Some(2));
    assert!(!home.workspace().join("y.db").exists());
}

#[test]
fn what_comes_is_followed() {
    let home = new_home();
    let mut following = home.command(&["log", "tail", "--follow"]);
    let following = following.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut following = following.spawn().unwrap();
    let mut lines = BufReader::new(following.stdout.take().unwrap()).lines();
    // It waits for a record that is not there yet.
    let asking = home.run(&["ask", "confirm", "Deploy?", "--wait", "5s"]);
    assert_eq!(asking.status.code(), Some(4), "{}", stderr(&asking));
    let mut next = || lines.next().unwrap().unwrap();
    let asked = next();
    assert!(
        asked.contains("asked") && asked.contains("Deploy?"),
        "{asked}"
    );
    let decided = next();
    assert!(decided.contains("Nobody answered in time"), "{decided}");
    assert_eq!(asked[..8], decided[..8], "both lines name it");
    following.kill().unwrap();
    following.wait().unwrap();
}
