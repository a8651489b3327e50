//! Hooks of Claude Code that answer questions in the person's place.

use super::Check;
use crate::commands::init::{
    client::Machine,
    prompts::{Call, hooks::OTHER_SERVERS},
};
use holdpoint_ask::visible;
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{fs, path::Path};

/// The events on which a hook can answer, or change what was answered.
const EVENTS: [&str; 2] = ["Elicitation", "ElicitationResult"];

/// One check for each file in which there is such a hook.
pub fn checks(workspace: &Path) -> Vec<Check> {
    let own = |name: &str| workspace.join(".claude").join(name);
    let mut files = vec![own("settings.json"), own("settings.local.json")];
    let own = Machine::current().claude_folder().ok();
    files.extend(own.map(|folder| folder.join("settings.json")));
    let checks = files.iter().filter_map(|path| check(path, workspace));
    checks.collect()
}

fn check(path: &Path, workspace: &Path) -> Option<Check> {
    let text = fs::read_to_string(path).ok()?;
    let shown = path.strip_prefix(workspace).unwrap_or(path).display();
    let name = "hooks";
    let settings = jsonc_parser::parse_to_serde_value::<Value>(&text, &ParseOptions::default());
    let Ok(settings) = settings else {
        let what = format!("{shown} cannot be read, so it is not known which hooks it has");
        return Some(Check::hint(name, what).fix("fix the file"));
    };
    let found: Vec<_> = EVENTS
        .into_iter()
        .filter(|event| {
            // Whatever its matcher says: that it keeps a hook from us is not known for sure.
            !runs(&settings, event).is_empty()
        })
        .collect();
    if found.is_empty() {
        return None;
    }
    let commands = commands(&settings, &found);
    let what = format!(
        "{shown}: a hook on {} ({}) can answer Holdpoint's questions in Claude Code before you see them",
        found.join(" and "),
        visible(&commands.join(", "))
    );
    Some(Check::problem(name, what).fix(
        "take the hook out, unless it only watches. What is dangerous is not asked there, so no hook answers that; `form = false` under `[clients.claude-code]` keeps all questions from it",
    ))
}

fn commands(settings: &Value, events: &[&str]) -> Vec<String> {
    let runs = events.iter().flat_map(|event| runs(settings, event));
    let mut said: Vec<_> = runs
        .map(|run| {
            let text = |name: &str| run[name].as_str();
            let what = text("command").or(text("url")).or(text("tool"));
            what.or(text("type")).unwrap_or("unknown").to_owned()
        })
        .collect();
    said.dedup();
    said
}

/// What is run on an event, but for what `init --prompts` wrote: that keeps off our own questions.
fn runs<'a>(settings: &'a Value, event: &str) -> Vec<&'a Value> {
    let groups = settings["hooks"][event].as_array().into_iter().flatten();
    let runs = groups.flat_map(|group| {
        let is_off_ours = group["matcher"] == OTHER_SERVERS;
        let runs = group["hooks"].as_array();
        let runs: Vec<_> = runs.map_or_else(|| vec![group], |runs| runs.iter().collect());
        let foreign = move |run: &&Value| !(is_off_ours && Call::read(run).is_some());
        runs.into_iter().filter(foreign)
    });
    runs.collect()
}
