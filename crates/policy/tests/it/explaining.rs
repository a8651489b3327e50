//! Explanations: which rule of which line, and what would change it.

use crate::cases::{bash, file, now, own};
use holdpoint_policy::{Holder, NoLinks, ToolUse};

fn explained(rules: &str, tool_use: &ToolUse) -> String {
    let rules = own(rules);
    rules
        .explain(tool_use, &NoLinks, &[], &Holder::default(), now())
        .to_string()
}

#[test]
fn a_denied_part_says_which_rule_it_was() {
    let text = explained(
        "allow = [\"Bash(ls *)\"]\nask = [\"Bash(git *)\"]\ndeny = [\"Bash(git push *)\"]",
        &bash("ls && git push origin"),
    );
    assert_eq!(
        text,
        "\
deny
  Denied by the rule `Bash(git push *)` (rules.toml, line 3)
Parts:
  allow  ls  (allowed by `Bash(ls *)`)
  deny   git push origin  (denied by `Bash(git push *)`)
Rules that match:
  deny   `Bash(git push *)`  rules.toml, line 3  matches git push origin
  ask    `Bash(git *)`  rules.toml, line 2  matches git push origin
  allow  `Bash(ls *)`  rules.toml, line 1  matches ls
What would change it:
  Take `Bash(git push *)` out of `deny` (rules.toml, line 3).
  Take `Bash(git *)` out of `ask` (rules.toml, line 2).
  Add `Bash(git push *)` to `allow` in rules.toml; the deny rule at line 3 would still win.
"
    );
}

#[test]
fn what_is_asked_by_default_says_what_would_allow_it() {
    let text = explained("", &bash("git push origin; ls $(make)"));
    assert_eq!(
        text,
        "\
ask
  It cannot be told what it does: `$(make)` is only known when it runs
  Asked about by default: no rule is about it
Parts:
  ask    git push origin  (asked about by default: no rule is about it)
  ask    ls $(make)  (asked about by default: no rule is about it)
What would change it:
  No rule allows it as it is written: have it written as plain commands, or allow exactly this when you are asked.
  Add `Bash(git push *)` to `allow` in rules.toml.
"
    );
}

#[test]
fn what_is_allowed_says_how_to_be_asked() {
    let text = explained("allow = [\"Edit\"]", &file("Edit", "/w/src/x.rs"));
    assert!(
        text.starts_with("allow\n  Allowed by the rule `Edit` (rules.toml, line 1)\n"),
        "{text}"
    );
    assert!(
        text.ends_with("Add `Edit(/src/**)` to `ask` in rules.toml to be asked.\n"),
        "{text}"
    );
}

#[test]
fn a_rules_reason_is_told() {
    let rules = "[[rule]]\ntool = \"Bash(terraform apply *)\"\nthen = \"ask\"\nbecause = \"it changes production\"";
    let text = explained(rules, &bash("terraform apply"));
    let wanted = "Asked about by the rule `Bash(terraform apply *)` (rules.toml, line 1): it changes production";
    assert!(text.contains(wanted), "{text}");
}
