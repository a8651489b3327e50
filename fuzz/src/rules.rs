//! Rules and the uses of tools that they decide about: no text breaks their reading, and what asks or denies
//! never loosens.

use crate::sections;
use holdpoint_policy::{Holder, NoLinks, Rules, Ruling, ScopeOffer, ToolUse, Verdict, import};
use jiff::Timestamp;
use serde_json::{Value, json};

/// The input: a `rules.toml`, what is used, and a further rule, with lines `---` between them. What is used is a
/// shell command, or `@Tool` and its arguments as JSON.
pub fn check(data: &[u8]) {
    let Some([rules, used, further]) = sections(data) else {
        return;
    };
    let tool_use = tool_use(used);
    let _ = ScopeOffer::parse_value(further, &tool_use);
    let _ = import::codex(rules);
    let Ok(rules) = Rules::own(rules, "rules.toml") else {
        return;
    };
    let before = decide(&rules, &tool_use);
    assert!(!before.reasons.is_empty(), "no reason for {before:?}");
    let none = decide(&Rules::none(), &tool_use);
    assert_ne!(none.verdict, Verdict::Allow, "without a rule: {none:?}");
    let explained = rules.explain(&tool_use, &NoLinks, &[], &Holder::default(), NOW);
    assert_eq!(explained.ruling, before);
    assert!(explained.to_string().ends_with('\n'));
    for verdict in [Verdict::Ask, Verdict::Deny] {
        let text = format!("{verdict} = {}", json!([further]));
        let Ok(workspace) = Rules::workspace(&text, "rules.toml") else {
            continue;
        };
        let after = decide(&rules.clone().with(workspace), &tool_use);
        assert!(
            after.verdict >= before.verdict,
            "{text}: {} became {}",
            before.verdict,
            after.verdict
        );
        assert!(
            after.danger || !before.danger,
            "{text}: no longer dangerous"
        );
    }
    let tool = json!([tool_use.tool]);
    if let Ok(all) = Rules::workspace(&format!("deny = {tool}"), "rules.toml") {
        let after = decide(&rules.with(all), &tool_use);
        assert_eq!(after.verdict, Verdict::Deny, "the whole tool is denied");
    }
}

const NOW: Timestamp = Timestamp::UNIX_EPOCH;

fn decide(rules: &Rules, tool_use: &ToolUse) -> Ruling {
    rules.decide(tool_use, &NoLinks, &[], &Holder::default(), NOW)
}

fn tool_use(used: &str) -> ToolUse {
    let tool = used
        .strip_prefix('@')
        .and_then(|used| used.split_once('\n'));
    let input = tool.map(|(_, input)| serde_json::from_str::<Value>(input));
    let mut tool_use = match (tool, input) {
        (Some((tool, _)), Some(Ok(input))) => ToolUse::new(tool, input, "/w"),
        _ => ToolUse::bash(used, "/w"),
    };
    tool_use.home = Some("/home/ann".into());
    tool_use
}
