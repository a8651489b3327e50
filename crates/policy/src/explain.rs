//! Why the rules say what they say, and what would change it.

use crate::{
    Holder, Paths, Reason, RulePlace, Rules, Ruling, Scope, ToolUse, Verdict, proposal, rule::Rule,
};
use jiff::Timestamp;
use std::fmt;

/// What the rules say of a use of a tool, with everything that spoke for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What [`Rules::decide`] says.
    pub ruling: Ruling,
    /// Every rule that matched, strictest first.
    pub matched: Vec<MatchedRule>,
    /// What would change it, in sentences.
    pub changes: Vec<String>,
}

/// A rule that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedRule {
    /// What it says.
    pub verdict: Verdict,
    /// As it is written.
    pub text: String,
    /// Where.
    pub place: RulePlace,
    /// Why its author wants it.
    pub because: Option<String>,
    /// The command or file that it matched; empty where it is the whole use.
    pub of: String,
}

impl Rules {
    /// What [`decide`](Self::decide) says of a use of a tool, and why.
    pub fn explain(
        &self,
        tool_use: &ToolUse,
        paths: &dyn Paths,
        scopes: &[Scope],
        holder: &Holder,
        now: Timestamp,
    ) -> Explanation {
        let judged = self.judge(tool_use, paths, scopes, holder, now);
        let mut matched: Vec<MatchedRule> = judged
            .matched
            .iter()
            .map(|one| matched(&self.rules[one.rule], &one.of))
            .collect();
        matched.sort_by_key(|rule| std::cmp::Reverse(rule.verdict));
        let changes = self.changes(&judged.ruling, tool_use, &matched);
        Explanation {
            ruling: judged.ruling,
            matched,
            changes,
        }
    }

    fn own_file(&self) -> &str {
        self.own_file.as_deref().unwrap_or("your rules.toml")
    }

    fn changes(&self, ruling: &Ruling, tool_use: &ToolUse, matched: &[MatchedRule]) -> Vec<String> {
        let mut changes = Vec::new();
        if ruling.verdict == Verdict::Allow {
            let wanted = wanted_rules(ruling, tool_use, Verdict::Allow);
            for rule in wanted {
                changes.push(format!(
                    "Add `{rule}` to `ask` in {} to be asked.",
                    self.own_file()
                ));
            }
            return changes;
        }
        let strict: Vec<&MatchedRule> = matched
            .iter()
            .filter(|rule| rule.verdict != Verdict::Allow)
            .collect();
        for (at, rule) in strict.iter().enumerate() {
            // A rule may have matched several parts.
            if strict[..at]
                .iter()
                .all(|other| other.place != rule.place || other.text != rule.text)
            {
                changes.push(format!(
                    "Take `{}` out of `{}` ({}).",
                    rule.text, rule.verdict, rule.place
                ));
            }
        }
        let still = match strict.first() {
            Some(rule) => format!(
                "; the {} rule at line {} would still win",
                rule.verdict, rule.place.line
            ),
            None => String::new(),
        };
        for reason in &ruling.reasons {
            match reason {
                Reason::Unclear(_) => changes.push(
                    "No rule allows it as it is written: have it written as plain commands, or allow exactly this when \
                     you are asked."
                        .to_owned(),
                ),
                Reason::ChangedDefinition => changes.push(format!(
                    "Look at what the tool says of itself now, and put its digest into `[servers]` in {}.",
                    self.own_file()
                )),
                _ => {}
            }
        }
        for rule in wanted_rules(ruling, tool_use, ruling.verdict) {
            changes.push(format!(
                "Add `{rule}` to `allow` in {}{still}.",
                self.own_file()
            ));
        }
        changes
    }
}

/// The rules that this use would be allowed, or asked about, by.
fn wanted_rules(ruling: &Ruling, tool_use: &ToolUse, verdict: Verdict) -> Vec<String> {
    if tool_use.tool != "Bash" {
        return proposal::of_tool(tool_use).into_iter().collect();
    }
    let mut rules = Vec::new();
    for part in ruling.parts.iter().filter(|part| part.verdict == verdict) {
        let rule = proposal::of_text(&part.text);
        rules.extend(rule.filter(|rule| !rules.contains(rule)));
    }
    rules
}

fn matched(rule: &Rule, of: &str) -> MatchedRule {
    MatchedRule {
        verdict: rule.verdict,
        text: rule.text.to_string(),
        place: rule.place(),
        because: rule.because.as_deref().map(str::to_owned),
        of: of.to_owned(),
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.ruling.verdict)?;
        for reason in &self.ruling.reasons {
            writeln!(f, "  {reason}")?;
        }
        if !self.ruling.parts.is_empty() {
            writeln!(f, "Parts:")?;
        }
        for part in &self.ruling.parts {
            writeln!(
                f,
                "  {:5}  {}  ({})",
                part.verdict,
                one_line(&part.text),
                part.why
            )?;
        }
        if !self.matched.is_empty() {
            writeln!(f, "Rules that match:")?;
        }
        for rule in &self.matched {
            write!(f, "  {:5}  `{}`  {}", rule.verdict, rule.text, rule.place)?;
            if rule.of.is_empty() {
                writeln!(f)?
            } else {
                writeln!(f, "  matches {}", one_line(&rule.of))?
            }
        }
        if !self.changes.is_empty() {
            writeln!(f, "What would change it:")?;
        }
        for change in &self.changes {
            writeln!(f, "  {change}")?;
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    holdpoint_ask::visible(&text.replace('\n', " ⏎ ")).into_owned()
}
