//! A secret reaches the flow that asked for it, and nothing else.

use super::*;
use std::{fs, path::Path};

pub const SECRET: &str = "hunter2-\u{fc}ber-geheim";

/// Everything that lies below a folder, as one pile of bytes.
pub fn pile(folder: &Path) -> Vec<u8> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            all.extend(pile(&entry.path()))
        } else {
            all.extend(fs::read(entry.path()).unwrap_or_default())
        }
    }
    all
}

#[track_caller]
pub fn nowhere(bytes: &[u8]) {
    let secret = SECRET.as_bytes();
    assert!(
        bytes.windows(secret.len()).all(|window| window != secret),
        "the secret was kept"
    );
}

#[test]
fn typed_where_it_is_asked_for() {
    let home = new_home();
    let line = "$holdpoint ask text 'Token?' --secret > value 2> >(tee said >&2)";
    let line = format!("exec bash -c \"{}\"", line.replace('$', "\\$"));
    let mut person = Person::shell(&home, &line, &[("HOLDPOINT_LOG", "trace")]);
    // Standard error is a pipe here: there is no terminal to ask at, so it waits.
    person.sees("Waiting in the inbox");
    drop(person);
    let mut person = Person::shell(
        &home,
        "$holdpoint ask text 'Token?' --secret > value",
        &[("HOLDPOINT_LOG", "trace")],
    );
    person.sees("Esc to leave").types(SECRET).types(ENTER);
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    nowhere(page.as_bytes());
    let value = home.workspace().join("value");
    assert_eq!(fs::read_to_string(&value).unwrap().trim(), SECRET);
    fs::remove_file(value).unwrap();
    nowhere(&pile(&home.root()));
}

#[test]
fn typed_in_another_process() {
    let home = new_home();
    let asking = Asking::start(&home, &["text", "Token?", "--secret", "--json"]);
    // Never as an argument, and the refusal does not repeat it.
    let said = format!("value={SECRET}");
    let (code, page) = Person::ran(&home, &["answer", &asking.id, &said]);
    assert_eq!(code, 2);
    nowhere(page.as_bytes());
    let variables = [("HOLDPOINT_LOG", "trace")];
    let mut person = Person::runs(&home, &["answer", &asking.id], &variables);
    person
        .sees("Esc to leave")
        .types(SECRET)
        .types(ENTER)
        .sees("Answered by");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    nowhere(page.as_bytes());
    let (out, said, code) = asking.ends();
    assert_eq!(code, 0, "{said}");
    assert_eq!(last_json(&out)["values"]["value"], SECRET);
    nowhere(said.as_bytes());
    nowhere(&pile(&home.root()));
    let list = home.run(&["inbox", "--json"]);
    nowhere(&list.stdout);
}
