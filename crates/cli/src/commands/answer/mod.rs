//! `holdpoint answer`: one answer from a shell.
//!
//! | module | holds |
//! |---|---|
//! | [`fields`] | `field=value` as an answer |

pub mod fields;

use crate::{
    commands::exit_code::USAGE,
    config::JournalArgs,
    find_by_id,
    shell::Shell,
    terminal::{
        form::{self, Filled},
        person,
        prompt::{self, Stop},
        reply::{self, Sent},
    },
    tracing_setup,
};
use anyhow::bail;
use clap::Args;
use fields::Wrong;
use holdpoint::{
    Answer, Ask, ChannelKind, Gesture, Kind, Presence, Reply, journal::AskRecord, visible,
};
use holdpoint_ask::{describe, field::Tone, review::Review, short_id};
use serde_json::Value;
use std::process::ExitCode;
use tokio_util::sync::CancellationToken;

/// The arguments of `holdpoint answer`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AnswerArgs {
    /// The ask's id, or a part of it of at least four digits that no other open ask has.
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
  holdpoint answer 7c1e9a41 yes                a form of one field
  holdpoint answer 7c1e9a41 decision=approve feedback='per key, please'
  holdpoint answer 7c1e9a41 --decline --reason 'not on a Friday'
  holdpoint answer 7c1e9a41                    reads it, and asks you in the terminal

A dangerous ask is shown whole, and you type its word for a yes. Inside an agent, and without a terminal
of its own, this command answers nothing, and the attempt is recorded.

Exit codes: 0 answered; 1 not answered: it had already ended, or may not be answered from here;
2 wrong usage, or the answer does not fit the form.";

/// Answers.
///
/// # Errors
/// When there is no such ask, or the record cannot be kept.
pub async fn run(args: AnswerArgs) -> anyhow::Result<ExitCode> {
    tracing_setup::start_quietly()?;
    let shell = Shell::open_own(args.journal).await?;
    let record = find_by_id::open_ask(shell.journal.as_ref(), &args.id).await?;
    if let Some(decision) = &record.decision {
        return Ok(late(&describe::decision_on(&record.ask.form, decision)));
    }
    shell
        .refuse_agents_for(Some(record.id), "answer", "Asks are answered by people")
        .await?;
    let asked = args.fields.is_empty() && !args.decline && !args.cancel;
    let here = person::is_here();
    if asked && !here {
        eprintln!("holdpoint: give an answer: FIELD=VALUE, --decline or --cancel");
        return Ok(ExitCode::from(USAGE));
    }
    let desk = shell.desk(Vec::new()).await?;
    let mut channel = ChannelKind::Cli;
    let mut presence = Presence::default();
    let never = CancellationToken::new();
    let reply = if args.decline {
        Reply::Decline {
            reason: args.reason,
        }
    } else if args.cancel {
        Reply::Cancel
    } else if asked {
        channel = ChannelKind::Terminal;
        let shown_at = match reply::show(&desk, &record, &never).await {
            Ok(shown_at) => shown_at,
            Err(stop) => return left(stop),
        };
        match reply::fill(&shell, &desk, &record.ask, shown_at, &never).await? {
            Filled::Accepted(content, gesture) => {
                presence = Presence::seen(shown_at, gesture);
                Reply::Accept { content }
            }
            _ => return Ok(open("nothing was answered")),
        }
    } else {
        let content = match content(&record, &args.fields, here).await? {
            Ok(content) => content,
            Err(code) => return Ok(code),
        };
        if record.ask.dangerous && !is_no(&record.ask, &content) {
            if !here {
                return Ok(open(
                    "it is dangerous, so it is shown whole and its word is typed: answer it at a \
                     terminal, or on the page",
                ));
            }
            channel = ChannelKind::Terminal;
            let shown_at = match reply::show(&desk, &record, &never).await {
                Ok(shown_at) => shown_at,
                Err(stop) => return left(stop),
            };
            print_answer(&record.ask, &content);
            match reply::word(&shell, &desk, &record.ask, shown_at).await {
                Ok(word) => presence = Presence::seen(shown_at, Gesture::Word(word)),
                Err(stop) => return left(stop),
            }
        }
        Reply::Accept { content }
    };
    let replier = shell.replier(channel, presence);
    Ok(
        match reply::send(&desk, record.id, &replier, reply, Review::default(), here).await? {
            Sent::Settled(decision) => {
                eprintln!("{}", describe::decision_on(&record.ask.form, &decision));
                ExitCode::SUCCESS
            }
            Sent::Late(decision) => late(&describe::decision_on(&record.ask.form, &decision)),
            Sent::Invalid(errors) => {
                for error in errors {
                    eprintln!("holdpoint: {error}");
                }
                ExitCode::from(USAGE)
            }
            Sent::Refused(why) if record.ask.in_person && !asked => open(&format!(
                "{why}: `holdpoint answer {}` shows it, and you choose there",
                short_id(&record.id)
            )),
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

/// Whether this says no to a question that asks for a yes or a no.
fn is_no(ask: &Ask, content: &Answer) -> bool {
    if let Some(ending) = ask.form.ending_of(content) {
        return ending.tone != Tone::Go;
    }
    match ask.form.fields.as_slice() {
        [field] if matches!(field.kind, Kind::Confirm) => {
            content.get(&field.name) == Some(&Value::Bool(false))
        }
        _ => false,
    }
}

/// Shows the answer that the command line gave, for which the word is asked.
fn print_answer(ask: &Ask, content: &Answer) {
    for field in &ask.form.fields {
        if let Some(value) = content.get(&field.name) {
            let secret = matches!(field.kind, Kind::Secret);
            let value = if secret {
                "********".to_owned()
            } else {
                form::format_value(value)
            };
            eprintln!("{}: {value}", visible(field.label()));
        }
    }
}

fn left(stop: Stop) -> anyhow::Result<ExitCode> {
    match stop {
        Stop::Fault(error) => Err(error.into()),
        _ => Ok(open("nothing was answered")),
    }
}

fn late(how: &str) -> ExitCode {
    eprintln!("holdpoint: the ask has already ended: {how}");
    ExitCode::FAILURE
}

fn open(why: &str) -> ExitCode {
    eprintln!("holdpoint: {why}. The ask is still open");
    ExitCode::FAILURE
}
