//! From what a person does in the terminal to a reply, and what became of it.

use super::{
    abilities::Abilities,
    ask_text, discard_input,
    form::{self, Filled, Start},
    full_screen,
    prompt::{self, Stop},
    read_whole, show_text,
};
use crate::shell::Shell;
use holdpoint::{
    AskError, Decision, Desk, FieldError, Refusal, Replier, Reply, ReplyResult, journal::AskRecord,
};
use holdpoint_ask::{Ask, AskId, review::Review};
use inquire::{Password, PasswordDisplayMode, Select, Text};
use jiff::Timestamp;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// What became of a reply.
#[derive(Debug)]
pub enum Sent {
    /// It ended the ask.
    Settled(Decision),
    /// The ask had ended before.
    Late(Decision),
    /// It does not fit the form.
    Invalid(Vec<FieldError>),
    /// It settled nothing, for this reason; the ask is still open.
    Refused(String),
    /// The person took it back at the last moment.
    Left,
    /// The person wants to end the program.
    Interrupted,
}

/// What a person does with an ask, apart from filling in its form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// Fills in the form.
    Answer,
    /// Says no.
    Decline,
    /// Puts it away.
    Dismiss,
    /// Needs more time.
    Longer,
    /// Leaves it as it is.
    Back,
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Answer => "Answer it",
            Self::Decline => "Decline it, with a reason",
            Self::Dismiss => "Dismiss it",
            Self::Longer => "Give me longer",
            Self::Back => "Leave it open",
        })
    }
}

/// Asks what to do with an ask. Escape leaves it open.
///
/// # Errors
/// When the prompt ends without a choice.
pub fn choose(choices: Vec<Choice>) -> Result<Choice, Stop> {
    let list = Select::new("What do you want to do?", choices)
        .without_filtering()
        .with_help_message("↑↓ to move, Enter to choose, Esc to leave it open");
    match prompt::show(|| list.prompt()) {
        Err(Stop::Left) => Ok(Choice::Back),
        picked => picked,
    }
}

/// Asks why the person says no; an empty reason is none.
///
/// # Errors
/// When the prompt ends without one.
pub fn reason() -> Result<Option<String>, Stop> {
    let asked = Text::new("Why not? (optional)")
        .with_help_message("the agent is told; Enter to decline, Esc to go back");
    let text = prompt::show(|| asked.prompt())?;
    Ok(Some(text.trim().to_owned()).filter(|text| !text.is_empty()))
}

/// Shows an ask whole, and gives the moment since which it was.
///
/// # Errors
/// When the person left before its end, or the terminal fails.
pub async fn show(
    desk: &Desk,
    record: &AskRecord,
    over: &CancellationToken,
) -> Result<Timestamp, Stop> {
    let (record, desk, over) = (record.clone(), desk.clone(), over.clone());
    run_blocking(move || {
        let text = ask_text::render(&record, desk.now());
        if show_text::fits(&text) || !full_screen::is_possible() {
            return show_text::show(&text, || desk.now(), &over);
        }
        let look = Abilities::of_screen();
        let document = |width| ask_text::document(&record, &[], desk.now(), width, look);
        let shown_at = read_whole::read(document, || desk.now(), &over)?;
        ask_text::print_head(&record, desk.now());
        Ok(shown_at)
    })
    .await
}

/// Asks for the whole form of an ask that is in view since then. What is typed before it can have been
/// read is thrown away.
///
/// # Errors
/// When the terminal fails.
pub async fn fill(
    shell: &Shell,
    desk: &Desk,
    ask: &Ask,
    shown_at: Timestamp,
    over: &CancellationToken,
) -> anyhow::Result<Filled> {
    fill_from(shell, desk, ask, shown_at, Start::default(), over).await
}

/// As [`fill`], where some of it is known.
///
/// # Errors
/// When the terminal fails.
pub async fn fill_from(
    shell: &Shell,
    desk: &Desk,
    ask: &Ask,
    shown_at: Timestamp,
    start: Start,
    over: &CancellationToken,
) -> anyhow::Result<Filled> {
    let unread = time_to_read(shell, desk, ask, shown_at);
    let (form, over) = (ask.form.clone(), over.clone());
    let word = ask.dangerous.then(|| ask.word().to_owned());
    let start = start.for_ask(ask);
    run_blocking(move || match discard_input::discard_for(unread) {
        Err(Stop::Fault(error)) => Err(error.into()),
        Err(_) => Ok(Filled::Interrupted),
        Ok(()) => form::fill(&form, start, word.as_deref(), &over),
    })
    .await
}

