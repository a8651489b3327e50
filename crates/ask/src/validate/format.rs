//! Checks the well-known formats of a text: e-mail, address, date, moment, pattern.

use crate::field::Format;
use email_address::{EmailAddress, Options};
use jiff::{Timestamp, civil::Date};
use regex::{Regex, RegexBuilder};

/// Checks that the text has this format; the error says what it should look like.
pub(super) fn check(format: Format, text: &str) -> Result<(), &'static str> {
    let (fits, wanted) = match format {
        Format::Email => (
            EmailAddress::parse_with_options(text, Options::default().without_display_text())
                .is_ok(),
            "an e-mail address, like name@example.org",
        ),
        Format::Uri => (
            !text.contains(|char: char| char.is_whitespace() || char.is_control())
                && url::Url::parse(text).is_ok(),
            "a full address, like https://example.org",
        ),
        Format::Date => (date(text).is_some(), "a date, like 2026-07-28"),
        Format::DateTime => (
            moment(text).is_some(),
            "a date and time with an offset, like 2026-07-28T09:30:00Z",
        ),
    };
    if fits { Ok(()) } else { Err(wanted) }
}

/// Parses a day, if the text is exactly `YYYY-MM-DD`.
pub(crate) fn date(text: &str) -> Option<Date> {
    text.parse()
        .ok()
        .filter(|date: &Date| date.to_string() == text)
}

/// Parses a moment, if the text is one by RFC 3339.
pub(crate) fn moment(text: &str) -> Option<Timestamp> {
    // jiff reads more of ISO 8601 than RFC 3339 has: a space, no seconds, zones in brackets.
    let (day, time) = text.split_once(['T', 't'])?;
    date(day)?;
    let clock = time.get(..8)?.as_bytes();
    let digit = |at: &usize| clock[*at].is_ascii_digit();
    let offset = time[8..].trim_start_matches(|char: char| char == '.' || char.is_ascii_digit());
    let fits = [0, 1, 3, 4, 6, 7].iter().all(digit)
        && clock[2] == b':'
        && clock[5] == b':'
        && (matches!(offset, "Z" | "z") || (offset.len() == 6 && offset.as_bytes()[3] == b':'));
    if fits { text.parse().ok() } else { None }
}

/// Compiles a pattern so that only a whole text matches; bounded, so that no form can be a burden.
pub(crate) fn whole_text(pattern: &str) -> Result<Regex, regex::Error> {
    let build = |pattern: &str| RegexBuilder::new(pattern).size_limit(1 << 20).build();
    // Alone first: a pattern that closes our group by itself is invalid.
    build(pattern)?;
    build(&format!(r"\A(?:{pattern})\z"))
}
