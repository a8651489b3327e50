//! `requestState` as a client sends it back: only what was sealed, whole and for the same call, is opened.

use crate::{sections, text};
use holdpoint::fuzz_door::{open_state, seal_state};

const KEY: [u8; 32] = [7; 32];

/// The input is what is sent back. After a line `---`: what is done to a state that was sealed, as lines
/// `at byte`, `cut from to` or `insert at text`; and after another one the arguments of the call that calls again.
pub fn check(data: &[u8]) {
    let Some([sent, changes, other]) = sections(data) else {
        return;
    };
    // Nobody but us can make one.
    assert!(!open_state(KEY, "call", sent), "{sent:?} was opened");
    let sealed = seal_state(KEY, "call");
    assert!(open_state(KEY, "call", &sealed));
    let changed = changed(&sealed, changes);
    if let Some(changed) = text(&changed) {
        let opened = open_state(KEY, "call", changed);
        assert_eq!(opened, changed == sealed, "{changed} of {sealed}");
    }
    assert_eq!(
        open_state(KEY, other, &sealed),
        other == "call",
        "{other:?}"
    );
    let mut key = KEY;
    for (place, byte) in key.iter_mut().zip(data) {
        *place ^= byte;
    }
    assert_eq!(open_state(key, "call", &sealed), key == KEY, "{key:?}");
}

fn changed(sealed: &str, changes: &str) -> Vec<u8> {
    let mut state = sealed.as_bytes().to_vec();
    for line in changes.lines() {
        let mut words = line.split(' ');
        let word = words.next().unwrap_or_default();
        let mut number = || words.next().and_then(|word| word.parse::<usize>().ok());
        let (Some(one), other) = (number(), number()) else {
            continue;
        };
        let one = one.min(state.len());
        match (word, other) {
            ("cut", Some(end)) => drop(state.drain(one..end.clamp(one, state.len()))),
            ("insert", _) => {
                let text = line.splitn(3, ' ').nth(2).unwrap_or_default();
                drop(state.splice(one..one, text.bytes()));
            }
            ("at", Some(byte)) if one < state.len() => state[one] = byte.min(127) as u8,
            _ => {}
        }
    }
    state
}
