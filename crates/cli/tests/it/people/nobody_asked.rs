//! Where nobody could be asked, a script is not told that somebody said no.

use super::*;
use std::process::Output;

/// A script whose method asks.
const SCRIPT: &str = "export function* go() { return yield { ask: 'text', message: 'Name?' }; }";

/// Both commands that ask fail in their own way, and say that nobody was asked.
fn check(home: &Home, run: impl Fn(&[&str]) -> Output) {
    home.work_file("ask.js", SCRIPT);
    for args in [
        &["ask", "confirm", "Deploy?"][..],
        &["ask", "confirm", "Deploy?", "--json"],
        &[
            "ask",
            "form",
            "Fill",
            "--fields",
            r#"[{"name":"a","kind":"text"}]"#,
        ],
        &["run", "ask.js", "go"],
    ] {
        let output = run(args);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(7), "{args:?}: {said}");
        assert!(said.contains("nobody was asked"), "{args:?}: {said}");
        assert_eq!(stdout(&output), "", "{args:?}");
    }
}

#[test]
fn a_broken_config() {
    let home = new_home();
    home.config("inbox = \n");
    check(&home, |args| home.run(args));
    home.config("timeout_second = 5\n");
    check(&home, |args| home.run(args));
}

#[test]
fn a_journal_that_cannot_be_opened() {
    let home = new_home();
    home.work_file("file", "");
    home.work_file(
        "not.db",
        "this is no database, but a text that somebody wrote",
    );
    let folder = home.workspace().to_str().unwrap().to_owned();
    for place in [
        folder.as_str(),
        "file/below/journal.db",
        "./not.db",
        "mysql://db/holdpoint",
    ] {
        check(&home, |args| {
            let mut command = home.command(args);
            command.args(["--journal", place]);
            // A script takes what stands behind its method for its own.
            if args[0] == "run" {
                command = home.command(&["run", "--journal", place]);
                command.args(&args[1..]);
            }
            command.output().unwrap()
        });
    }
}

#[test]
fn a_full_disk() {
    // A limit on the size of files, with the signal for it ignored, fails writes like a full disk.
    const FULL: &str = "trap '' XFSZ; ulimit -f 0";
    let home = new_home();
    let run = |args: &[&str]| home.command_under(FULL, args).output().unwrap();
    check(&home, run);
    // Also where the record was begun before.
    let asking = Asking::start(&home, &["confirm", "Before?"]);
    asking.interrupt();
    assert_eq!(asking.ends().2, 6);
    check(&home, run);
    let asked = kinds(&home).iter().filter(|kind| *kind == "asked").count();
    assert_eq!(asked, 1, "nothing else was put on record");
}
