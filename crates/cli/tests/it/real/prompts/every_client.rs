//! What holds with every client: a yes, a no, silence, a kill, and rules.

use super::{
    catalog::{self, Prompting},
    desk::Desk,
    leftovers::kill_client,
};

/// What the shell says when it has done its task. Doing it twice fails.
pub const DONE: &str = "created directory";

fn a_yes_lets_it_run(of: &'static Prompting) {
    let desk = Desk::new(of);
    let run = desk.starts();
    let asked = desk.asked().to_string();
    assert!(asked.contains("mkdir -v made-by-agent"), "{asked}");
    assert!(!desk.is_made(), "it ran before the answer");
    desk.allow();
    let told = run.told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert!(desk.is_made());
    assert_eq!(desk.asks(), ["accepted"]);
    desk.verifies();
}

fn a_no_stops_it_with_its_reason(of: &'static Prompting) {
    let desk = Desk::new(of);
    let run = desk.starts();
    desk.deny("Not before the release");
    let told = run.told(&desk);
    assert!(told.contains("Not before the release"), "{told}");
    assert!(!desk.is_made());
    assert_eq!(desk.asks(), ["accepted"], "a no is an answer");
    desk.verifies();
}

fn silence_denies_and_a_late_yes_counts(of: &'static Prompting) {
    let desk = Desk::new(of);
    desk.waits_only(3);
    let told = desk.starts().told(&desk);
    assert!(told.contains("stays open"), "{told}");
    assert!(!desk.is_made());
    assert_eq!(desk.asks(), ["pending"]);
    desk.allow();
    assert!(!desk.is_made(), "nobody has called again");
    let told = desk.starts_again().told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert_eq!(desk.asks(), ["accepted"], "nobody is asked twice");
    desk.verifies();
}

fn a_kill_of_everything_loses_nothing(of: &'static Prompting) {
    let mut desk = Desk::new(of);
    let run = desk.starts();
    let asked = desk.asked();
    desk.is_killed();
    drop(run);
    assert!(!desk.is_made());
    assert_eq!(desk.asked()["id"], asked["id"], "it is still open");
    desk.allow();
    assert!(!desk.is_made(), "nobody has called again");
    let told = desk.starts_again().told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert_eq!(desk.asks(), ["accepted"], "nobody is asked twice");
    desk.verifies();
}

/// The hook, which nobody hears any more, does not take the answer.
fn a_kill_of_the_client_alone_loses_nothing(of: &'static Prompting) {
    let desk = Desk::new(of);
    let run = desk.starts();
    desk.asked();
    kill_client(&desk.station.home);
    drop(run);
    desk.allow();
    assert!(!desk.is_made(), "nobody has called again");
    let told = desk.starts_again().told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert_eq!(desk.asks(), ["accepted"], "nobody is asked twice");
    desk.verifies();
}

fn a_rule_decides_without_an_ask(of: &'static Prompting) {
    let desk = Desk::new(of);
    desk.rules("deny = [\"Bash(mkdir *)\"]\n");
    let told = desk.starts().told(&desk);
    assert!(told.contains("rules.toml"), "{told}");
    assert!(!desk.is_made());
    desk.rules("allow = [\"Bash(mkdir *)\"]\n");
    let told = desk.starts_again().told(&desk);
    assert!(told.contains(DONE), "{told}");
    assert!(desk.asks().is_empty(), "{:?}", desk.asks());
}

macro_rules! every_client {
    ($($name:ident: $client:expr;)*) => {$(
        mod $name {
            use super::*;

            #[test]
            fn a_yes_lets_it_run() {
                super::a_yes_lets_it_run(&$client);
            }

            #[test]
            fn a_no_stops_it_with_its_reason() {
                super::a_no_stops_it_with_its_reason(&$client);
            }

            #[test]
            fn silence_denies_and_a_late_yes_counts() {
                super::silence_denies_and_a_late_yes_counts(&$client);
            }

            #[test]
            fn a_kill_of_everything_loses_nothing() {
                super::a_kill_of_everything_loses_nothing(&$client);
            }

            #[test]
            fn a_kill_of_the_client_alone_loses_nothing() {
                super::a_kill_of_the_client_alone_loses_nothing(&$client);
            }

            #[test]
            fn a_rule_decides_without_an_ask() {
                super::a_rule_decides_without_an_ask(&$client);
            }
        }
    )*};
}

every_client! {
    claude_code: catalog::CLAUDE;
    codex: catalog::CODEX_EXEC;
    gemini: catalog::GEMINI_CLI;
    copilot: catalog::COPILOT_CLI;
    opencode: catalog::OPENCODE_RUN;
}
