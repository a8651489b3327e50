//! `holdpoint answer`: one answer from a shell.
//!
//! | module | holds |
//! |---|---|
//! | [`find`] | the ask that a short id means |
//! | [`fields`] | `field=value` as an answer |

pub mod fields;
pub mod find;

use crate::{
    commands::exit_code::USAGE,
    config::JournalArgs,
    shell::Shell,
    terminal::{
        ask_text,
        form::Filled,
        person,
        prompt::{self, Stop},
        reply::{self, Sent},
    },
    tracing_setup,
};
use anyhow::bail;
use clap::Args;
use fields::Wrong;
use holdpoint::{Answer, ChannelKind, Reply, journal::AskRecord};
use holdpoint_ask::describe;
use jiff::Timestamp;
use std::process::ExitCode;
use tokio_util::sync::CancellationToken;

/// The arguments of `holdpoint answer`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnswerArgs {
    /// The ask's id, or its first digits if no other open ask has the same.
    pub id: String,

    /// The answer, field by field. A form of one field takes the value alone. Separate the values of
    /// a list with commas, and give a file by its path. Secrets are typed at the terminal.
    #[arg(value_name = "FIELD=VALUE", conflicts_with_all = ["decline", "cancel"])]
    pub fields: Vec<String>,

    /// Say no.
    #[arg(long, conflicts_with = "cancel")]
    pub decline: bool,

    /// Why not. The agent is told.
    #[arg(long, value_name = "TEXT", requires = "decline")]
    pub reason: Option<String>,

    /// Dismiss it without an answer.
    #[arg(long)]
    pub cancel: bool,

    /// Where the record is.
    #[command(flatten)]
    pub journal: JournalArgs,
}

const EXAMPLES: &str = "\
Examples:
  holdpoint answer 0197 yes                    a form of one field
  holdpoint answer 0197 decision=approve feedback='per key, please'
  holdpoint answer 0197 --decline --reason 'not on a Friday'
  holdpoint answer 0197                        reads it, and asks you in the terminal

Exit codes: 0 answered; 1 not answered: it had already ended, or may not be answered from here;
2 wrong usage, or the answer does not fit the form.";

/// Answers.
///
/// # Errors
/// When there is no such ask, or the record cannot be kept.
pub async fn run(args: AnswerArgs) -> anyhow::Result<ExitCode> {
    tracing_setup::start_quietly()?;
    let shell = Shell::open(args.journal).await?;
    let record = find::ask(shell.journal.as_ref(), &args.id).await?;
    if let Some(decision) = &record.decision {
        return Ok(late(&describe::decision(decision)));
    }
    let asked = args.fields.is_empty() && !args.decline && !args.cancel;
    let here = person::is_here();
    if asked && !here {
        eprintln!("holdpoint: give an answer: FIELD=VALUE, --decline or --cancel");
        return Ok(ExitCode::from(USAGE));
    }
    let mut channel = ChannelKind::Cli;
    let reply = if args.decline {
        Reply::Decline {
            reason: args.reason,
        }
    } else if args.cancel {
        Reply::Cancel
    } else if asked {
        channel = ChannelKind::Terminal;
        anstream::eprint!("{}", ask_text::render(&record, Timestamp::now()));
        let never = CancellationToken::new();
        match reply::fill(&record.ask, &never).await? {
            Filled::Accepted(content) => Reply::Accept { content },
            _ => return Ok(open("nothing was answered")),
        }
    } else {
        match content(&record, &args.fields, here).await? {
            Ok(content) => Reply::Accept { content },
            Err(code) => return Ok(code),
        }
    };
    let desk = shell.desk(Vec::new()).await?;
    let replier = shell.replier(channel);
    Ok(
        match reply::send(&desk, record.id, &replier, reply, here).await? {
            Sent::Settled(decision) => {
                eprintln!("{}", describe::decision(&decision));
                ExitCode::SUCCESS
            }
            Sent::Late(decision) => late(&describe::decision(&decision)),
            Sent::Invalid(errors) => {
                for error in errors {
                    eprintln!("holdpoint: {error}");
                }
                ExitCode::from(USAGE)
            }
            Sent::Refused(why) => open(&why),
            Sent::Left | Sent::Interrupted => open("nothing was answered"),
        },
    )
}

/// The answer of the command line, with the secrets that the person types now.
async fn content(
    record: &AskRecord,
    given: &[String],
    here: bool,
) -> anyhow::Result<Result<Answer, ExitCode>> {
    let form = &record.ask.form;
    let mut content = match fields::read(form, given) {
        Ok(content) => content,
        Err(wrong) => {
            for Wrong(why) in wrong {
                eprintln!("holdpoint: {why}");
            }
            return Ok(Err(ExitCode::from(USAGE)));
        }
    };
    for field in fields::secrets(form) {
        if !here {
            if field.required {
                bail!(
                    "the field {} is a secret: answer at a terminal, or on the page",
                    field.name
                );
            }
            continue;
        }
        let (asked, never) = (field.clone(), CancellationToken::new());
        let typed = reply::run_blocking(move || prompt::ask(&asked, None, &never)).await;
        match typed {
            Ok(Some(value)) => drop(content.insert(field.name.clone(), value)),
            Ok(None) => {}
            Err(Stop::Fault(error)) => return Err(error.into()),
            Err(_) => return Ok(Err(open("nothing was answered"))),
        }
    }
    Ok(Ok(content))
}

fn late(how: &str) -> ExitCode {
    eprintln!("holdpoint: the ask has already ended: {how}");
    ExitCode::FAILURE
}

fn open(why: &str) -> ExitCode {
    eprintln!("holdpoint: {why}. The ask is still open");
    ExitCode::FAILURE
}
