//! The machine's clock, against what was recorded last.

use super::Check;
use crate::{commands::log::missing_file, times};
use holdpoint::journal;
use holdpoint_ask::describe::duration;
use jiff::Timestamp;
use std::time::Duration;

const NAME: &str = "clock";
/// Clocks are set back by so much without anybody's doing.
const USUAL: Duration = Duration::from_secs(5);
/// What is recorded from now on stands before what is there by so much.
const MUCH: Duration = Duration::from_secs(60);

/// One check, where there is a record with anything in it.
pub async fn check(url: &str) -> Option<Check> {
    if url == "memory:" || missing_file(url).is_some() {
        return None;
    }
    // The check of the journal says when it cannot be read.
    let record = journal::open_read_only(url).await.ok()?;
    let head = record.head().await.ok()?;
    let last = record.events(head.saturating_sub(1), 1).await.ok()?;
    let now = Timestamp::now() + record.clock_offset();
    Some(describe(last.first()?.at, now))
}

fn describe(last: Timestamp, now: Timestamp) -> Check {
    let ahead = Duration::try_from(last.duration_since(now)).unwrap_or_default();
    if ahead <= USUAL {
        return Check::ok(
            NAME,
            format!(
                "later than the newest entry of the record, of {}",
                times::here(last)
            ),
        );
    }
    let what = format!(
        "it went back: the newest entry of the record is of {}, {} from now",
        times::here(last),
        duration(ahead)
    );
    let fix = "set the clock, and keep it by NTP (`timedatectl set-ntp true`): until it has come there, deadlines \
               of open asks end late. If it is right now, it was wrong then, and nothing is to be done";
    if ahead < MUCH {
        Check::hint(NAME, what).fix(fix)
    } else {
        Check::problem(NAME, what).fix(fix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    #[test]
    fn a_clock_that_went_back_is_found() {
        let last: Timestamp = "2026-11-19T12:00:00Z".parse().unwrap();
        let check = |now: &str, state, part: &str| {
            let found = describe(last, now.parse().unwrap());
            assert_eq!(found.state, state, "{found:?}");
            assert!(found.what.contains(part), "{found:?}");
        };
        check("2026-11-19T12:00:01Z", State::Ok, &times::here(last));
        check("2026-11-19T11:59:56Z", State::Ok, "");
        check("2026-11-19T11:59:30Z", State::Hint, "30 s from now");
        check("2026-11-19T10:00:00Z", State::Problem, "2 h from now");
        check("2027-01-01T00:00:00Z", State::Ok, "");
    }
}
