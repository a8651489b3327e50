//! What a person picks from a list. Nothing that decides is selected beforehand: the cursor starts
//! on a row that chooses nothing, so that a hasty Enter does so too.

use super::{
    prompt::{Prompt, Stop},
    text_prompt, value,
};
use holdpoint_ask::{
    Field,
    field::{Choice, Choices, Link, Pick, Rating, Toggle},
    visible,
};
use inquire::{
    CustomUserError, MultiSelect, Select,
    list_option::ListOption,
    validator::{MultiOptionValidator, Validation},
};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

const CHOOSE: &str = "· choose with ↑ and ↓ ·";
const SKIP: &str = "· no answer ·";
const OTHER: &str = "Something else…";
const KEYS: &str = "↑↓ to move, Enter to choose, Esc to leave";

/// So many rows are seen at once; more than that can also be searched.
const PAGE: usize = 12;

pub(super) fn one(
    prompt: &Prompt<'_>,
    rules: &Choice,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let set = rules.default.as_deref();
    let first = draft.and_then(Value::as_str).or(set);
    let mut rows: Vec<Row> = rules.options.iter().map(Row::from_option).collect();
    let at = first.and_then(|first| {
        rules
            .options
            .iter()
            .position(|option| option.value == first)
    });
    if rules.other {
        rows.push(Row::new(OTHER, Value::Null));
    }
    let picked = pick(prompt, rows, at)?;
    match picked {
        Picked::Row(index) if index == rules.options.len() => {
            text_prompt::other(prompt).map(|text| text.trim().into())
        }
        Picked::Row(index) => Ok(rules.options[index].value.as_str().into()),
        Picked::Nothing => Ok(Value::Null),
    }
}

pub(super) fn toggle(
    prompt: &Prompt<'_>,
    rules: &Toggle,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let set = draft.and_then(Value::as_bool).or(rules.default);
    let rows = vec![Row::new("yes", true), Row::new("no", false)];
    pick(prompt, rows, set.map(|on| usize::from(!on))).map(|picked| match picked {
        Picked::Row(index) => (index == 0).into(),
        Picked::Nothing => Value::Null,
    })
}

pub(super) fn rating(
    prompt: &Prompt<'_>,
    rules: &Rating,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let label = |stars: u8| match stars {
        1 => rules.low_label.as_deref(),
        _ if stars == rules.max => rules.high_label.as_deref(),
        _ => None,
    };
    let row = |stars: u8| {
        let empty = "☆".repeat(usize::from(rules.max - stars));
        let words = label(stars).map(|label| format!(" {}", visible(label)));
        let full = "★".repeat(usize::from(stars));
        let text = format!("{stars:>2} {full}{empty}{}", words.unwrap_or_default());
        Row::new(text, stars)
    };
    let at = draft
        .and_then(Value::as_u64)
        .and_then(|stars| stars.checked_sub(1));
    let rows = (1..=rules.max).map(row).collect();
    pick(prompt, rows, at.map(|at| at as usize)).map(|picked| match picked {
        Picked::Row(index) => (index + 1).into(),
        Picked::Nothing => Value::Null,
    })
}

/// An address to visit: the person says that they did.
pub(super) fn visited(prompt: &Prompt<'_>, rules: &Link) -> Result<Value, Stop> {
    anstream::eprintln!("  Open this address: {}", visible(&rules.url));
    let rows = vec![Row::new("I have opened it, and I am done there", true)];
    pick(prompt, rows, None).map(|picked| match picked {
        Picked::Row(_) => true.into(),
        Picked::Nothing => Value::Null,
    })
}

/// Which row was picked.
enum Picked {
    Row(usize),
    Nothing,
}

