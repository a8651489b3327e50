//! What a rule says of an argument: `when = { "/amount" = "> 5000" }`.

use crate::glob;
use regex::Regex;
use serde_json::Value;

/// A comparison of one argument. Only rules that ask or deny have them, so what cannot be compared counts as
/// fitting.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pointer: Box<str>,
    comparison: Comparison,
}

#[derive(Debug, Clone)]
enum Comparison {
    Number(Order, f64),
    Is(Box<str>),
    IsNot(Box<str>),
    Fits(Box<str>),
    Regex(Regex),
}

#[derive(Debug, Clone, Copy)]
enum Order {
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Condition {
    /// Reads a condition.
    ///
    /// # Errors
    /// When it is none, in words.
    pub fn parse(pointer: &str, text: &str) -> Result<Self, String> {
        if !pointer.starts_with('/') {
            return Err(format!(
                "`{pointer}` is not a JSON pointer: write `/{}`",
                pointer.replace('.', "/")
            ));
        }
        let number = |order, text: &str| {
            let number = text
                .trim()
                .parse::<f64>()
                .ok()
                .filter(|number| number.is_finite());
            let number = number.ok_or_else(|| format!("`{}` is not a number", text.trim()))?;
            Ok::<_, String>(Comparison::Number(order, number))
        };
        let comparison = if let Some(rest) = text.strip_prefix(">=") {
            number(Order::AtLeast, rest)?
        } else if let Some(rest) = text.strip_prefix("<=") {
            number(Order::AtMost, rest)?
        } else if let Some(rest) = text.strip_prefix('>') {
            number(Order::More, rest)?
        } else if let Some(rest) = text.strip_prefix('<') {
            number(Order::Less, rest)?
        } else if let Some(rest) = text.strip_prefix("==") {
            Comparison::Is(rest.trim().into())
        } else if let Some(rest) = text.strip_prefix("!=") {
            Comparison::IsNot(rest.trim().into())
        } else if let Some(regex) = text
            .strip_prefix('/')
            .and_then(|rest| rest.strip_suffix('/'))
        {
            let compiled = Regex::new(regex)
                .map_err(|error| format!("`{text}` is not a regular expression: {error}"))?;
            Comparison::Regex(compiled)
        } else {
            Comparison::Fits(text.into())
        };
        Ok(Self {
            pointer: pointer.into(),
            comparison,
        })
    }

    /// Whether the arguments fit.
    pub fn fits(&self, input: &Value) -> bool {
        let value = match input.pointer(&self.pointer) {
            None | Some(Value::Null) => return matches!(self.comparison, Comparison::IsNot(_)),
            Some(value) => value,
        };
        let text = match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        match &self.comparison {
            Comparison::Number(order, wanted) => {
                let number = match value {
                    Value::Number(number) => number.as_f64(),
                    _ => text.trim().parse().ok(),
                };
                number.is_none_or(|number: f64| match order {
                    Order::Less => number < *wanted,
                    Order::AtMost => number <= *wanted,
                    Order::More => number > *wanted,
                    Order::AtLeast => number >= *wanted,
                } || number.is_nan())
            }
            Comparison::Is(wanted) => *text == **wanted || same_number(&text, wanted),
            Comparison::IsNot(wanted) => !(*text == **wanted || same_number(&text, wanted)),
            Comparison::Fits(pattern) => glob::fits(pattern, &text),
            Comparison::Regex(regex) => regex.is_match(&text),
        }
    }
}

fn same_number(one: &str, other: &str) -> bool {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn arguments_are_compared() {
        for (pointer, text, input, wanted) in [
            ("/amount", "> 5000", json!({"amount": 6000}), true),
            ("/amount", "> 5000", json!({"amount": 5000}), false),
            ("/amount", ">= 5000", json!({"amount": "5000"}), true),
            ("/amount", "< 0", json!({"amount": -1.5}), true),
            ("/amount", "<= 0", json!({"amount": 1}), false),
            // What cannot be compared is not let through.
            ("/amount", "> 5000", json!({"amount": "a lot"}), true),
            ("/amount", "> 5000", json!({"amount": [1]}), true),
            ("/amount", "> 5000", json!({}), false),
            ("/to/0", "== ann", json!({"to": ["ann"]}), true),
            ("/to", "!= ann", json!({"to": "bob"}), true),
            ("/to", "!= ann", json!({}), true),
            ("/n", "== 1", json!({"n": 1.0}), true),
            ("/branch", "release/*", json!({"branch": "release/1"}), true),
            (
                "/branch",
                "/^(main|master)$/",
                json!({"branch": "main"}),
                true,
            ),
            (
                "/branch",
                "/^(main|master)$/",
                json!({"branch": "mainly"}),
                false,
            ),
            ("/force", "true", json!({"force": true}), true),
        ] {
            let condition = Condition::parse(pointer, text).unwrap();
            assert_eq!(condition.fits(&input), wanted, "{pointer} {text} {input}");
        }
        for (pointer, text) in [("amount", "> 1"), ("/a", "> x"), ("/a", "/(/")] {
            assert!(Condition::parse(pointer, text).is_err(), "{pointer} {text}");
        }
    }
}
