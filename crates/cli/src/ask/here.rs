//! Asking in this terminal, while every other surface can answer too.

use crate::{
    shell::Shell,
    terminal::{
        self,
        form::Filled,
        prompt::Stop,
        reply::{self, Choice, Sent, off_the_runtime},
        sheet,
    },
};
use futures::{FutureExt, future::BoxFuture};
use holdpoint::{
    Answer, Ask, Channel, ChannelKind, Decided, Delivery, Desk, Lost, Opened, Reply, Showing,
    journal::AskRecord,
};
use jiff::Timestamp;
use tokio_util::sync::CancellationToken;

/// This terminal as a channel: it reaches its person, who is prompted beside the desk.
#[derive(Debug)]
pub struct AtTerminal(pub String);

impl Channel for AtTerminal {
    fn kind(&self) -> ChannelKind {
        ChannelKind::Terminal
    }

    fn reaches(&self, _: &Ask) -> bool {
        true
    }

    fn answers_as(&self) -> Option<String> {
        Some(self.0.clone())
    }

    fn deliver(&self, _: Showing) -> BoxFuture<'static, Result<Delivery, Lost>> {
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

/// How the person at this terminal left it.
enum Here {
    /// The reply is taken.
    Replied,
    /// It waits for an answer from elsewhere.
    Parked,
    /// They took the question back.
    Withdrawn,
}

/// Prompts for the answer until there is one, from here or elsewhere.
pub async fn wait(
    shell: &Shell,
    desk: &Desk,
    opened: &mut Opened,
    stop: impl Future<Output = ()>,
) -> anyhow::Result<Decided<Answer>> {
    tokio::pin!(stop);
    let Some(record) = desk.journal().ask(opened.id()).await? else {
        return Ok(opened.decided().await?);
    };
    anstream::eprint!("{}", sheet::whole(&record, Timestamp::now()));
    let over = CancellationToken::new();
    let here = tokio::select! {
        biased;
        decided = opened.decided() => {
            // The prompt still waits for a key; it ends with the process.
            over.cancel();
            terminal::release();
            return Ok(decided?);
        }
        () = &mut stop => Here::Withdrawn,
        here = prompt(shell, desk, &record, &over) => here?,
    };
    match here {
        Here::Replied => return Ok(opened.decided().await?),
        Here::Withdrawn => terminal::release(),
        Here::Parked => {
            eprintln!("It waits in the inbox; Ctrl-C takes it back.");
            tokio::select! {
                biased;
                decided = opened.decided() => return Ok(decided?),
                () = stop => {}
            }
        }
    }
    opened.withdraw().await;
    Ok(opened.decided().await?)
}

async fn prompt(
    shell: &Shell,
    desk: &Desk,
    record: &AskRecord,
    over: &CancellationToken,
) -> anyhow::Result<Here> {
    let replier = shell.replier(ChannelKind::Terminal);
    loop {
        let reply = match reply::fill(&record.ask, over).await? {
            Filled::Accepted(content) => Reply::Accept { content },
            Filled::Interrupted => return Ok(Here::Withdrawn),
            Filled::Over => return Ok(Here::Parked),
            Filled::Left => match left().await? {
                Some(Ok(reply)) => reply,
                Some(Err(here)) => return Ok(here),
                None => continue,
            },
        };
        match reply::send(desk, record.id, &replier, reply, true).await? {
            Sent::Settled(_) | Sent::Late(_) => return Ok(Here::Replied),
            Sent::Interrupted => return Ok(Here::Withdrawn),
            Sent::Invalid(errors) => {
                for error in errors {
                    terminal::complain(&error.to_string());
                }
            }
            Sent::Refused(why) => terminal::complain(&why),
            Sent::Left => {}
        }
    }
}

/// What a person does who left the form: a reply, another end, or they go on.
async fn left() -> anyhow::Result<Option<Result<Reply, Here>>> {
    let choices = vec![
        Choice::Answer,
        Choice::Decline,
        Choice::Dismiss,
        Choice::Back,
    ];
    let chosen = off_the_runtime(move || match reply::choose(choices)? {
        Choice::Decline => Ok(Some(Ok(Reply::Decline {
            reason: reply::reason()?,
        }))),
        Choice::Dismiss => Ok(Some(Ok(Reply::Cancel))),
        Choice::Back => Ok(Some(Err(Here::Parked))),
        Choice::Answer | Choice::Longer => Ok(None),
    });
    match chosen.await {
        Ok(chosen) => Ok(chosen),
        Err(Stop::Interrupted) => Ok(Some(Err(Here::Withdrawn))),
        Err(Stop::Fault(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}
