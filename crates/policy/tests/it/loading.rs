//! `rules.toml`: what is read, and what is refused by name and line.

use crate::cases::{decide, file, own, tool, verdict};
use holdpoint_policy::{OnFailure, Rules, Verdict};
use serde_json::json;

#[test]
fn a_person_may_say_everything() {
    let rules = own(r#"
default = "deny"
workspace_reads = "allow"
on_failure = "harness"
allow = ["read-only @trusted", "mcp__github__get_*"]
ask = ["mcp__*"]
deny = ["Read(~/.ssh/**)"]

[[rule]]
tool = "mcp__stripe__refund"
when = { "/amount" = "> 5000", "/currency" = "EUR" }
then = "ask"
danger = true
because = "money leaves"
match = ['{"amount": 6000, "currency": "EUR"}', { amount = 5001, currency = "EUR" }]
not_match = ['{"amount": 10, "currency": "EUR"}']

[servers.github]
trusted = true
tools = { get_issue = "0000000000000000000000000000000000000000000000000000000000000000" }
"#);
    assert_eq!(rules.len(), 5);
    assert_eq!(rules.on_failure(), OnFailure::Harness);
    assert_eq!(rules.default_verdict(), Verdict::Deny);
    let refund = |amount| {
        tool(
            "mcp__stripe__refund",
            json!({"amount": amount, "currency": "EUR"}),
        )
    };
    let ruling = decide(&rules, &refund(6000));
    assert!(ruling.danger);
    assert_eq!(
        ruling.reasons[0].to_string(),
        "Denied by default: no rule is about it",
    );
    let none = Rules::none();
    assert!(none.is_empty() && none.on_failure() == OnFailure::Deny);
}

#[test]
fn a_workspace_only_tightens() {
    let text = "ask = [\"Bash(git push *)\"]\ndeny = [\"Read(.env)\"]\n[[rule]]\ntool = \"Bash\"\nthen = \"ask\"\n";
    let workspace = Rules::workspace(text, ".holdpoint/rules.toml").unwrap();
    let rules = own("allow = [\"Read\"]").with(workspace);
    assert_eq!(
        decide(&rules, &file("Read", "/w/.env")).verdict,
        Verdict::Deny
    );
    assert_eq!(
        decide(&rules, &file("Read", "/w/x")).verdict,
        Verdict::Allow
    );
    let refused = |text: &str, wanted: &str| {
        let error = Rules::workspace(text, ".holdpoint/rules.toml").unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(".holdpoint/rules.toml, {wanted}")
        );
    };
    refused(
        "\nallow = [\"Bash\"]",
        "line 2: this file may only tighten, so `allow` cannot be here: take it out, or put it into your own file",
    );
    for text in [
        "default = \"allow\"",
        "workspace_reads = \"allow\"",
        "on_failure = \"harness\"",
        "[servers.x]",
    ] {
        assert!(
            Rules::workspace(text, "x")
                .unwrap_err()
                .what
                .contains("only tighten"),
            "{text}"
        );
    }
    refused(
        "[[rule]]\ntool = \"Bash\"\nthen = \"allow\"",
        "line 3: this file may only tighten, so `then = \"allow\"` cannot be here: put the rule into your own file",
    );
}

