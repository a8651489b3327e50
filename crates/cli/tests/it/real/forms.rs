//! A client's own form, and a person's keys in it.

use super::{
    catalog::{self, RealClient},
    headless::statuses,
    station::{READING, Station},
    terminal::Terminal,
};
use clients::recording::is_question;
use serde_json::{Value, json};

/// How a person goes through a client's form to approve a plan. What the form looks like is the client's, and
/// what stands in it is Holdpoint's: only these words are known here.
struct Hand {
    client: &'static RealClient,
    /// What the client puts before the line that the next key is for.
    cursor: &'static str,
    /// What is on the screen once a form is.
    form: &'static str,
    /// What is on the cursor's line, and the keys that are pressed then: the first that fits.
    keys: &'static [(&'static str, &'static str)],
    /// The keys of somebody who only wants it gone.
    untouched: &'static str,
    /// What is on the screen once an address is offered instead, and the keys of somebody who has been there.
    address: (&'static str, &'static str),
}

const CLAUDE_CODE: Hand = Hand {
    client: &catalog::CLAUDE_CODE,
    cursor: "❯",
    form: "Esc to cancel",
    keys: &[
        ("▸ not set", "Right"),
        ("◯ ✅", "Enter"),
        ("◯", "Down"),
        ("", "Enter"),
    ],
    untouched: "Enter",
    // "I'm done, continue" is the second of three.
    address: ("wants to open a URL", "Right Enter"),
};
const CODEX: Hand = Hand {
    client: &catalog::CODEX,
    cursor: "›",
    form: "esc to cancel",
    keys: &[
        ("✅", "Enter"),
        // It takes no Enter in an empty text.
        ("Type your answer", "o k Enter"),
        (". ", "Down"),
        ("", "Enter"),
    ],
    untouched: "Enter",
    // It is never offered one: it declines them by itself.
    address: ("", ""),
};
const COPILOT: Hand = Hand {
    client: &catalog::COPILOT,
    cursor: "❯",
    form: "esc cancel",
    keys: &[("✅", "Enter"), ("❯ ", "Down"), ("", "Enter")],
    untouched: "Enter",
    address: ("wants you to visit", "Enter"),
};
const FAST_AGENT: Hand = Hand {
    client: &catalog::FAST_AGENT,
    // It has a frame of its own; the mark is that of the option that is chosen.
    cursor: "(*)",
    form: "Elicitation Request",
    keys: &[("✅", "Tab Enter"), ("", "Down Space")],
    untouched: "Tab Enter",
    address: ("URL", "Enter"),
};

/// How often somebody tries to be rid of a form.
const UNTOUCHED: usize = 4;
/// No form takes more keys.
const MOST_KEYS: usize = 24;

impl Hand {
    /// Opens a form of this scenario, and reads it.
    fn opens(&self, station: &Station, scenario: &str) -> Terminal {
        let terminal = station.at_terminal(scenario);
        station.server_sent("a question", is_question);
        terminal.sees(self.form);
        std::thread::sleep(READING);
        terminal
    }

    /// A person chooses to approve, and sends it.
    fn approves(&self) {
        let station = Station::new(self.client, "");
        let terminal = self.opens(&station, "small_plan");
        for _ in 0..MOST_KEYS {
            if station.replies() > 0 {
                break;
            }
            let line = terminal.cursor_line(self.cursor);
            let line = line.trim_end();
            let (_, keys) = self
                .keys
                .iter()
                .find(|(words, _)| line.contains(words))
                .unwrap();
            terminal.press(keys);
        }
        let got = station.model.got();
        assert!(got.last().unwrap().contains("approve"), "{got:?}");
        let journal = station.journal();
        assert_eq!(statuses(&journal), ["accepted"], "{journal}");
        assert_eq!(journal["asks"][0]["channel"], "client", "{journal}");
        assert_eq!(
            journal["asks"][0]["content"]["decision"], "approve",
            "{journal}"
        );
        station.record("plan");
    }

