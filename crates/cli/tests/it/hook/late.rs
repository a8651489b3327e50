//! Answers that come after the hook had to answer, and prompts that were answered elsewhere.

use super::station::{Station, allow, answer, decline, open};
use serde_json::{Value, json};

#[tokio::test]
async fn a_late_yes_is_good_for_one_more_try() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    let said = station.say("claude", 1, &push);
    assert_eq!(said.behavior(), "deny");
    assert!(said.message().contains("stays open"), "{said:?}");
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    assert!(ask.agent_gone, "{ask:?}");
    assert!(said.message().contains(&ask.id.to_string()));
    allow(&desk, ask.id).await;

    // Not for anything else.
    for other in [
        station.bash("git push origin other"),
        with(&push, "session_id", "33333333-3333-4333-8333-333333333333"),
        with(&push, "cwd", "/"),
    ] {
        assert_eq!(station.say("claude", 1, &other).behavior(), "deny");
    }
    assert_eq!(station.say("claude", 1, &push).behavior(), "allow");
    let said = station.say("claude", 1, &push);
    assert_eq!(said.behavior(), "deny", "it was used: {said:?}");
}

fn with(payload: &Value, name: &str, value: &str) -> Value {
    let mut changed = payload.clone();
    changed[name] = value.into();
    changed
}

#[tokio::test]
async fn the_same_prompt_again_waits_for_the_ask_that_is_open() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    assert_eq!(station.say("claude", 1, &push).behavior(), "deny");
    let desk = station.desk().await;
    let first = station.open_ask(&desk).await;
    let hook = station.start("claude", 60, &push);
    let mut commits = desk.journal().commits();
    while desk
        .journal()
        .ask(first.id)
        .await
        .unwrap()
        .unwrap()
        .agent_gone
    {
        commits.changed().await.unwrap();
    }
    assert_eq!(open(&desk).await.len(), 1, "nobody is asked twice");
    allow(&desk, first.id).await;
    assert_eq!(hook.said().behavior(), "allow");
}

#[tokio::test]
async fn a_kill_in_the_middle_loses_nothing() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    let mut hook = station.start("claude", 60, &push);
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    hook.0.kill().unwrap();
    hook.0.wait().unwrap();
    allow(&desk, ask.id).await;
    assert_eq!(station.say("claude", 5, &push).behavior(), "allow");
    assert_eq!(station.say("claude", 1, &push).behavior(), "deny");
}

/// A shell between the two outlives the harness, and so does the hook: it must not take an answer that nobody hears.
#[tokio::test]
async fn an_answer_is_not_taken_for_a_harness_that_is_gone() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    let mut hook = station.start("claude", 60, &push);
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    drop(hook.0.stdout.take());
    hook.said();
    let record = desk.journal().ask(ask.id).await.unwrap().unwrap();
    assert!(record.agent_gone && record.decision.is_none(), "{record:?}");
    allow(&desk, ask.id).await;
    assert_eq!(station.say("claude", 5, &push).behavior(), "allow");
}

#[tokio::test]
async fn a_no_holds_for_the_turn() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    let hook = station.start("claude", 60, &push);
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    decline(&desk, ask.id, "Wait for the release.").await;
    assert_eq!(hook.said().behavior(), "deny");
    let said = station.say("claude", 60, &push);
    assert!(said.message().contains("Wait for the release."), "{said:?}");
    assert_eq!(open(&desk).await.len(), 0, "nobody was asked again");

    let next = with(&push, "prompt_id", "44444444-4444-4444-8444-444444444444");
    let hook = station.start("claude", 60, &next);
    let ask = station.open_ask(&desk).await;
    allow(&desk, ask.id).await;
    assert_eq!(hook.said().behavior(), "allow");
}

#[tokio::test]
async fn what_was_answered_in_the_harness_is_taken_back() {
    let station = Station::new();
    let hook = station.start("claude", 60, &station.bash("touch here"));
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    let ran = |command: &str| station.claude("PostToolUse", "Bash", json!({ "command": command }));
    assert_eq!(station.say("claude", 5, &ran("touch there")).code, 0);
    assert_eq!(open(&desk).await.len(), 1, "that was another one");
    let said = station.say("claude", 5, &ran("touch here"));
    assert_eq!((said.text.trim(), said.code), ("", 0), "{said:?}");
    assert_eq!(
        hook.said().behavior(),
        "deny",
        "it says nothing that counts"
    );
    let record = desk.journal().ask(ask.id).await.unwrap().unwrap();
    let outcome = json!(record.decision.unwrap().outcome);
    assert_eq!(outcome["detail"]["why"], "answered_in_harness");
}

