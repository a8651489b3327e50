//! Rules that the record suggests. Only a person makes a rule of one.

use crate::{
    config::{Environment, JournalArgs},
    prompts::{past_uses, rules_files},
    shell::Shell,
};
use holdpoint_ask::visible;
use holdpoint_policy::suggest;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Prints what was always answered with a yes, as rules.
///
/// # Errors
/// When the record cannot be read.
pub async fn run(journal: JournalArgs, as_json: bool) -> anyhow::Result<ExitCode> {
    let desk = Shell::open_own(journal).await?.desk(Vec::new()).await?;
    let suggested = suggest(&past_uses::decided(&desk).await?);
    if as_json {
        let suggested: Vec<Value> = suggested
            .iter()
            .map(|one| json!({ "rule": one.rule, "yes": one.yes, "no": one.no, "examples": one.examples }))
            .collect();
        println!("{}", json!({ "suggestions": suggested }));
        return Ok(ExitCode::SUCCESS);
    }
    if suggested.is_empty() {
        eprintln!(
            "The last week suggests nothing: no prompt was answered with a yes five times, and never with a no."
        );
        return Ok(ExitCode::SUCCESS);
    }
    for one in &suggested {
        println!("{}", toml_string(&one.rule));
        eprintln!(
            "  {} yes, no no: {}",
            one.yes,
            visible(&one.examples.join(" · "))
        );
    }
    let own = rules_files::own_file(&Environment::from_process());
    let own = own.map_or("your rules.toml".to_owned(), |own| {
        own.display().to_string()
    });
    eprintln!("\nWhat you want of it, add to `allow` in {own}.");
    Ok(ExitCode::SUCCESS)
}

/// A rule as it stands in a list.
fn toml_string(rule: &str) -> String {
    format!("{},", toml_edit::Value::from(rule))
}
