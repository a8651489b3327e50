//! `holdpoint person`: people whom the page knows by name.

use super::{browser::Browser, *};
use serde_json::json;

/// The page, opened with the key that this command printed.
fn opened(home: &Home, args: &[&str]) -> Browser {
    let (seen, status) = Person::runs(home, args, &[]).ends();
    assert!(status.success(), "{seen}");
    let line = seen.lines().find(|line| line.contains("/#key="));
    Browser::at(line.expect(&seen).trim())
}

#[test]
fn what_somebody_answers_on_the_page_is_recorded_under_their_name() {
    let home = new_home();
    home.config("fast_reply_ms = 0\n");
    let mut serving = Person::runs(&home, &["inbox", "--web"], &[]);
    serving.sees("serves the page");
    let asking = Asking::start(&home, &["confirm", "Sure?", "--json"]);
    let ann = opened(&home, &["person", "add", "ann"]);
    let again = opened(&home, &["person", "key", "ann"]);
    let listed = home.run(&["person", "list"]);
    assert!(stdout(&listed).starts_with("ann  added "), "{listed:?}");
    let ask = ann.asked();
    let told = ann.accept(&ask, json!({ "confirmed": true }));
    assert_eq!(told["result"], "settled", "{told}");
    let (out, said, code) = asking.ends();
    assert_eq!(code, 0, "{said}");
    assert_eq!(last_json(&out)["answeredBy"], "ann");

    let (seen, status) = Person::runs(&home, &["person", "remove", "ann"], &[]).ends();
    assert!(status.success(), "{seen}");
    for browser in [&ann, &again] {
        assert_eq!(browser.status("/api/asks"), 401, "at once");
    }
    let (seen, status) = Person::runs(&home, &["person", "key", "ann"], &[]).ends();
    assert!(
        !status.success() && seen.contains("there is no person `ann`"),
        "{seen}"
    );
    serving.types(CTRL_C);
    serving.ends();
}

#[test]
fn a_name_that_could_be_taken_for_another_is_refused() {
    let home = new_home();
    for name in ["Ann", "ann smith", "аnn", "a/b", ""] {
        let (seen, status) = Person::runs(&home, &["person", "add", name], &[]).ends();
        assert!(
            !status.success() && seen.contains("cannot be a person's name"),
            "{seen}"
        );
        assert!(!seen.contains("key="), "{seen}");
    }
    let pin = ["pin", "set", "--person", "ann"];
    let (seen, status) = Person::runs(&home, &pin, &[]).ends();
    assert!(
        !status.success() && seen.contains("there is no person `ann`"),
        "{seen}"
    );
}
