//! Prompting for an ask at this terminal, while every other surface can answer too.

use super::{
    ask_watcher::AskWatcher,
    form::Filled,
    print_error,
    prompt::Stop,
    reply::{self, Choice, Sent, run_blocking},
};
use crate::shell::Shell;
use holdpoint::{ChannelKind, Desk, Gesture, Presence, Reply, journal::AskRecord};
use holdpoint_ask::review::Review;
use tokio_util::sync::CancellationToken;

/// How the person at this terminal left an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptEnd {
    /// The reply is taken.
    Replied,
    /// It waits for an answer from elsewhere.
    Parked,
    /// They took the question back.
    Withdrawn,
}

/// Shows the ask whole, and prompts until there is a reply, or the person leaves it. With a `watcher`, their own reply
/// is not announced to them as somebody else's.
///
/// # Errors
/// When the terminal fails, or the record cannot be kept; then nothing was decided.
pub async fn prompt(
    shell: &Shell,
    desk: &Desk,
    record: &AskRecord,
    over: &CancellationToken,
    watcher: Option<&AskWatcher>,
) -> anyhow::Result<PromptEnd> {
    let mut shown_at = None;
    loop {
        let filled = match shown_at {
            Some(shown_at) => reply::fill(shell, desk, &record.ask, shown_at, over).await?,
            None => match reply::show(desk, record, over).await {
                Ok(at) => {
                    shown_at = Some(at);
                    desk.note_shown(record.id, ChannelKind::Terminal, Some(&shell.user))
                        .await?;
                    continue;
                }
                Err(Stop::Left) => Filled::Left,
                Err(Stop::Interrupted) => Filled::Interrupted,
                Err(Stop::Over) => Filled::Over,
                Err(Stop::Fault(error)) => return Err(error.into()),
            },
        };
        let mut presence = Presence::default();
        presence.shown_at = shown_at;
        presence.gesture = Some(Gesture::Chosen);
        let reply = match filled {
            Filled::Accepted(content, gesture) => {
                presence.gesture = Some(gesture);
                Reply::Accept { content }
            }
            Filled::Interrupted => return Ok(PromptEnd::Withdrawn),
            Filled::Over => return Ok(PromptEnd::Parked),
            Filled::Left => match left().await? {
                Some(Ok(reply)) => reply,
                Some(Err(here)) => return Ok(here),
                None => continue,
            },
        };
        let replier = shell.replier(ChannelKind::Terminal, presence);
        let sent = reply::send(desk, record.id, &replier, reply, Review::default(), true);
        let sent = match watcher {
            Some(watcher) => Box::pin(watcher.by_us(sent)).await?,
            None => sent.await?,
        };
        match sent {
            Sent::Settled(_) | Sent::Late(_) => return Ok(PromptEnd::Replied),
            Sent::Interrupted => return Ok(PromptEnd::Withdrawn),
            Sent::Invalid(errors) => {
                for error in errors {
                    print_error(&error.to_string());
                }
            }
            Sent::Refused(why) => print_error(&why),
            Sent::Left => {}
        }
    }
}

/// What a person does who left the form: a reply, another end, or they go on.
async fn left() -> anyhow::Result<Option<Result<Reply, PromptEnd>>> {
    let choices = vec![
        Choice::Answer,
        Choice::Decline,
        Choice::Dismiss,
        Choice::Back,
    ];
    let chosen = run_blocking(move || match reply::choose(choices)? {
        Choice::Decline => Ok(Some(Ok(Reply::Decline {
            reason: reply::reason()?,
        }))),
        Choice::Dismiss => Ok(Some(Ok(Reply::Cancel))),
        Choice::Back => Ok(Some(Err(PromptEnd::Parked))),
        Choice::Answer | Choice::Longer => Ok(None),
    });
    match chosen.await {
        Ok(chosen) => Ok(chosen),
        Err(Stop::Interrupted) => Ok(Some(Err(PromptEnd::Withdrawn))),
        Err(Stop::Fault(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}
