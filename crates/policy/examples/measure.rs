//! How long it takes to load ten thousand rules and to decide by them:
//! `cargo run --release -p holdpoint-policy --example measure`.

use holdpoint_policy::{Holder, NoLinks, Rules, ToolUse};
use jiff::Timestamp;
use serde_json::json;
use std::{hint::black_box, time::Instant};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let count = 10_000;
    let text = rules(count);
    let started = Instant::now();
    let loaded = Rules::own(&text, "rules.toml")?;
    let first = started.elapsed();
    let started = Instant::now();
    for _ in 0..10 {
        black_box(Rules::own(&text, "rules.toml")?);
    }
    println!(
        "{count} rules, {} KiB: loaded in {first:.1?}, again in {:.1?}",
        text.len() / 1024,
        started.elapsed() / 10
    );
    for (name, tool_use) in uses() {
        let decide = || {
            loaded.decide(
                &tool_use,
                &NoLinks,
                &[],
                &Holder::default(),
                Timestamp::UNIX_EPOCH,
            )
        };
        let started = Instant::now();
        let verdict = decide().verdict;
        let first = started.elapsed();
        let rounds = 2_000;
        let started = Instant::now();
        for _ in 0..rounds {
            black_box(decide());
        }
        println!(
            "{:>8.2?}  {:>8.2?} the first time  {verdict:5}  {name}",
            started.elapsed() / rounds,
            first
        );
    }
    Ok(())
}

/// Rules of every kind, in lists as people have them.
fn rules(count: usize) -> String {
    let mut lists = [String::new(), String::new(), String::new()];
    for number in 0..count {
        let (list, rule) = match number % 10 {
            0 => (0, format!("Bash(tool{number} run *)")),
            1 => (0, format!("mcp__server{number}__get_*")),
            2 => (0, format!("Edit(src/mod{number}/**)")),
            3 => (0, format!("WebFetch(domain:*.site{number}.example.com)")),
            4 => (1, format!("Bash(git sub{number} *)")),
            5 => (1, format!("mcp__server{number}__delete_*")),
            6 => (1, format!("Edit(/lib/area{number}/*.rs)")),
            7 => (2, format!("Bash(tool{number} remove *)")),
            8 => (2, format!("Read(~/.secret{number}/**)")),
            _ => (2, format!("mcp__server{number}")),
        };
        lists[list].push_str(&format!("  \"{rule}\",\n"));
    }
    let [allow, ask, deny] = lists;
    format!(
        "allow = [\n  \"Bash(git status *)\",\n  \"Bash(ls *)\",\n{allow}]\nask = [\n{ask}]\ndeny = [\n{deny}]\n"
    )
}

fn uses() -> Vec<(&'static str, ToolUse)> {
    let at = |tool: &str, input| {
        let mut tool_use = ToolUse::new(tool, input, "/work/app");
        tool_use.home = Some("/home/ann".into());
        tool_use
    };
    let bash = |command: &str| at("Bash", json!({ "command": command }));
    vec![
        ("git status --short", bash("git status --short")),
        (
            "four parts",
            bash("git status && ls -la src | grep x; timeout 5 git log -p > /dev/null 2>&1"),
        ),
        (
            "twenty words",
            bash("git commit -m 'one two' a b c d e f g h i j k l m n o p q --signoff"),
        ),
        ("a substitution", bash("echo $(git status) `ls`")),
        (
            "Edit",
            at("Edit", json!({ "file_path": "/work/app/src/mod42/lib.rs" })),
        ),
        (
            "Read",
            at("Read", json!({ "file_path": "/work/app/docs/guide.md" })),
        ),
        (
            "an MCP tool",
            at("mcp__server41__get_issue", json!({ "id": 1 })),
        ),
        (
            "WebFetch",
            at(
                "WebFetch",
                json!({ "url": "https://docs.site43.example.com/x" }),
            ),
        ),
    ]
}
