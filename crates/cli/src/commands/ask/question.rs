//! The ask that a command line means.

use super::args::{AskArgs, AskKind, TextFormat};
use holdpoint::{
    Ask, Field, Form, Kind,
    field::{Choice, Choices, Format, Integer, Number, Pick, Text},
};
use holdpoint_ask::{form_arguments::persons_form, nearest::did_you_mean};
use serde_json::Value;
use std::fs;

/// Builds the ask.
///
/// # Errors
/// What is wrong with the command line.
pub fn build(args: &AskArgs) -> Result<Ask, String> {
    let (message, form) = match &args.kind {
        AskKind::Confirm { message } => (message, Form::confirm()),
        AskKind::Choose {
            message,
            options,
            multiple,
            other,
            recommended,
        } => {
            let options: Vec<Pick> = options
                .iter()
                .map(|option| pick(option, recommended.as_deref()))
                .collect();
            if let Some(named) = recommended
                && !options.iter().any(|option| option.recommended)
            {
                let values = options.iter().map(|option| option.value.as_str());
                let meant = did_you_mean(named, values);
                return Err(format!(
                    "--recommended {named} is none of the options; {meant}"
                ));
            }
            (message, choose(options, *multiple, *other))
        }
        AskKind::Text {
            message,
            secret: true,
            ..
        } => (
            message,
            Form::new().field(Field::new("value", Kind::Secret)),
        ),
        AskKind::Text {
            message,
            multiline,
            default,
            placeholder,
            format,
            pattern,
            min_length,
            max_length,
            ..
        } => {
            let text = Text {
                multiline: *multiline,
                default: default.clone(),
                placeholder: placeholder.clone(),
                format: format.map(shape),
                pattern: pattern.clone(),
                min_length: *min_length,
                max_length: *max_length,
                ..Text::default()
            };
            (
                message,
                Form::new().field(Field::new("value", Kind::Text(text))),
            )
        }
        AskKind::Number {
            message,
            min,
            max,
            step,
            integer,
            unit,
            default,
        } => {
            let kind = if *integer {
                Kind::Integer(Integer {
                    min: whole("--min", *min)?,
                    max: whole("--max", *max)?,
                    step: whole("--step", *step)?,
                    unit: unit.clone(),
                    default: whole("--default", *default)?,
                })
            } else {
                Kind::Number(Number {
                    min: *min,
                    max: *max,
                    step: *step,
                    unit: unit.clone(),
                    default: *default,
                })
            };
            (message, Form::new().field(Field::new("value", kind)))
        }
        AskKind::Form { message, fields } => (message, parse_fields(fields)?),
    };
    let mut ask = Ask::new(message, form);
    ask.details = args.shared.details.clone();
    ask.dangerous = args.shared.dangerous;
    ask.word = args.shared.word.clone();
    ask.consequence = args.shared.consequence.clone();
    ask.timeout = args.shared.wait;
    Ok(ask)
}

fn choose(options: Vec<Pick>, multiple: bool, other: bool) -> Form {
    let field = if multiple {
        Field::new(
            "choices",
            Kind::Choices(Choices {
                options,
                other,
                ..Choices::default()
            }),
        )
    } else {
        Field::new(
            "choice",
            Kind::Choice(Choice {
                options,
                other,
                ..Choice::default()
            }),
        )
    };
    Form::new().field(field)
}

fn pick(text: &str, recommended: Option<&str>) -> Pick {
    let pick = match text.split_once('=') {
        Some((value, label)) => Pick::new(value).label(label),
        None => Pick::new(text),
    };
    if recommended == Some(pick.value.as_str()) {
        pick.recommended()
    } else {
        pick
    }
}

fn shape(format: TextFormat) -> Format {
    match format {
        TextFormat::Email => Format::Email,
        TextFormat::Uri => Format::Uri,
        TextFormat::Date => Format::Date,
        TextFormat::DateTime => Format::DateTime,
    }
}

fn whole(flag: &str, number: Option<f64>) -> Result<Option<i64>, String> {
    match number {
        Some(number) if number.fract() != 0.0 || number.abs() > 9e15 => {
            Err(format!("{flag} must be a whole number with --integer"))
        }
        number => Ok(number.map(|number| number as i64)),
    }
}

fn parse_fields(text: &str) -> Result<Form, String> {
    let read;
    let json = match text.strip_prefix('@') {
        Some(path) => {
            read = fs::read_to_string(path).map_err(|why| format!("cannot read {path}: {why}"))?;
            &read
        }
        None => text,
    };
    let fields: Value = serde_json::from_str(json).map_err(|why| {
        format!("--fields is not JSON: {why}. Its format is in `holdpoint ask form --help`")
    })?;
    if !fields.is_array() {
        return Err(
            "--fields must be a list of fields, such as [{\"name\":\"why\",\"kind\":\"text\"}]"
                .into(),
        );
    }
    persons_form(fields).map_err(|why| format!("--fields: {}{}", why.name, why.what))
}
