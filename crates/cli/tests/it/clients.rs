//! `holdpoint serve` with clients that others wrote: every case that a Conductor's stops must hold.
//!
//! `dev/setup` installs the clients.

use clients::{Client, Era, Plan, Run};
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tempfile::TempDir;

const CLIENTS: [(Client, Era); 4] = [
    (Client::TypeScriptV1, Era::Legacy),
    (Client::TypeScriptV2, Era::Modern),
    (Client::Python, Era::Legacy),
    (Client::Python, Era::Modern),
];

/// One stop: what the agent calls, what the person does, and what the agent must be told.
struct Stop {
    tool: &'static str,
    answer: Value,
    status: &'static str,
    decision: Option<&'static str>,
    proceed: bool,
    next_step: &'static str,
}

fn stop(
    tool: &'static str,
    answer: Value,
    (status, decision, proceed): (&'static str, Option<&'static str>, bool),
    next_step: &'static str,
) -> Stop {
    Stop {
        tool,
        answer,
        status,
        decision,
        proceed,
        next_step,
    }
}

const PLAN: &str = "request_plan_approval";
const COMMIT: &str = "request_phase_commit_approval";

fn stops() -> Vec<Stop> {
    let decide = |decision: &str| accept(json!({ "decision": decision }));
    let changes = accept(json!({ "decision": "request_changes", "feedback": "Smaller phases" }));
    let notes = accept(json!({ "decision": "revise", "revisionNotes": "Add a test" }));
    let dismissed = || json!({ "action": "cancel" });
    vec![
        stop(
            PLAN,
            decide("approve"),
            ("accepted", Some("approve"), true),
            "start",
        ),
        stop(
            PLAN,
            changes,
            ("accepted", Some("request_changes"), false),
            "feedback",
        ),
        stop(
            PLAN,
            decide("cancel"),
            ("accepted", Some("cancel"), false),
            "tell the person",
        ),
        stop(PLAN, dismissed(), ("cancelled", None, false), "wait"),
        stop(
            COMMIT,
            decide("commit_and_continue"),
            ("accepted", Some("commit_and_continue"), true),
            "next phase",
        ),
        stop(
            COMMIT,
            decide("commit_and_pause"),
            ("accepted", Some("commit_and_pause"), false),
            "wait",
        ),
        stop(COMMIT, notes, ("accepted", Some("revise"), false), "notes"),
        stop(
            COMMIT,
            decide("abort"),
            ("accepted", Some("abort"), false),
            "report",
        ),
        stop(COMMIT, dismissed(), ("cancelled", None, false), "wait"),
    ]
}

#[test]
fn every_stop_of_the_conductor_holds() {
    for (client, era) in CLIENTS {
        let workspace = repository();
        let mut plan = serve(workspace.path()).era(era);
        for stop in stops() {
            plan = plan
                .call(stop.tool, arguments(stop.tool))
                .answer(stop.answer);
        }
        let run = client.run(&plan);
        for (call, stop) in stops().into_iter().enumerate() {
            let told = told(&run, call);
            let story = || format!("{client:?} {era:?}, call {call}: {told}\n{}", run.story());
            assert_eq!(told["status"], stop.status, "{}", story());
            assert_eq!(told["decision"].as_str(), stop.decision, "{}", story());
            assert_eq!(told["proceed"], stop.proceed, "{}", story());
            let next_step = told["nextStep"].as_str().unwrap_or_default().to_lowercase();
            assert!(
                next_step.contains(&stop.next_step.to_lowercase()),
                "{}",
                story()
            );
        }
        let changes = told(&run, 1);
        assert_eq!(changes["feedback"], "Smaller phases");
        let revision = told(&run, 6);
        assert_eq!(revision["revisionNotes"], "Add a test");
        assert_eq!(told(&run, 4)["commit"]["verified"], true);
    }
}

#[test]
fn a_client_that_shows_nothing_gets_the_fallback_and_never_a_yes() {
    for (client, era) in CLIENTS {
        let workspace = repository();
        let plan = serve(workspace.path())
            .era(era)
            .with("elicitation", json!("none"))
            .call(PLAN, arguments(PLAN))
            .call(COMMIT, arguments(COMMIT));
        let run = client.run(&plan);
        assert!(
            run.asked().is_empty(),
            "{client:?} {era:?}\n{}",
            run.story()
        );
        for call in 0..2 {
            let told = told(&run, call);
            assert_eq!(
                told["status"],
                "unreachable",
                "{client:?} {era:?}\n{}",
                run.story()
            );
            assert_eq!(told["proceed"], false);
            assert_eq!(run.result(call)["isError"], true);
        }
    }
}

