//! A client with nobody at it: its questions are answered on the page, in time or late, and never by its own
//! shell.

use super::{
    catalog::{self, RealClient},
    forms::is_yes,
    station::Station,
    without_forms,
};
use serde_json::{Value, json};

/// The call is held until the person has answered.
fn answered_on_the_page(client: &'static RealClient) {
    let station = Station::new(client, "");
    let _running = station.headless("plan");
    station.answer_on_page(
        "accept",
        json!({ "decision": "approve", "feedback": "Mind the gap" }),
    );
    let got = station.model.got();
    assert!(is_yes(got.last().unwrap()), "{got:?}");
    assert!(got.last().unwrap().contains("Mind the gap"), "{got:?}");
    assert_eq!(station.questions(), 0, "nobody is at its screen");
    let journal = station.journal();
    assert_eq!(statuses(&journal), ["accepted"], "{journal}");
    assert_eq!(journal["asks"][0]["channel"], "inbox", "{journal}");
    station.record("headless");
}

/// The call has ended `pending` before the person answers; the agent waits for the answer.
fn answered_late(client: &'static RealClient) {
    let station = Station::new(client, client.short_hold);
    let _running = station.headless("confirm");
    station.server_sent("pending", |message| {
        message["result"]["structuredContent"]["status"] == "pending"
    });
    station.answer_on_page("accept", json!({ "confirmed": true }));
    let got = station.model.got();
    assert!(got.len() > 1, "{got:?}");
    assert!(is_yes(got.last().unwrap()), "{got:?}");
    assert_eq!(statuses(&station.journal()), ["accepted"]);
    station.record("late");
}

/// `holdpoint answer` in the agent's own shell settles nothing, and is on record.
fn not_answered_by_its_shell(client: &'static RealClient) {
    let station = Station::new(client, client.short_hold);
    let _running = station.unsafe_headless("own_shell");
    let got = station.model.got();
    let [_, shell, last] = got.as_slice() else {
        panic!("{got:#?}")
    };
    assert!(shell.contains("agent"), "{shell}");
    assert!(!is_yes(last), "{last}");
    let journal = station.journal();
    assert_eq!(statuses(&journal), ["pending"], "{journal}");
    let tried = journal["events"]
        .as_array()
        .unwrap()
        .contains(&json!("agent_answered"));
    assert!(tried, "{journal}");
    station.record("own-shell");
}

/// What is dangerous is on the page to its last word, and nowhere in part.
fn danger_is_whole_on_the_page(client: &'static RealClient) {
    let station = Station::new(client, "");
    let _running = station.headless("long_danger");
    let asked = station.answer_on_page("decline", Value::Null).to_string();
    assert!(asked.contains("within the last 30 days."), "{asked}");
    let got = station.model.got();
    assert!(!is_yes(got.last().unwrap()), "{got:?}");
    assert_eq!(station.questions(), 0, "it shows no forms");
    assert_eq!(statuses(&station.journal()), ["declined"]);
    station.record("long-danger");
}

/// How the asks ended, in the order of the asking.
pub fn statuses(journal: &Value) -> Vec<&str> {
    let asks = journal["asks"].as_array().unwrap().iter();
    asks.map(|ask| ask["status"].as_str().unwrap()).collect()
}

macro_rules! headless {
    ($($name:ident: $client:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn answered_on_the_page() {
                super::answered_on_the_page(&$client);
            }

            #[test]
            fn answered_late() {
                super::answered_late(&$client);
            }

            #[test]
            fn not_answered_by_its_shell() {
                super::not_answered_by_its_shell(&$client);
            }
        }
    )*};
}

headless! {
    claude_code: catalog::CLAUDE_CODE;
    codex: catalog::CODEX;
    copilot: catalog::COPILOT;
    gemini: without_forms::GEMINI;
    opencode: without_forms::OPENCODE;
    qwen: without_forms::QWEN;
    kilo: without_forms::KILO;
    cline: without_forms::CLINE;
}

/// Continue has no shell in this mode that its rules let through.
mod continues {
    use super::*;

    #[test]
    fn answered_on_the_page() {
        super::answered_on_the_page(&without_forms::CONTINUE);
    }

    #[test]
    fn answered_late() {
        super::answered_late(&without_forms::CONTINUE);
    }
}

#[test]
fn gemini_shows_no_danger_in_part() {
    danger_is_whole_on_the_page(&without_forms::GEMINI);
}

#[test]
fn opencode_shows_no_danger_in_part() {
    danger_is_whole_on_the_page(&without_forms::OPENCODE);
}
