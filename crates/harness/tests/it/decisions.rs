//! How an ask ended, as a decision.

use crate::{
    corpus::ruling,
    payloads::{self, around},
    would_do::{Done, would_do},
};
use holdpoint_ask::{
    Answer, Outcome, Withdrawal,
    jiff::Timestamp,
    review::{Comment, EditableText, Place, Review},
};
use holdpoint_harness::{
    Decision, FormReply, Harness, Incoming, Prompt, ask_for, binding, bound_tool_use, chosen_scope,
    decision, read, reply,
};
use holdpoint_policy::{Holder, NoLinks, Rules, Verdict};
use serde_json::{Value, json};

fn incoming(harness: Harness, name: &str) -> Incoming {
    let payload = payloads::named(harness, name);
    read(payload.harness, &payload.bytes, &payload.around).unwrap()
}

fn accepted(answer: Value) -> Outcome {
    Outcome::Accepted(answer.as_object().unwrap().clone())
}

fn reason(decision: Decision) -> String {
    match decision {
        Decision::Deny { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn only_an_answer_that_says_so_allows() {
    let bash = incoming(Harness::Claude, "permission-request-bash");
    let check = |outcome: Outcome, why: &str| {
        assert_eq!(reason(decision(&bash, &outcome, None)), why);
    };
    assert_eq!(
        decision(&bash, &accepted(json!({ "decision": "allow" })), None),
        Decision::Allow {
            updated_input: None
        }
    );
    let no = "The person said no: do not do it, and do not ask again.";
    check(accepted(json!({})), no);
    check(accepted(json!({ "decision": "deny" })), no);
    check(accepted(json!({ "decision": "Allow" })), no);
    check(accepted(json!({ "decision": true })), no);
    check(accepted(json!({ "remember": "session" })), no);
    check(
        accepted(json!({ "decision": "deny", "reason": "use a branch" })),
        "The person said no: use a branch.",
    );
    check(Outcome::Declined { reason: None }, no);
    check(
        Outcome::Cancelled,
        "The person dismissed the question: stop here and wait for instructions.",
    );
    check(
        Outcome::TimedOut,
        "Nobody answered in time: stop and tell the person; do not ask again in a loop.",
    );
    check(
        Outcome::Unreachable {
            why: "the inbox is off".into(),
        },
        "Nobody could be reached: the inbox is off.",
    );
    check(
        Outcome::Withdrawn {
            why: Withdrawal::Replaced,
        },
        "The question was withdrawn: there is nothing to do.",
    );
}

#[test]
fn an_untouched_form_is_no_answer() {
    for payload in payloads::all() {
        let incoming = read(payload.harness, &payload.bytes, &payload.around).unwrap();
        if let Ok(ask) = ask_for(&incoming, &ruling(), &[]) {
            let untouched = ask.form.validate(&Answer::new());
            assert!(untouched.is_err(), "{}", payload.name);
        }
    }
}

#[test]
fn what_is_dangerous_is_not_remembered() {
    let bash = incoming(Harness::Claude, "permission-request-bash");
    let mut ruling = ruling();
    ruling.danger = true;
    let ask = ask_for(&bash, &ruling, &[]).unwrap();
    assert_eq!(
        ask.danger(),
        Some("Your rules mark it as dangerous: others see it")
    );
    assert!(ask.form.get("remember").is_none());
    assert!(ask.form.endings().is_some());
    let answer = |json: Value| json.as_object().unwrap().clone();
    let kept = answer(json!({ "decision": "allow", "remember": "a" }));
    assert_eq!(chosen_scope(&kept), Some("a"));
    let no = answer(json!({ "decision": "deny", "remember": "a" }));
    assert_eq!(chosen_scope(&no), None);
}

#[test]
fn a_plan_goes_back_as_it_was_approved() {
    let plan = incoming(Harness::Claude, "permission-request-exit-plan-mode");
    let file = "/home/ann/.claude/plans/move-the-queue-calm-otter.md";
    let shown = "# Move the queue to Postgres\n\n1. Schema\n2. Dual write\n3. Cut over\n";
    let yes = accepted(json!({ "decision": "approve" }));
    let said = |outcome: &Outcome, review: Option<&Review>| -> Value {
        let said = reply(&plan, &decision(&plan, outcome, review));
        let json: Value = serde_json::from_str(&said.stdout).unwrap();
        json["hookSpecificOutput"]["decision"].clone()
    };
    assert_eq!(
        said(&yes, None),
        json!({ "behavior": "allow", "updatedInput": { "plan": shown, "planFilePath": file } })
    );
    let mut review = Review::default();
    review.edited = EditableText::field("plan", "Plan", shown).edited("# Less");
    assert_eq!(said(&yes, Some(&review))["updatedInput"]["plan"], "# Less");
    review.comments.push(Comment::new(Place::whole(), "Soon."));
    assert_eq!(
        said(&yes, Some(&review))["updatedInput"]["plan"],
        "# Less\n\n## To bear in mind, by the person who approved it\n\n- All of it\n  Soon.\n"
    );
    let no = accepted(json!({ "decision": "request_changes", "feedback": "Smaller" }));
    assert_eq!(
        said(&no, Some(&review)),
        json!({ "behavior": "deny", "message": "The person wants changes: do not start; revise the plan and show it again.\n\nFeedback: Smaller\n\nComments:\n- All of it\n  Soon.\n\nTheir own version:\n\n# Less" })
    );
    let untouched = accepted(json!({}));
    assert_eq!(said(&untouched, None)["behavior"], "deny");
}

#[test]
fn answers_go_back_by_question() {
    let asked = incoming(Harness::Claude, "pre-tool-use-ask-user-question");
    let outcome = accepted(json!({
        "answer_1": "DuckDB", "answer_2": ["Unit tests", "Lints"],
    }));
    let said = reply(&asked, &decision(&asked, &outcome, None));
    let json: Value = serde_json::from_str(&said.stdout).unwrap();
    let said = &json["hookSpecificOutput"];
    assert_eq!(said["permissionDecision"], "allow");
    assert_eq!(
        said["updatedInput"]["answers"],
        json!({
            "Which database should the queue use?": "DuckDB",
            "Which checks run before the merge?": "Unit tests, Lints",
        })
    );
    assert_eq!(
        said["updatedInput"]["questions"],
        asked.prompt.input().unwrap()["questions"]
    );
}

#[test]
fn answers_are_told_with_a_no_where_there_is_no_other_way() {
    let asked = incoming(Harness::Copilot, "pre-tool-use-ask-user");
    let outcome = accepted(json!({ "answer_1": "SQLite" }));
    let said = reply(&asked, &decision(&asked, &outcome, None));
    assert_eq!(
        would_do(asked.harness, &asked.event, false, &said),
        Done::Blocked
    );
    assert!(said.stdout.contains("SQLite"), "{said:?}");
}

#[test]
fn answers_go_to_opencodes_own_question_as_lists() {
    let asked = incoming(Harness::OpenCode, "question-asked");
    let said = |outcome| reply(&asked, &decision(&asked, &outcome, None)).stdout;
    assert_eq!(
        said(accepted(json!({ "answer_1": "SQLite" }))),
        "{\"decision\":\"allow\",\"answers\":[[\"SQLite\"]]}\n"
    );
    assert!(said(accepted(json!({}))).starts_with("{\"decision\":\"deny\""));
}

#[test]
fn another_servers_form_is_answered_only_by_a_person() {
    let form = incoming(Harness::Claude, "elicitation-form");
    let yes = accepted(json!({ "stage": "staging" }));
    let said = reply(&form, &decision(&form, &yes, None));
    assert_eq!(
        said.stdout,
        "{\"hookSpecificOutput\":{\"hookEventName\":\"Elicitation\",\"action\":\"accept\",\"content\":{\"stage\":\"staging\"}}}\n"
    );
    let no = Outcome::Declined { reason: None };
    assert_eq!(
        decision(&form, &no, None),
        Decision::Form(FormReply::Decline)
    );
    for nobody in [Outcome::TimedOut, Outcome::Cancelled] {
        assert_eq!(
            decision(&form, &nobody, None),
            Decision::Form(FormReply::Cancel)
        );
    }
}

#[test]
fn our_own_forms_are_not_ours_to_answer_here() {
    let payload = payloads::named(Harness::Claude, "elicitation-form");
    let ours = String::from_utf8(payload.bytes)
        .unwrap()
        .replace("\"mini\"", "\"holdpoint\"");
    let incoming = read(Harness::Claude, ours.as_bytes(), &around(false)).unwrap();
    let accept = Decision::Form(FormReply::Accept(Answer::new()));
    let said = reply(&incoming, &accept);
    assert_eq!((said.stdout.as_str(), said.exit_code), ("", 0));
}

#[test]
fn the_same_call_is_bound_the_same_at_each_event() {
    let check = |harness, one: &str, other: &str, same: bool| {
        let [one, other] = [one, other].map(|name| binding(&incoming(harness, name)));
        assert_eq!(one == other, same, "{one}\n{other}");
    };
    use Harness::*;
    check(Claude, "pre-tool-use-edit", "permission-request-edit", true);
    check(Claude, "pre-tool-use-write", "post-tool-use-write", true);
    check(
        Claude,
        "permission-request-ask-user-question",
        "post-tool-use-ask-user-question",
        true,
    );
    check(Codex, "pre-tool-use-bash", "permission-request-bash", true);
    check(
        Codex,
        "pre-tool-use-apply-patch",
        "permission-request-apply-patch",
        true,
    );
    check(
        Copilot,
        "pre-tool-use-bash",
        "permission-request-bash",
        true,
    );
    check(
        Copilot,
        "pre-tool-use-mcp-tool",
        "permission-request-mcp-tool",
        true,
    );
    check(
        OpenCode,
        "tool-execute-before-edit",
        "tool-execute-after-edit",
        true,
    );
    check(
        Gemini,
        "before-tool-write-file",
        "after-tool-write-file",
        true,
    );
    check(
        Claude,
        "permission-request-bash",
        "permission-request-bash-compound",
        false,
    );
}

#[test]
fn each_file_of_a_patch_is_looked_at_by_the_rules() {
    let text = r#"
        allow = ["Edit"]
        deny = ["Edit(README.md)"]
    "#;
    let rules = Rules::own(text, "rules.toml").unwrap();
    for (harness, name) in [
        (Harness::Codex, "pre-tool-use-apply-patch"),
        (Harness::Claude, "pre-tool-use-edit"),
        (Harness::Copilot, "pre-tool-use-edit"),
        (Harness::VsCode, "pre-tool-use-edit"),
        (Harness::Gemini, "before-tool-replace"),
        (Harness::OpenCode, "tool-execute-before-edit"),
    ] {
        let Prompt::Tool(tool) = incoming(harness, name).prompt else {
            panic!("{name}");
        };
        let ruling = tool.ruled(|tool_use| {
            rules.decide(
                tool_use,
                &NoLinks,
                &[],
                &Holder::default(),
                Timestamp::UNIX_EPOCH,
            )
        });
        assert_eq!(ruling.verdict, Verdict::Deny, "{harness} {name}");
        assert!(!ruling.reasons.is_empty());
    }
}

#[test]
fn a_binding_says_which_tool_was_used() {
    use Harness::*;
    for (harness, name) in [
        (Claude, "pre-tool-use-edit"),
        (Codex, "pre-tool-use-apply-patch"),
        (VsCode, "pre-tool-use-create"),
        (Copilot, "pre-tool-use-create"),
        (Cursor, "pre-tool-use-shell"),
        (Gemini, "before-tool-write-file"),
        (Gemini, "before-tool-run-shell-command"),
        (OpenCode, "tool-execute-before-write"),
        (OpenCode, "tool-execute-before-mcp-tool"),
    ] {
        let incoming = incoming(harness, name);
        let bound = bound_tool_use(&binding(&incoming), "/home/ann/project").unwrap();
        let Prompt::Tool(tool) = &incoming.prompt else {
            panic!("{name}");
        };
        assert_eq!(bound.tool, tool.tool_use.tool, "{harness} {name}");
        for key in ["file_path", "file_paths", "command"] {
            let (bound, used) = (bound.input.get(key), tool.tool_use.input.get(key));
            assert_eq!(bound, used, "{harness} {name} {key}");
        }
    }
}
