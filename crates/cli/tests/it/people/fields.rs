//! Every kind of field, at a terminal.

use super::*;
use serde_json::json;

#[test]
fn every_kind_is_asked_for() {
    let home = new_home();
    home.work_file("note.txt", "abc");
    let pick = |value: &str, label: &str| json!({ "value": value, "label": label });
    let fields = json!([
        { "name": "name", "kind": "text", "title": "Name", "help": "As in the\u{202e} passport" },
        { "name": "poem", "kind": "text", "title": "Poem", "multiline": true },
        { "name": "token", "kind": "secret", "title": "Token" },
        { "name": "loud", "kind": "toggle", "title": "Loud", "default": true },
        { "name": "sure", "kind": "confirm", "title": "Sure" },
        { "name": "one", "kind": "choice", "title": "One",
          "options": [pick("a", "Alpha"), pick("b", "Beta")] },
        { "name": "own", "kind": "choice", "title": "Own", "allowOther": true,
          "options": [pick("a", "Alpha")] },
        { "name": "some", "kind": "choices", "title": "Some", "min": 1,
          "options": [pick("x", "Ex"), pick("y", "Why")] },
        { "name": "tempo", "kind": "number", "title": "Tempo", "min": 20.0, "max": 200.0, "unit": "BPM" },
        { "name": "count", "kind": "integer", "title": "Count" },
        { "name": "stars", "kind": "rating", "title": "Stars" },
        { "name": "day", "kind": "date", "title": "Day" },
        { "name": "when", "kind": "date-time", "title": "When" },
        { "name": "file", "kind": "file", "title": "File" },
        { "name": "link", "kind": "link", "title": "Link", "url": "https://example.org/terms" },
        { "name": "more", "kind": "text", "title": "More", "required": false },
    ])
    .to_string();
    let args = [
        "ask",
        "form",
        "All of **it**",
        "--fields",
        &fields,
        "--json",
    ];
    let mut person = Person::runs(&home, &args, &[("TZ", "UTC")]);
    const LEAVE: &str = "Esc to leave";
    person
        .sees("All of it")
        .sees("Name")
        .sees("the⟨U+202E⟩ passport")
        .sees(LEAVE);
    person
        .types(ENTER)
        .sees("Name must be filled in")
        .types("Ada")
        .types(ENTER);
    person.sees("Poem").sees("Alt+Enter").sees(LEAVE);
    person
        .types("one")
        .types(ALT_ENTER)
        .types("two")
        .types(ENTER);
    person
        .sees("Token")
        .sees(LEAVE)
        .types("hunter2")
        .types(ENTER)
        .sees("********");
    // A setting stands where its author set it.
    person.sees("Loud").sees("> yes").sees(LEAVE).types(ENTER);
    person
        .sees("Sure")
        .sees(LEAVE)
        .types(ENTER)
        .sees("must be yes or no");
    // Neither is a word that is none of the two.
    person.types("perhaps").types(ENTER);
    person.types(&"\u{7f}".repeat(7)).types("yes").types(ENTER);
    person
        .sees("One")
        .sees("> · choose")
        .sees(LEAVE)
        .types(ENTER);
    person
        .sees("One")
        .sees(LEAVE)
        .types(DOWN)
        .types(DOWN)
        .types(ENTER);
    person.sees("Own").sees("Something else").sees(LEAVE);
    person.types(DOWN).types(DOWN).types(ENTER);
    person.sees("In your own words").types("mine").types(ENTER);
    person
        .sees("Some")
        .sees("[ ] Ex")
        .sees(LEAVE)
        .types(ENTER)
        .sees("at least 1 option");
    person.types(" ").types(ENTER);
    person
        .sees("Tempo")
        .sees("20 to 200 BPM")
        .types("300")
        .types(ENTER);
    person
        .sees("Tempo must be at most 200 BPM")
        .types("\u{7f}\u{7f}\u{7f}120.5")
        .types(ENTER);
    person
        .sees("Count")
        .sees(LEAVE)
        .types("3.5")
        .types(ENTER)
        .sees("a whole number");
    person.types("\u{7f}\u{7f}").types(ENTER);
    person.sees("Stars").sees("★★★★★").sees(LEAVE);
    person
        .types(DOWN)
        .types(DOWN)
        .types(DOWN)
        .types(DOWN)
        .types(ENTER);
    person
        .sees("Day")
        .sees(LEAVE)
        .types("tomorrow")
        .types(ENTER)
        .sees("a date, like");
    person
        .types(&"\u{7f}".repeat(8))
        .types("2026-07-28")
        .types(ENTER);
    person
        .sees("When")
        .sees(LEAVE)
        .types("2026-07-28 09:30")
        .types(ENTER);
    person
        .sees("File")
        .sees("completes")
        .types("no.txt")
        .types(ENTER)
        .sees("There is no file");
    person
        .types(&"\u{7f}".repeat(6))
        .types("note.txt")
        .types(ENTER);
    person
        .sees("https://example.org/terms")
        .sees("> · choose")
        .sees(LEAVE);
    person.types(DOWN).types(ENTER);
    person.sees("More (optional)").sees(LEAVE).types(ENTER);
    // A look at all of it, with a change.
    person
        .sees("Is that right?")
        .sees("Change Name: Ada")
        .sees("Token: ********");
    person
        .types(DOWN)
        .types(ENTER)
        .sees("Name")
        .sees(LEAVE)
        .types(" Lovelace")
        .types(ENTER);
    person
        .sees("Is that right?")
        .sees("Change Name: Ada Lovelace")
        .types(ENTER);
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 0, "{page}");
    let told = last_json(&page);
    let mut values = told["values"].clone();
    let file = values["file"].take();
    assert_eq!(
        (file["name"].as_str(), file["size"].as_u64()),
        (Some("note.txt"), Some(3))
    );
    assert_eq!(told["channel"], "terminal");
    values.as_object_mut().unwrap().remove("file");
    let wanted = json!({
        "name": "Ada Lovelace", "poem": "one\ntwo", "token": "hunter2", "loud": true, "sure": true,
        "one": "b", "own": "mine", "some": ["x"], "tempo": 120.5, "count": 3, "stars": 4,
        "day": "2026-07-28", "when": "2026-07-28T09:30:00+00:00", "link": true,
    });
    assert_eq!(values, wanted);
    let shown = page.split("\n{").next().unwrap();
    assert!(!shown.contains("hunter2"), "a secret is masked: {shown}");
}
