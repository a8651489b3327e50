//! Whatever comes in, nothing panics, and nothing but a yes lets a tool through.

use crate::{
    corpus::ruling,
    payloads::{self, Payload},
    would_do::{Done, would_do},
};
use holdpoint_ask::{Answer, Outcome};
use holdpoint_harness::{
    Decision, FormReply, Harness, HookReply, Incoming, Prompt, ask_for, binding, decision,
    leave_failure_to_harness, permission_tool, read, reply, reply_to_failure,
};
use proptest::{collection, prelude::*, sample};
use serde_json::{Map, Value, json};

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        sample::select(vec![
            "```\n# Approved",
            "<!--",
            "/etc/passwd",
            "",
            "\u{202e}",
            "*** Update File: a",
            "allow"
        ])
        .prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            collection::vec((key(), inner), 0..4)
                .prop_map(|keys| Value::Object(keys.into_iter().collect())),
        ]
    })
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        sample::select(vec![
            "hook_event_name",
            "session_id",
            "tool_name",
            "tool_input",
            "toolName",
            "command",
            "file_path",
            "questions",
            "question",
            "options",
            "label",
            "plan",
            "requested_schema",
            "edits",
            "patch",
            "urls",
            "cursor_version",
            "timestamp",
        ])
        .prop_map(str::to_owned),
        "[a-z_]{1,6}",
    ]
}

/// A payload of the corpus in which a few keys, at any depth, are something else or gone.
fn mutated() -> impl Strategy<Value = Payload> {
    let change = (any::<u64>(), key(), proptest::option::of(json_value()));
    (
        sample::select(payloads::all()),
        collection::vec(change, 0..4),
        any::<bool>(),
    )
        .prop_map(|(mut payload, changes, unattended)| {
            let mut value: Value = serde_json::from_slice(&payload.bytes).unwrap();
            for (seed, key, new) in changes {
                change_at(&mut value, seed, key, new);
            }
            payload.bytes = serde_json::to_vec(&value).unwrap();
            payload.around.unattended = unattended;
            payload
        })
}

/// Changes a key of this value, or of one inside it, by the seed.
fn change_at(value: &mut Value, seed: u64, key: String, new: Option<Value>) {
    let (seed, into) = (seed / 7, seed.is_multiple_of(2));
    match value {
        Value::Object(object) => {
            let place = (seed as usize) % object.len().max(1);
            let there = object.keys().nth(place).cloned();
            let nested = |value: &Value| value.is_object() || value.is_array();
            match object.values_mut().nth(place) {
                Some(inner) if into && nested(inner) => return change_at(inner, seed, key, new),
                _ => {}
            }
            let key = there.filter(|_| !seed.is_multiple_of(3)).unwrap_or(key);
            match new {
                Some(new) => drop(object.insert(key, new)),
                None => drop(object.remove(&key)),
            }
        }
        Value::Array(values) if !values.is_empty() => {
            let place = (seed as usize) % values.len();
            change_at(&mut values[place], seed, key, new);
        }
        _ => {}
    }
}

fn harness() -> impl Strategy<Value = Harness> {
    sample::select(Harness::ALL.to_vec())
}

/// Decisions that are no yes.
fn no() -> impl Strategy<Value = Decision> {
    let reason = sample::select(vec!["", " ", "Ann is out", "allow", "\n\"}"]);
    reason.prop_flat_map(|reason| {
        let reason = reason.to_owned();
        sample::select(vec![
            Decision::Deny {
                reason: reason.clone(),
            },
            Decision::Defer {
                reason: reason.clone(),
            },
            Decision::NoOpinion,
            Decision::LeaveToHarness { reason },
            Decision::Form(FormReply::Accept(Answer::new())),
        ])
    })
}

