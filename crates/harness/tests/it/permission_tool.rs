//! The tool behind `--permission-prompt-tool`.

use crate::payloads::{around, named};
use holdpoint_harness::{
    Decision, Harness, Incoming, Prompt, QuestionAnswer, ReadError, permission_tool, reply,
};
use serde_json::{Value, json};

fn read(name: &str) -> Result<Incoming, ReadError> {
    let payload = named(Harness::Claude, name);
    let call: Value = serde_json::from_slice(&payload.bytes).unwrap();
    permission_tool::read(&call["arguments"], &call["_meta"], "session", &around(true))
}

#[test]
fn what_claude_code_asks_is_answered_in_one_text() {
    let incoming = read("permission-tool-by-harness").unwrap();
    let said = |decision| -> Value {
        serde_json::from_str(&permission_tool::reply(&incoming, &decision)).unwrap()
    };
    let yes = Decision::Allow {
        updated_input: None,
    };
    assert_eq!(
        said(yes.clone()),
        json!({ "behavior": "allow", "updatedInput": incoming.prompt.input().unwrap() })
    );
    for no in [
        Decision::Deny {
            reason: "no".into(),
        },
        Decision::Defer {
            reason: "no".into(),
        },
        Decision::LeaveToHarness {
            reason: "no".into(),
        },
    ] {
        assert_eq!(said(no), json!({ "behavior": "deny", "message": "no" }));
    }
    // It is no hook.
    assert_eq!(reply(&incoming, &yes).exit_code, 2);
}

#[test]
fn questions_come_through_it_too() {
    let incoming = read("permission-tool-by-harness-ask-user-question").unwrap();
    let Prompt::Questions(asked) = &incoming.prompt else {
        panic!("{incoming:?}");
    };
    let question = asked.questions[0].text.clone();
    let answers = Decision::Answers(vec![QuestionAnswer {
        question: question.clone(),
        chosen: vec!["SQLite".into()],
    }]);
    let said: Value = serde_json::from_str(&permission_tool::reply(&incoming, &answers)).unwrap();
    assert_eq!(said["behavior"], "allow");
    assert_eq!(
        said["updatedInput"]["answers"],
        json!({ question: "SQLite" })
    );
    assert_eq!(said["updatedInput"]["questions"], asked.input["questions"]);
}

#[test]
fn what_a_model_calls_itself_counts_for_nothing() {
    assert!(matches!(
        read("permission-tool-by-model"),
        Err(ReadError::NotTheHarness(_))
    ));
    let arguments =
        json!({ "tool_name": "Bash", "input": { "command": "ls" }, "tool_use_id": "a" });
    for meta in [
        json!({}),
        json!(null),
        json!({ "claudecode/toolUseId": "" }),
        json!({ "claudecode/toolUseId": "b" }),
        json!({ "claudecode/toolUseId": ["a"] }),
    ] {
        let read = permission_tool::read(&arguments, &meta, "s", &around(true));
        assert!(read.is_err(), "{meta}");
    }
    let meta = json!({ "claudecode/toolUseId": "" });
    let empty = json!({ "tool_name": "Bash", "input": {}, "tool_use_id": "" });
    assert!(permission_tool::read(&empty, &meta, "s", &around(true)).is_err());
}
