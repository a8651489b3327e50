//! Plans through the real binary: killed while it writes, several at once, told of by others.

use crate::support::{self, Pipe, new_home};
use serde_json::{Value, json};
use std::{fs, path::Path};

fn call(client: &mut Pipe, tool: &str, arguments: Value) -> Value {
    let answer = client.ask(
        "tools/call",
        json!({ "name": tool, "arguments": arguments }),
    );
    answer["result"]["structuredContent"].clone()
}

/// How many files are in the unfinished folder of a plan.
fn written(plans: &Path) -> usize {
    let unfinished = fs::read_dir(plans).into_iter().flatten().flatten();
    let unfinished =
        unfinished.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
    let count = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().count();
    unfinished
        .map(|entry| count(&entry.path()) + count(&entry.path().join("plan")))
        .sum()
}

#[test]
fn killed_while_it_writes_a_plan_is_whole_or_not_there() {
    const STEPS: usize = 40;
    let (mut whole, mut none) = (0, 0);
    for files in (0..=STEPS + 5).step_by(5) {
        let home = new_home();
        let plans = home.workspace().join("plans");
        let plan = plans.join("login");
        let mut client = Pipe::modern(&mut home.command(&["serve"]));
        let arguments = json!({ "code": "login", "description": "A page.", "steps": STEPS });
        client.request(
            "tools/call",
            json!({ "name": "plan_create", "arguments": arguments }),
        );
        while written(&plans) < files && !plan.exists() {
            std::hint::spin_loop();
        }
        client.process.child().kill().unwrap();
        client.process.ended();
        let mut again = Pipe::legacy(&mut home.command(&["serve"]));
        let arguments = json!({ "code": "login", "description": "A page.", "steps": STEPS });
        if plan.exists() {
            whole += 1;
            let taken = call(&mut again, "plan_create", arguments);
            // The same call again goes on with what was left; if that had its result, it is another one.
            assert!(
                taken["path"] == "plans/login" || taken["error"] == "EXISTS",
                "{taken}"
            );
        } else {
            none += 1;
            let made = call(&mut again, "plan_create", arguments);
            assert_eq!(made["path"], "plans/login", "{made}");
        }
        let status = call(&mut again, "plan_status", json!({ "code": "login" }));
        assert_eq!(status["steps"].as_array().unwrap().len(), STEPS);
        assert_eq!(status["problems"], json!([]));
        for file in [
            "SUMMARY.md",
            "EXECUTION_PLAN.md",
            "login-prompt.md",
            ".history/timeline.jsonl",
        ] {
            assert_ne!(fs::read_to_string(plan.join(file)).unwrap(), "", "{file}");
        }
        let listed = call(&mut again, "plan_list", json!({}));
        assert_eq!(listed["plans"].as_array().unwrap().len(), 1);
    }
    println!("killed: {none} times before it was there, {whole} times after");
    assert!(none > 0);
}

#[test]
fn killed_while_it_puts_a_plan_back_all_of_it_is_old_or_new() {
    const STEPS: usize = 40;
    let (mut old, mut new) = (0, 0);
    for files in (0..=STEPS + 4).step_by(6) {
        let home = new_home();
        home.config("fast_reply_ms = 0");
        let plans = home.workspace().join("plans");
        let plan = plans.join("login");
        let mut client = Pipe::legacy(&mut home.command(&["serve"]));
        let arguments = json!({ "code": "login", "description": "A page.", "steps": STEPS });
        call(&mut client, "plan_create", arguments);
        let arguments = json!({ "code": "login", "name": "first" });
        let taken = call(&mut client, "plan_checkpoint", arguments);
        assert_eq!(taken["name"], "first", "{taken}");
        // Every file is changed since.
        let names = || {
            let steps = fs::read_dir(plan.join("plan")).unwrap().flatten();
            let steps = steps.map(|entry| entry.path());
            steps.chain([plan.join("STATUS.md"), plan.join("SUMMARY.md")])
        };
        for path in names() {
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("{text}\nchanged\n")).unwrap();
        }
        let restore = json!({ "name": "plan_restore", "arguments": { "code": "login", "checkpoint": "first" } });
        client.request("tools/call", restore);
        let asked = client.until(|message| message["method"] == "elicitation/create");
        client.send(json!({
            "jsonrpc": "2.0", "id": asked["id"],
            "result": { "action": "accept", "content": { "restore": true } },
        }));
        let is_changed = |path: &Path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            text.ends_with("\nchanged\n")
        };
        while written(&plans) < files && is_changed(&plan.join("STATUS.md")) {
            std::hint::spin_loop();
        }
        client.process.child().kill().unwrap();
        client.process.ended();
        let changed = names().filter(|path| is_changed(path)).count();
        assert!(changed == 0 || changed == STEPS + 2, "{changed}");
        let counted = if changed == 0 { &mut new } else { &mut old };
        *counted += 1;
        let mut again = Pipe::modern(&mut home.command(&["serve"]));
        let status = call(&mut again, "plan_status", json!({ "code": "login" }));
        assert_eq!(status["steps"].as_array().unwrap().len(), STEPS);
        assert_eq!(status["problems"], json!([]));
        let listed = call(&mut again, "plan_list", json!({}));
        assert_eq!(listed["plans"].as_array().unwrap().len(), 1);
    }
    println!("killed: {old} times before it was put back, {new} times after");
    assert!(old > 0);
}