#[test]
fn an_instruction_file_is_taken_over_and_given_back() {
    // Nobody reads a diff in less.
    let person = |content: Value| json!({ "action": "accept", "content": content, "delayMs": 400 });
    let both = json!({ "confirmed": true, "understood_risks": true });
    let rules = "# Rules\n\n- Use tabs.\n- Never use tabs.\n- Use pnpm.\n- Use pnpm.\n";
    // One that is missing is created, and removed again.
    let cases = CLIENTS.map(|client| [(client, Some(rules)), (client, None)]);
    for ((client, era), rules) in cases.into_iter().flatten() {
        let workspace = repository();
        let file = workspace.path().join("AGENTS.md");
        if let Some(rules) = rules {
            std::fs::write(&file, rules).unwrap();
        }
        let mut plan = serve(workspace.path()).era(era);
        for action in [
            "analyze", "propose", "approve", "migrate", "status", "rollback",
        ] {
            plan = plan.call(
                "onboarding",
                json!({ "action": action, "file": "AGENTS.md" }),
            );
        }
        let plan = plan
            .answer(person(json!({ "approved": true, "comment": "Go" })))
            .answer(person(both.clone()))
            .answer(person(json!({ "confirmed": true })));
        let run = client.run(&plan);
        let states = [
            "analyzed",
            "proposed",
            "approved",
            "completed",
            "completed",
            "not_started",
        ];
        for (call, state) in states.into_iter().enumerate() {
            let told = told(&run, call);
            assert_eq!(
                told["state"],
                state,
                "{client:?} {era:?}, call {call}: {told}\n{}",
                run.story()
            );
        }
        assert_eq!(told(&run, 2)["comment"], "Go");
        assert_eq!(told(&run, 3)["proceed"], true);
        assert_eq!(std::fs::read_to_string(&file).ok().as_deref(), rules);
        let traces = workspace.path().join(".copilot-state/elicitation-traces");
        assert_eq!(std::fs::read_dir(traces).unwrap().count(), 3);
    }
}

#[test]
fn the_ways_to_a_plan() {
    for (client, era) in CLIENTS {
        let workspace = repository();
        let all = json!({
            "code": "login", "description": "A login page.", "directory": "plans", "steps": "Schema",
        });
        let mut plan = serve(workspace.path())
            .era(era)
            .prompt("create_plan", all)
            .prompt("create_plan", json!({ "code": "login" }))
            .call(
                "plan_create",
                json!({ "description": "A login page.", "steps": ["Schema"] }),
            )
            .call(
                "plan_create",
                json!({ "code": "logout", "description": "And out again." }),
            )
            .call("plan_list", json!({}));
        // Only a modern client can be asked within a prompt.
        if era == Era::Modern {
            plan = plan.answer(accept(json!({ "description": "What the form said." })));
        }
        let run = client.run(&plan.answer(accept(json!({ "code": "login" }))));
        let prompt = |call: usize| {
            let text = &run.result(call)["messages"][0]["content"]["text"];
            text.as_str().unwrap_or_default().to_owned()
        };
        let story = || format!("{client:?} {era:?}\n{}", run.story());
        assert!(prompt(0).contains("A login page."), "{}", story());
        let missing = match era {
            Era::Modern => "What the form said.",
            _ => "[description]",
        };
        assert!(prompt(1).contains(missing), "{}", story());
        assert_eq!(told(&run, 2)["path"], "plans/login", "{}", story());
        assert_eq!(told(&run, 3)["path"], "plans/logout", "{}", story());
        let listed = told(&run, 4)["plans"].as_array().map(Vec::len);
        assert_eq!(listed, Some(2), "{}", story());
        assert!(workspace.path().join("plans/login/STATUS.md").exists());
    }
}

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

fn told(run: &Run, call: usize) -> Value {
    run.result(call)["structuredContent"].clone()
}

fn arguments(tool: &str) -> Value {
    match tool {
        PLAN => json!({ "planSummary": "Add a rate limit", "phaseCount": 3, "openQuestions": [] }),
        _ => json!({
            "phaseNumber": 1,
            "phaseSummary": "The counter",
            "commitMessage": "feat: count requests",
            "filesModified": ["counter.rs"],
        }),
    }
}

/// The server, started by the client over stdio, for a person who reads fast.
fn serve(workspace: &Path) -> Plan {
    let account = workspace.join(".account");
    let config = account.join(".config/holdpoint");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "fast_reply_ms = 0\n").unwrap();
    let account = format!("HOLDPOINT_TEST_ACCOUNT={}", account.display());
    let journal = format!("sqlite:{}", workspace.join(".journal.db").display());
    let folder = workspace.to_str().unwrap();
    let args = [
        &account,
        env!("CARGO_BIN_EXE_holdpoint"),
        "serve",
        "--workspace",
        folder,
        "--journal",
        &journal,
        "--inbox",
        "off",
    ];
    Plan::stdio(Path::new("/usr/bin/env"), args)
}

/// A repository in which the proposed commit has been made.
fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("counter.rs"), "// counts\n").unwrap();
    let author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    for command in [
        vec!["init", "--quiet"],
        vec!["add", "counter.rs"],
        vec!["commit", "--quiet", "-m", "feat: count requests"],
    ] {
        let git = Command::new("git")
            .args(author)
            .args(command)
            .current_dir(folder.path())
            .status();
        assert!(git.unwrap().success());
    }
    folder
}
