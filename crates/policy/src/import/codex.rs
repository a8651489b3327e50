//! Codex's `.rules` files: `prefix_rule(pattern = ["git", "push"], decision = "prompt")`.

use super::{
    Imported,
    starlark::{Call, Value, calls},
};
use crate::Verdict;

/// The most rules that one rule with alternatives becomes.
const MOST: usize = 64;

/// Takes the prefix rules of a file. Everything else in it is said not to be taken.
pub fn codex(text: &str) -> Imported {
    let mut imported = Imported::default();
    for call in calls(text) {
        match call {
            Ok(call) if call.name == "prefix_rule" => take(&mut imported, &call),
            Ok(call) => {
                let why = format!("`{}` has no equal here", call.name);
                imported.skip(&call.text, why, Verdict::Ask, "Bash");
            }
            // It may have been a rule that asks.
            Err(line) => imported.skip(
                &line,
                "only calls of `prefix_rule` are understood",
                Verdict::Ask,
                "Bash",
            ),
        }
    }
    imported.finish()
}

fn take(imported: &mut Imported, call: &Call) {
    let argument = |name: &str| {
        call.arguments
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    };
    let verdict = match argument("decision") {
        None => Verdict::Allow,
        Some(Value::Text(decision)) if decision == "allow" => Verdict::Allow,
        Some(Value::Text(decision)) if decision == "prompt" => Verdict::Ask,
        Some(Value::Text(decision)) if decision == "forbidden" => Verdict::Deny,
        Some(_) => {
            return imported.skip(
                &call.text,
                "its decision is not known",
                Verdict::Ask,
                "Bash",
            );
        }
    };
    let Some(patterns) = argument("pattern").and_then(expand) else {
        let why = "its pattern is not made of plain words";
        return imported.skip(&call.text, why, verdict, "Bash");
    };
    for pattern in patterns {
        imported.take(verdict, format!("Bash({pattern} *)"), &call.text);
    }
}

/// Every way through the alternatives of a pattern.
fn expand(pattern: &Value) -> Option<Vec<String>> {
    let Value::List(words) = pattern else {
        return None;
    };
    let mut patterns = vec![String::new()];
    for word in words {
        let alternatives: Vec<&String> = match word {
            Value::Text(text) => vec![text],
            Value::List(items) => items
                .iter()
                .map(|item| match item {
                    Value::Text(text) => Some(text),
                    _ => None,
                })
                .collect::<Option<_>>()?,
            Value::Other(_) => return None,
        };
        // A word with a blank or a star in it would mean something else here.
        let plain = |text: &&String| {
            !text.is_empty() && !text.contains(|char: char| char.is_whitespace() || char == '*')
        };
        if alternatives.is_empty() || !alternatives.iter().all(plain) {
            return None;
        }
        patterns = patterns
            .iter()
            .flat_map(|before| {
                alternatives
                    .iter()
                    .map(move |word| format!("{before} {word}").trim().to_owned())
            })
            .collect();
        if patterns.len() > MOST {
            return None;
        }
    }
    (!words.is_empty()).then_some(patterns)
}
