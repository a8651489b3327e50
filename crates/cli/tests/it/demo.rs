//! `holdpoint demo`, the real binary: without a person, and at a terminal.

use crate::support::{person::*, *};
use serde_json::Value;

/// The part under a title.
fn part<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(title).expect(title);
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split("\n── ").next().unwrap()
}

/// The result that the agent got.
fn told(page: &str) -> Value {
    serde_json::from_str(part(page, "3. What the agent was told")).unwrap()
}

#[test]
fn without_a_person() {
    let check = |answer: &str, proceed: bool, verdict: &str| {
        let home = new_home();
        let output = home.run(&["demo", "--answer", answer]);
        let page = stdout(&output);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!page.contains('\u{1b}'), "no styles in a pipe");
        assert!(part(&page, "1. The agent asks").contains("request_plan_approval"));
        // What a program says is not called a person's.
        let decided = part(
            &page,
            "2. A person would decide; here the flag --answer does",
        );
        assert!(decided.contains("Phases: 3"), "{decided}");
        assert!(decided.contains("by nobody who read it"), "{decided}");
        assert!(!page.contains("The person decides"), "{page}");
        let told = told(&page);
        assert_eq!(told["status"], "accepted");
        assert_eq!(told["decision"], answer);
        assert_eq!(told["proceed"], proceed);
        assert_eq!(told["channel"], "preset", "nobody was there");
        let record = part(&page, "4. What is on the record");
        let called = "holdpoint · request_plan_approval, for ";
        assert!(record.contains(called), "{record}");
        for word in ["asked", "decided", "hash", "the chain holds"] {
            assert!(record.contains(word), "{word}: {record}");
        }
        let said = format!("{verdict} by a program, with the flag --answer: no person's word");
        assert!(record.contains(&said), "{record}");
        assert!(!record.contains("accepted"), "people's words: {record}");
        assert!(!record.contains("step_"), "what led to the ask: {record}");
        assert!(page.contains(" init vscode"));
        assert!(!home.journal().exists(), "the journal is a temporary one");
    };
    check("approve", true, "Approved");
    check("request_changes", false, "Changes requested");
    check("cancel", false, "Task cancelled");
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = new_home();
    let output = home.run(&["demo"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(said.contains("--answer approve"), "{said}");
    let wrong = home.run(&["demo", "--answer", "perhaps"]);
    assert_eq!(wrong.status.code(), Some(2));
}

/// A person who runs it.
fn at_demo(variables: &[(&str, &str)]) -> Person {
    let home = new_home();
    let root = home.root();
    // Its record is kept.
    let temporary = ("TMPDIR", root.to_str().unwrap());
    Person::runs(&home, &["demo"], &[variables, &[temporary]].concat())
}

#[test]
fn a_person_chooses_with_the_arrow_keys() {
    let mut person = at_demo(&[]);
    person
        .sees("Approve the plan")
        .sees("Plan Approval Decision")
        .sees("Approve - Start Implementation")
        .sees("to leave");
    // The cursor is on no option: this decides nothing, and the question comes again.
    person
        .types(ENTER)
        .sees("Plan Approval Decision")
        .sees("to leave");
    person
        .types(DOWN)
        .sees("> ✅ Approve")
        .types(DOWN)
        .sees("> 📝 Request Changes");
    person
        .types(ENTER)
        .sees("Feedback (Optional)")
        .sees("to leave");
    person.types("per key, please").types(ENTER);
    person
        .sees("What should count as one client?")
        .sees("to leave");
    person.types(ENTER).sees("Is that right?");
    person
        .sees("Change Feedback (Optional): per key, please")
        .sees("to leave it open")
        .types(ENTER);
    let (page, status) = person.ends();
    assert!(status.success());
    let told = told(&page);
    assert_eq!(told["decision"], "request_changes", "{page}");
    assert_eq!(told["feedback"], "per key, please");
    assert_eq!(told["proceed"], false);
}

#[test]
fn a_dismissed_form_is_no_yes() {
    let mut person = at_demo(&[]);
    person.sees("Plan Approval Decision").sees("to leave");
    person.types(ESCAPE).sees("dismissed");
    let (page, status) = person.ends();
    assert!(status.success());
    let told = told(&page);
    assert_eq!(told["status"], "cancelled", "{page}");
    assert_eq!(told["proceed"], false);
    assert!(part(&page, "4. What is on the record").contains("Dismissed by"));
}

#[test]
fn ctrl_c_is_no_success() {
    let home = new_home();
    let temporary = home.root().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let folder = [("TMPDIR", temporary.to_str().unwrap())];
    let mut person = Person::runs(&home, &["demo"], &folder);
    person.sees("Plan Approval Decision").sees("to leave");
    person.types(CTRL_C).sees("Stopped: nobody decided");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 130, "{page}");
    assert!(!page.contains("What the agent was told"), "{page}");
    // As a signal, too.
    let line = "echo $$ > pid; exec $holdpoint demo";
    let mut person = Person::shell(&home, line, &folder);
    person.sees("Plan Approval Decision").sees("to leave");
    let kill = "kill -INT $(cat pid)";
    let mut sh = std::process::Command::new("/bin/sh");
    sh.args(["-c", kill]).current_dir(home.workspace());
    assert!(sh.status().unwrap().success());
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 130, "{page}");
    assert_eq!(
        std::fs::read_dir(&temporary).unwrap().count(),
        0,
        "nothing is kept"
    );
}