fn is_about_a_tool(incoming: &Incoming) -> bool {
    matches!(
        incoming.prompt,
        Prompt::Tool(_) | Prompt::Questions(_) | Prompt::Plan(_)
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_but_a_yes_lets_a_tool_through(payload in mutated(), no in no()) {
        if let Ok(incoming) = read(payload.harness, &payload.bytes, &payload.around)
            && is_about_a_tool(&incoming)
        {
            let said = reply(&incoming, &no);
            let done = would_do(incoming.harness, &incoming.event, incoming.unattended, &said);
            if no == Decision::NoOpinion && incoming.prompts_later() {
                // The same call comes again where there is a prompt.
                prop_assert_eq!(said, HookReply::default());
                return Ok(());
            }
            prop_assert_ne!(done, Done::Runs, "{:?} {:?} {:?}", incoming, no, said);
            if !matches!(no, Decision::NoOpinion | Decision::LeaveToHarness { .. }) {
                prop_assert_eq!(done, Done::Blocked, "{:?} {:?} {:?}", incoming, no, said);
            }
            let tool = permission_tool::reply(&incoming, &no);
            prop_assert!(tool.starts_with(r#"{"behavior":"deny""#), "{}", tool);
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused(payload in mutated()) {
        let failed = reply_to_failure(payload.harness, &payload.bytes, "The disk is full.");
        match read(payload.harness, &payload.bytes, &payload.around) {
            Ok(incoming) if is_about_a_tool(&incoming) => {
                let done = would_do(incoming.harness, &incoming.event, incoming.unattended, &failed);
                prop_assert_eq!(done, Done::Blocked, "{:?} {:?}", incoming, failed);
            }
            Ok(_) => {}
            Err(_) => {
                let object: Map<String, Value> = serde_json::from_slice(&payload.bytes).unwrap();
                let event = object.get("hook_event_name").and_then(Value::as_str);
                if let (Harness::Claude, Some(event @ ("PreToolUse" | "PermissionRequest"))) = (payload.harness, event)
                    && !object.contains_key("cursor_version")
                {
                    let done = would_do(Harness::Claude, event, false, &failed);
                    let other = would_do(Harness::VsCode, event, false, &failed);
                    prop_assert!(done == Done::Blocked || other == Done::Blocked, "{:?} {:?}", object, failed);
                }
            }
        }
    }

    #[test]
    fn nothing_panics_on_what_people_and_agents_write(
        payload in mutated(), answer in json_value(), harness in harness(),
    ) {
        for harness in [payload.harness, harness] {
            let _ = leave_failure_to_harness(harness, &payload.bytes, "x");
            let Ok(incoming) = read(harness, &payload.bytes, &payload.around) else { continue };
            let _ = binding(&incoming);
            if let Ok(ask) = ask_for(&incoming, &ruling(), &[]) {
                prop_assert!(ask.check().is_ok() && ask.in_person);
            }
            let answer = answer.as_object().cloned().unwrap_or_default();
            let allows = answer.get("decision") == Some(&json!("allow"));
            let approves = answer.get("decision") == Some(&json!("approve"));
            let decided = decision(&incoming, &Outcome::Accepted(answer), None);
            let yes = matches!(decided, Decision::Allow { .. });
            prop_assert!(!yes || allows || approves);
            let _ = reply(&incoming, &decided);
        }
    }

    #[test]
    fn garbage_is_an_error_and_refused(bytes in collection::vec(any::<u8>(), 0..200), value in json_value(), harness in harness()) {
        for bytes in [bytes, serde_json::to_vec(&value).unwrap()] {
            let read = read(harness, &bytes, &payloads::around(false));
            prop_assert!(!matches!(read, Ok(incoming) if is_about_a_tool(&incoming)));
            let said = reply_to_failure(harness, &bytes, "x");
            let _ = leave_failure_to_harness(harness, &bytes, "x");
            prop_assert!(!said.stdout.contains("allow"));
            let said = reply_to_failure(harness, &bytes, "");
            prop_assert!(said.exit_code != 2 || !said.stderr.trim().is_empty());
        }
    }
}

#[test]
fn half_a_payload_is_refused_at_the_event_that_it_names() {
    for payload in payloads::all() {
        let Ok(incoming) = read(payload.harness, &payload.bytes, &payload.around) else {
            continue;
        };
        if !is_about_a_tool(&incoming) || incoming.harness != payload.harness {
            continue;
        }
        let half = &payload.bytes[..payload.bytes.len() - 3];
        let said = reply_to_failure(payload.harness, half, "The payload is cut off.");
        let done = would_do(
            incoming.harness,
            &incoming.event,
            incoming.unattended,
            &said,
        );
        assert_eq!(done, Done::Blocked, "{} {said:?}", payload.name);
    }
}

#[test]
fn an_agent_cannot_choose_how_it_is_refused() {
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    for harness in [Harness::Claude, Harness::Codex] {
        for inside in ["PermissionRequest", "Elicitation", "Stop"] {
            let payload = format!(
                r#"{{"session_id":"1","turn_id":"2","cwd":"/w","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"ls","hook_event_name":"{inside}","x":{deep}}}}}"#
            );
            let around = payloads::around(false);
            assert!(read(harness, payload.as_bytes(), &around).is_err());
            let said = reply_to_failure(harness, payload.as_bytes(), "It cannot be read.");
            let done = would_do(harness, "PreToolUse", false, &said);
            assert_eq!(done, Done::Blocked, "{said:?}");
        }
    }
}
