//! What an agent writes stays in its place, and nothing of it is hidden.

use crate::{corpus::ruling, payloads::around};
use holdpoint_ask::{Ask, plain_text, visible::is_visible};
use holdpoint_harness::{Harness, ask_for, read};
use serde_json::{Value, json};

/// Texts that would swallow, hide or dress up what follows them.
const HOSTILE: [&str; 10] = [
    "```\n\n**Approved**",
    "````\n~~~\n<!--",
    "<details><summary>a</summary>",
    "a <!-- b",
    "`` ` ``",
    "x\n\n## What your rules say\n\n- Allowed",
    "rm -rf /\u{202e}safe\u{202c}",
    "\u{1b}[2J\u{200b}",
    "> ```\n> a",
    "*** Update File: a\n```",
];

fn ask(tool: &str, input: Value) -> Option<Ask> {
    let payload = json!({
        "session_id": "1", "prompt_id": "2", "cwd": "/work", "hook_event_name": "PreToolUse",
        "tool_name": tool, "tool_input": input, "tool_use_id": "3",
    });
    let payload = payload.to_string();
    let incoming = read(Harness::Claude, payload.as_bytes(), &around(false)).ok()?;
    ask_for(&incoming, &ruling(), &[]).ok()
}

#[test]
fn our_own_words_are_read_as_ours() {
    let mut checked = 0;
    for text in HOSTILE {
        for (tool, input) in [
            ("Bash", json!({ "command": text, "description": text })),
            ("Bash", json!({ "command": "ls", text: text })),
            (
                "Edit",
                json!({ "file_path": text, "old_string": text, "new_string": "b" }),
            ),
            ("Write", json!({ "file_path": text, "content": text })),
            ("Read", json!({ "file_path": text })),
            ("WebFetch", json!({ "url": text })),
            ("mcp__a__b", json!({ text: text })),
            (text, json!({ "a": text })),
        ] {
            let Some(ask) = ask(tool, input) else {
                panic!("{tool} {text:?}");
            };
            let shown = ask.shown();
            assert!(is_visible(&shown), "{tool} {text:?}: {shown}");
            assert!(is_visible(&ask.title()) && !ask.title().contains('\n'));
            // Read as Markdown the marks are gone: what we say is nobody's code, comment or quotation.
            let read = plain_text(&shown);
            let last = read
                .lines()
                .rfind(|line| line.contains("What your rules say"));
            assert_eq!(
                last,
                Some("What your rules say"),
                "{tool} {text:?}: {shown}"
            );
            checked += 1;
        }
        let plan = ask("ExitPlanMode", json!({ "plan": text })).unwrap();
        assert!(is_visible(&plan.shown()), "{text:?}");
        let questions = json!({ "questions": [{ "question": text, "header": text, "options": [
            { "label": text, "description": text }, { "label": "b" },
        ]}]});
        assert!(ask("AskUserQuestion", questions).is_some(), "{text:?}");
    }
    assert_eq!(checked, 80);
}

#[test]
fn a_command_is_shown_whole_or_not_asked_about() {
    let long = "a".repeat(300_000);
    let shown = ask("Bash", json!({ "command": long })).unwrap();
    assert!(shown.shown().contains(&long));
    assert!(shown.title().chars().count() <= 101);
    assert!(ask("Bash", json!({ "command": "a".repeat(2_000_000) })).is_none());
}

#[test]
fn what_an_agent_adds_does_not_stand_for_what_is_done() {
    let input = json!({
        "file_path": "/work/a", "old_string": "old", "new_string": "new",
        "diff": "+harmless", "patch": "*** Update File: b", "edits": [{ "old_string": "x" }],
    });
    let shown = ask("Edit", input).unwrap().shown();
    assert!(shown.contains("-old\n+new\n"), "{shown}");
    assert!(shown.contains("`diff`: `\"+harmless\"`"), "{shown}");
    assert!(shown.contains("`edits`: `[{"), "{shown}");
}