    /// Keys that choose nothing, then Escape: nothing was chosen, so nothing was approved.
    fn leaves_untouched(&self, scenario: &str) {
        let station = Station::new(self.client, "");
        let terminal = self.opens(&station, scenario);
        for _ in 0..UNTOUCHED {
            terminal.press(self.untouched);
            std::thread::sleep(READING);
            // It was asked again. Who sends that often enough has no form left to put away.
            if station.questions() > 1 {
                break;
            }
        }
        terminal.press("Escape");
        let got = station.model.got();
        let journal = station.journal();
        assert_ne!(statuses(&journal), ["accepted"], "{journal}");
        assert!(!is_yes(got.last().unwrap()), "{got:?}");
        station.record(&format!("untouched-{}", scenario.replace('_', "-")));
    }

    /// What does not fit the client's form is approved on the page, which its screen offers.
    fn approves_on_the_page(&self) {
        let station = Station::new(self.client, "");
        let terminal = station.at_terminal("plan");
        station.server_sent("a question", is_question);
        let answer = json!({ "decision": "approve", "feedback": "Mind the gap" });
        self.answers_at_address(&station, &terminal, "accept", answer);
        let got = station.model.got();
        assert!(is_yes(got.last().unwrap()), "{got:?}");
        assert!(got.last().unwrap().contains("Mind the gap"), "{got:?}");
        let journal = station.journal();
        assert_eq!(statuses(&journal), ["accepted"], "{journal}");
        assert_eq!(journal["asks"][0]["channel"], "inbox", "{journal}");
        station.record("plan-on-page");
    }

    /// A person answers at the address that the client's screen offers, and comes back.
    fn answers_at_address(&self, at: &Station, terminal: &Terminal, action: &str, content: Value) {
        let (words, keys) = self.address;
        terminal.sees(words);
        at.answer_on_page(action, content);
        for key in keys.split(' ') {
            terminal.press(key);
            // Claude Code takes no Enter that comes at once after the key before it.
            std::thread::sleep(READING);
        }
    }

    /// What is dangerous is on the screen to its last word, or it is not asked there.
    fn shows_danger_whole(&self, scenario: &str, last_words: &str) {
        let station = Station::new(self.client, self.client.short_hold);
        let terminal = station.at_terminal(scenario);
        let sent = station.asked_or_not();
        let asked = sent.pointer("/result/inputRequests/0001").unwrap_or(&sent);
        if asked["params"]["requestedSchema"].is_object() {
            terminal.sees(self.form);
            terminal.sees_words(last_words);
            std::thread::sleep(READING);
            terminal.press("Escape");
        } else if is_question(&sent) {
            self.answers_at_address(&station, &terminal, "decline", Value::Null);
        } else {
            station.declined_on_page(&sent);
        }
        let got = station.model.got();
        assert!(!is_yes(got.last().unwrap()), "{got:?}");
        station.record(&scenario.replace('_', "-"));
    }
}

/// Says whether this told the model to go ahead, as fields or as text.
pub fn is_yes(told: &str) -> bool {
    let told = told.replace(['\\', '"', ' '], "");
    told.contains("proceed:true")
}

macro_rules! forms {
    ($($name:ident: $hand:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn a_plan_is_approved_by_a_persons_keys() {
                $hand.approves();
            }

            #[test]
            fn an_untouched_plan_is_not_approved() {
                $hand.leaves_untouched("small_plan");
            }

            #[test]
            fn an_untouched_confirmation_is_not_a_yes() {
                $hand.leaves_untouched("confirm");
            }

            #[test]
            fn a_long_danger_is_not_cut() {
                $hand.shows_danger_whole("long_danger", "within the last 30 days.");
            }

            #[test]
            fn a_long_line_of_danger_is_not_cut() {
                $hand.shows_danger_whole("long_line", "that no pod uses at this moment?");
            }
        }
    )*};
}

forms! {
    claude_code: CLAUDE_CODE;
    codex: CODEX;
    copilot: COPILOT;
    fast_agent: FAST_AGENT;
}

/// It shows four lines of a form, and a plan is longer.
#[test]
fn claude_code_offers_the_page_for_what_is_long() {
    CLAUDE_CODE.approves_on_the_page();
}
