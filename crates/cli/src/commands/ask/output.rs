//! What `holdpoint ask` prints: the value, and its exit code.

use super::args::{AskArgs, AskKind};
use crate::terminal::form::format_value;
use holdpoint::{Answer, Decided, Form, Outcome};
use holdpoint_ask::describe::{self, reason};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// Prints the value to standard output, and how it came about to standard error.
///
/// # Errors
/// When nothing can be printed.
pub fn print(args: &AskArgs, form: &Form, decided: &Decided<Answer>) -> anyhow::Result<ExitCode> {
    let decision = &decided.decision;
    eprintln!("{}", describe::decision_on(form, decision));
    if let Some(reason) = reason(&decision.outcome) {
        eprintln!("{reason}");
    }
    let mut out = io::stdout().lock();
    if args.shared.json {
        writeln!(out, "{}", json(decided))?;
    } else {
        for line in lines(args, &decided.outcome) {
            writeln!(out, "{line}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::from(describe::exit_code(
        decided.outcome.status(),
    )))
}

fn json(decided: &Decided<Answer>) -> Value {
    let decision = &decided.decision;
    let mut all = json!({
        "status": decided.outcome.status(),
        "askId": decision.ask,
        "channel": decision.channel,
        "answeredBy": decision.answered_by,
        "durationMs": decision.duration_ms,
    });
    if let Outcome::Accepted(answer) = &decided.outcome {
        all["values"] = Value::Object(answer.clone());
    }
    if let Some(reason) = reason(&decided.outcome) {
        all["reason"] = reason.into();
    }
    all
}

fn lines(args: &AskArgs, outcome: &Outcome) -> Vec<String> {
    let answer = match outcome {
        Outcome::Accepted(answer) => answer,
        Outcome::Declined { .. } if matches!(args.kind, AskKind::Confirm { .. }) => {
            return vec!["no".into()];
        }
        _ => return Vec::new(),
    };
    if matches!(args.kind, AskKind::Form { .. }) {
        return vec![Value::Object(answer.clone()).to_string()];
    }
    match answer.values().next() {
        // The script gets what was given, not what people are shown of it.
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => {
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            values.iter().map(text).collect()
        }
        Some(value) => vec![format_value(value)],
        None => Vec::new(),
    }
}
