//! From what a script yields to an ask.

use super::{AskKind, ScriptAsk};
use crate::{
    fields::Fields,
    yield_error::{YieldError, short},
};
use holdpoint::{
    Ask, Field, Form, Kind,
    field::{Choice, Choices, DateRange, File, Format, Link, Number, Pick, Rating, Text},
};
use holdpoint_ask::nearest::did_you_mean;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::time::Duration;

/// How many files `multiple` has room for.
const FILES: usize = 5;

impl ScriptAsk {
    pub(crate) fn read(
        mut fields: Map<String, Value>,
        warnings: &mut Vec<String>,
    ) -> Result<Self, YieldError> {
        let named = match fields.shift_remove("ask") {
            Some(Value::String(named)) => named,
            _ => return Err(YieldError("`ask` must name a kind, such as 'text'".into())),
        };
        let kind = AskKind::ALL.into_iter().find(|kind| kind.as_str() == named);
        let kind = kind.ok_or_else(|| {
            let all = AskKind::ALL.map(AskKind::as_str);
            YieldError(format!(
                "there is no ask '{}'; {}",
                short(&named),
                did_you_mean(&named, all)
            ))
        })?;
        let mut fields = Fields::new(format!("the ask '{kind}'"), fields);
        let mut ask = Ask::new(fields.required::<String>("message")?, Form::new());
        ask.key = fields.optional("id")?;
        ask.details = fields.optional("details")?;
        ask.dangerous = fields.flag("dangerous")?;
        ask.word = fields.optional("word")?;
        ask.consequence = fields.optional("consequence")?;
        ask.timeout = match fields.optional::<f64>("timeout")? {
            Some(seconds) if seconds > 0.0 && seconds <= 86_400.0 => {
                Some(Duration::from_secs_f64(seconds))
            }
            Some(_) => {
                return Err(
                    fields.wrong("timeout", "it must be a number of seconds, at most 86400")
                );
            }
            None => None,
        };
        let required = fields.optional("required")?.unwrap_or(true);
        let mut options = Vec::new();
        ask.form = match kind {
            AskKind::Text => one("value", Kind::Text(text(&mut fields)?)),
            AskKind::Password => one("value", Kind::Secret),
            AskKind::Confirm => {
                // Never filled in and never an answer: what it says does not matter.
                fields.optional::<bool>("default")?;
                one("confirmed", Kind::Confirm)
            }
            AskKind::Select => select(&mut fields, ask.dangerous, &mut options, warnings)?,
            AskKind::Number => one("value", Kind::Number(number(&mut fields)?)),
            AskKind::File => files(&mut fields)?,
            AskKind::Date => {
                let time = fields.flag("includeTime")?;
                let range = DateRange {
                    min: fields.optional("min")?,
                    max: fields.optional("max")?,
                    default: fields.optional("default")?,
                };
                one(
                    "value",
                    if time {
                        Kind::DateTime(range)
                    } else {
                        Kind::Date(range)
                    },
                )
            }
            AskKind::Form => {
                let mut schema: Map<String, Value> = fields.required("schema")?;
                schema.entry("type").or_insert_with(|| "object".into());
                let schema = Value::Object(schema);
                let form = Form::from_requested_schema(&schema);
                form.map_err(|error| fields.wrong("schema", &error.to_string()))?
            }
            AskKind::Url => {
                let url = fields.required("url")?;
                one("opened", Kind::Link(Link { url }))
            }
            AskKind::Rating => one(
                "rating",
                Kind::Rating(Rating {
                    max: fields.optional("max")?.unwrap_or(5),
                    low_label: fields.optional("lowLabel")?,
                    high_label: fields.optional("highLabel")?,
                }),
            ),
        };
        // Photon's own: what it asks the message says, and the id is ours.
        let question = fields.take("question").filter(|value| !value.is_null());
        if question.is_some_and(|question| question != *ask.message) {
            let what = "it is not shown unless it is the same as `message`: say it there";
            return Err(fields.wrong("question", what));
        }
        fields.ignore(&["elicitationId"]);
        fields.end_asked(kind == AskKind::Confirm || ask.dangerous, warnings)?;
        if !required {
            ask.form
                .fields
                .iter_mut()
                .for_each(|field| field.required = false);
        }
        let this = Self {
            kind,
            ask,
            required,
            options,
        };
        let flaw = |error| YieldError(format!("the ask '{kind}' cannot be asked: {error}"));
        this.ask.check().map_err(flaw)?;
        Ok(this)
    }
}

fn one(name: &str, kind: Kind) -> Form {
    Form::new().field(Field::new(name, kind))
}

fn text(fields: &mut Fields) -> Result<Text, YieldError> {
    Ok(Text {
        min_length: fields.optional("minLength")?,
        max_length: fields.optional("maxLength")?,
        format: fields.optional::<Format>("format")?,
        pattern: fields.optional("pattern")?,
        multiline: fields.flag("multiline")?,
        placeholder: fields.optional("placeholder")?,
        // An empty one shows nothing, and is no answer either.
        default: fields
            .optional("default")?
            .filter(|text: &String| !text.is_empty()),
        ..Text::default()
    })
}

fn number(fields: &mut Fields) -> Result<Number, YieldError> {
    Ok(Number {
        min: fields.optional("min")?,
        max: fields.optional("max")?,
        step: fields.optional("step")?,
        unit: fields.optional("unit")?,
        default: fields.optional("default")?,
    })
}

