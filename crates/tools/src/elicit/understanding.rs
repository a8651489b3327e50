//! `verify_understanding`: what the agent has understood, before it acts on it.

use super::Tool;
use holdpoint::tool::{
    AskResult, ToolError, ToolHints, ToolInfo, ask_and_log, ask_separately, timeout,
};
use holdpoint::{
    Answer, Ask, Field, Form, Kind, Outcome, ToolContext,
    field::{Choice, Ending, Pick, Text},
};
use holdpoint_ask::markdown::{contained, list};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// In your own words, Markdown
    understanding: String,
    /// What the person asked for
    #[serde(default)]
    task: Option<String>,
    /// What you take for granted
    #[serde(default)]
    assumptions: Option<Vec<String>>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    verdict: Verdict,
    corrections: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verdict {
    Right,
    Nearly,
    Wrong,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "verify_understanding",
        title: "Check an understanding",
        description: "Shows the person how you understood a task and asks whether that is right. Call it where a task can be read in several ways.",
        hints: ToolHints::Asks,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<AskResult<Output>, ToolError> {
    if arguments.understanding.trim().is_empty() {
        let what = "expected some text: what you have understood";
        return Err(ToolError::argument("understanding", what));
    }
    let mut question = Ask::new("## Is this understood right?", form()).details(shown(&arguments));
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask_and_log(&cx, question).await?;
    let Outcome::Accepted(mut answer) = decided.outcome else {
        return Ok(AskResult::passed_on(&decided.decision));
    };
    let verdict = verdict(&answer);
    if verdict != Verdict::Right {
        // Where the client could not show the field beside the choice.
        let message = "What is to be corrected?";
        let more = ask_separately(&cx, message, &form(), &decided.decision, |_| true).await?;
        answer.extend(more);
    }
    let corrections = match answer.remove("corrections") {
        Some(Value::String(said)) => Some(said).filter(|said| !said.trim().is_empty()),
        _ => None,
    };
    let next = next_step(verdict, corrections.is_some());
    let right = verdict == Verdict::Right;
    let output = Output {
        verdict,
        corrections,
    };
    Ok(AskResult::new(&decided.decision, right, next, &output))
}

fn form() -> Form {
    let verdict = Choice {
        options: vec![
            Pick::new("right")
                .label("Right")
                .ending(Ending::go("That is right", "Understood right")),
            Pick::new("nearly")
                .label("Nearly, with corrections")
                .ending(Ending::hold("Nearly", "Nearly understood").wants("corrections")),
            Pick::new("wrong")
                .label("Wrong")
                .ending(Ending::hold("That is wrong", "Understood wrong").wants("corrections")),
        ],
        ..Choice::default()
    };
    let corrections = Text {
        max_length: Some(4000),
        multiline: true,
        ..Text::default()
    };
    Form::new()
        .field(Field::new("verdict", Kind::Choice(verdict)).title("Is it right?"))
        .field(
            Field::new("corrections", Kind::Text(corrections))
                .title("Corrections")
                .separate(),
        )
}

/// What the person reads; a short understanding alone fits into a small form.
fn shown(arguments: &Arguments) -> String {
    let understanding = contained(&arguments.understanding);
    let assumptions = arguments.assumptions.as_deref().unwrap_or_default();
    if arguments.task.is_none() && assumptions.is_empty() {
        return understanding;
    }
    let mut parts = Vec::new();
    if let Some(task) = &arguments.task {
        parts.push(format!("**The task**\n\n{}", contained(task)));
    }
    parts.push(format!(
        "**As the agent understands it**\n\n{understanding}"
    ));
    if !assumptions.is_empty() {
        parts.push(format!("**What it assumes**\n\n{}", list(assumptions)));
    }
    parts.join("\n\n")
}

/// Nothing but the word itself is the word.
fn verdict(answer: &Answer) -> Verdict {
    let given = answer.get("verdict").cloned().unwrap_or_default();
    serde_json::from_value(given).unwrap_or(Verdict::Wrong)
}

fn next_step(verdict: Verdict, corrected: bool) -> &'static str {
    match (verdict, corrected) {
        (Verdict::Right, false) => "You have understood it: go on.",
        (Verdict::Right, true) => "You have understood it: go on, with what the person adds.",
        (Verdict::Nearly, true) => {
            "Do not start yet: take the corrections in, and show your understanding again with verify_understanding."
        }
        (Verdict::Nearly, false) => {
            "Do not start yet: something is to be corrected, but no correction was given. Ask the person what it is."
        }
        (Verdict::Wrong, true) => {
            "Do not start: think again from what the person says, and show your new understanding with verify_understanding."
        }
        (Verdict::Wrong, false) => {
            "Do not start: this is not what the person wants, and no correction was given. Ask them what they want."
        }
    }
}