/// Asks for the word of a dangerous ask that is in view since then, and gives it as it was typed. What is
/// typed before the ask can have been read is thrown away.
///
/// # Errors
/// When the prompt ends without it.
pub async fn word(
    shell: &Shell,
    desk: &Desk,
    ask: &Ask,
    shown_at: Timestamp,
) -> Result<String, Stop> {
    let unread = time_to_read(shell, desk, ask, shown_at);
    let word = ask.word().to_owned();
    run_blocking(move || {
        discard_input::discard_for(unread)?;
        prompt::word(&word, &CancellationToken::new())
    })
    .await
}

/// How much of the time that reading takes is left.
fn time_to_read(shell: &Shell, desk: &Desk, ask: &Ask, shown_at: Timestamp) -> Duration {
    let seen = desk.now().duration_since(shown_at);
    let seen = Duration::try_from(seen).unwrap_or_default();
    let reading = shell.config.settings().reading_time(ask.dangerous);
    reading.saturating_sub(seen)
}

/// Sends a reply; asks for the PIN where one is needed and a person is `here` to type it.
///
/// # Errors
/// When there is no such ask, or the record cannot be kept; then nothing was decided.
pub async fn send(
    desk: &Desk,
    id: AskId,
    from: &Replier,
    reply: Reply,
    review: Review,
    here: bool,
) -> anyhow::Result<Sent> {
    let mut from = from.clone();
    loop {
        let replied = desk.reply_with_review(id, from.clone(), reply.clone(), review.clone());
        let taken = match replied.await {
            Err(AskError::Pin(error)) => return Ok(Sent::Refused(error.to_string())),
            taken => taken?,
        };
        let again = match taken {
            ReplyResult::Settled(decision) => return Ok(Sent::Settled(decision)),
            ReplyResult::Late(decision) => return Ok(Sent::Late(decision)),
            ReplyResult::Invalid(errors) => return Ok(Sent::Invalid(errors)),
            ReplyResult::PinNeeded => "This is dangerous: it needs your PIN".to_owned(),
            ReplyResult::WrongPin { retry_after } if retry_after.is_zero() => {
                "Wrong PIN. Try again".to_owned()
            }
            ReplyResult::WrongPin { retry_after } => {
                let seconds = retry_after.as_secs().max(1);
                return Ok(Sent::Refused(format!(
                    "wrong PIN; wait {seconds} s, then try again"
                )));
            }
            ReplyResult::NotTaken(Refusal::InsideAgent(agent)) => {
                return Ok(Sent::Refused(format!(
                    "this command seems to be run by an agent: {agent}. The \
                     attempt is recorded. Answer it on the page (`holdpoint inbox --web`) or in a \
                     terminal of your own"
                )));
            }
            ReplyResult::NotTaken(refusal) => {
                return Ok(Sent::Refused(refusal.reason().to_owned()));
            }
            ReplyResult::Opened => {
                return Ok(Sent::Refused("the answer comes from the page".to_owned()));
            }
            _ => return Ok(Sent::Refused("nothing was decided by it".to_owned())),
        };
        if !here {
            return Ok(Sent::Refused(
                "a yes to it needs your PIN, which is typed at a terminal or on the page".into(),
            ));
        }
        match pin(again).await {
            Ok(pin) => from = from.with_pin(pin),
            Err(Stop::Interrupted) => return Ok(Sent::Interrupted),
            Err(Stop::Fault(error)) => return Err(error.into()),
            Err(_) => return Ok(Sent::Left),
        }
    }
}

/// Asks for the PIN at the controlling terminal.
///
/// # Errors
/// When the prompt ends without one.
pub async fn pin(title: String) -> Result<String, Stop> {
    let asked = move || {
        let asked = Password::new(&title)
            .without_confirmation()
            .with_display_mode(PasswordDisplayMode::Masked)
            .with_help_message("Enter to go on, Esc to leave");
        prompt::show(|| asked.prompt())
    };
    run_blocking(asked).await
}

/// Runs a prompt where it may block.
pub async fn run_blocking<T: Send + 'static>(prompt: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(prompt).await {
        Ok(done) => done,
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}
