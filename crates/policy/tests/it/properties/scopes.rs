//! Scopes beside rules.

use super::any::{holder, listed, load, scope, tool_use};
use crate::cases::{decide, now, with_scopes};
use holdpoint_policy::{NoLinks, Verdict, offers};
use proptest::{collection::vec, prelude::*};

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_scope_beats_no_rule_that_asks_or_denies(rules in listed(), scopes in vec(scope(), 1..4), tool_use in tool_use()) {
        let rules = load(&rules);
        let explained = rules.explain(&tool_use, &NoLinks, &scopes, &holder(), now());
        let strict = explained.matched.iter().map(|rule| rule.verdict).max();
        prop_assert!(explained.ruling.verdict >= strict.unwrap_or(Verdict::Allow));
        prop_assert_eq!(&explained.ruling, &with_scopes(&rules, &tool_use, &scopes, &holder()));
    }

    #[test]
    fn a_scope_never_tightens_and_never_beats_a_default_that_denies(
        rules in listed(),
        scopes in vec(scope(), 1..4),
        tool_use in tool_use(),
    ) {
        let rules = load(&rules);
        let (without, with) = (decide(&rules, &tool_use).verdict, with_scopes(&rules, &tool_use, &scopes, &holder()).verdict);
        prop_assert!(with <= without);
        prop_assert!(without != Verdict::Deny || with == Verdict::Deny);
    }

    #[test]
    fn what_is_offered_helps(rules in listed(), tool_use in tool_use()) {
        let rules = load(&rules);
        let ruling = decide(&rules, &tool_use);
        for offer in offers(&ruling, &tool_use, &holder()) {
            let scope = holdpoint_policy::Scope::give("x", offer.covers.clone(), offer.lifetime, &holder(), now());
            let then = with_scopes(&rules, &tool_use, &[scope], &holder());
            prop_assert_eq!(then.verdict, Verdict::Allow, "{}", offer.value);
        }
    }
}
