//! Scopes: whose they are, until when, and what beats them.

use crate::cases::{bash, decide, file, now, own, tool, with_scopes};
use holdpoint_ask::Digest;
use holdpoint_policy::{
    Covers, Holder, Lifetime, Reason, Rules, Scope, ScopeOffer, ToolUse, Verdict, offers,
    would_have_allowed,
};
use jiff::SignedDuration;
use serde_json::json;

fn ann() -> Holder {
    Holder {
        principal: "ann".into(),
        client: "claude-code".into(),
        workspace: Some("/w".into()),
        session: Some("s1".into()),
        server: None,
        definition: None,
    }
}

fn tool_scope(lifetime: Lifetime) -> Scope {
    Scope::give(
        "ask-1",
        Covers::Tool("mcp__x__y".into()),
        lifetime,
        &ann(),
        now(),
    )
}

#[test]
fn a_scope_is_for_who_got_it_where_and_until() {
    let mcp = tool("mcp__x__y", json!({}));
    let check = |scope: &Scope, holder: Holder, minutes: i64, wanted| {
        let later = now() + SignedDuration::from_mins(minutes);
        let scopes = std::slice::from_ref(scope);
        let ruling = Rules::none().decide(&mcp, &holdpoint_policy::NoLinks, scopes, &holder, later);
        assert_eq!(ruling.verdict, wanted, "{scope:?} {holder:?} {minutes}");
        assert_eq!(ruling.scope.is_some(), wanted == Verdict::Allow);
    };
    let change = |change: fn(&mut Holder)| {
        let mut holder = ann();
        change(&mut holder);
        holder
    };
    let elsewhere = change(|holder| holder.workspace = Some("/other".into()));
    let nowhere = change(|holder| holder.workspace = None);
    let later = change(|holder| holder.session = Some("s2".into()));
    let session = tool_scope(Lifetime::Session);
    check(&session, ann(), 9_999, Verdict::Allow);
    check(&session, later.clone(), 0, Verdict::Ask);
    check(&session, elsewhere.clone(), 0, Verdict::Ask);
    check(
        &session,
        change(|holder| holder.session = None),
        0,
        Verdict::Ask,
    );
    let minutes = tool_scope(Lifetime::Minutes(30));
    check(&minutes, later.clone(), 29, Verdict::Allow);
    check(&minutes, ann(), 30, Verdict::Ask);
    check(&minutes, elsewhere.clone(), 0, Verdict::Ask);
    let workspace = tool_scope(Lifetime::Workspace);
    check(&workspace, later.clone(), 9_999, Verdict::Allow);
    check(&workspace, elsewhere.clone(), 0, Verdict::Ask);
    check(&workspace, nowhere, 0, Verdict::Ask);
    let always = tool_scope(Lifetime::Always);
    check(&always, elsewhere, 0, Verdict::Allow);
    check(
        &always,
        change(|holder| holder.principal = "bob".into()),
        0,
        Verdict::Ask,
    );
    check(
        &always,
        change(|holder| holder.client = "codex".into()),
        0,
        Verdict::Ask,
    );
    check(&tool_scope(Lifetime::Minutes(0)), ann(), 0, Verdict::Ask);
}

#[test]
fn a_scope_without_a_session_or_a_workspace_to_end_with_is_over_at_once() {
    for (lifetime, holder) in [
        (
            Lifetime::Session,
            Holder {
                session: None,
                ..ann()
            },
        ),
        (
            Lifetime::Workspace,
            Holder {
                workspace: None,
                ..ann()
            },
        ),
    ] {
        let scope = Scope::give(
            "a",
            Covers::Tool("mcp__x__y".into()),
            lifetime,
            &holder,
            now(),
        );
        let ruling = with_scopes(
            &Rules::none(),
            &tool("mcp__x__y", json!({})),
            &[scope],
            &holder,
        );
        assert_eq!(ruling.verdict, Verdict::Ask);
    }
}

#[test]
fn a_scope_given_with_a_definition_fits_no_other_and_no_unknown_one() {
    let with = |seen: Option<&[u8]>| Holder {
        definition: seen.map(Digest::hash_bytes),
        ..ann()
    };
    let given = Scope::give(
        "a",
        Covers::Tool("mcp__x__y".into()),
        Lifetime::Always,
        &with(Some(b"one")),
        now(),
    );
    let check = |holder: Holder, wanted| {
        let scopes = std::slice::from_ref(&given);
        let ruling = with_scopes(
            &Rules::none(),
            &tool("mcp__x__y", json!({})),
            scopes,
            &holder,
        );
        assert_eq!(ruling.verdict, wanted);
    };
    check(with(Some(b"one")), Verdict::Allow);
    check(with(Some(b"two")), Verdict::Ask);
    check(with(None), Verdict::Ask);
}

