//! `[[rule]]`: where a string is not enough.

use super::{
    examples,
    values::{File, Value, json},
};
use crate::{RulesError, Verdict, condition::Condition, rule::Rule};
use holdpoint_ask::nearest::did_you_mean;

const KEYS: [&str; 7] = [
    "tool",
    "when",
    "then",
    "danger",
    "because",
    "match",
    "not_match",
];

/// Reads one table, and checks its examples.
pub(super) fn read(file: &File<'_>, value: &Value<'_>, tightens: bool) -> Result<Rule, RulesError> {
    let table = file.table(value, "a rule")?;
    let start = value.span().start;
    for (key, _) in table {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            let what = format!("a rule has no key `{name}`: {}", did_you_mean(name, KEYS));
            return Err(file.error(key.span().start, what));
        }
    }
    let get = |key: &str| table.get(key);
    let Some(tool) = get("tool") else {
        return Err(file.error(start, "this rule has no `tool`: say which one it is about"));
    };
    let Some(then) = get("then") else {
        return Err(file.error(start, "this rule has no `then`: say \"ask\" or \"deny\""));
    };
    let verdict = file.verdict(then, "then")?;
    if tightens && verdict == Verdict::Allow {
        let what = "this file may only tighten, so `then = \"allow\"` cannot be here: put the rule into your own file";
        return Err(file.error(then.span().start, what));
    }
    let text = file.text(tool, "`tool`")?;
    let mut rule = Rule::parse(text, verdict).map_err(|why| file.error(tool.span().start, why))?;
    rule.file = file.shown.clone();
    rule.line = file.line(start);
    if let Some(because) = get("because") {
        rule.because = Some(file.text(because, "`because`")?.into());
    }
    if let Some(danger) = get("danger") {
        rule.danger = file.flag(danger, "`danger`")?;
        if rule.danger && verdict == Verdict::Allow {
            let what = "what is dangerous is never allowed by a rule: write `then = \"ask\"`";
            return Err(file.error(danger.span().start, what));
        }
    }
    if let Some(when) = get("when") {
        if verdict == Verdict::Allow {
            let what = "`when` can only ask or deny: an argument's value does not make a call safe";
            return Err(file.error(when.span().start, what));
        }
        conditions(file, when, &mut rule)?;
    }
    for (key, wanted) in [("match", true), ("not_match", false)] {
        if let Some(given) = get(key) {
            examples::check(file, given, &rule, wanted)?;
        }
    }
    Ok(rule)
}

fn conditions(file: &File<'_>, value: &Value<'_>, rule: &mut Rule) -> Result<(), RulesError> {
    let mut words = Vec::new();
    for (pointer, value) in file.table(value, "`when`")? {
        let at = value.span().start;
        let text = match json(value.get_ref()) {
            Some(serde_json::Value::String(text)) => text,
            Some(other @ (serde_json::Value::Bool(_) | serde_json::Value::Number(_))) => {
                format!("== {other}")
            }
            _ => {
                return Err(file.error(
                    at,
                    "an argument is compared with a text: \"> 5000\", \"main\", \"/regex/\"",
                ));
            }
        };
        let pointer = pointer.get_ref().as_ref();
        let condition = Condition::parse(pointer, &text).map_err(|why| file.error(at, why))?;
        rule.when.push(condition);
        words.push(format!(
            "{pointer} {}",
            file.written(value.span()).trim_matches('"')
        ));
    }
    if !words.is_empty() {
        rule.text = format!("{} when {}", rule.text, words.join(", ")).into();
    }
    Ok(())
}
