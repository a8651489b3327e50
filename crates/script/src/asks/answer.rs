//! From an outcome to what the script gets: a value, or an error that is thrown.

use super::{AskKind, ScriptAsk};
use holdpoint::{Answer, Decided, Decision, Outcome};
use holdpoint_ask::describe::happened_and_why;
use serde_json::Value;

/// An ask that brought no answer: it is thrown into the script.
#[derive(Debug, Clone, PartialEq)]
pub struct Unanswered {
    /// The decision on record.
    pub decision: Decision,
    /// In words for the script's author.
    pub message: String,
}

/// What a script gets for an ask.
#[derive(Debug)]
pub(crate) enum AskResult {
    Value(Value),
    /// It was optional, and this is why there is nothing.
    Skipped(&'static str),
    Unanswered(Box<Unanswered>),
}

impl ScriptAsk {
    /// What the script gets. A confirm is `true` for a person's yes only and `false` for the answer no;
    /// every other outcome but an answer is thrown.
    pub(crate) fn result(&self, decided: Decided<Answer>) -> AskResult {
        match decided.outcome {
            Outcome::Accepted(answer) => match self.value(answer) {
                Value::Null => AskResult::Skipped("it was left empty"),
                value => AskResult::Value(value),
            },
            Outcome::Declined { .. }
                if self.kind == AskKind::Confirm && decided.decision.said_no =>
            {
                AskResult::Value(Value::Bool(false))
            }
            Outcome::Unreachable { .. } if !self.required => {
                AskResult::Skipped("nobody could be reached")
            }
            _ => AskResult::Unanswered(Box::new(Unanswered {
                message: happened_and_why(&decided.decision.outcome),
                decision: decided.decision,
            })),
        }
    }

    /// The plain value of an accepted answer; nothing where the person left it empty.
    pub fn value(&self, mut answer: Answer) -> Value {
        let mut take = |name: &str| answer.remove(name).unwrap_or_default();
        let value = match self.kind {
            AskKind::Text | AskKind::Password | AskKind::Number | AskKind::Date => take("value"),
            // Only a plain `true` is a yes, whatever else may be in there.
            AskKind::Confirm => match take("confirmed") {
                Value::Null => Value::Null,
                value => Value::Bool(value == Value::Bool(true)),
            },
            AskKind::Select => self.chosen(take("selected")),
            AskKind::Url => take("opened"),
            AskKind::Rating => take("rating"),
            AskKind::File => match self.ask.form.get("file") {
                Some(_) => take("file"),
                None => {
                    let names = self.ask.form.fields.iter().map(|field| &field.name);
                    let files: Vec<_> = names
                        .map(|name| take(name))
                        .filter(|file| !file.is_null())
                        .collect();
                    if files.is_empty() {
                        Value::Null
                    } else {
                        Value::Array(files)
                    }
                }
            },
            AskKind::Form => return Value::Object(answer),
        };
        match &value {
            Value::String(text) if text.is_empty() && !self.required => Value::Null,
            _ => value,
        }
    }

    /// What was chosen, as the author wrote it.
    fn chosen(&self, answer: Value) -> Value {
        let written = |text: &str| {
            let own = self.options.iter().find(|(value, _)| value == text);
            own.map_or_else(|| text.into(), |(_, own)| own.clone())
        };
        match answer {
            Value::String(text) => written(&text),
            Value::Array(texts) => {
                let each = texts.into_iter().map(|text| match text {
                    Value::String(text) => written(&text),
                    other => other,
                });
                each.collect()
            }
            other => other,
        }
    }
}
