//! Says in the description what a `requestedSchema` has no keyword for.

use crate::{
    Field,
    describe::one_line,
    field::{Choices, DateRange, Pick, Rating, Text},
    profile::Numbers,
    validate::{amount, counted},
    visible,
};
use serde_json::{Map, Value};
use std::fmt::Display;

/// The label of the option that stands for the person's own words.
pub(crate) const OTHER: &str = "Other…";
/// Help for the line that belongs to it.
pub(super) const INSTEAD: &str = "In your own words. Used only if “Other…” is chosen above.";
/// Help for the line beside a choice of many.
pub(super) const BESIDES: &str =
    "Anything else, in your own words; leave it empty if there is nothing.";

/// Help where that line is not shown.
pub(super) const ELSEWHERE: &str = "For an answer of your own, answer it in the inbox.";
/// Help for what may be left empty where the client does not let it be.
pub(super) const DASH: &str = "Type - to leave it empty.";

/// Joins the words to the property's description, in one line: clients show no second one.
pub(super) fn described(property: &mut Map<String, Value>, words: Vec<String>) {
    let words = words.join("\n");
    let lines = words.lines().map(str::trim);
    let lines: Vec<_> = lines.filter(|line| !line.is_empty()).collect();
    if !lines.is_empty() {
        property.insert("description".into(), one_line(&lines.join(" · ")).into());
    }
}

pub(super) fn help(field: &Field) -> Vec<String> {
    let help = field.help.as_deref().filter(|help| !help.trim().is_empty());
    help.map(|help| visible(help).into_owned())
        .into_iter()
        .collect()
}

pub(super) fn text(field: &Field, rules: &Text) -> Vec<String> {
    let mut words = help(field);
    words.extend(match (rules.min_lines, rules.max_lines) {
        (Some(min), Some(max)) if min == max => Some(format!("Exactly {}.", counted(min, "line"))),
        (Some(min), Some(max)) => Some(format!("From {min} to {}.", counted(max, "line"))),
        (Some(min), None) => Some(format!("At least {}.", counted(min, "line"))),
        (None, Some(max)) => Some(format!("At most {}.", counted(max, "line"))),
        (None, None) => None,
    });
    if let Some(placeholder) = &rules.placeholder {
        words.push(format!("For example: {}", visible(placeholder)));
    }
    if let Some(pattern) = &rules.pattern {
        words.push(format!("It must match the pattern {}", visible(pattern)));
    }
    words
}

pub(super) fn date(field: &Field, range: &DateRange) -> Vec<String> {
    let mut words = help(field);
    words.extend(match (&range.min, &range.max) {
        (Some(min), Some(max)) => Some(format!("From {} to {}.", visible(min), visible(max))),
        (Some(min), None) => Some(format!("{} or later.", visible(min))),
        (None, Some(max)) => Some(format!("{} or earlier.", visible(max))),
        (None, None) => None,
    });
    words
}

/// Bounds travel with a native number; a text has to say them.
pub(super) fn numeric<N: Display + Copy>(
    field: &Field,
    what: &str,
    (min, max, step): (Option<N>, Option<N>, Option<N>),
    unit: Option<&str>,
    numbers: Numbers,
) -> Vec<String> {
    let mut words = help(field);
    match numbers {
        Numbers::Text => match between(min, max, unit) {
            Some(range) => words.push(format!("{what}. {range}")),
            None => words.push(match unit {
                Some(unit) => format!("{what}, in {}.", visible(unit)),
                None => format!("{what}."),
            }),
        },
        Numbers::Native => words.extend(unit.map(|unit| format!("In {}.", visible(unit)))),
    }
    words.extend(step.map(|step| match min {
        Some(min) => format!("In steps of {step} from {min}."),
        None => format!("In steps of {step}."),
    }));
    words
}

fn between(
    min: Option<impl Display>,
    max: Option<impl Display>,
    unit: Option<&str>,
) -> Option<String> {
    match (min, max) {
        (Some(min), Some(max)) => Some(format!("From {min} to {}.", amount(max, unit))),
        (Some(min), None) => Some(format!("{} or more.", amount(min, unit))),
        (None, Some(max)) => Some(format!("{} or less.", amount(max, unit))),
        (None, None) => None,
    }
}

pub(super) fn rating(field: &Field, rules: &Rating) -> Vec<String> {
    let mut words = help(field);
    let end = |number: u8, label: &Option<String>| match label {
        Some(label) => format!("{number} ({})", visible(label)),
        None => number.to_string(),
    };
    let (low, high) = (end(1, &rules.low_label), end(rules.max, &rules.high_label));
    words.push(format!("From {low} to {high}."));
    words
}

/// The steps of a rating as options, for clients that show no numbers.
pub(super) fn stars(rules: &Rating) -> Vec<(String, String)> {
    let star = |number: u8| {
        let label = match number {
            1 => &rules.low_label,
            number if number == rules.max => &rules.high_label,
            _ => &None,
        };
        let title = match label {
            Some(label) => format!("{number} – {}", visible(label)),
            None => number.to_string(),
        };
        (number.to_string(), title)
    };
    (1..=rules.max).map(star).collect()
}

/// The help, and a line for each option that has something to explain.
pub(super) fn options(field: &Field, options: &[Pick]) -> Vec<String> {
    let explained = |pick: &Pick| {
        let text = pick.description.as_deref()?;
        Some(format!("{}: {}", visible(pick.shown()), visible(text)))
    };
    let mut words = help(field);
    words.extend(options.iter().filter_map(explained));
    words
}

/// How many may be chosen.
pub(super) fn count(rules: &Choices) -> Option<String> {
    match (rules.min.filter(|min| *min > 0), rules.max) {
        (Some(min), Some(max)) if min == max => Some(format!("Choose {min}.")),
        (Some(min), Some(max)) => Some(format!("Choose {min} to {max}.")),
        (Some(min), None) => Some(format!("Choose at least {min}.")),
        (None, Some(max)) => Some(format!("Choose at most {max}.")),
        (None, None) => None,
    }
}