#[test]
fn rules_that_ask_and_deny_beat_scopes_and_so_does_danger() {
    let mcp = tool("mcp__x__y", json!({"a": 1}));
    let scopes = [
        tool_scope(Lifetime::Always),
        Scope::give(
            "b",
            Covers::Exactly(mcp.digest()),
            Lifetime::Always,
            &ann(),
            now(),
        ),
        Scope::give(
            "c",
            Covers::Pattern("mcp__x".into()),
            Lifetime::Always,
            &ann(),
            now(),
        ),
    ];
    for (rules, wanted) in [
        ("", Verdict::Allow),
        ("ask = [\"mcp__x\"]", Verdict::Ask),
        ("deny = [\"mcp__x__*\"]", Verdict::Deny),
        ("default = \"deny\"", Verdict::Deny),
        (
            "[[rule]]\ntool = \"mcp__x\"\nthen = \"ask\"\ndanger = true",
            Verdict::Ask,
        ),
    ] {
        assert_eq!(
            with_scopes(&own(rules), &mcp, &scopes, &ann()).verdict,
            wanted,
            "{rules}"
        );
    }
}

#[test]
fn tools_that_can_do_anything_are_never_allowed_whole() {
    let check = |covers: Covers, tool_use: ToolUse, wanted| {
        let scope = Scope::give("a", covers, Lifetime::Always, &ann(), now());
        let ruling = with_scopes(&Rules::none(), &tool_use, &[scope], &ann());
        assert_eq!(ruling.verdict, wanted, "{tool_use:?}");
    };
    check(Covers::Tool("Bash".into()), bash("ls"), Verdict::Ask);
    check(Covers::Pattern("Bash".into()), bash("ls"), Verdict::Ask);
    check(
        Covers::Tool("Write".into()),
        file("Write", "/w/x"),
        Verdict::Allow,
    );
    check(
        Covers::Tool("Write".into()),
        file("Write", "/etc/x"),
        Verdict::Ask,
    );
    check(
        Covers::Pattern("Edit".into()),
        file("Edit", "/etc/x"),
        Verdict::Ask,
    );
    check(
        Covers::Pattern("Edit(/src/**)".into()),
        file("Edit", "/w/src/x"),
        Verdict::Allow,
    );
    check(
        Covers::Pattern("Edit(/src/**)".into()),
        file("Edit", "/w/x"),
        Verdict::Ask,
    );
    // What is no rule for `allow` is no scope.
    check(
        Covers::Pattern("mcp__*".into()),
        tool("mcp__x__y", json!({})),
        Verdict::Ask,
    );
}

#[test]
#[cfg(feature = "shell")]
fn for_commands_a_pattern_is_for_one_part() {
    let rules = own("allow = [\"Bash(ls *)\"]\nask = [\"Bash(git push --force *)\"]");
    let scope = Scope::give(
        "a",
        Covers::Pattern("Bash(git push *)".into()),
        Lifetime::Session,
        &ann(),
        now(),
    );
    let exactly = |command: &str| {
        Scope::give(
            "b",
            Covers::Exactly(bash(command).digest()),
            Lifetime::Session,
            &ann(),
            now(),
        )
    };
    let check = |command: &str, scopes: &[Scope], wanted| {
        let ruling = with_scopes(&rules, &bash(command), scopes, &ann());
        assert_eq!(ruling.verdict, wanted, "{command}");
    };
    let pattern = std::slice::from_ref(&scope);
    check("git push origin", pattern, Verdict::Allow);
    check("ls && git push origin", pattern, Verdict::Allow);
    check("ls && git push origin && make", pattern, Verdict::Ask);
    check("git push --force origin", pattern, Verdict::Ask);
    check("git push $(make)", pattern, Verdict::Ask);
    check(
        "git push $(make)",
        &[exactly("git push $(make)")],
        Verdict::Allow,
    );
    check(
        "git push $(make) x",
        &[exactly("git push $(make)")],
        Verdict::Ask,
    );
    check(
        "git push --force origin",
        &[exactly("git push --force origin")],
        Verdict::Ask,
    );
}

fn offered(rules: &str, tool_use: &ToolUse) -> Vec<String> {
    let ruling = decide(&own(rules), tool_use);
    let offers = offers(&ruling, tool_use, &ann());
    assert!(offers.len() <= 8);
    for offer in &offers {
        let parsed = ScopeOffer::parse_value(&offer.value, tool_use);
        assert_eq!(
            parsed,
            Some((offer.covers.clone(), offer.lifetime)),
            "{}",
            offer.value
        );
        let scope = Scope::give("a", offer.covers.clone(), offer.lifetime, &ann(), now());
        let then = with_scopes(&own(rules), tool_use, &[scope], &ann());
        assert_eq!(
            then.verdict,
            Verdict::Allow,
            "{} does not help",
            offer.value
        );
        assert!(matches!(
            then.reasons[0],
            Reason::Scope { .. } | Reason::Rule { .. }
        ));
    }
    offers.into_iter().map(|offer| offer.label).collect()
}

