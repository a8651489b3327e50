//! What each harness takes for an answer, as JSON Schemas: Codex's as it publishes them, the others' as strict as
//! what was seen or is documented.

use holdpoint_harness::{Harness, HookReply, Incoming, Prompt};
use serde_json::{Value, json};

/// Checks that the harness takes this reply.
pub fn check(incoming: &Incoming, said: &HookReply, name: &str) {
    assert!(matches!(said.exit_code, 0 | 2), "{name}: {said:?}");
    if said.exit_code == 2 {
        assert!(!said.stderr.trim().is_empty(), "{name}: {said:?}");
    }
    if matches!(incoming.prompt, Prompt::Over(_) | Prompt::Nothing) {
        assert_eq!(said.exit_code, 0, "{name}: {said:?}");
    }
    if said.stdout.is_empty() {
        return;
    }
    assert_eq!(said.stdout.lines().count(), 1, "{name}: one line");
    let json: Value = serde_json::from_str(&said.stdout).unwrap();
    let schema = schema(incoming.harness, &incoming.event);
    let schema = schema.unwrap_or_else(|| panic!("{name} says {json}, and nothing is read there"));
    let errors: Vec<_> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&json)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{name}: {json}: {errors:?}");
}

fn schema(harness: Harness, event: &str) -> Option<Value> {
    use Harness::*;
    Some(match (harness, event) {
        (Claude, "PreToolUse") => specific(claude_pre_tool_use(&["allow", "deny", "ask", "defer"])),
        (VsCode, "PreToolUse") => specific(claude_pre_tool_use(&["allow", "deny", "ask"])),
        (Claude, "PermissionRequest") => specific(permission_request(&[
            ("updatedInput", json!({ "type": "object" })),
            ("updatedPermissions", json!({ "type": "array" })),
            ("interrupt", json!({ "type": "boolean" })),
        ])),
        (Claude, "Elicitation") => specific(object(
            &[
                ("hookEventName", json!({ "const": "Elicitation" })),
                ("action", json!({ "enum": ["accept", "decline", "cancel"] })),
            ],
            &[("content", json!({ "type": "object" }))],
        )),
        (Codex, "PreToolUse") => specific(json!({ "oneOf": [
            object(
                &[
                    ("hookEventName", json!({ "const": "PreToolUse" })),
                    ("permissionDecision", json!({ "const": "deny" })),
                    ("permissionDecisionReason", text()),
                ],
                &[],
            ),
            object(
                &[
                    ("hookEventName", json!({ "const": "PreToolUse" })),
                    ("permissionDecision", json!({ "const": "allow" })),
                    ("updatedInput", json!({ "type": "object" })),
                ],
                &[],
            ),
        ]})),
        // Everything else there makes the hook fail.
        (Codex, "PermissionRequest") => specific(permission_request(&[])),
        (Copilot, "preToolUse") => copilot_pre_tool_use(&[]),
        (Copilot, "permissionRequest") => object(
            &[("behavior", json!({ "enum": ["allow", "deny"] }))],
            &[("message", text())],
        ),
        (Copilot, "PreToolUse") => copilot_pre_tool_use(&[(
            "hookSpecificOutput",
            claude_pre_tool_use(&["allow", "deny", "ask"]),
        )]),
        (Cursor, "beforeShellExecution" | "beforeMCPExecution") => {
            permission(&["allow", "deny", "ask"], &[])
        }
        (Cursor, "beforeReadFile") => permission(&["allow", "deny"], &[]),
        (Cursor, "preToolUse") => permission(
            &["allow", "deny"],
            &[("updated_input", json!({ "type": "object" }))],
        ),
        (Cursor, "PreToolUse") => permission(
            &["allow", "deny"],
            &[(
                "hookSpecificOutput",
                claude_pre_tool_use(&["allow", "deny"]),
            )],
        ),
        (Gemini, "BeforeTool") => object(
            &[("decision", json!({ "enum": ["allow", "deny"] }))],
            &[
                ("reason", text()),
                (
                    "hookSpecificOutput",
                    object(
                        &[
                            ("hookEventName", json!({ "const": "BeforeTool" })),
                            ("tool_input", json!({ "type": "object" })),
                        ],
                        &[],
                    ),
                ),
            ],
        ),
        (OpenCode, "permission.asked" | "question.asked") => opencode(&["allow", "deny", "ask"]),
        (OpenCode, "tool.execute.before") => opencode(&["allow", "deny"]),
        (OpenCode, _) => object(&[], &[]),
        _ => return None,
    })
}

fn specific(output: Value) -> Value {
    object(&[("hookSpecificOutput", output)], &[])
}

fn claude_pre_tool_use(words: &[&str]) -> Value {
    let mut said = object(
        &[
            ("hookEventName", json!({ "const": "PreToolUse" })),
            ("permissionDecision", json!({ "enum": words })),
        ],
        &[
            ("permissionDecisionReason", text()),
            ("updatedInput", json!({ "type": "object" })),
        ],
    );
    // A no says why.
    said["if"] = json!({ "properties": { "permissionDecision": { "const": "deny" } } });
    said["then"] = json!({ "required": ["permissionDecisionReason"] });
    said
}

fn permission_request(more: &[(&str, Value)]) -> Value {
    let decision = json!({ "oneOf": [
        object(&[("behavior", json!({ "const": "allow" }))], more),
        object(&[("behavior", json!({ "const": "deny" })), ("message", text())], &[]),
    ]});
    object(
        &[
            ("hookEventName", json!({ "const": "PermissionRequest" })),
            ("decision", decision),
        ],
        &[],
    )
}

fn copilot_pre_tool_use(more: &[(&str, Value)]) -> Value {
    let mut keys = vec![
        ("permissionDecisionReason", text()),
        ("modifiedArgs", json!({ "type": "object" })),
    ];
    keys.extend(more.iter().cloned());
    let words = json!({ "enum": ["allow", "deny", "ask"] });
    object(&[("permissionDecision", words)], &keys)
}

fn permission(words: &[&str], more: &[(&str, Value)]) -> Value {
    let mut keys = vec![("user_message", text()), ("agent_message", text())];
    keys.extend(more.iter().cloned());
    object(&[("permission", json!({ "enum": words }))], &keys)
}

fn opencode(words: &[&str]) -> Value {
    object(
        &[("decision", json!({ "enum": words }))],
        &[
            ("reason", text()),
            ("args", json!({ "type": "object" })),
            (
                "answers",
                json!({ "type": "array", "items": { "type": "array", "items": text() } }),
            ),
        ],
    )
}

fn text() -> Value {
    json!({ "type": "string", "minLength": 1 })
}

/// An object with these keys, of which the first must be there, and no others.
fn object(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let properties: serde_json::Map<_, _> = required
        .iter()
        .chain(optional)
        .map(|(key, schema)| ((*key).to_owned(), schema.clone()))
        .collect();
    let required: Vec<_> = required.iter().map(|(key, _)| *key).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}