fn files(fields: &mut Fields) -> Result<Form, YieldError> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Accept {
        List(Vec<String>),
        Text(String),
    }
    let accept = match fields.optional("accept")? {
        Some(Accept::List(accept)) => accept,
        Some(Accept::Text(text)) => text.split(',').map(|part| part.trim().to_owned()).collect(),
        None => Vec::new(),
    };
    let kind = Kind::File(File {
        accept,
        max_bytes: None,
    });
    if !fields.flag("multiple")? {
        return Ok(one("file", kind));
    }
    let mut form = one("file_1", kind.clone());
    for number in 2..=FILES {
        form = form.field(Field::new(format!("file_{number}"), kind.clone()).optional());
    }
    Ok(form)
}

/// An option of a choice, as it is written.
struct WrittenOption {
    value: Value,
    label: Option<String>,
    description: Option<String>,
    /// Why it is not to be had, where it is not.
    disabled: Option<String>,
    recommended: bool,
}

impl WrittenOption {
    fn read(
        place: usize,
        given: Value,
        dangerous: bool,
        warnings: &mut Vec<String>,
    ) -> Result<Self, YieldError> {
        let Value::Object(fields) = given else {
            return Ok(Self {
                value: given,
                label: None,
                description: None,
                disabled: None,
                recommended: false,
            });
        };
        let mut fields = Fields::new(format!("the ask 'select': `options[{place}]`"), fields);
        let why: Option<String> = fields.shown("disabledReason");
        let option = Self {
            value: fields.required("value")?,
            label: fields.optional("label")?,
            description: described(&mut fields)?,
            disabled: fields.flag("disabled")?.then(|| why.unwrap_or_default()),
            // One that is selected at first decides nothing: it is only pointed out.
            recommended: fields.flag("recommended")? | fields.flag("selected")?,
        };
        fields.ignore(&[
            "image",
            "badgeType",
            "originalPrice",
            "quantity",
            "adjustable",
            "minQuantity",
            "maxQuantity",
            "category",
            "meta",
        ]);
        fields.end_asked(dangerous, warnings)?;
        Ok(option)
    }

    /// How one that is not to be had is listed.
    fn missing(&self, title: String) -> Option<String> {
        let why = self.disabled.as_deref()?;
        Some(if why.is_empty() {
            title
        } else {
            format!("{title} ({why})")
        })
    }
}

/// What is said of an option: what describes it, what it costs, and its badge.
fn described(fields: &mut Fields) -> Result<Option<String>, YieldError> {
    let currency: Option<String> = fields.shown("currency");
    let price = fields.shown::<f64>("price").map(|price| {
        let currency = currency.map(|currency| format!(" {currency}"));
        format!("{price}{}", currency.unwrap_or_default())
    });
    let parts = [
        fields.optional("description")?,
        price,
        fields.shown("badge"),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    Ok((!parts.is_empty()).then(|| parts.join(" · ")))
}

/// A choice. One whose yes cannot be taken back is never filled in: its default is a badge.
fn select(
    fields: &mut Fields,
    dangerous: bool,
    values: &mut Vec<(String, Value)>,
    warnings: &mut Vec<String>,
) -> Result<Form, YieldError> {
    let given: Vec<Value> = fields.required("options")?;
    let (mut options, mut disabled) = (Vec::new(), Vec::new());
    for (place, given) in given.into_iter().enumerate() {
        let wrong = |fields: &Fields, what: &str| fields.wrong(&format!("options[{place}]"), what);
        let option = WrittenOption::read(place, given, dangerous, warnings)?;
        let value = text_of(&option.value)
            .ok_or_else(|| wrong(fields, "its value must be a text, a number or a boolean"))?;
        let pick = Pick {
            ending: None,
            value: value.clone(),
            label: option.label.clone(),
            description: option.description.clone(),
            recommended: option.recommended,
        };
        if let Some(missing) = option.missing(pick.title()) {
            disabled.push(missing);
        } else {
            values.push((value, option.value));
            options.push(pick);
        }
    }
    // How it is searched is up to the surface, which knows how many there are.
    fields.ignore(&[
        "searchable",
        "searchPlaceholder",
        "layout",
        "columns",
        "filters",
        "filterField",
    ]);
    let multi = fields.flag("multi")?;
    let default = default(fields, multi)?;
    if dangerous {
        let is_default = |pick: &Pick| default.iter().flatten().any(|value| *value == pick.value);
        options
            .iter_mut()
            .for_each(|pick| pick.recommended |= is_default(pick));
    }
    let default = default.filter(|_| !dangerous);
    let kind = if multi {
        Kind::Choices(Choices {
            options,
            min: fields.optional("min")?,
            max: fields.optional("max")?,
            default,
            ..Choices::default()
        })
    } else {
        Kind::Choice(Choice {
            options,
            default: default.and_then(|values| values.into_iter().next()),
            ..Choice::default()
        })
    };
    let mut field = Field::new("selected", kind);
    if !disabled.is_empty() {
        field = field.help(format!("Not available now: {}", disabled.join(", ")));
    }
    Ok(Form::new().field(field))
}

fn default(fields: &mut Fields, multi: bool) -> Result<Option<Vec<String>>, YieldError> {
    let given = match fields.optional::<Value>("default")? {
        None => return Ok(None),
        Some(Value::Array(given)) if multi => given,
        Some(one) => vec![one],
    };
    let read: Option<Vec<_>> = given.iter().map(text_of).collect();
    let wrong = || fields.wrong("default", "it must be the value of an option");
    read.map(Some).ok_or_else(wrong)
}

/// An option's value as text.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(bool) => Some(bool.to_string()),
        _ => None,
    }
}