/// One row of a list. `at` is where the cursor starts, for what decides nothing.
fn pick(prompt: &Prompt<'_>, rows: Vec<Row>, at: Option<usize>) -> Result<Picked, Stop> {
    let required = prompt.field.required;
    let first = if required { CHOOSE } else { SKIP };
    let searched = rows.len() > PAGE;
    let all: Vec<Row> = std::iter::once(Row::new(first, Value::Null))
        .chain(rows)
        .collect();
    let keys = if searched {
        format!("type to search, {KEYS}")
    } else {
        KEYS.to_owned()
    };
    let help = prompt.help(keys);
    loop {
        let mut list = Select::new(&prompt.title, all.clone())
            .with_page_size(PAGE)
            .with_starting_cursor(at.map_or(0, |at| at + 1))
            .with_help_message(&help);
        if !searched {
            list = list.without_filtering();
        }
        match prompt.show(|| list.raw_prompt())?.index.checked_sub(1) {
            Some(index) => return Ok(Picked::Row(index)),
            None if required => {}
            None => return Ok(Picked::Nothing),
        }
    }
}

pub(super) fn some(
    prompt: &Prompt<'_>,
    rules: &Choices,
    draft: Option<&Value>,
) -> Result<Value, Stop> {
    let mut rows: Vec<Row> = rules.options.iter().map(Row::from_option).collect();
    if rules.other {
        rows.push(Row::new(OTHER, Value::Null));
    }
    let draft: Option<Vec<String>> =
        draft.and_then(|draft| serde_json::from_value(draft.clone()).ok());
    let first = draft.or_else(|| rules.default.clone()).unwrap_or_default();
    let ticked: Vec<usize> = (0..rules.options.len())
        .filter(|at| first.contains(&rules.options[*at].value))
        .collect();
    let help = prompt.help("Space to tick, ↑↓ to move, Enter to go on, Esc to leave");
    let mut list = MultiSelect::new(&prompt.title, rows)
        .with_page_size(PAGE)
        .with_default(&ticked)
        .with_help_message(&help)
        .with_validator(Fits::new(prompt));
    if rules.options.len() <= PAGE {
        list = list.without_filtering();
    }
    let picked = prompt.show(|| list.raw_prompt())?;
    let mut values = Vec::new();
    for row in picked {
        values.push(match row.value.value {
            Value::Null => text_prompt::other(prompt)?.trim().into(),
            value => value,
        });
    }
    Ok(values.into())
}

/// A row of a list.
#[derive(Clone)]
struct Row {
    text: String,
    /// What picking it means; null for none of the options.
    value: Value,
}

impl Row {
    fn new(text: impl Into<String>, value: impl Into<Value>) -> Self {
        Self {
            text: text.into(),
            value: value.into(),
        }
    }

    fn from_option(option: &Pick) -> Self {
        let about = option.description.as_deref().map(visible);
        let about = about.map(|about| format!(" – {about}")).unwrap_or_default();
        let title = match &option.ending {
            Some(ending) => visible(&ending.action).into_owned(),
            None => option.title().to_string(),
        };
        let text = format!("{title}{about}").replace('\n', " ");
        Self::new(text, option.value.as_str())
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether what is ticked fits its field, said at the field.
#[derive(Clone)]
struct Fits {
    field: Field,
    over: CancellationToken,
}

impl Fits {
    fn new(prompt: &Prompt<'_>) -> Self {
        Self {
            field: prompt.field.clone(),
            over: prompt.over.clone(),
        }
    }
}

impl MultiOptionValidator<Row> for Fits {
    fn validate(&self, ticked: &[ListOption<&Row>]) -> Result<Validation, CustomUserError> {
        let own = ticked.iter().any(|row| row.value.value.is_null());
        // What is in the person's own words is typed later, and checked then.
        if own || self.over.is_cancelled() {
            return Ok(Validation::Valid);
        }
        let values: Vec<Value> = ticked.iter().map(|row| row.value.value.clone()).collect();
        Ok(match value::checked(&self.field, values.into()) {
            Ok(_) => Validation::Valid,
            Err(message) => Validation::Invalid(visible(&message).into_owned().into()),
        })
    }
}
