//! Rules, uses of tools and scopes, made at random of few words, so that they meet.

use crate::cases::{bash, now, own, tool};
use holdpoint_policy::{Covers, Holder, Lifetime, Rules, Scope, ToolUse, Verdict};
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::json;

/// A rule that may stand in every list.
pub fn rule() -> impl Strategy<Value = String> {
    let command = vec(word(), 1..4).prop_map(|words| words.join(" "));
    let command = (command, select(vec!["", " *", "*", ":*"]))
        .prop_map(|(command, end)| format!("Bash({command}{end})"));
    let path = (
        select(vec!["Read", "Edit", "Write"]),
        select(vec![
            "src/**",
            "*.rs",
            "/src/a.rs",
            "~/**",
            "//etc/**",
            ".env",
            "./.env",
        ]),
    )
        .prop_map(|(tool, path)| format!("{tool}({path})"));
    let whole = select(vec![
        "Bash",
        "Read",
        "Edit",
        "Write",
        "Grep",
        "WebFetch",
        "mcp__a",
        "mcp__a__*",
        "mcp__a__get_*",
        "mcp__b__put",
        "WebFetch(domain:example.com)",
        "WebFetch(domain:*.example.com)",
    ]);
    prop_oneof![4 => command, 2 => path, 3 => whole.prop_map(str::to_owned)]
}

pub fn word() -> impl Strategy<Value = &'static str> {
    select(vec![
        "git", "push", "ls", "rm", "-rf", "x", "status", "sudo", "timeout", "5", "xargs", "find",
        "-exec", "bash", "-c", "env", "A=b", "PATH=x", "cat", ".env", "src/a.rs",
    ])
}

/// A command that ends where it ends.
pub fn command() -> impl Strategy<Value = String> {
    let odd = select(vec![
        "$X",
        "$(ls)",
        "*.rs",
        "'a b'",
        "> src/a.rs",
        "< .env",
        "2>&1",
        "> /etc/x",
        "`git push`",
        "{a,b}",
    ]);
    let piece = prop_oneof![6 => word().prop_map(str::to_owned), 1 => odd.prop_map(str::to_owned)];
    vec(piece, 1..6).prop_map(|pieces| pieces.join(" "))
}

pub fn line() -> impl Strategy<Value = String> {
    let join = select(vec![" && ", ";", " | ", " || ", "\n", " & "]);
    (command(), vec((join, command()), 0..3)).prop_map(|(first, rest)| {
        rest.into_iter().fold(first, |line, (join, command)| {
            format!("{line}{join}{command}")
        })
    })
}

pub fn tool_use() -> impl Strategy<Value = ToolUse> {
    let path = select(vec![
        "/w/src/a.rs",
        "/w/.env",
        "/w/b.rs",
        "/etc/hosts",
        "~/x",
        "../x",
        "src/.env",
    ]);
    let name = select(vec!["Read", "Edit", "Write", "MultiEdit", "Grep", "LS"]);
    let file = (name, path)
        .prop_map(|(name, path)| tool(name, json!({ "file_path": path, "path": path })));
    let mcp = (
        select(vec!["mcp__a__get_x", "mcp__a__put", "mcp__b__put", "Task"]),
        0..3,
    )
        .prop_map(|(name, id)| tool(name, json!({ "id": id })));
    let web = select(vec!["https://example.com/", "https://a.example.com", "x"])
        .prop_map(|url| tool("WebFetch", json!({ "url": url })));
    prop_oneof![5 => line().prop_map(|line| bash(&line)), 3 => file, 2 => mcp, 1 => web]
}

pub fn verdict() -> impl Strategy<Value = Verdict> {
    select(vec![Verdict::Allow, Verdict::Ask, Verdict::Deny])
}

/// Rules with their lists, and the default.
pub type Listed = (Vec<(Verdict, String)>, Verdict);

pub fn listed() -> impl Strategy<Value = Listed> {
    (vec((verdict(), rule()), 0..8), verdict())
}

pub fn load((rules, default): &Listed) -> Rules {
    let list = |wanted: Verdict| {
        let rules: Vec<&String> = rules
            .iter()
            .filter(|(verdict, _)| *verdict == wanted)
            .map(|(_, rule)| rule)
            .collect();
        format!("{wanted} = {}\n", json!(rules))
    };
    let lists: String = [Verdict::Allow, Verdict::Ask, Verdict::Deny]
        .map(list)
        .concat();
    own(&format!("default = \"{default}\"\n{lists}"))
}

pub fn holder() -> Holder {
    Holder {
        workspace: Some("/w".into()),
        session: Some("s".into()),
        ..Holder::default()
    }
}

pub fn scope() -> impl Strategy<Value = Scope> {
    let covers = prop_oneof![
        rule().prop_map(Covers::Pattern),
        tool_use().prop_map(|tool_use| Covers::Exactly(tool_use.digest())),
        tool_use().prop_map(|tool_use| Covers::Tool(tool_use.tool)),
    ];
    covers.prop_map(|covers| Scope::give("scope", covers, Lifetime::Session, &holder(), now()))
}
