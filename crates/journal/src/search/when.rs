//! Times as people and agents write them.

use jiff::{
    Span, Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::TimeZone,
};
use std::str::FromStr;

/// A time as people write it.
#[derive(Debug, Clone, Copy)]
pub enum When {
    /// So long ago.
    Ago(Span),
    /// So many days before today.
    DaysAgo(i64),
    /// A day.
    Day(Date),
    /// A moment by the clock on the wall.
    Local(DateTime),
    /// A moment.
    Moment(Timestamp),
}

impl FromStr for When {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "now" => return Ok(Self::Ago(Span::new())),
            "today" => return Ok(Self::DaysAgo(0)),
            "yesterday" => return Ok(Self::DaysAgo(1)),
            _ => {}
        }
        if let Ok(moment) = text.parse() {
            return Ok(Self::Moment(moment));
        }
        // A day is also a time of the day for the parser: it goes first.
        if text.len() <= "2026-11-01".len()
            && let Ok(day) = text.parse()
        {
            return Ok(Self::Day(day));
        }
        if let Ok(local) = text.parse() {
            return Ok(Self::Local(local));
        }
        let span = text.parse::<Span>().ok();
        let span = span.filter(|span| !span.is_negative() && !text.starts_with('P'));
        span.map(Self::Ago).ok_or_else(|| {
            "expected 2h, 3d, today, yesterday, 2026-11-01, 2026-11-01T14:30 or a moment with its zone"
                .to_owned()
        })
    }
}

impl When {
    /// The moment, or the start of the day.
    ///
    /// # Errors
    /// When it is beyond what a calendar has.
    pub fn start(self, now: Timestamp, zone: &TimeZone) -> Result<Timestamp, jiff::Error> {
        self.at(now, zone, 0)
    }

    /// The moment, or the end of the day.
    ///
    /// # Errors
    /// When it is beyond what a calendar has.
    pub fn end(self, now: Timestamp, zone: &TimeZone) -> Result<Timestamp, jiff::Error> {
        self.at(now, zone, 1)
    }

    fn at(self, now: Timestamp, zone: &TimeZone, days: i64) -> Result<Timestamp, jiff::Error> {
        let now = now.to_zoned(zone.clone());
        let start = |day: Date| -> Result<Timestamp, jiff::Error> {
            let day = day.checked_add(days.days())?;
            Ok(day.to_zoned(zone.clone())?.timestamp())
        };
        match self {
            Self::Ago(span) => now.checked_sub(span).map(|then| then.timestamp()),
            Self::DaysAgo(ago) => now.date().checked_sub(ago.days()).and_then(start),
            Self::Day(day) => start(day),
            Self::Local(local) => local.to_zoned(zone.clone()).map(|then| then.timestamp()),
            Self::Moment(moment) => Ok(moment),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_people_write_them() {
        let now: Timestamp = "2026-11-16T00:30:00Z".parse().unwrap();
        let zone = TimeZone::fixed(jiff::tz::offset(-1));
        let check = |text: &str, start: &str, end: &str| {
            let when: When = text.parse().unwrap();
            assert_eq!(when.start(now, &zone).unwrap().to_string(), start, "{text}");
            assert_eq!(when.end(now, &zone).unwrap().to_string(), end, "{text}");
        };
        let moment = |text: &str, at: &str| check(text, at, at);
        moment("2h", "2026-11-15T22:30:00Z");
        moment("90m", "2026-11-15T23:00:00Z");
        moment("1h30m", "2026-11-15T23:00:00Z");
        moment("3d", "2026-11-13T00:30:00Z");
        moment("2 weeks", "2026-11-02T00:30:00Z");
        moment("now", "2026-11-16T00:30:00Z");
        check("today", "2026-11-15T01:00:00Z", "2026-11-16T01:00:00Z");
        check("yesterday", "2026-11-14T01:00:00Z", "2026-11-15T01:00:00Z");
        check("2026-11-01", "2026-11-01T01:00:00Z", "2026-11-02T01:00:00Z");
        moment("2026-11-01T14:30", "2026-11-01T15:30:00Z");
        moment("2026-11-01 14:30", "2026-11-01T15:30:00Z");
        moment("2026-11-01T14:30:00Z", "2026-11-01T14:30:00Z");
        for wrong in ["", "soon", "-2h", "2", "tomorrow", "2026-13-01", "P2D"] {
            assert!(wrong.parse::<When>().is_err(), "{wrong}");
        }
    }
}
