//! Reads `rules.toml`.

mod examples;
mod servers;
mod table;
mod values;

use crate::{OnFailure, Rules, RulesError, Verdict, rule::Rule};
use holdpoint_ask::nearest::did_you_mean;
use std::sync::Arc;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};
use values::{File, Value};

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whose {
    /// The person's own: it may say everything.
    Own,
    /// A workspace's, or one that a variable names: it may only tighten.
    Workspace,
}

const KEYS: [&str; 8] = [
    "allow",
    "ask",
    "deny",
    "default",
    "workspace_reads",
    "on_failure",
    "rule",
    "servers",
];

impl Rules {
    /// Reads a person's own file. `shown` is its name, as people are told it.
    ///
    /// # Errors
    /// When it cannot be used, with the line.
    pub fn own(text: &str, shown: &str) -> Result<Self, RulesError> {
        let mut rules = load(text, shown, Whose::Own)?;
        rules.own_file = Some(Arc::from(shown));
        Ok(rules)
    }

    /// Reads a file that may only tighten, as a workspace's: `ask`, `deny`, and `[[rule]]` with one of the two.
    ///
    /// # Errors
    /// When it cannot be used, with the line.
    pub fn workspace(text: &str, shown: &str) -> Result<Self, RulesError> {
        load(text, shown, Whose::Workspace)
    }
}

fn load(text: &str, shown: &str, whose: Whose) -> Result<Rules, RulesError> {
    let file = File::new(text, shown);
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        file.error(at, format!("this is not TOML: {}", error.message()))
    })?;
    let mut rules = Rules::none();
    for (key, value) in table.get_ref() {
        let at = key.span().start;
        let name = key.get_ref().as_ref();
        if whose == Whose::Workspace
            && KEYS.contains(&name)
            && !["ask", "deny", "rule"].contains(&name)
        {
            return Err(file.error(
                at,
                format!(
                    "this file may only tighten, so `{name}` cannot be here: take it out, or put it into your own \
                     file"
                ),
            ));
        }
        match name {
            "allow" => list(&file, value, Verdict::Allow, &mut rules)?,
            "ask" => list(&file, value, Verdict::Ask, &mut rules)?,
            "deny" => list(&file, value, Verdict::Deny, &mut rules)?,
            "default" => rules.default = file.verdict(value, "default")?,
            "workspace_reads" => match file.verdict(value, "workspace_reads")? {
                Verdict::Deny => {
                    let what = "`workspace_reads` is \"allow\" or \"ask\"; to deny reading, put `Read` into `deny`";
                    return Err(file.error(value.span().start, what));
                }
                verdict => rules.workspace_reads = Some(verdict),
            },
            "on_failure" => rules.on_failure = on_failure(&file, value)?,
            "rule" => tables(&file, value, whose, &mut rules)?,
            "servers" => rules.servers = servers::read(&file, value)?,
            name => {
                let known = KEYS.map(|key| if key == "rule" { "[[rule]]" } else { key });
                let what = format!("there is no key `{name}`: {}", did_you_mean(name, known));
                return Err(file.error(at, what));
            }
        }
    }
    Ok(rules)
}

fn list(
    file: &File<'_>,
    value: &Value<'_>,
    verdict: Verdict,
    rules: &mut Rules,
) -> Result<(), RulesError> {
    let items = file.array(value, "a list of rules", r#"["Bash(git push *)"]"#)?;
    for item in items {
        let at = item.span().start;
        let text = file.text(item, "a rule")?;
        let mut rule = Rule::parse(text, verdict).map_err(|why| file.error(at, why))?;
        rule.file = file.shown.clone();
        rule.line = file.line(at);
        rules.add(rule);
    }
    Ok(())
}

fn tables(
    file: &File<'_>,
    value: &Value<'_>,
    whose: Whose,
    rules: &mut Rules,
) -> Result<(), RulesError> {
    let tables: Vec<&Spanned<DeValue<'_>>> = match value.get_ref() {
        DeValue::Array(tables) => tables.iter().collect(),
        _ => {
            return Err(file.error(
                value.span().start,
                "`rule` is written `[[rule]]`, with its keys below",
            ));
        }
    };
    for table in tables {
        let rule = table::read(file, table, whose == Whose::Workspace)?;
        rules.add(rule);
    }
    Ok(())
}

fn on_failure(file: &File<'_>, value: &Value<'_>) -> Result<OnFailure, RulesError> {
    match file.text(value, "`on_failure`")? {
        "deny" => Ok(OnFailure::Deny),
        "harness" => Ok(OnFailure::Harness),
        other => {
            let known = did_you_mean(other, ["deny", "harness"]);
            Err(file.error(
                value.span().start,
                format!("`on_failure` cannot be `{other}`: {known}"),
            ))
        }
    }
}
