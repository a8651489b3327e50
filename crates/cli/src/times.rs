//! Times as people write them, and as they read them: one form each, wherever the terminal shows a moment or how long
//! something took or takes.

use anyhow::Context;
use holdpoint::journal::search::When;
use holdpoint_ask::describe;
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use std::time::Duration;

/// The time range that two such times mean: from the start of the first up to the end of the second.
///
/// # Errors
/// When one is beyond what a calendar has.
pub fn range(
    since: Option<When>,
    until: Option<When>,
    now: Timestamp,
    zone: &TimeZone,
) -> anyhow::Result<(Option<Timestamp>, Option<Timestamp>)> {
    let since = since.map(|when| when.start(now, zone)).transpose();
    let until = until.map(|when| when.end(now, zone)).transpose();
    let range = since.and_then(|since| Ok((since, until?)));
    range.context("that time is out of range")
}

/// How long, as people write it.
///
/// # Errors
/// When it is none.
pub fn duration(text: &str) -> Result<Duration, String> {
    let parsed = text.parse::<SignedDuration>().ok();
    let parsed = parsed.and_then(|duration| Duration::try_from(duration).ok());
    parsed.ok_or_else(|| "expected a time such as 30s, 5m or 2h".to_owned())
}

/// A moment by the clock on the wall.
pub fn local(moment: Timestamp, zone: &TimeZone) -> String {
    let local = moment.to_zoned(zone.clone());
    local.strftime("%Y-%m-%d %H:%M:%S").to_string()
}

/// A moment by the clock on the wall here.
pub fn here(moment: Timestamp) -> String {
    local(moment, &TimeZone::system())
}

/// So many milliseconds in one unit, as everywhere: `12 s`, `5 min`.
pub fn millis(millis: u64) -> String {
    describe::duration(Duration::from_millis(millis))
}

/// How long it is from one moment to a later one; no time at all where it is not later.
pub fn between(from: Timestamp, to: Timestamp) -> String {
    let seconds = to.duration_since(from).as_secs();
    describe::duration(Duration::from_secs(seconds.max(0).unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_spans_have_one_form() {
        let moment: Timestamp = "2026-11-01T09:00:12.345Z".parse().unwrap();
        assert_eq!(local(moment, &TimeZone::UTC), "2026-11-01 09:00:12");
        assert_eq!(here(moment), local(moment, &TimeZone::system()));
        let later = moment + SignedDuration::from_secs(61);
        assert_eq!(between(moment, later), "61 s");
        assert_eq!(between(later, moment), "0 s");
        assert_eq!(millis(61_000), "61 s");
        assert_eq!(millis(40), "40 ms");
    }

    #[test]
    fn how_long() {
        assert_eq!(duration("30s"), Ok(Duration::from_secs(30)));
        assert_eq!(duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "5", "-1s", "1 month", "fast"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
