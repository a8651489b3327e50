//! Times as people write and read them.

use anyhow::Context;
use holdpoint::journal::search::When;
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

#[cfg(test)]
mod tests {
    use super::*;

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
