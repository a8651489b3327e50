//! MCP tools, the web, and rules by argument.

use crate::cases::{decide, own, tool, verdict};
use holdpoint_ask::Digest;
use holdpoint_policy::{Annotations, Reason, ToolDefinition, ToolUse, Verdict};
use serde_json::json;

#[test]
fn mcp_tools_are_matched_by_server_and_name() {
    let check = |rules: &str, name: &str, wanted| {
        assert_eq!(
            verdict(rules, &tool(name, json!({}))),
            wanted,
            "{rules} {name}"
        )
    };
    check(
        "allow = [\"mcp__github\"]",
        "mcp__github__get_issue",
        Verdict::Allow,
    );
    check(
        "allow = [\"mcp__github\"]",
        "mcp__github2__get_issue",
        Verdict::Ask,
    );
    check(
        "allow = [\"mcp__github__*\"]",
        "mcp__github__get_issue",
        Verdict::Allow,
    );
    check(
        "allow = [\"mcp__github__get_*\"]",
        "mcp__github__get_issue",
        Verdict::Allow,
    );
    check(
        "allow = [\"mcp__github__get_*\"]",
        "mcp__github__delete",
        Verdict::Ask,
    );
    check(
        "allow = [\"mcp__github__get_issue\"]",
        "mcp__github__get_issue",
        Verdict::Allow,
    );
    check("deny = [\"mcp__*\"]", "mcp__github__x", Verdict::Deny);
    check(
        "deny = [\"mcp__*__delete_*\"]",
        "mcp__github__delete_x",
        Verdict::Deny,
    );
    check("deny = [\"*\"]", "Anything", Verdict::Deny);
    check(
        "allow = [\"mcp__a\"]\nask = [\"mcp__a__b*\"]",
        "mcp__a__bc",
        Verdict::Ask,
    );
    check(
        "allow = [\"mcp__my__server\"]",
        "mcp__my__server",
        Verdict::Allow,
    );
    check("allow = [\"WebSearch\"]", "WebSearch", Verdict::Allow);
}

#[test]
fn arguments_only_ask_and_deny() {
    let rules = "allow = [\"Agent\", \"mcp__x\"]\ndeny = [\"Agent(model:opus*)\", \"mcp__x__y(force:true)\"]\nask = [\"Agent(Explore)\"]";
    let check = |name: &str, input, wanted| assert_eq!(verdict(rules, &tool(name, input)), wanted);
    check("Agent", json!({"model": "opus-5"}), Verdict::Deny);
    check("Agent", json!({"model": "haiku"}), Verdict::Allow);
    check("Agent", json!({"subagent_type": "Explore"}), Verdict::Ask);
    check("mcp__x__y", json!({"force": true}), Verdict::Deny);
    check("mcp__x__y", json!({"force": false}), Verdict::Allow);
}

#[test]
fn the_web_is_matched_by_where_an_address_leads() {
    let rules = "allow = [\"WebFetch(domain:example.com)\", \"WebFetch(domain:*.example.com)\"]\ndeny = [\"WebFetch(domain:bad.example.com)\"]";
    let check = |url: &str, wanted| {
        assert_eq!(
            verdict(rules, &tool("WebFetch", json!({"url": url}))),
            wanted,
            "{url}"
        )
    };
    check("https://example.com/x", Verdict::Allow);
    check("https://docs.example.com/x", Verdict::Allow);
    check("https://bad.example.com/x", Verdict::Deny);
    check("https://example.com.evil.com/", Verdict::Ask);
    check("https://example.com@evil.com/", Verdict::Ask);
    check("not an address", Verdict::Ask);
}

fn defined(name: &str, seen: &[u8], read_only: Option<bool>) -> ToolUse {
    let mut tool_use = tool(name, json!({}));
    tool_use.definition = Some(ToolDefinition {
        digest: Digest::hash_bytes(seen),
        server: Digest::hash_bytes(b"server"),
        annotations: Annotations {
            read_only,
            ..Annotations::default()
        },
    });
    tool_use
}

#[test]
fn what_a_server_says_counts_if_it_is_trusted_and_was_seen() {
    let rules = own(&format!(
        "allow = [\"read-only @trusted\"]\n[servers.good]\ntrusted = true\ntools = {{ get = \"{0}\", put = \"{0}\" }}\n\
         [servers.bad]\ntools = {{ get = \"{0}\" }}",
        Digest::hash_bytes(b"seen")
    ));
    let check = |tool_use: ToolUse, wanted| {
        assert_eq!(decide(&rules, &tool_use).verdict, wanted, "{tool_use:?}")
    };
    check(
        defined("mcp__good__get", b"seen", Some(true)),
        Verdict::Allow,
    );
    check(
        defined("mcp__good__put", b"seen", Some(false)),
        Verdict::Ask,
    );
    check(defined("mcp__good__put", b"seen", None), Verdict::Ask);
    check(
        defined("mcp__good__other", b"seen", Some(true)),
        Verdict::Ask,
    );
    check(defined("mcp__bad__get", b"seen", Some(true)), Verdict::Ask);
    check(tool("mcp__good__get", json!({})), Verdict::Ask);
    let mut destroys = defined("mcp__good__get", b"seen", Some(true));
    destroys
        .definition
        .as_mut()
        .unwrap()
        .annotations
        .destructive = Some(true);
    check(destroys, Verdict::Ask);
}

#[test]
fn a_tool_that_changed_is_asked_about_whatever_allows_it() {
    let pin = Digest::hash_bytes(b"seen");
    let servers = format!("[servers.good]\ntrusted = true\ntools = {{ get = \"{pin}\" }}");
    for first in [
        "allow = [\"mcp__good\", \"read-only @trusted\"]\n",
        "default = \"allow\"\n",
    ] {
        let rules = own(&format!("{first}{servers}"));
        let ruling = decide(&rules, &defined("mcp__good__get", b"other", Some(true)));
        assert_eq!(ruling.verdict, Verdict::Ask);
        assert_eq!(ruling.reasons, [Reason::ChangedDefinition]);
        assert_eq!(
            decide(&rules, &defined("mcp__good__get", b"seen", Some(true))).verdict,
            Verdict::Allow
        );
    }
    let denies = own(&format!("deny = [\"mcp__good\"]\n{servers}"));
    assert_eq!(
        decide(&denies, &defined("mcp__good__get", b"other", None)).verdict,
        Verdict::Deny
    );
}
