//! Moments as people write them: whole, or only a day, or in words.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

/// The earliest and the latest moment that a text can mean; none where it is words.
pub(super) fn span(text: &str) -> Option<(Timestamp, Timestamp)> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some((moment, moment));
    }
    let day = text.get(..10)?.parse::<Date>().ok()?;
    // Without an offset it may be any zone's: a day to both sides is what it can mean.
    let first = day.yesterday().ok()?.to_zoned(TimeZone::UTC).ok()?;
    let last = day.tomorrow().ok()?.tomorrow().ok()?;
    let last = last.to_zoned(TimeZone::UTC).ok()?;
    Some((first.timestamp(), last.timestamp()))
}

/// Whether the first of two is surely later than the second.
pub fn is_after(one: &str, other: &str) -> bool {
    match (span(one), span(other)) {
        (Some((earliest, _)), Some((_, latest))) => earliest > latest,
        _ => false,
    }
}
