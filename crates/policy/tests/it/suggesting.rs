//! Suggestions: patterns that a person always said yes to.

use crate::cases::{bash, file, now};
use holdpoint_policy::{PastUse, ToolUse, suggest};
use jiff::SignedDuration;

fn past(uses: Vec<(ToolUse, bool)>) -> Vec<PastUse> {
    let seconds = (0..).map(SignedDuration::from_secs);
    let past = uses.into_iter().zip(seconds);
    past.map(|((tool_use, said_yes), later)| PastUse {
        tool_use,
        said_yes,
        danger: false,
        at: now() + later,
    })
    .collect()
}

#[test]
fn five_yes_and_no_no_make_a_suggestion() {
    let mut uses = Vec::new();
    for number in 0..6 {
        uses.push((bash(&format!("git push origin b{number}")), true));
        uses.push((bash(&format!("git log {number} && git push x")), true));
        uses.push((bash("make $(x)"), true));
        uses.push((bash("cargo publish"), number != 3));
        uses.push((file("Edit", "/w/src/x.rs"), true));
    }
    uses.push((bash("npm run test"), true));
    let suggestions = suggest(&past(uses));
    let texts: Vec<_> = suggestions.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "`Bash(git push *)`: 12 yes, no no",
            "`Bash(git log *)`: 6 yes, no no",
            "`Edit(/src/**)`: 6 yes, no no",
        ]
    );
    assert_eq!(
        suggestions[0].examples,
        [
            "Bash: git log 5 && git push x",
            "Bash: git push origin b5",
            "Bash: git log 4 && git push x"
        ]
    );
}

#[test]
fn what_was_dangerous_is_never_suggested() {
    let mut uses = past(vec![(bash("git push"), true); 9]);
    assert_eq!(suggest(&uses).len(), 1);
    uses[4].danger = true;
    assert_eq!(suggest(&uses), []);
}
