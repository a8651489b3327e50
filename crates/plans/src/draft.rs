//! The files of a plan that is to be.

use super::{
    code,
    status::{numbers, two_digits},
    templates,
    timeline::Entry,
};
use holdpoint::AskId;
use holdpoint_ask::visible;
use minijinja::context;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A step that is to be.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct NewStep {
    pub title: String,
    #[serde(default)]
    pub goal: Option<String>,
    #[serde(default)]
    pub tasks: Option<Vec<String>>,
    #[serde(default)]
    pub acceptance_criteria: Option<Vec<String>>,
    /// Steps that come before; default: the one before it
    #[serde(default)]
    pub needs: Option<Vec<u32>>,
    /// A person must approve it
    #[serde(default)]
    pub gate: Option<Gate>,
}

/// What stands between a step and its completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Gate {
    Approval,
}

/// A plan that is to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Draft {
    pub code: String,
    pub name: String,
    pub description: String,
    pub steps: Vec<NewStep>,
    /// Which steps the client's model drafted.
    pub drafted: Option<DraftNote>,
}

/// Which steps a model drafted, and who approved them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct DraftNote {
    pub model: String,
    pub steps: Vec<u32>,
    pub by: String,
    pub ask: AskId,
}

impl DraftNote {
    fn names(&self, number: u32) -> Option<String> {
        let drafted = self.steps.contains(&number);
        drafted.then(|| {
            format!(
                "Drafted by the client's model ({}), approved by {}.",
                self.model, self.by
            )
        })
    }
}

impl Draft {
    /// All of its files. `created` is the first line of its history.
    pub fn files(&self, now: &str, created: &Entry) -> Vec<(String, String)> {
        let steps: Vec<_> = self
            .steps
            .iter()
            .enumerate()
            .map(|(place, step)| {
                let number = place as u32 + 1;
                context! {
                    number => two_digits(number),
                    title => line(&step.title),
                    file => code::step_file(number, &step.title),
                    gate => step.gate.is_some(),
                    needs => step.needs.clone(),
                }
            })
            .collect();
        let about = context! {
            code => self.code.clone(),
            name => line(&self.name),
            description => visible(self.description.trim()),
            quoted => holdpoint_ask::markdown::quoted(&visible(&self.description)),
            steps,
            now,
            drafted => self.drafted.as_ref().filter(|note| !note.steps.is_empty()).map(|note| context! {
                steps => numbers(&note.steps),
                model => note.model.clone(),
                by => note.by.clone(),
                ask => note.ask.to_string(),
            }),
        };
        let mut files = vec![
            (
                format!("{}-prompt.md", self.code),
                templates::render("plan/prompt.md", &about),
            ),
            (
                "SUMMARY.md".into(),
                templates::render("plan/SUMMARY.md", &about),
            ),
            (
                "EXECUTION_PLAN.md".into(),
                templates::render("plan/EXECUTION_PLAN.md", &about),
            ),
            (
                "STATUS.md".into(),
                templates::render("plan/STATUS.md", &about),
            ),
        ];
        for (place, step) in self.steps.iter().enumerate() {
            let number = place as u32 + 1;
            let note = self.drafted.as_ref().and_then(|note| note.names(number));
            files.push(step_file(number, step, note));
        }
        files.push((".history/timeline.jsonl".into(), created.line()));
        files
    }
}

/// The file of a step.
pub(super) fn step_file(number: u32, step: &NewStep, note: Option<String>) -> (String, String) {
    let items = |items: &Option<Vec<String>>| -> Vec<String> {
        let items = items.iter().flatten();
        items
            .map(|item| line(item))
            .filter(|item| !item.is_empty())
            .collect()
    };
    let about = context! {
        number,
        two_digits => two_digits(number),
        title => line(&step.title),
        goal => step.goal.as_deref().map(|goal| visible(goal.trim()).into_owned()),
        tasks => items(&step.tasks),
        criteria => items(&step.acceptance_criteria),
        needs => step.needs.as_ref().map(|needs| needs.iter().map(|step| two_digits(*step)).collect::<Vec<_>>()),
        gate => step.gate.is_some(),
        note,
    };
    (
        code::step_file(number, &step.title),
        templates::render("plan/step.md", &about),
    )
}

/// A text in one line, with nothing hidden in it.
pub(super) fn line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    visible(&words.join(" ")).into_owned()
}