#[tokio::test]
async fn the_end_of_a_turn_takes_back_what_is_still_prompted_for_and_nothing_else() {
    let station = Station::new();
    assert_eq!(
        station
            .say("claude", 1, &station.bash("make late"))
            .behavior(),
        "deny"
    );
    let hook = station.start("claude", 60, &station.bash("make now"));
    let desk = station.desk().await;
    let mut commits = desk.journal().commits();
    while open(&desk).await.len() < 2 {
        commits.changed().await.unwrap();
    }
    let mut stop = station.claude("Stop", "", json!({}));
    for name in ["tool_name", "tool_input"] {
        stop.as_object_mut().unwrap().remove(name);
    }
    let said = station.say("claude", 5, &stop);
    assert_eq!((said.text.trim(), said.code), ("", 0), "{said:?}");
    assert_eq!(hook.said().behavior(), "deny");
    let [left] = open(&desk).await.try_into().unwrap();
    assert!(
        left.ask.message.contains("make late"),
        "{}",
        left.ask.message
    );
}

#[tokio::test]
async fn questions_come_back_with_their_answers() {
    let station = Station::new();
    let questions = json!({ "questions": [{
        "question": "Which database?", "header": "Database", "multiSelect": false,
        "options": [{ "label": "SQLite", "description": "A file" }, { "label": "PostgreSQL" }],
    }] });
    let asked = station.claude("PermissionRequest", "AskUserQuestion", questions.clone());
    let hook = station.start("claude", 60, &asked);
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    let field = ask.ask.form.fields[0].name.clone();
    answer(&desk, ask.id, json!({ field: "SQLite" })).await;
    let said = hook.said();
    let decision = &said.reply["hookSpecificOutput"]["decision"];
    assert_eq!(decision["behavior"], "allow", "{said:?}");
    let input = &decision["updatedInput"];
    assert_eq!(input["answers"], json!({ "Which database?": "SQLite" }));
    assert_eq!(input["questions"], questions["questions"]);
}

#[tokio::test]
async fn a_headless_run_is_deferred_and_goes_on_with_the_answer() {
    let station = Station::with_rules(r#"ask = ["Bash(git push *)"]"#);
    station.home.config("hold_seconds = 1");
    let mut push = station.claude("PreToolUse", "Bash", json!({ "command": "git push" }));
    push["tool_use_id"] = "toolu_01".into();
    let say = |payload: &Value| {
        let payload = payload.to_string();
        let headless = [("CLAUDE_CODE_SESSION_ATTENDED", "0")];
        station
            .start_raw("claude", 60, payload.as_bytes(), &headless)
            .said()
    };
    let said = say(&push);
    assert_eq!(said.before(), "defer", "{said:?}");
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    // Resumed, it is deferred again until somebody has answered; the turn is not told then.
    push.as_object_mut().unwrap().remove("prompt_id");
    assert_eq!(say(&push).before(), "defer");
    assert_eq!(open(&desk).await.len(), 1);
    allow(&desk, ask.id).await;
    let said = say(&push);
    assert_eq!(said.before(), "allow", "{said:?}");
}

#[tokio::test]
async fn a_yes_from_before_it_was_dangerous_does_not_count() {
    let station = Station::new();
    let push = station.bash("git push origin main");
    let dangerous = "[[rule]]\ntool = \"Bash(git push *)\"\nthen = \"ask\"\ndanger = true\n";
    // One that is still open, and one that was answered.
    assert_eq!(station.say("claude", 1, &push).behavior(), "deny");
    let desk = station.desk().await;
    let old = station.open_ask(&desk).await;
    station.rules(dangerous);
    assert_eq!(station.say("claude", 1, &push).behavior(), "deny");
    let asks = open(&desk).await;
    assert_eq!(asks.iter().filter(|ask| ask.ask.dangerous).count(), 1);
    allow(&desk, old.id).await;
    assert_eq!(station.say("claude", 1, &push).behavior(), "deny");
}