#[test]
fn what_is_wrong_is_said_with_its_line() {
    let check = |text: &str, wanted: &str| {
        let error = Rules::own(text, "rules.toml").unwrap_err().to_string();
        assert!(error.starts_with("rules.toml, "), "{error}");
        assert!(
            error["rules.toml, ".len()..].starts_with(wanted),
            "{error}\n{wanted}"
        );
    };
    check(
        "\n\nalow = []",
        "line 3: there is no key `alow`: did you mean `allow`?",
    );
    check("allow = [", "line 1: this is not TOML");
    check(
        "allow = [\n  \"Bash\",\n  3,\n]",
        "line 3: a rule is a text in quotes",
    );
    check(
        "allow = \"x\"",
        "line 1: this is a list of rules: [\"Bash(git push *)\"]",
    );
    check(
        "allow = [\n\"mcp__*\"]",
        "line 2: `mcp__*` would allow tools of servers that nobody named",
    );
    check(
        "allow = [\"mcp__git*__x\"]",
        "line 1: `mcp__git*__x` would allow tools of servers that nobody named",
    );
    check(
        "allow = [\"*\"]",
        "line 1: `*` would allow tools that nobody named",
    );
    check(
        "allow = [\"Web*\"]",
        "line 1: `Web*` would allow tools that nobody named",
    );
    check(
        "allow = [\"bash(ls)\"]",
        "line 1: there is no tool `bash`: did you mean `Bash`?",
    );
    check(
        "allow = [\"Bsh(ls)\"]",
        "line 1: `Bsh` takes no specifier in `allow`: did you mean `Bash`?",
    );
    check(
        "allow = [\"mcp__x__y(a:b)\"]",
        "line 1: `mcp__x__y(a:b)` would allow by an argument's value",
    );
    check(
        "allow = [\"WebFetch(url:x)\"]",
        "line 1: `WebFetch(url:x)` would allow by an argument's value",
    );
    check(
        "deny = [\"mcp__x__y(a)\"]",
        "line 1: `mcp__x__y(a)` names no argument",
    );
    check(
        "deny = [\"Bash(ls\"]",
        "line 1: `Bash(ls` has no `)` at its end",
    );
    check("deny = [\"\"]", "line 1: `` is not a rule");
    check(
        "deny = [\"read-only @trusted\"]",
        "line 1: `read-only @trusted` can only be in `allow`",
    );
    check(
        "deny = [\"Read(!x)\"]",
        "line 1: a pattern cannot begin with `!`",
    );
    check(
        "default = \"alow\"",
        "line 1: `default` cannot be `alow`: did you mean `allow`?",
    );
    check(
        "workspace_reads = \"deny\"",
        "line 1: `workspace_reads` is \"allow\" or \"ask\"",
    );
    check(
        "on_failure = \"open\"",
        "line 1: `on_failure` cannot be `open`",
    );
    check(
        "[rule]\ntool = \"x\"",
        "line 1: `rule` is written `[[rule]]`",
    );
    check(
        "[[rule]]\nthen = \"ask\"",
        "line 1: this rule has no `tool`",
    );
    check("[[rule]]\ntool = \"x\"", "line 1: this rule has no `then`");
    check(
        "[[rule]]\ntol = \"x\"",
        "line 2: a rule has no key `tol`: did you mean `tool`?",
    );
    check(
        "[[rule]]\ntool = \"x\"\nthen = \"allow\"\nwhen = { \"/a\" = \"1\" }",
        "line 4: `when` can only ask or deny",
    );
    check(
        "[[rule]]\ntool = \"x\"\nthen = \"allow\"\ndanger = true",
        "line 4: what is dangerous is never allowed",
    );
    check(
        "[[rule]]\ntool = \"x\"\nthen = \"ask\"\nwhen = { a = \"> 1\" }",
        "line 4: `a` is not a JSON pointer: write `/a`",
    );
    check(
        "[[rule]]\ntool = \"x\"\nthen = \"ask\"\nwhen = { \"/a\" = \"> x\" }",
        "line 4: `x` is not a number",
    );
    check(
        "[servers.x]\ntrust = true",
        "line 2: a server has no key `trust`: did you mean `trusted`?",
    );
    check(
        "[servers.x]\ntools = { y = \"1\" }",
        "line 2: `1` is not the digest of a definition",
    );
}

#[test]
fn an_example_that_fails_is_an_error_with_its_line() {
    let rule =
        "[[rule]]\ntool = \"mcp__x__pay\"\nthen = \"deny\"\nwhen = { \"/amount\" = \"> 5\" }\n";
    let check = |examples: &str, wanted: &str| {
        let error = Rules::own(&format!("{rule}{examples}"), "r").unwrap_err();
        assert_eq!(error.to_string(), wanted);
    };
    check(
        "match = ['{\"amount\": 6}',\n'{\"amount\": 1}']",
        "r, line 6: the rule does not match its example '{\"amount\": 1}': change one of the two",
    );
    check(
        "not_match = [{ amount = 9 }]",
        "r, line 5: the rule matches { amount = 9 }, which it should not: change one of the two",
    );
    check(
        "match = [1]",
        "r, line 5: this example is neither arguments as JSON nor, for Bash, a command",
    );
    check(
        "match = ['x']",
        "r, line 5: this example is neither arguments as JSON nor, for Bash, a command",
    );
}

#[test]
#[cfg(feature = "shell")]
fn examples_of_commands_and_files_are_texts() {
    own(r#"
[[rule]]
tool = "Bash(git push *)"
then = "ask"
danger = true
match = ["git push origin", "ls && git push", "sudo git push"]
not_match = ["git pull", "echo git push"]

[[rule]]
tool = "Read(~/.ssh/**)"
then = "deny"
match = ["~/.ssh/id_rsa"]
not_match = ["/etc/hosts"]

[[rule]]
tool = "WebFetch(domain:*.example.com)"
then = "ask"
match = ["https://docs.example.com/x"]
"#);
    let rule = "[[rule]]\ntool = \"Bash(git push *)\"\nthen = \"ask\"\nmatch = [\"git pull\"]";
    assert_eq!(Rules::own(rule, "r").unwrap_err().line, 4);
}

#[test]
fn nothing_said_is_asked() {
    assert_eq!(verdict("", &file("Read", "/w/x")), Verdict::Ask);
    assert_eq!(
        verdict("default = \"allow\"", &file("Read", "/w/x")),
        Verdict::Allow
    );
    assert_eq!(
        verdict("default = \"deny\"", &file("Read", "/w/x")),
        Verdict::Deny
    );
}
