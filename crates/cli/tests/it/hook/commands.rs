//! `holdpoint rules`: what people see of rules and of what is remembered.

use super::station::{Station, allow, answer, decline};
use crate::support::{stderr, stdout};
use holdpoint::Kind;
use serde_json::{Value, json};
use std::process::Output;

impl Station {
    fn run(&self, args: &[&str]) -> Output {
        self.home.command(args).output().unwrap()
    }

    fn json(&self, args: &[&str]) -> Value {
        let said = self.run(args);
        serde_json::from_str(&stdout(&said)).unwrap_or_else(|_| panic!("{}", stderr(&said)))
    }
}

#[test]
fn check_names_the_file_and_the_line() {
    let station = Station::with_rules("allow = [\"Bash(ls *)\"]\n");
    let said = station.run(&["rules", "check"]);
    assert!(said.status.success(), "{}", stderr(&said));
    assert!(stdout(&said).contains("rules.toml"), "{}", stdout(&said));
    station.rules("allow = [\"Bash(ls *)\"]\n\ndenny = []\n");
    let said = station.run(&["rules", "check"]);
    assert_eq!(said.status.code(), Some(1));
    let errors = stderr(&said);
    assert!(
        errors.contains("line 3") && errors.contains("`deny`"),
        "{errors}"
    );
    // A repository cannot loosen, and says so where it tries.
    station.rules("");
    let tries = "ask = [\"Bash(make *)\"]\nallow = [\"Bash(rm *)\"]\n";
    station.home.work_file(".holdpoint/rules.toml", tries);
    let said = station.run(&["rules", "check"]);
    let errors = stderr(&said);
    assert!(
        errors.contains("`allow`") && errors.contains("line 2"),
        "{errors}"
    );
}

#[test]
fn explain_says_which_rule_of_which_line_decides_and_what_would_change_it() {
    let station = Station::with_rules(
        "allow = [\"Bash(git status *)\"]\nask = [\"Bash(git push *)\"]\ndeny = [\"Bash(rm *)\"]\n",
    );
    let exits = |command: &str| {
        let said = station.run(&["rules", "explain", "Bash", command]);
        (said.status.code().unwrap(), stdout(&said))
    };
    assert_eq!(exits("git status").0, 0);
    let (code, text) = exits("git status && git push");
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("rules.toml, line 2"), "{text}");
    let (code, text) = exits("git push; rm x");
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("rules.toml, line 3"), "{text}");
    assert!(text.contains("Take `Bash(rm *)` out"), "{text}");
    let said = station.json(&["rules", "explain", "--json", "Bash", "git push; rm x"]);
    assert_eq!(
        (&said["verdict"], said["parts"].as_array().unwrap().len()),
        (&json!("deny"), 2)
    );
    let said = station.run(&["rules", "explain", "mcp__github__create_issue", "{"]);
    assert_eq!(said.status.code(), Some(1));
    assert!(stderr(&said).contains("JSON"), "{}", stderr(&said));
}

#[tokio::test]
async fn what_is_remembered_is_listed_searched_and_revoked() {
    let station = Station::new();
    let hook = station.start("claude", 60, &station.bash("cargo build --release"));
    let desk = station.desk().await;
    let ask = station.open_ask(&desk).await;
    let field = ask
        .ask
        .form
        .fields
        .iter()
        .find(|field| field.name == "remember");
    let Some(Kind::Choice(choice)) = field.map(|field| &field.kind) else {
        panic!("{:?}", ask.ask.form);
    };
    let always = choice
        .options
        .iter()
        .find(|option| option.value.starts_with("always"));
    let chosen = &always.unwrap().value;
    answer(
        &desk,
        ask.id,
        json!({ "decision": "allow", "remember": chosen }),
    )
    .await;
    assert_eq!(hook.said().behavior(), "allow");
    assert_eq!(
        station
            .say("claude", 5, &station.bash("cargo build"))
            .behavior(),
        "allow"
    );

    let listed = station.run(&["rules", "list", "cargo"]);
    assert!(
        stdout(&listed).contains("Bash(cargo build *)"),
        "{}",
        stdout(&listed)
    );
    assert_eq!(stdout(&station.run(&["rules", "list", "npm"])), "");
    let listed = station.json(&["rules", "list", "--json"]);
    let scope = &listed["scopes"][0];
    assert_eq!(scope["askId"], ask.id.to_string());
    assert_eq!(scope["used"]["times"], 1, "{listed}");
    let why = station.run(&["rules", "why", &ask.id.to_string()]);
    assert!(
        stdout(&why).contains("It would be allowed"),
        "{}",
        stdout(&why)
    );

    let id = scope["id"].as_str().unwrap();
    let wrong = station.run(&["rules", "revoke", "nothing"]);
    assert_eq!(wrong.status.code(), Some(1));
    let revoked = station.run(&["rules", "revoke", &id[id.len() - 12..]]);
    assert!(revoked.status.success(), "{}", stderr(&revoked));
    assert_eq!(stdout(&station.run(&["rules", "list"])), "");
    assert_eq!(
        station
            .say("claude", 1, &station.bash("cargo build"))
            .behavior(),
        "deny"
    );
}

#[tokio::test]
async fn the_record_suggests_what_was_always_allowed() {
    let station = Station::new();
    let desk = station.desk().await;
    for number in 0..6 {
        for (tool, yes) in [("npm test --", true), ("npm publish --", false)] {
            let prompt = station.bash(&format!("{tool} {number}"));
            let hook = station.start("claude", 60, &prompt);
            let ask = station.open_ask(&desk).await;
            if yes {
                allow(&desk, ask.id).await;
            } else {
                decline(&desk, ask.id, "no").await;
            }
            hook.said();
        }
    }
    let said = station.json(&["rules", "suggest", "--json"]);
    let rules: Vec<_> = said["suggestions"].as_array().unwrap().iter().collect();
    assert_eq!(rules.len(), 1, "{said}");
    assert_eq!(
        (&rules[0]["rule"], &rules[0]["yes"]),
        (&json!("Bash(npm test *)"), &json!(6))
    );
    let text = stdout(&station.run(&["rules", "suggest"]));
    assert_eq!(text.trim(), "\"Bash(npm test *)\",");
}

#[test]
fn rules_of_other_programs_are_printed_and_nothing_is_written() {
    let station = Station::new();
    let settings = r#"{ "permissions": { // as Claude Code has them
        "allow": ["Bash(npm run *)", "mcp__*"], "deny": ["Read(./.env)"] } }"#;
    station.home.work_file(".claude/settings.json", settings);
    let said = station.run(&["rules", "import", "claude"]);
    let text = stdout(&said);
    assert!(
        text.contains("\"Bash(npm run *)\"") && text.contains("\"Read(./.env)\""),
        "{text}"
    );
    let errors = stderr(&said);
    assert!(errors.contains("mcp__*"), "not taken, and said: {errors}");
    station.rules(&text);
    assert!(station.run(&["rules", "check"]).status.success());
    let said = station.run(&["rules", "import", "codex"]);
    assert_eq!(said.status.code(), Some(1));
}
