//! A client's own form, and a person's keys in it.

use super::{
    catalog::{self, RealClient},
    headless::statuses,
    station::{READING, Station},
    terminal::Terminal,
};
use clients::recording::is_question;

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
};
const COPILOT: Hand = Hand {
    client: &catalog::COPILOT,
    cursor: "❯",
    form: "esc cancel",
    keys: &[("✅", "Enter"), ("❯ ", "Down"), ("", "Enter")],
    untouched: "Enter",
};
const FAST_AGENT: Hand = Hand {
    client: &catalog::FAST_AGENT,
    // It has a frame of its own; the mark is that of the option that is chosen.
    cursor: "(*)",
    form: "Elicitation Request",
    keys: &[("✅", "Tab Enter"), ("", "Down Space")],
    untouched: "Tab Enter",
};

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
        for _ in 0..6 {
            terminal.press(self.untouched);
        }
        terminal.press("Escape");
        let got = station.model.got();
        let journal = station.journal();
        assert_ne!(statuses(&journal), ["accepted"], "{journal}");
        assert!(!got.last().unwrap().contains("\"proceed\":true"), "{got:?}");
        station.record(&format!("untouched-{}", scenario.replace('_', "-")));
    }

    /// What is dangerous is on the screen to its last word, or it is not asked there.
    fn shows_danger_whole(&self, scenario: &str, last_words: &str) {
        let station = Station::new(self.client, self.client.short_hold);
        let terminal = station.at_terminal(scenario);
        let sent = station.asked_or_not();
        let form = sent.pointer("/result/inputRequests/0001").unwrap_or(&sent);
        if form["params"]["requestedSchema"].is_object() {
            terminal.sees(self.form);
            terminal.sees_words(last_words);
            std::thread::sleep(READING);
            terminal.press("Escape");
        } else {
            station.declined_on_page(&sent);
        }
        let got = station.model.got();
        assert!(!got.last().unwrap().contains("\"proceed\":true"), "{got:?}");
        station.record(&scenario.replace('_', "-"));
    }
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
