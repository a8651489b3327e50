//! Steps as agents and people write them: titles, whole steps, or how many.

use super::{draft::NewStep, info::is_marker};
use holdpoint::tool::ToolError;
use schemars::JsonSchema;
use serde::Deserialize;

/// The most steps of a plan.
pub(super) const MOST: usize = 99;
/// The most characters of a title.
const TITLE: usize = 200;

/// Steps, in one of three ways.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected a list of titles or of steps with a title, one title per line, or how many"
)]
pub(super) enum StepsArgument {
    Count(u32),
    Lines(String),
    List(Vec<StepArgument>),
}

/// One step, or only its title.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a title, or a step with a title")]
pub(super) enum StepArgument {
    Title(String),
    Whole(NewStep),
}

impl StepsArgument {
    /// Steps of which only the titles are known.
    pub fn titled(titles: &[String]) -> Self {
        let titles = titles.iter().cloned().map(StepArgument::Title);
        Self::List(titles.collect())
    }

    /// Nobody has named them: a marker stands in their place.
    pub fn is_marker(&self) -> bool {
        match self {
            Self::Count(_) => false,
            Self::Lines(text) => is_marker(text),
            Self::List(list) => match list.as_slice() {
                [StepArgument::Title(title)] => is_marker(title),
                _ => false,
            },
        }
    }

    /// The steps that are meant.
    pub fn read(self) -> Result<Vec<NewStep>, ToolError> {
        let steps = match self {
            Self::Count(count) => counted(count as usize),
            Self::Lines(lines) => match lines.trim().parse::<usize>() {
                Ok(count) => counted(count),
                Err(_) => lines
                    .lines()
                    .map(bare)
                    .filter(|line| !line.is_empty())
                    .map(titled)
                    .collect(),
            },
            Self::List(list) => list
                .into_iter()
                .map(|step| match step {
                    StepArgument::Title(title) => titled(&title),
                    StepArgument::Whole(step) => step,
                })
                .collect(),
        };
        if steps.len() > MOST {
            let what = format!(
                "expected at most {MOST} steps, and there are {}",
                steps.len()
            );
            return Err(ToolError::argument("steps", what));
        }
        for (place, step) in steps.iter().enumerate() {
            check(
                step,
                &format!("steps[{place}]"),
                place as u32 + 1,
                steps.len() as u32,
            )?;
        }
        Ok(steps)
    }
}

/// Whether a step can be number `number` of `all`.
pub(super) fn check(step: &NewStep, name: &str, number: u32, all: u32) -> Result<(), ToolError> {
    let refused = |what: String| Err(ToolError::argument(name, what));
    let count = step.title.trim().chars().count();
    if count == 0 || count > TITLE {
        return refused(format!(
            "expected a title of 1 to {TITLE} characters, and it has {count}"
        ));
    }
    for needed in step.needs.iter().flatten() {
        if *needed == 0 || *needed > all || *needed == number {
            return refused(format!(
                "needs step {needed}, which is not another step of the plan"
            ));
        }
    }
    Ok(())
}

fn counted(count: usize) -> Vec<NewStep> {
    // One more than can be is enough to be refused.
    let count = count.min(MOST + 1);
    (1..=count)
        .map(|number| titled(&format!("Step {number}")))
        .collect()
}

fn titled(title: &str) -> NewStep {
    NewStep {
        title: title.trim().to_owned(),
        ..NewStep::default()
    }
}

/// A line without the sign of a list before it.
pub(super) fn bare(line: &str) -> &str {
    let line = line.trim();
    let signed = line.strip_prefix(['-', '*', '•']).map(str::trim_start);
    let counted = || {
        let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
        let rest = rest
            .strip_prefix(['.', ')'])
            .filter(|_| rest.len() < line.len())?;
        rest.strip_prefix(' ')
    };
    signed.or_else(counted).unwrap_or(line).trim()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn steps_in_three_ways() {
        let titles = |given: Value| {
            let read = serde_json::from_value::<StepsArgument>(given)
                .unwrap()
                .read();
            read.map(|steps| {
                steps
                    .into_iter()
                    .map(|step| step.title)
                    .collect::<Vec<_>>()
                    .join("|")
            })
            .map_err(|error| error.to_string())
        };
        let same = |given: Value, wanted: &str| assert_eq!(titles(given).unwrap(), wanted);
        same(json!(2), "Step 1|Step 2");
        same(json!("2"), "Step 1|Step 2");
        same(json!(0), "");
        same(
            json!("Schema\n\n- Form, and more\n2. Docs"),
            "Schema|Form, and more|Docs",
        );
        same(
            json!(["Schema", { "title": "Form", "needs": [] }]),
            "Schema|Form",
        );
        for bad in [
            json!(100),
            json!([""]),
            json!(["x".repeat(201)]),
            json!([{ "title": "a", "needs": [1] }]),
            json!([{ "title": "a", "needs": [2] }]),
        ] {
            assert!(titles(bad.clone()).is_err(), "{bad}");
        }
    }
}