#[test]
fn of_two_processes_one_gets_the_step() {
    const STEPS: u32 = 10;
    let home = new_home();
    let mut agents = [
        Pipe::legacy(&mut home.command(&["serve"])),
        Pipe::modern(&mut home.command(&["serve"])),
    ];
    let step = |number: u32| json!({ "title": format!("Step {number}"), "needs": [] });
    let steps: Vec<_> = (1..=STEPS).map(step).collect();
    let plan = json!({ "code": "login", "description": "A page.", "steps": steps });
    call(&mut agents[0], "plan_create", plan);
    for step in 1..=STEPS {
        let start =
            json!({ "name": "plan_step_start", "arguments": { "code": "login", "step": step } });
        let ids = agents
            .each_mut()
            .map(|agent| agent.request("tools/call", start.clone()));
        let mut told = Vec::new();
        for (agent, id) in agents.iter_mut().zip(ids) {
            let answer =
                agent.until(|message| message["id"] == id && message.get("method").is_none());
            told.push(answer["result"].clone());
        }
        told.sort_by_key(|result| result["isError"] == true);
        assert_eq!(told[0]["structuredContent"]["step"], step, "{told:?}");
        assert_eq!(
            told[1]["structuredContent"]["error"], "ALREADY_STARTED",
            "{told:?}"
        );
        let words = told[1]["content"][0]["text"].as_str().unwrap();
        assert!(words.contains("by mcpdo-test-client 1.0 at 20"), "{words}");
    }
    let status = call(&mut agents[1], "plan_status", json!({ "code": "login" }));
    assert_eq!(
        status["currentSteps"].as_array().unwrap().len(),
        STEPS as usize
    );
    let history = fs::read_to_string(home.workspace().join("plans/login/.history/timeline.jsonl"));
    assert_eq!(history.unwrap().lines().count(), 1 + STEPS as usize);
}

#[test]
fn another_processs_changes_are_heard_of() {
    let uris = ["holdpoint://asks/open", "holdpoint://plans/login"];
    let home = new_home();
    home.config("fast_reply_ms = 0");
    let mut doer = Pipe::legacy(&mut home.command(&["serve"]));
    let step = |number: u32| json!({ "title": format!("Step {number}"), "needs": [] });
    let steps: Vec<_> = (1..=2).map(step).collect();
    let plan = json!({ "code": "login", "description": "A page.", "steps": steps });
    call(&mut doer, "plan_create", plan);
    let mut legacy = Pipe::legacy(&mut home.command(&["serve"]));
    for uri in uris {
        let answer = legacy.ask("resources/subscribe", json!({ "uri": uri }));
        assert!(answer.get("error").is_none(), "{answer}");
    }
    let mut modern = Pipe::modern(&mut home.command(&["serve"]));
    let wanted = json!({ "notifications": { "resourceSubscriptions": uris } });
    modern.request("subscriptions/listen", wanted);
    modern.until(|message| message["method"] == "notifications/subscriptions/acknowledged");
    // The listening begins with the acknowledgement's next moment; an answer comes after it.
    modern.ask("tools/list", json!({}));
    let mut clients = [legacy, modern];
    let mut hear = |uris: &[&str]| {
        for client in &mut clients {
            let mut left = uris.to_vec();
            while !left.is_empty() {
                let told =
                    client.until(|message| message["method"] == "notifications/resources/updated");
                left.retain(|uri| told["params"]["uri"] != *uri);
            }
        }
    };
    for step in 1..=2 {
        let start = json!({ "code": "login", "step": step });
        call(&mut doer, "plan_step_start", start);
        doer.request("tools/call", support::confirm());
        let asked = doer.asked();
        hear(&uris);
        doer.send(json!({ "jsonrpc": "2.0", "id": asked["id"], "result": support::yes() }));
        hear(&uris[..1]);
    }
}
