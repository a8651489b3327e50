//! `holdpoint run --resume`: a run that was killed goes on, and nothing is done twice.

use super::*;

const LEAVE: &str = "Esc to leave";

/// Writes a line for each thing that it does.
const SOURCE: &str = "\
export const permissions = { run: ['sh'] };
export default class Twice {
  *go() {
    yield { run: ['sh', '-c', 'echo one >> done'] };
    const name = yield { ask: 'text', id: 'name', message: 'Your name?' };
    yield { run: ['sh', '-c', 'echo two >> done'] };
    const more = yield { ask: 'text', id: 'more', message: 'And more?' };
    return `${name} ${more}`;
  }
  *dies() {
    yield { run: ['sh', '-c', 'echo one >> done; kill -9 $PPID'] };
    return 'never';
  }
}
";

fn start(home: &Home, method: &str) -> Person {
    home.work_file("twice.js", SOURCE);
    let mut person = Person::runs(home, &["run", "twice.js", method], &[]);
    person.sees("DANGEROUS").sees("twice.js").sees(LEAVE);
    person
}

fn done(home: &Home) -> String {
    std::fs::read_to_string(home.workspace().join("done")).unwrap_or_default()
}

/// The only run that has not ended.
fn interrupted(home: &Home) -> String {
    let listed = last_json(&stdout(&home.run(&["run", "--resume", "--json"])));
    let calls = listed["calls"].as_array().unwrap();
    assert_eq!(calls.len(), 1, "{listed}");
    calls[0]["callId"].as_str().unwrap().to_owned()
}

fn resume(home: &Home) -> Person {
    let call = interrupted(home);
    Person::runs(home, &["run", "twice.js", "--resume", &call], &[])
}

#[test]
fn a_killed_run_goes_on_where_it_was() {
    let home = new_home();
    // While the person is asked for permission: nothing is done yet.
    start(&home, "go").killed();
    assert_eq!(done(&home), "");
    let mut person = resume(&home);
    person.sees("DANGEROUS").sees(LEAVE).types("allow\r");
    person.sees("Your name?").sees(LEAVE);
    person.killed();
    assert_eq!(done(&home), "one\n");
    let mut person = resume(&home);
    person.sees("Your name?").sees(LEAVE).types("Ada\r");
    person.sees("And more?").sees(LEAVE);
    person.killed();
    assert_eq!(done(&home), "one\ntwo\n");
    let mut person = resume(&home);
    person.sees("And more?").sees(LEAVE).types("Lovelace\r");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    assert!(page.trim_end().ends_with("Ada Lovelace"), "{page}");
    assert!(!page.contains("Your name?"), "{page}");
    assert_eq!(done(&home), "one\ntwo\n");
    let listed = home.run(&["run", "--resume"]);
    assert!(
        stderr(&listed).contains("No run was interrupted"),
        "{}",
        stderr(&listed)
    );
}

#[test]
fn what_may_have_happened_is_not_done_again() {
    let home = new_home();
    let mut person = start(&home, "dies");
    person.types("allow\r");
    let (_, status) = person.ends();
    assert!(!status.success());
    assert_eq!(done(&home), "one\n");
    let (page, status) = resume(&home).ends();
    assert_eq!(status.exit_code(), 6, "{page}");
    assert!(page.contains("may or may not"), "{page}");
    assert_eq!(done(&home), "one\n");
}

#[test]
fn a_changed_file_does_not_go_on() {
    let home = new_home();
    start(&home, "go").killed();
    let call = interrupted(&home);
    // By what the list shows of it, and by nothing else.
    let listed = stdout(&home.run(&["run", "--resume"]));
    let short = listed.split_whitespace().next().unwrap();
    assert!(call.ends_with(short) && short.len() == 8, "{listed}");
    let without_file = home.run(&["run", "--resume", short]);
    assert_eq!(without_file.status.code(), Some(2));
    assert!(stderr(&without_file).contains("holdpoint run FILE --resume"));
    home.work_file("twice.js", &SOURCE.replace("echo two", "echo three"));
    let output = home
        .command(&["run", "twice.js", "--resume", short])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("start it again"),
        "{}",
        stderr(&output)
    );
    assert_eq!(done(&home), "");
    for wrong in ["0197a8e0-0000-7000-8000-000000000001", "xyz", "0197a8e1"] {
        let output = home
            .command(&["run", "twice.js", "--resume", wrong])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }
}

#[test]
fn a_run_that_goes_on_is_left_alone() {
    let home = new_home();
    let person = start(&home, "go");
    let call = interrupted(&home);
    let output = home
        .command(&["run", "twice.js", "--resume", &call])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("another process"),
        "{}",
        stderr(&output)
    );
    drop(person);
}