/// The commands of the part that says what comes next.
fn next_commands(page: &str) -> Vec<String> {
    let next = part(page, "── Next");
    let lines = next.lines().filter_map(|line| line.strip_prefix("  "));
    lines
        .map(|line| line.split("    ").next().unwrap().to_owned())
        .collect()
}

#[test]
fn it_ends_with_commands_that_work_from_here() {
    let home = new_home();
    let run = |command: &str, path: Option<&str>| {
        let mut shell = home.command(&[]);
        shell.env("PATH", path.unwrap_or("/usr/bin:/bin"));
        let variables: Vec<_> = shell
            .get_envs()
            .map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned)))
            .collect();
        let mut sh = std::process::Command::new("/bin/sh");
        sh.env_clear()
            .current_dir(home.workspace())
            .args(["-c", command]);
        sh.envs(
            variables
                .into_iter()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        sh.output().unwrap()
    };
    // Not on the search path: the path of the program.
    let mut demo = home.command(&["demo", "--answer", "approve"]);
    let page = stdout(&demo.env("PATH", "/usr/bin:/bin").output().unwrap());
    let commands = next_commands(&page);
    assert_eq!(commands.len(), 2, "{commands:?}");
    assert!(
        commands[1].ends_with("holdpoint init vscode"),
        "{commands:?}"
    );
    let done = run(&commands[1], None);
    assert!(done.status.success(), "{}", stderr(&done));
    // On it: by its name.
    let folder = home.binary().parent().unwrap().to_str().unwrap().to_owned();
    let path = format!("{folder}:/usr/bin:/bin");
    let mut demo = home.command(&["demo", "--answer", "cancel"]);
    let page = stdout(&demo.env("PATH", &path).output().unwrap());
    assert_eq!(next_commands(&page)[1], "holdpoint init vscode");

    // A person's record is kept, and the commands read it.
    let temporary = home.root().join("kept here");
    std::fs::create_dir(&temporary).unwrap();
    let mut person = Person::runs(&home, &["demo"], &[("TMPDIR", temporary.to_str().unwrap())]);
    person.sees("Plan Approval Decision").sees("to leave");
    person.types(ESCAPE).sees("dismissed");
    let (page, _) = person.ends();
    let commands = next_commands(&page);
    assert_eq!(commands.len(), 4, "{page}");
    let log = run(&commands[0], Some(&path));
    assert!(
        stdout(&log).contains("request_plan_approval"),
        "{commands:?}: {}",
        stderr(&log)
    );
    assert!(run(&commands[1], Some(&path)).status.success());
    assert!(run(&commands[2], Some(&path)).status.success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn no_color_is_honoured() {
    let colours = |variables: &[(&str, &str)]| {
        let mut person = at_demo(variables);
        person.sees("Plan Approval Decision").sees("to leave");
        person.types(ESCAPE).sees("init vscode");
        // Colours are 3x and 9x; moving the cursor is none.
        let seen = person.raw();
        let sequences = seen.split("\u{1b}[").skip(1);
        let mut codes = sequences
            .filter_map(|part| part.split_once('m'))
            .map(|(code, _)| code);
        codes.any(|code| code.starts_with('3') || code.starts_with('9'))
    };
    assert!(colours(&[]));
    assert!(!colours(&[("NO_COLOR", "1")]));
}
