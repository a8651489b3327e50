//! Rules added, taken in another order, and explained.

use super::any::{Listed, listed, load, rule, tool_use};
use crate::cases::{decide, now, own, tool};
use holdpoint_policy::{Holder, NoLinks, Rules, ScopeOffer, Verdict};
use proptest::prelude::*;
use serde_json::json;

fn adding(mut rules: Listed, verdict: Verdict, rule: String) -> Rules {
    rules.0.push((verdict, rule));
    load(&rules)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_that_asks_or_denies_never_loosens(rules in listed(), rule in rule(), tool_use in tool_use()) {
        let before = decide(&load(&rules), &tool_use).verdict;
        for verdict in [Verdict::Ask, Verdict::Deny] {
            let after = decide(&adding(rules.clone(), verdict, rule.clone()), &tool_use).verdict;
            prop_assert!(after >= before, "{verdict} {rule}: {before} became {after}");
        }
    }

    #[test]
    fn a_rule_that_allows_never_tightens(rules in listed(), rule in rule(), tool_use in tool_use()) {
        let before = decide(&load(&rules), &tool_use).verdict;
        let after = decide(&adding(rules, Verdict::Allow, rule.clone()), &tool_use).verdict;
        prop_assert!(after <= before, "{rule}: {before} became {after}");
    }

    #[test]
    fn the_order_of_rules_never_matters(rules in listed(), tool_use in tool_use()) {
        let one = decide(&load(&rules), &tool_use);
        let (mut turned, default) = rules;
        turned.reverse();
        let other = decide(&load(&(turned, default)), &tool_use);
        prop_assert_eq!(one.verdict, other.verdict);
        prop_assert_eq!(one.danger, other.danger);
    }

    #[test]
    fn a_workspaces_rules_never_loosen(rules in listed(), rule in rule(), tool_use in tool_use()) {
        let before = decide(&load(&rules), &tool_use).verdict;
        let workspace = Rules::workspace(&format!("ask = {}", json!([rule])), "x").unwrap();
        let after = decide(&load(&rules).with(workspace), &tool_use).verdict;
        prop_assert!(after >= before);
    }

    #[test]
    fn explain_says_what_decide_does(rules in listed(), tool_use in tool_use()) {
        let rules = load(&rules);
        let explained = rules.explain(&tool_use, &NoLinks, &[], &Holder::default(), now());
        prop_assert_eq!(&explained.ruling, &decide(&rules, &tool_use));
        prop_assert!(!explained.ruling.reasons.is_empty());
        prop_assert!(explained.to_string().ends_with('\n'));
        let strictest = explained.matched.iter().map(|rule| rule.verdict).max();
        prop_assert!(strictest.unwrap_or(Verdict::Allow) <= explained.ruling.verdict);
    }

    #[test]
    fn no_argument_of_an_mcp_tool_makes_it_allowed(rules in listed(), one in any::<i64>(), other in "\\PC{0,12}") {
        let rules = load(&rules);
        let verdict = |input| decide(&rules, &tool("mcp__a__get_x", input)).verdict;
        prop_assert_eq!(verdict(json!({ "id": one })), verdict(json!({ "name": other, "id": [one] })));
    }

    #[test]
    fn no_rule_allows_by_an_arguments_value(tool in "[A-Z][a-z]{2,8}|mcp__[a-z]{1,4}__[a-z]{1,4}", name in "[a-z]{1,6}", value in "[a-z*]{0,6}") {
        let known = ["Bash", "Read", "Glob", "Grep", "Edit", "Write"];
        prop_assume!(!known.contains(&&*tool) && name != "domain");
        let text = format!("allow = [\"{tool}({name}:{value})\"]");
        prop_assert!(Rules::own(&text, "x").is_err());
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,80}", keyed in "(allow|deny|ask) = \\[\"[ -~&&[^\"\\\\]]{0,24}\"\\]") {
        let _ = Rules::own(&text, "x");
        if let Ok(rules) = Rules::own(&keyed, "x") {
            decide(&rules, &tool("Read", json!({ "file_path": text })));
            decide(&rules, &tool(&text, json!({ "command": text })));
        }
        let _ = ScopeOffer::parse_value(&text, &tool("x", json!({})));
        let _ = holdpoint_policy::import::codex(&text);
    }
}

#[test]
fn a_reader_of_text_knows_its_end() {
    assert_eq!(
        decide(&own(""), &tool("", json!(null))).verdict,
        Verdict::Ask
    );
}