#[test]
#[cfg(feature = "shell")]
fn a_yes_to_a_command_can_be_remembered() {
    assert_eq!(
        offered("", &bash("git push origin main")),
        [
            "Exactly this, in this session",
            "`git push` with any arguments, in this session",
            "`git push` with any arguments, for 30 minutes",
            "`git push` with any arguments, in this workspace, until revoked",
            "`git push` with any arguments, everywhere, until revoked",
        ]
    );
    assert_eq!(
        offered("", &bash("make all"))[1],
        "`make all` with any arguments, in this session"
    );
    assert_eq!(
        offered("", &bash("./deploy.sh now"))[1],
        "The command `./deploy.sh now`, in this session"
    );
    let one_asked = offered("allow = [\"Bash(ls *)\"]", &bash("ls && git push x"));
    assert_eq!(
        one_asked[1],
        "`git push` with any arguments, in this session"
    );
    for exactly_only in [
        "git push $(make)",
        "sudo ls",
        "make && ls",
        "ls > x",
        "PATH=/x ls",
        "ls *.rs",
    ] {
        assert_eq!(
            offered("", &bash(exactly_only)),
            ["Exactly this, in this session"],
            "{exactly_only}"
        );
    }
}

#[test]
fn a_yes_to_other_tools_can_be_remembered() {
    assert_eq!(
        offered("", &file("Edit", "/w/src/a/x.rs")),
        [
            "Exactly this, in this session",
            "Change any file in `src/a/`, in this session",
            "Change any file in `src/a/`, for 30 minutes",
            "Change any file in `src/a/`, in this workspace, until revoked",
            "`Edit` of any file in the workspace, in this session",
        ]
    );
    assert_eq!(
        offered("", &file("Edit", "/etc/x")),
        ["Exactly this, in this session"]
    );
    let fetch = tool("WebFetch", json!({"url": "https://example.com/x"}));
    assert_eq!(
        offered("", &fetch)[4],
        "Fetch from `example.com`, everywhere, until revoked"
    );
    assert_eq!(
        offered("", &tool("mcp__x__y", json!({})))[1],
        "`mcp__x__y` with any arguments, in this session"
    );
}

#[test]
fn nothing_is_offered_where_a_rule_asks_or_it_is_dangerous_or_decided() {
    let mcp = tool("mcp__x__y", json!({}));
    for rules in [
        "ask = [\"mcp__x\"]",
        "deny = [\"mcp__x\"]",
        "allow = [\"mcp__x\"]",
        "[[rule]]\ntool = \"mcp__x\"\nthen = \"ask\"\ndanger = true",
    ] {
        assert_eq!(offered(rules, &mcp), [""; 0], "{rules}");
    }
    assert_eq!(offered("", &tool("ExitPlanMode", json!({}))), [""; 0]);
}

#[test]
fn what_is_no_offer_does_not_parse() {
    let mcp = tool("mcp__x__y", json!({}));
    for value in [
        "",
        "session",
        "session ",
        "once exactly",
        "session tool Bash",
        "session pattern mcp__*",
        "0m exactly",
        "m exactly",
        "session exactly x",
        "-1m exactly",
        "session tool *",
        "99999999999m exactly",
    ] {
        assert_eq!(ScopeOffer::parse_value(value, &mcp), None, "{value}");
    }
}

#[test]
fn a_scope_says_what_it_covers() {
    let uses = [
        tool("mcp__x__y", json!({"a": 1})),
        tool("mcp__x__z", json!({})),
    ];
    let scope = tool_scope(Lifetime::Session);
    assert_eq!(
        uses.each_ref().map(|tool_use| scope.covers(tool_use)),
        [true, false]
    );
    assert_eq!(would_have_allowed(&scope.covers, &uses), ["x: y {\"a\":1}"]);
}

#[test]
#[cfg(feature = "shell")]
fn what_it_would_have_allowed_is_told_in_short_texts() {
    let recent = [
        "git push a",
        "git push b",
        "git push a",
        "git pull",
        "git push && make",
    ]
    .map(bash);
    let covers = Covers::Pattern("Bash(git push *)".into());
    assert_eq!(
        would_have_allowed(&covers, &recent),
        ["Bash: git push a", "Bash: git push b"]
    );
}
