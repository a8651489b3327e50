//! How a file writes what it says: another program's file stays in that program's manner.

use super::{Key, two_digits};
use holdpoint_ask::visible;
use holdpoint_workspace::kebab_case;
use jiff::civil::Date;

/// What stands between the numbers of several steps.
pub(super) const BETWEEN_NUMBERS: [char; 3] = [',', '&', '+'];

/// The manner of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manner {
    /// What stands in a cell that is empty.
    pub nothing: String,
    /// The names of the plan's fields are in bold.
    pub bold: bool,
    /// Moments are days, without a time.
    pub days: bool,
    /// What stands between a step's number and its name where a field names one; none where it is
    /// the number alone.
    pub between: Option<String>,
}

impl Manner {
    pub fn title(&self, key: Key) -> String {
        if self.bold {
            format!("**{}**", key.title())
        } else {
            key.title().to_owned()
        }
    }

    pub fn moment<'a>(&self, now: &'a str) -> &'a str {
        now.get(..10).filter(|_| self.days).unwrap_or(now)
    }

    pub fn step(&self, number: u32, name: &str) -> String {
        let number = two_digits(number);
        match self.between.as_deref() {
            None => number,
            Some("-") => format!("{number}-{}", kebab_case(name)),
            Some(between) => format!("{number}{between}{name}"),
        }
    }
}

/// Whether a text is a day and no more.
pub(super) fn is_day(text: &str) -> bool {
    text.len() == 10 && text.parse::<Date>().is_ok()
}

/// What stands between the number of a step and its name; none where there is no name.
pub(super) fn between(text: &str) -> Option<String> {
    let digits = text.trim_start_matches(|char: char| char.is_ascii_digit());
    let name = digits.find(char::is_alphanumeric)?;
    let between = &digits[..name];
    let is_list = between.contains(BETWEEN_NUMBERS);
    // Written again they would be visible, and read as a list.
    let hides = visible(between) != between;
    let is_one = digits.len() < text.len() && !between.is_empty() && !is_list && !hides;
    is_one.then(|| between.to_owned())
}

/// The share of completed steps in the manner of the cell, like `40% (2/5 steps)`; none where the
/// cell is written in another way.
pub(super) fn progress(cell: &str, completed: usize, all: usize) -> Option<String> {
    let percent = (completed * 100 + all / 2).checked_div(all).unwrap_or(0);
    let rest = cell.trim_start_matches(|char: char| char.is_ascii_digit());
    let rest = rest.strip_prefix('%').filter(|_| rest.len() < cell.len())?;
    let counted = rest.trim_start().strip_prefix('(');
    match counted.and_then(|counted| counted.split_once('/')) {
        None if rest.trim().is_empty() => Some(format!("{percent}%")),
        None => None,
        Some((_, behind)) => {
            let words = behind.trim_start_matches(|char: char| char.is_ascii_digit());
            Some(format!("{percent}% ({completed}/{all}{words}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_a_number_and_a_name() {
        let check = |text: &str, wanted: Option<&str>| {
            assert_eq!(between(text).as_deref(), wanted, "{text}");
        };
        check("03 - Testing", Some(" - "));
        check("03-testing", Some("-"));
        check("03: Testing", Some(": "));
        check("03", None);
        check("02, 03", None);
        check("02 -\u{7f}Testing", None);
        check("Testing", None);
        check("-", None);
    }

    #[test]
    fn the_share_keeps_its_form() {
        let check = |cell: &str, wanted: Option<&str>| {
            assert_eq!(progress(cell, 2, 3).as_deref(), wanted, "{cell}");
        };
        check("0% (0/3 steps)", Some("67% (2/3 steps)"));
        check("33%", Some("67%"));
        check("33% or so", None);
        check("a third", None);
        check("", None);
        assert_eq!(progress("0% (0/0 steps)", 0, 0).unwrap(), "0% (0/0 steps)");
    }
}
