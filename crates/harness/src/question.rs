//! Questions that an agent has for its user.

use serde_json::Value;

/// One question of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// The question. The answer goes back under exactly this text.
    pub text: String,
    /// A word or two that it is about.
    pub header: Option<String>,
    /// What can be chosen; empty where it is answered in one's own words.
    pub options: Vec<QuestionOption>,
    /// Several can be chosen.
    pub many: bool,
}

/// One option of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionOption {
    /// What people see, and what goes back.
    pub label: String,
    /// What it means.
    pub description: Option<String>,
}

/// The questions in the arguments of `AskUserQuestion` and its like; none where they are no such questions,
/// or two of them are the same, so that an answer could not be told apart.
pub(crate) fn questions_in(input: &Value) -> Option<Vec<Question>> {
    let questions: Vec<_> = match input.get("questions") {
        Some(Value::Array(questions)) => questions.iter().map(question).collect::<Option<_>>()?,
        Some(_) => return None,
        // Copilot asks one at a time.
        None => vec![question(input)?],
    };
    let differ = questions.iter().enumerate().all(|(place, question)| {
        let before = &questions[..place];
        before.iter().all(|other| other.text != question.text)
    });
    (!questions.is_empty() && differ).then_some(questions)
}

fn question(value: &Value) -> Option<Question> {
    let text = value.get("question")?.as_str()?;
    let options = value.get("options").or_else(|| value.get("choices"));
    let options = match options {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(options)) => options.iter().map(option).collect::<Option<_>>()?,
        Some(_) => return None,
    };
    let header = value.get("header").and_then(Value::as_str);
    let many = ["multiSelect", "multiple"]
        .into_iter()
        .any(|key| value.get(key) == Some(&Value::Bool(true)));
    (!text.trim().is_empty()).then(|| Question {
        text: text.to_owned(),
        header: header
            .filter(|header| !header.trim().is_empty())
            .map(str::to_owned),
        options,
        many,
    })
}

fn option(value: &Value) -> Option<QuestionOption> {
    let label = value.as_str().or_else(|| value.get("label")?.as_str())?;
    let description = value.get("description").and_then(Value::as_str);
    (!label.trim().is_empty()).then(|| QuestionOption {
        label: label.to_owned(),
        description: description
            .filter(|text| !text.trim().is_empty())
            .map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn questions_that_cannot_be_told_apart_are_none() {
        let ask = |text: &str| json!({ "question": text, "options": [{ "label": "A" }, "B"] });
        assert_eq!(
            questions_in(&json!({ "questions": [ask("1?"), ask("2?")] })).map(|all| all.len()),
            Some(2)
        );
        for input in [
            json!({ "questions": [ask("1?"), ask("1?")] }),
            json!({ "questions": [] }),
            json!({ "questions": "1?" }),
            json!({ "questions": [ask(" ")] }),
            json!({ "questions": [{ "question": "1?", "options": [{ "label": 1 }] }] }),
            json!({}),
        ] {
            assert_eq!(questions_in(&input), None, "{input}");
        }
        let one = questions_in(&json!({ "question": "Why?", "choices": ["a"] })).unwrap();
        assert_eq!(one[0].options[0].label, "a");
    }
}
