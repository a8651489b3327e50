//! Codex at a terminal: it runs no hook before a person trusted it, and asks for what leaves its sandbox.

use super::{catalog::CODEX_EXEC, desk::Desk, every_client::DONE, terminal::Terminal};

/// How often a key is pressed until its list is where it should be.
const MOST_KEYS: usize = 10;

/// The task at a terminal whose user has trusted the hook.
fn at_terminal(desk: &Desk) -> Terminal {
    // What asks here is Codex itself, and no rule.
    desk.rules("");
    let terminal = Terminal::open(&desk.station.home, &desk.station.command(&[]));
    terminal.sees("Hooks need review");
    for _ in 0..MOST_KEYS {
        if terminal.cursor_line("›").contains("Trust all") {
            break;
        }
        terminal.press("Down");
    }
    terminal.press("Enter");
    desk.types(&terminal, CODEX_EXEC.client.ready, "escalated");
    terminal
}

#[test]
fn a_yes_lets_it_leave_its_sandbox() {
    let desk = Desk::new(&CODEX_EXEC);
    let _terminal = at_terminal(&desk);
    let asked = desk.asked().to_string();
    assert!(asked.contains("mkdir -v made-by-agent"), "{asked}");
    assert!(!desk.is_made());
    desk.allow();
    let got = desk.station.model.got();
    assert!(got[0].contains(DONE), "{got:?}");
    assert_eq!(desk.asks(), ["accepted"]);
    desk.verifies();
}

#[test]
fn a_no_keeps_it_in_its_sandbox() {
    let desk = Desk::new(&CODEX_EXEC);
    let _terminal = at_terminal(&desk);
    desk.deny("Not before the release");
    let got = desk.station.model.got();
    assert!(got[0].contains("Not before the release"), "{got:?}");
    assert!(!desk.is_made());
}

/// It kills the hook and tells nobody. The ask stays open, as after any kill; an answer is for the next try.
#[test]
fn an_interruption_runs_nothing() {
    let desk = Desk::new(&CODEX_EXEC);
    let terminal = at_terminal(&desk);
    let asked = desk.asked();
    terminal.press("Escape");
    terminal.sees("interrupted");
    desk.types(&terminal, CODEX_EXEC.client.ready, "nothing");
    desk.station.model.got();
    assert_eq!(desk.allow()["id"], asked["id"]);
    assert!(!desk.is_made());
    desk.types(&terminal, CODEX_EXEC.client.ready, "escalated");
    let got = desk.station.model.got_after(1);
    assert!(got[0].contains(DONE), "{got:?}");
    assert_eq!(desk.asks(), ["accepted"], "nobody is asked twice");
}
