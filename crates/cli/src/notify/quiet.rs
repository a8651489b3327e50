//! The hours in which nobody is to be disturbed.

use jiff::{Zoned, civil::Time};
use std::{str::FromStr, time::Duration};

/// A part of the day, in local time; it may go over midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quiet {
    from: Time,
    to: Time,
}

impl Quiet {
    /// How long it is still quiet; none where it is not.
    pub fn left(&self, now: &Zoned) -> Option<Duration> {
        let time = now.time();
        let inside = if self.from < self.to {
            self.from <= time && time < self.to
        } else {
            self.from <= time || time < self.to
        };
        if !inside {
            return None;
        }
        let day = if time < self.to {
            now.date()
        } else {
            now.date().tomorrow().ok()?
        };
        let end = day
            .to_datetime(self.to)
            .to_zoned(now.time_zone().clone())
            .ok()?;
        end.timestamp()
            .duration_since(now.timestamp())
            .try_into()
            .ok()
    }
}

impl FromStr for Quiet {
    type Err = NotQuiet;

    fn from_str(text: &str) -> Result<Self, NotQuiet> {
        let (from, to) = text.split_once('-').ok_or(NotQuiet)?;
        let (from, to) = (clock(from)?, clock(to)?);
        if from == to {
            Err(NotQuiet)
        } else {
            Ok(Self { from, to })
        }
    }
}

fn clock(text: &str) -> Result<Time, NotQuiet> {
    let (hour, minute) = text.trim().split_once(':').ok_or(NotQuiet)?;
    let number = |part: &str| part.parse().map_err(|_| NotQuiet);
    Time::new(number(hour)?, number(minute)?, 0, 0).map_err(|_| NotQuiet)
}

/// A text that names no hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected hours of the day, such as 22:00-07:00")]
pub struct NotQuiet;

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn when_it_is_quiet() {
        let check = |hours: &str, (hour, minute): (i8, i8), left: Option<u64>| {
            let quiet: Quiet = hours.parse().unwrap();
            let now = date(2026, 7, 28).at(hour, minute, 0, 0);
            let now = now.in_tz("UTC").unwrap();
            let wanted = left.map(|minutes| Duration::from_secs(minutes * 60));
            assert_eq!(quiet.left(&now), wanted, "{hours} at {hour}:{minute}");
        };
        check("22:00-07:00", (21, 59), None);
        check("22:00-07:00", (22, 0), Some(9 * 60));
        check("22:00-07:00", (6, 59), Some(1));
        check("22:00-07:00", (7, 0), None);
        check("12:30 - 13:00", (12, 45), Some(15));
        check("12:30-13:00", (13, 0), None);
    }

    #[test]
    fn what_names_no_hours() {
        for text in ["", "22:00", "22-7", "24:00-07:00", "07:00-07:00", "a:b-c:d"] {
            assert_eq!(text.parse::<Quiet>(), Err(NotQuiet), "{text}");
        }
    }
}
