//! A form, one question after another.

use holdpoint_ask::visible;
use inquire::{InquireError, Select, Text, validator::MaxLengthValidator};
use serde_json::{Map, Value};

/// What a form got.
#[derive(Debug, PartialEq)]
pub enum Filled {
    /// Answers.
    Accepted(Map<String, Value>),
    /// The person dismissed it.
    Dismissed,
}

/// Asks for everything in a form, as MCP carries it. Escape and Ctrl-C dismiss the form.
///
/// # Errors
/// When the terminal fails, or a field is of another kind than text or a choice.
pub fn fill(schema: &Value) -> anyhow::Result<Filled> {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let mut answers = Map::new();
    let fields = schema["properties"].as_object();
    for (name, field) in fields.into_iter().flatten() {
        let required = required.iter().any(|it| it == name.as_str());
        let title = field["title"].as_str().unwrap_or(name);
        let title = visible(title);
        let asked = match (choices(field), field["type"].as_str()) {
            (Some(options), _) => choose(&title, options, required),
            (None, Some("string")) => write(&title, field),
            (None, kind) => anyhow::bail!("the terminal has no way to ask for {kind:?} yet"),
        };
        match asked {
            Ok(Some(value)) => drop(answers.insert(name.clone(), value)),
            Ok(None) => {}
            Err(InquireError::OperationCanceled | InquireError::OperationInterrupted) => {
                return Ok(Filled::Dismissed);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Filled::Accepted(answers))
}

/// An option's value and the words for it.
type Choice = (Value, String);

/// The options of a choice, in either way that MCP has for them.
fn choices(field: &Value) -> Option<Vec<Choice>> {
    let shown = |text: &Value| visible(text.as_str().unwrap_or_default()).into_owned();
    if let Some(titled) = field["oneOf"].as_array() {
        let each = titled.iter();
        return Some(
            each.map(|it| (it["const"].clone(), shown(&it["title"])))
                .collect(),
        );
    }
    let values = field["enum"].as_array()?;
    let names = field["enumNames"].as_array().unwrap_or(values);
    let pairs = values.iter().zip(names);
    Some(
        pairs
            .map(|(value, name)| (value.clone(), shown(name)))
            .collect(),
    )
}

/// The row on which the cursor starts: a hasty Enter chooses nothing.
const CHOOSE: &str = "· choose with ↑ and ↓ ·";
const SKIP: &str = "· no answer ·";

fn choose(
    title: &str,
    options: Vec<Choice>,
    required: bool,
) -> Result<Option<Value>, InquireError> {
    let first = if required { CHOOSE } else { SKIP };
    let labels = options.iter().map(|(_, label)| label.as_str());
    let rows: Vec<&str> = std::iter::once(first).chain(labels).collect();
    loop {
        let picked = Select::new(title, rows.clone())
            .without_filtering()
            .with_help_message("↑↓ to move, Enter to choose, Esc to dismiss")
            .raw_prompt()?;
        match picked.index.checked_sub(1) {
            Some(index) => return Ok(Some(options[index].0.clone())),
            None if required => {}
            None => return Ok(None),
        }
    }
}

fn write(title: &str, field: &Value) -> Result<Option<Value>, InquireError> {
    let mut prompt = Text::new(title).with_help_message("Enter to go on, Esc to dismiss");
    let most = field["maxLength"].as_u64();
    if let Some(most) = most.and_then(|most| usize::try_from(most).ok()) {
        prompt = prompt.with_validator(MaxLengthValidator::new(most));
    }
    let text = prompt.prompt()?;
    Ok((!text.is_empty()).then_some(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn both_ways_of_a_choice() {
        let wanted = Some(vec![
            (json!("a"), "Alpha".to_owned()),
            (json!("b"), "Beta".to_owned()),
        ]);
        let titled = json!({"oneOf": [
            {"const": "a", "title": "Alpha"}, {"const": "b", "title": "Beta"},
        ]});
        assert_eq!(choices(&titled), wanted);
        let named = json!({"enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]});
        assert_eq!(choices(&named), wanted);
        let bare = json!({"enum": ["a\u{1b}"]});
        assert_eq!(
            choices(&bare),
            Some(vec![(json!("a\u{1b}"), "a⟨U+001B⟩".to_owned())])
        );
        assert_eq!(choices(&json!({"type": "string"})), None);
    }
}
