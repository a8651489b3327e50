//! Somebody who speaks to the page's API.

use super::{super::inbox::browser::Browser, Asked};
use holdpoint_testkit::attack_cases;
use serde_json::json;

#[test]
fn nothing_but_a_persons_answer_on_the_page() {
    let asked = Asked::new();
    let browser = Browser::open(&asked.home);
    // The page gave both asks to a browser long enough ago, so that only what a case says is wrong.
    for id in [&asked.plain, &asked.dangerous] {
        super::super::inbox::browser::read(&browser.get(&format!("/api/asks/{id}")));
    }
    for case in attack_cases("page") {
        let seen = json!({ "shownMs": 400, "gesture": "chosen" }).to_string();
        let body = asked
            .fill(case.text("body").unwrap())
            .replace("SEEN", &seen);
        let headers = case.texts("headers");
        let headers: Vec<_> = headers
            .iter()
            .map(|header| header.split_once(": ").unwrap())
            .collect();
        let said = browser.answer(&headers, &body);
        asked.check(&format!("{}: {said}", case.name));
    }
    // One word away from the cases: the check sees a yes.
    let asks = [(&asked.plain, "chosen"), (&asked.dangerous, "held")];
    for (count, (id, gesture)) in (1..).zip(asks) {
        let presence = json!({ "shownMs": 1000, "gesture": gesture });
        let body = json!({
            "askId": id, "action": "accept", "content": { "confirmed": true }, "presence": presence,
        });
        let said = browser.answer(&[], &body.to_string());
        assert_eq!(super::accepted(&asked.home), count, "{said}");
    }
}
