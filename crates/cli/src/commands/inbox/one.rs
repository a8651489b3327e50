//! One ask: reading it and answering.

use crate::{
    shell::Shell,
    terminal::{
        self,
        ask_watcher::AskWatcher,
        form::Filled,
        prompt::{self, Stop},
        reply::{self, Choice, Sent, run_blocking},
    },
};
use holdpoint::{AskId, ChannelKind, Desk, Gesture, Presence, Reply, journal::AskRecord};
use holdpoint_ask::{describe, review::Review};
use inquire::Select;
use jiff::{SignedDuration, Timestamp};

/// What comes next.
#[derive(Debug)]
pub enum Next {
    /// The list again, with what was done.
    List(String),
    /// The end.
    End,
}

/// Shows an ask, and takes what the person does with it.
pub async fn answer(shell: &Shell, desk: &Desk, id: AskId) -> anyhow::Result<Next> {
    let watcher = AskWatcher::new(desk, id);
    let choices = [
        Choice::Answer,
        Choice::Decline,
        Choice::Dismiss,
        Choice::Longer,
        Choice::Back,
    ];
    loop {
        let Some(record) = desk.journal().ask(id).await? else {
            return Ok(Next::List("That ask is not in the record.".into()));
        };
        if let Some(decision) = &record.decision {
            return Ok(Next::List(describe::decision_on(
                &record.ask.form,
                decision,
            )));
        }
        eprintln!();
        let shown_at = match reply::show(desk, &record, &watcher.over).await {
            Ok(shown_at) => shown_at,
            Err(Stop::Over) => continue,
            Err(Stop::Left) => return Ok(Next::List(String::new())),
            Err(Stop::Interrupted) => return Ok(Next::End),
            Err(Stop::Fault(error)) => return Err(error.into()),
        };
        let chosen = run_blocking(move || reply::choose(choices.to_vec())).await;
        if watcher.over.is_cancelled() {
            continue;
        }
        let done = match chosen {
            Ok(choice) => Box::pin(act(shell, desk, &record, shown_at, choice, &watcher)).await?,
            Err(Stop::Fault(error)) => return Err(error.into()),
            Err(_) => Done::Ended,
        };
        match done {
            Done::Again => {}
            Done::Back(said) => return Ok(Next::List(said)),
            Done::Ended => return Ok(Next::End),
        }
    }
}

/// What came of one thing that the person did.
enum Done {
    Again,
    Back(String),
    Ended,
}

async fn act(
    shell: &Shell,
    desk: &Desk,
    record: &AskRecord,
    shown_at: Timestamp,
    choice: Choice,
    watcher: &AskWatcher,
) -> anyhow::Result<Done> {
    let mut gesture = Gesture::Chosen;
    let reply = match choice {
        Choice::Back => return Ok(Done::Back(String::new())),
        Choice::Longer => return longer(shell, desk, record).await,
        Choice::Dismiss => Reply::Cancel,
        Choice::Decline => match run_blocking(reply::reason).await {
            Ok(reason) => Reply::Decline { reason },
            Err(Stop::Interrupted) => return Ok(Done::Ended),
            Err(Stop::Fault(error)) => return Err(error.into()),
            Err(_) => return Ok(Done::Again),
        },
        Choice::Answer => {
            match reply::fill(shell, desk, &record.ask, shown_at, &watcher.over).await? {
                Filled::Accepted(content, given) => {
                    gesture = given;
                    Reply::Accept { content }
                }
                Filled::Interrupted => return Ok(Done::Ended),
                Filled::Left | Filled::Over => return Ok(Done::Again),
            }
        }
    };
    let presence = Presence::seen(shown_at, gesture);
    let replier = shell.replier(ChannelKind::Terminal, presence);
    let sent = reply::send(desk, record.id, &replier, reply, Review::default(), true);
    Ok(match Box::pin(watcher.by_us(sent)).await? {
        Sent::Settled(decision) => Done::Back(describe::decision_on(&record.ask.form, &decision)),
        Sent::Late(decision) => Done::Back(format!(
            "Too late. {}",
            describe::decision_on(&record.ask.form, &decision)
        )),
        Sent::Interrupted => Done::Ended,
        Sent::Left => Done::Again,
        Sent::Refused(why) => {
            terminal::print_error(&format!("Nothing was decided: {why}."));
            Done::Again
        }
        Sent::Invalid(errors) => {
            for error in errors {
                terminal::print_error(&error.to_string());
            }
            Done::Again
        }
    })
}

async fn longer(shell: &Shell, desk: &Desk, record: &AskRecord) -> anyhow::Result<Done> {
    let Some(deadline) = record.deadline_at else {
        return Ok(Done::Back("It has no deadline: take your time.".into()));
    };
    let spans = [("10 minutes", 10), ("an hour", 60), ("a day", 24 * 60)];
    let picked = run_blocking(move || {
        let list = Select::new("How much longer?", spans.map(|(words, _)| words).to_vec())
            .without_filtering();
        prompt::show(|| list.raw_prompt())
    });
    let minutes = match picked.await {
        Ok(picked) => spans[picked.index].1,
        Err(Stop::Interrupted) => return Ok(Done::Ended),
        Err(Stop::Fault(error)) => return Err(error.into()),
        Err(_) => return Ok(Done::Again),
    };
    let from = deadline.max(desk.now());
    let until = from.checked_add(SignedDuration::from_mins(minutes))?;
    Ok(if desk.extend(record.id, Some(until), &shell.user).await? {
        Done::Again
    } else {
        Done::Back("It has already ended.".into())
    })
}
