//! A decision in one line for a person.

use holdpoint::{ChannelKind, Decision, Outcome, Withdrawal, visible};
use std::fmt::Write as _;

/// Such as "Accepted by ann on the page, after 12 s".
pub fn told(decision: &Decision) -> String {
    let mut words = match &decision.outcome {
        Outcome::Accepted(_) => "Accepted",
        Outcome::Declined { .. } => "Declined",
        Outcome::Cancelled => "Dismissed",
        Outcome::TimedOut => "Nobody answered in time",
        Outcome::Unreachable { .. } => "Nobody could be reached",
        Outcome::Invalid { .. } => "Given up: the replies did not fit the form",
        Outcome::Withdrawn { why } => match why {
            Withdrawal::CallCancelled => "Withdrawn by the agent",
            Withdrawal::Replaced => "Withdrawn: the agent no longer waits for it",
        },
    }
    .to_owned();
    if let Some(name) = &decision.answered_by {
        let _ = write!(words, " by {}", visible(name));
    }
    if let Some(channel) = decision.channel {
        words.push_str(place(channel));
    }
    let _ = write!(words, ", after {}", span(decision.duration_ms));
    if decision.fast {
        words.push_str(" (faster than a person can read)");
    }
    words
}

/// Why it ended so, where somebody or something said so.
pub fn reason(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Declined { reason } => reason.as_deref().map(|text| visible(text).into_owned()),
        Outcome::Unreachable { why } => Some(visible(why).into_owned()),
        Outcome::Invalid { errors } => {
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            Some(visible(&errors.join("; ")).into_owned())
        }
        _ => None,
    }
}

fn place(channel: ChannelKind) -> &'static str {
    match channel {
        ChannelKind::Client => " in the client",
        ChannelKind::Url => " at the address that the client opened",
        ChannelKind::Inbox => " on the page",
        ChannelKind::Terminal => " in the terminal",
        ChannelKind::Cli => " from a shell",
        ChannelKind::Preset => " beforehand",
    }
}

/// Such as "12 s".
pub fn span(millis: u64) -> String {
    match millis {
        0..1_000 => format!("{millis} ms"),
        1_000..120_000 => format!("{} s", millis / 1_000),
        120_000..7_200_000 => format!("{} min", millis / 60_000),
        _ => format!("{} h", millis / 3_600_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint::{Answer, AskId, FieldError};
    use jiff::Timestamp;

    #[test]
    fn decisions_in_words() {
        let check = |outcome, channel, by: Option<&str>, duration_ms, fast, words: &str| {
            let decision = Decision {
                ask: AskId::new(),
                outcome,
                channel,
                answered_by: by.map(str::to_owned),
                at: Timestamp::UNIX_EPOCH,
                duration_ms,
                fast,
                said_no: false,
            };
            assert_eq!(told(&decision), words);
        };
        check(
            Outcome::Accepted(Answer::new()),
            Some(ChannelKind::Inbox),
            Some("ann"),
            12_900,
            false,
            "Accepted by ann on the page, after 12 s",
        );
        check(
            Outcome::Declined { reason: None },
            Some(ChannelKind::Client),
            Some("vs\u{202e}code"),
            90,
            true,
            "Declined by vs⟨U+202E⟩code in the client, after 90 ms (faster than a person can read)",
        );
        check(
            Outcome::TimedOut,
            None,
            None,
            300_000,
            false,
            "Nobody answered in time, after 5 min",
        );
        let errors = vec![FieldError {
            field: "name".into(),
            message: "is missing".into(),
        }];
        assert_eq!(
            reason(&Outcome::Invalid { errors }).as_deref(),
            Some("name: is missing")
        );
    }
}
