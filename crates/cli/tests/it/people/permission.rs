//! A harness's permission prompt at a real terminal: a yes for once, one that is remembered, and a quick no.

use super::*;
use crate::{
    hook::station::{Hook, Station},
    support::eventually_blocking,
};

const READY: &str = "to choose, Enter to do it";

/// Claude Code waits for a word on this command.
fn prompted(command: &str) -> (Station, Hook) {
    let station = Station::new();
    let hook = prompt(&station, command);
    (station, hook)
}

fn prompt(station: &Station, command: &str) -> Hook {
    let hook = station.start("claude", 60, &station.bash(command));
    eventually_blocking("the prompt", || {
        let listed = stdout(&station.home.run(&["inbox"]));
        listed.contains(command).then_some(())
    });
    hook
}

fn remembered(station: &Station) -> usize {
    let listed = last_json(&stdout(&station.home.run(&["rules", "list", "--json"])));
    listed["scopes"].as_array().unwrap().len()
}

/// The whole screen, with the endings of the ask.
fn at_the_endings(station: &Station) -> Person {
    let mut person = Person::runs(&station.home, &["inbox"], &[]);
    person.shows("Enter to read").types(ENTER);
    person.shows("a answer").types("a").shows(READY);
    person
}

#[test]
fn a_yes_for_once_is_one_choice_and_nothing_is_remembered() {
    let (station, hook) = prompted("npm install left-pad");
    let mut person = at_the_endings(&station);
    person.types(DOWN).shows("› Allow once").types(ENTER);
    person.shows("Allowed by").types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(hook.said().behavior(), "allow");
    assert_eq!(remembered(&station), 0);
}

#[test]
fn what_is_remembered_is_chosen_from_a_list_that_begins_with_nothing() {
    let (station, hook) = prompted("npm install left-pad");
    let mut person = at_the_endings(&station);
    person.types(DOWN).shows("› Allow once");
    person
        .types(DOWN)
        .shows("› Allow and remember…")
        .types(ENTER);
    person
        .sees("· no answer ·")
        .sees("`npm install` with any arguments, for 30 minutes")
        .sees("It would have allowed nothing lately.")
        .sees("Left empty, it is allowed this once.");
    person.types(DOWN).types(ENTER).sees("Is that right?");
    person.sees("Exactly this, in this session").types(ENTER);
    person.shows("1 remembered permission: holdpoint rules list");
    person.types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(hook.said().behavior(), "allow");
    assert_eq!(remembered(&station), 1);
    let list = stdout(&station.home.run(&["inbox"]));
    assert!(
        list.ends_with("1 remembered permission: holdpoint rules list\n"),
        "{list}"
    );
}

#[test]
fn a_no_with_a_reason_asks_for_nothing_else() {
    let (station, hook) = prompted("npm install left-pad");
    let mut person = at_the_endings(&station);
    person.types("\u{1b}[A").shows("› Deny…").types(ENTER);
    person.shows("Reason (optional)").shows("Enter to send");
    person
        .types("Not on a Friday\r")
        .shows("Denied by")
        .types("q");
    assert_eq!(person.code(), 0);
    let said = hook.said();
    assert_eq!(said.behavior(), "deny");
    assert!(said.text.contains("Not on a Friday"), "{said:?}");
}

#[test]
fn prompts_ask_for_a_reason_with_a_no_and_for_what_is_remembered_with_a_yes() {
    let (station, hook) = prompted("npm install left-pad");
    let mut person = Person::runs(&station.home, &["inbox", "--plain"], &[]);
    person
        .sees("Run: npm install left-pad")
        .sees("Enter to read");
    person.types(ENTER).sees("leave it open").types(ENTER);
    person.sees("Your decision").types(DOWN).types(ENTER);
    person.sees("Remember this answer").types(ENTER);
    person
        .sees("Is that right?")
        .sees("Allow once")
        .types(ENTER);
    person.sees("Allowed by").types("q");
    assert_eq!(person.code(), 0);
    assert_eq!(hook.said().behavior(), "allow");

    let hook = prompt(&station, "npm publish");
    let id = last_json(&stdout(&station.home.run(&["inbox", "--json"])))["asks"][0]["id"].clone();
    let mut person = Person::runs(&station.home, &["answer", id.as_str().unwrap()], &[]);
    person
        .sees("Your decision")
        .types(DOWN)
        .types(DOWN)
        .types(ENTER);
    person
        .sees("Reason")
        .types("no\r")
        .sees("Is that right?")
        .types(ENTER);
    assert_eq!(person.code(), 0);
    assert_eq!(hook.said().behavior(), "deny");
    assert_eq!(remembered(&station), 0);
}

#[test]
fn a_yes_by_values_counts_for_nothing_and_says_what_to_do() {
    let (station, hook) = prompted("npm install left-pad");
    let id = last_json(&stdout(&station.home.run(&["inbox", "--json"])))["asks"][0]["id"].clone();
    let id = id.as_str().unwrap();
    let mut person = Person::runs(&station.home, &["answer", id, "decision=allow"], &[]);
    person.sees("shows it, and you choose there");
    assert_eq!(person.code(), 1);
    let mut person = Person::runs(&station.home, &["answer", id, "decision=deny"], &[]);
    person.sees("Denied by");
    assert_eq!(person.code(), 0);
    assert_eq!(hook.said().behavior(), "deny");
}

#[test]
fn somebody_who_types_the_hook_is_told_what_it_is_for() {
    let station = Station::new();
    let mut person = Person::runs(&station.home, &["hook", "codex"], &[]);
    person.shows("a harness calls this");
    assert_eq!(person.code(), 2);
}
