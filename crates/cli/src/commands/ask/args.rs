//! The command line of `holdpoint ask`.

use crate::config::JournalArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::time::Duration;

/// What `holdpoint ask` is told.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AskArgs {
    /// What is asked for.
    #[command(subcommand)]
    pub kind: AskKind,

    /// What every ask has.
    #[command(flatten)]
    pub shared: Shared,
}

/// What every ask has.
#[derive(Debug, Clone, Default, Args)]
pub struct Shared {
    /// How long to wait, such as 90s, 10m or 2h; a day unless something else is set.
    #[arg(long, value_name = "TIME", value_parser = time, global = true)]
    pub wait: Option<Duration>,

    /// Print all that is known of the decision, as JSON.
    #[arg(long, global = true)]
    pub json: bool,

    /// A yes cannot be taken back: a PIN is asked for, where one is set.
    #[arg(long, global = true)]
    pub dangerous: bool,

    /// More to read before answering, as Markdown.
    #[arg(long, value_name = "TEXT", global = true, allow_hyphen_values = true)]
    pub details: Option<String>,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What is asked for.
#[derive(Debug, Subcommand)]
pub enum AskKind {
    /// A yes or a no.
    Confirm {
        /// The question, as Markdown.
        message: String,
    },
    /// One of several options, or some of them.
    Choose {
        /// The question, as Markdown.
        message: String,
        /// The options: VALUE, or VALUE=LABEL.
        #[arg(required = true, num_args = 1..)]
        options: Vec<String>,
        /// Several may be chosen.
        #[arg(long)]
        multiple: bool,
        /// An answer of the person's own is fine too.
        #[arg(long)]
        other: bool,
        /// Mark this option with a badge; it is not selected.
        #[arg(long, value_name = "VALUE")]
        recommended: Option<String>,
    },
    /// A text.
    Text {
        /// The question, as Markdown.
        message: String,
        /// Several lines are fine.
        #[arg(long)]
        multiline: bool,
        /// It is masked, and kept nowhere.
        #[arg(long, conflicts_with_all = ["multiline", "default", "format", "pattern", "min_length", "max_length", "placeholder"])]
        secret: bool,
        /// What the field is filled with at first.
        #[arg(long, value_name = "TEXT")]
        default: Option<String>,
        /// An example, shown while nothing is typed.
        #[arg(long, value_name = "TEXT")]
        placeholder: Option<String>,
        /// A shape that it must have.
        #[arg(long, value_enum)]
        format: Option<TextFormat>,
        /// A regular expression that the whole text must match.
        #[arg(long, value_name = "REGEX")]
        pattern: Option<String>,
        /// The fewest characters.
        #[arg(long, value_name = "N")]
        min_length: Option<u32>,
        /// The most characters.
        #[arg(long, value_name = "N")]
        max_length: Option<u32>,
    },
    /// A number.
    Number {
        /// The question, as Markdown.
        message: String,
        /// The least.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        min: Option<f64>,
        /// The most.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        max: Option<f64>,
        /// The distance between two valid numbers.
        #[arg(long, value_name = "N")]
        step: Option<f64>,
        /// Whole numbers only.
        #[arg(long)]
        integer: bool,
        /// Shown behind it.
        #[arg(long, value_name = "TEXT")]
        unit: Option<String>,
        /// What the field is filled with at first.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        default: Option<f64>,
    },
    /// Several fields at once.
    Form {
        /// The question, as Markdown.
        message: String,
        /// The fields as a JSON list, or @FILE: [{"name":"why","kind":"text","title":"Why?"}, …].
        /// Kinds: text, secret, toggle, confirm, choice, choices, number, integer, rating, date,
        /// date-time, file, link.
        #[arg(long, value_name = "JSON|@FILE")]
        fields: String,
    },
}

/// A shape that a text can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TextFormat {
    /// An e-mail address.
    Email,
    /// An absolute address with a scheme.
    Uri,
    /// A day.
    Date,
    /// A moment with an offset.
    DateTime,
}

const EXAMPLES: &str = "\
Examples:
  holdpoint ask confirm 'Deploy to production?' --dangerous && ./deploy
  branch=$(holdpoint ask choose 'Which branch?' main next --wait 10m)
  holdpoint ask number 'How many?' --min 1 --max 9 --integer
  holdpoint ask form 'A new user' --fields @user.json

It asks in this terminal, if a person is at one, and in the inbox always. The answer goes to standard
output and everything else to standard error; standard input is never read. Ctrl-C takes it back.

Exit codes: 0 accepted (and yes), 1 declined or no, 2 wrong usage, 3 cancelled, 4 timed out,
5 nobody can be reached, 6 invalid or withdrawn.";

fn time(text: &str) -> Result<Duration, String> {
    let wrong = || "expected a time from 5s to 24h, such as 90s, 10m or 2h".to_owned();
    let digits = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let seconds = match &text[digits.len()..] {
        "s" | "" => Some(number),
        "m" => number.checked_mul(60),
        "h" => number.checked_mul(3_600),
        _ => None,
    };
    let seconds = seconds.filter(|seconds| (5..=86_400).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let check = |text: &str, seconds: Option<u64>| {
            assert_eq!(time(text).ok(), seconds.map(Duration::from_secs), "{text}");
        };
        check("90s", Some(90));
        check("90", Some(90));
        check("10m", Some(600));
        check("24h", Some(86_400));
        for wrong in [
            "",
            "m",
            "4s",
            "25h",
            "1d",
            "-5s",
            "1.5h",
            "99999999999999999999h",
        ] {
            check(wrong, None);
        }
    }
}
