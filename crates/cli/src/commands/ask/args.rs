//! The command line of `holdpoint ask`.

use crate::config::JournalArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::time::Duration;

/// The arguments of `holdpoint ask`.
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
    /// How long to wait for the answer, such as 90s, 10m or 2h. A day by default.
    #[arg(long, value_name = "TIME", value_parser = time, global = true)]
    pub wait: Option<Duration>,

    /// Print all that is known of the decision, as JSON.
    #[arg(long, global = true)]
    pub json: bool,

    /// Mark the ask as dangerous: its yes cannot be taken back. Its word is typed for it, and your PIN if
    /// one is set.
    #[arg(long, global = true)]
    pub dangerous: bool,

    /// What is typed for a yes to a dangerous ask instead of `confirm`: 3 to 32 letters or digits, such
    /// as the name of what is dropped. Not used inside an agent.
    #[arg(long, value_name = "WORD", global = true)]
    pub word: Option<String>,

    /// What a yes to a dangerous ask leads to, such as "can be rolled back for 7 days".
    #[arg(long, value_name = "TEXT", global = true)]
    pub consequence: Option<String>,

    /// More to read before answering, as Markdown.
    #[arg(long, value_name = "TEXT", global = true, allow_hyphen_values = true)]
    pub details: Option<String>,

    /// The name under which this script asks, such as "nightly backup": up to 32 letters, digits, spaces and . _ -
    #[arg(long = "as", value_name = "NAME", value_parser = name, global = true)]
    pub asked_as: Option<String>,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

/// What is asked for.
#[derive(Debug, Subcommand)]
pub enum AskKind {
    /// Ask for a yes or a no.
    Confirm {
        /// The question, as Markdown.
        message: String,
    },
    /// Ask the person to choose from options.
    Choose {
        /// The question, as Markdown.
        message: String,
        /// The options: VALUE, or VALUE=LABEL.
        #[arg(required = true, num_args = 1..)]
        options: Vec<String>,
        /// Let the person choose several.
        #[arg(long)]
        multiple: bool,
        /// Let the person give an answer of their own.
        #[arg(long)]
        other: bool,
        /// Mark this option as recommended. It is not selected.
        #[arg(long, value_name = "VALUE")]
        recommended: Option<String>,
    },
    /// Ask for a text.
    Text {
        /// The question, as Markdown.
        message: String,
        /// Allow several lines.
        #[arg(long)]
        multiline: bool,
        /// Mask what is typed, and store it nowhere.
        #[arg(long, conflicts_with_all = ["multiline", "default", "format", "pattern", "min_length", "max_length", "placeholder"])]
        secret: bool,
        /// The initial value.
        #[arg(long, value_name = "TEXT")]
        default: Option<String>,
        /// An example, shown while the field is empty.
        #[arg(long, value_name = "TEXT")]
        placeholder: Option<String>,
        /// The format that it must have.
        #[arg(long, value_enum)]
        format: Option<TextFormat>,
        /// A regular expression that the whole text must match.
        #[arg(long, value_name = "REGEX")]
        pattern: Option<String>,
        /// The smallest number of characters.
        #[arg(long, value_name = "N")]
        min_length: Option<u32>,
        /// The largest number of characters.
        #[arg(long, value_name = "N")]
        max_length: Option<u32>,
    },
    /// Ask for a number.
    Number {
        /// The question, as Markdown.
        message: String,
        /// The smallest number.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        min: Option<f64>,
        /// The largest number.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        max: Option<f64>,
        /// The step between valid numbers.
        #[arg(long, value_name = "N")]
        step: Option<f64>,
        /// Whole numbers only.
        #[arg(long)]
        integer: bool,
        /// The unit, shown after the number.
        #[arg(long, value_name = "TEXT")]
        unit: Option<String>,
        /// The initial value.
        #[arg(long, value_name = "N", allow_negative_numbers = true)]
        default: Option<f64>,
    },
    /// Ask for several fields at once.
    #[command(after_help = FIELDS)]
    Form {
        /// The question, as Markdown.
        message: String,
        /// The fields as a JSON list, or @FILE: [{"name":"why","kind":"text","title":"Why?"}, …]. The format is
        /// below, with --help.
        #[arg(long, value_name = "JSON|@FILE")]
        fields: String,
    },
}

const FIELDS: &str = "\
Each field is an object with `name` and `kind`, and if wanted `title` (the name by default), `help` and
`required` (true by default). By its kind it can have:
  text       minLength, maxLength, pattern, format (email, uri, date, date-time), multiline, placeholder, default
  secret     nothing: what is typed is masked, and stored nowhere
  confirm    nothing: a yes or a no, which decides
  toggle     default: a setting, which decides nothing
  choice     options: strings or {\"value\",\"label\",\"description\"}; allowOther, recommended, default
  choices    the same, and min, max
  number     min, max, step, unit, default
  integer    the same
  rating     max (5 by default), lowLabel, highLabel
  date       min, max, default, such as 2026-11-01
  date-time  the same, such as 2026-11-01T09:00:00Z
  file       accept (such as [\".png\"]), maxBytes
  link       url
What is not known is refused. Example:
  holdpoint ask form 'A new user' --fields '[
    { \"name\": \"login\", \"kind\": \"text\", \"pattern\": \"[a-z]+\" },
    { \"name\": \"role\", \"kind\": \"choice\", \"options\": [\"reader\", \"admin\"] } ]'
The answer is printed as one JSON object of names and values.";

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

/// The most characters of a name.
const LONGEST_NAME: usize = 32;

const EXAMPLES: &str = "\
Examples:
  holdpoint ask confirm 'Deploy to production?' --dangerous && ./deploy
  branch=$(holdpoint ask choose 'Which branch?' main next --wait 10m)
  holdpoint ask number 'How many?' --min 1 --max 9 --integer
  holdpoint ask form 'A new user' --fields @user.json
  holdpoint ask confirm 'Delete old copies?' --as 'nightly backup'

It asks in this terminal if a person is at one, and always in the inbox; inside an agent in the inbox
only. The answer goes to standard
output and everything else to standard error; standard input is never read. Ctrl-C withdraws it.

Exit codes: 0 accepted (and yes), 1 declined or no, 2 wrong usage, 3 cancelled, 4 timed out,
5 nobody can be reached, 6 invalid, withdrawn or lost, 7 nobody was asked: the record cannot be kept, or what
is set is wrong.";

/// A name that can be read and cannot be taken for what is said around it.
fn name(text: &str) -> Result<String, String> {
    let fits = |char: char| char.is_alphanumeric() || matches!(char, ' ' | '.' | '_' | '-');
    let length = text.chars().count();
    if (1..=LONGEST_NAME).contains(&length) && text.chars().all(fits) && text.trim() == text {
        Ok(text.to_owned())
    } else {
        Err(format!(
            "expected 1 to {LONGEST_NAME} letters, digits, spaces and . _ -, without spaces around it"
        ))
    }
}

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
    fn names() {
        for fits in [
            "ci",
            "nightly backup",
            "Überprüfung-2.1",
            "a_b",
            &"x".repeat(32),
        ] {
            assert_eq!(name(fits).as_deref(), Ok(fits));
        }
        for wrong in [
            "",
            " ",
            " ci",
            "ci ",
            "a\nb",
            "a\u{202e}b",
            "a\u{200b}b",
            "a\u{1b}[2J",
            "ann's shell",
            "x, run by ann",
            "x (y)",
            "x: y",
            "<b>",
            "👍",
            &"x".repeat(33),
        ] {
            assert!(name(wrong).is_err(), "{wrong:?}");
        }
    }

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
