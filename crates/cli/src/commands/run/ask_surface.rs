//! The asks of a run: answered beforehand, prompted for here, or left to the inbox.

use super::{answers::Answers, screen::Screen};
use crate::{
    observed_channel::ObservedChannel,
    shell::Shell,
    terminal::{
        self,
        ask_watcher::AskWatcher,
        prompt_ask::{self, PromptEnd},
    },
};
use futures::{
    FutureExt,
    future::{BoxFuture, OptionFuture},
};
use holdpoint::{
    Ask, AskId, Channel, ChannelKind, Delivery, DeliveryError, Desk, FlowRun, Presence, Reply,
    ReplyResult, Showing,
};
use rmcp::{ErrorData, model::CallToolResult};
use std::{
    collections::{HashSet, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::mpsc;

/// Where the asks of a run are shown, and how the run hears of them.
pub struct Surface {
    /// The channels of its desk.
    pub channels: Vec<Arc<dyn Channel>>,
    /// A person is at this terminal.
    pub here: bool,
    answers: Arc<Mutex<Answers>>,
    shows: mpsc::UnboundedReceiver<Showing>,
}

/// How a run ended.
pub struct Ended {
    /// What the script ended with.
    pub result: Result<CallToolResult, ErrorData>,
    /// The answers that were given beforehand and not asked for.
    pub unused: Vec<String>,
    /// What is wrong with an answer that was given beforehand.
    pub wrong: Option<String>,
}

impl Surface {
    /// The inbox, unless it is off; this terminal, if a person is `here`; and the answers.
    pub fn new(shell: &Shell, here: bool, answers: Answers) -> Self {
        let answers = Arc::new(Mutex::new(answers));
        let (tell, shows) = mpsc::unbounded_channel();
        let mut channels: Vec<Arc<dyn Channel>> = Vec::new();
        if let Some(inbox) = shell.inbox(here) {
            let tell = tell.clone();
            channels.push(Arc::new(ObservedChannel::new(inbox, move |showing| {
                let _ = tell.send(showing.clone());
            })));
        }
        channels.push(Arc::new(TerminalChannel {
            here,
            answers: answers.clone(),
            tell,
        }));
        Self {
            channels,
            here,
            answers,
            shows,
        }
    }

    /// Answers what the run asks, as far as that is done here, until it ends.
    ///
    /// # Errors
    /// When the terminal fails, or the record cannot be kept.
    pub async fn attend(
        mut self,
        shell: &Shell,
        desk: &Desk,
        screen: &Screen,
        run: &FlowRun,
        stop: impl Future<Output = ()>,
    ) -> anyhow::Result<Ended> {
        tokio::pin!(stop);
        let mut stopped = false;
        let mut wrong = None;
        let mut seen = HashSet::new();
        let mut waiting: VecDeque<Showing> = VecDeque::new();
        let mut prompting: Option<BoxFuture<'_, anyhow::Result<(AskId, PromptEnd)>>> = None;
        let ended = run.ended();
        tokio::pin!(ended);
        let result = loop {
            if prompting.is_none()
                && let Some(next) = waiting.pop_front()
            {
                screen.hold();
                prompting = Some(prompt(shell, desk, next).boxed());
            }
            let prompted: OptionFuture<_> = prompting.as_mut().into();
            tokio::select! {
                biased;
                result = &mut ended => break result,
                () = &mut stop, if !stopped => {
                    stopped = true;
                    run.withdraw().await;
                }
                Some(left) = prompted => {
                    let (id, left) = left?;
                    prompting = None;
                    screen.go_on();
                    match left {
                        PromptEnd::Replied => {}
                        PromptEnd::Parked if run.open_asks().contains(&id) => {
                            screen.say("It waits in the inbox; Ctrl-C withdraws it.");
                        }
                        PromptEnd::Parked => {}
                        PromptEnd::Withdrawn => run.withdraw().await,
                    }
                }
                Some(showing) = self.shows.recv() => {
                    if !seen.insert(showing.id()) {
                        continue;
                    }
                    match beforehand(&self.answers, shell, desk, screen, &showing).await? {
                        Beforehand::Answered => {}
                        Beforehand::Wrong(why) => {
                            wrong = Some(why);
                            run.withdraw().await;
                        }
                        Beforehand::No if self.here => waiting.push_back(showing),
                        Beforehand::No => screen.say(&format!(
                            "Waiting in the inbox: `holdpoint inbox`, or holdpoint answer {}",
                            showing.id()
                        )),
                    }
                }
            }
        };
        if prompting.is_some() {
            // The prompt still waits for a key; it ends with the process.
            terminal::release();
        }
        let unused = lock(&self.answers).unused();
        Ok(Ended {
            result,
            unused,
            wrong,
        })
    }
}

async fn prompt(
    shell: &Shell,
    desk: &Desk,
    showing: Showing,
) -> anyhow::Result<(AskId, PromptEnd)> {
    let id = showing.id();
    let watcher = AskWatcher::new(desk, id);
    let record = desk.journal().ask(id).await?;
    let Some(record) = record.filter(|record| record.decision.is_none()) else {
        return Ok((id, PromptEnd::Replied));
    };
    let prompt = prompt_ask::prompt(shell, desk, &record, &watcher.over, Some(&watcher));
    let left = Box::pin(prompt).await?;
    Ok((id, left))
}

/// What an answer that was given beforehand came to.
enum Beforehand {
    Answered,
    /// There is none, or it may not be used.
    No,
    Wrong(String),
}

async fn beforehand(
    answers: &Mutex<Answers>,
    shell: &Shell,
    desk: &Desk,
    screen: &Screen,
    showing: &Showing,
) -> anyhow::Result<Beforehand> {
    let (key, ask) = (showing.key(), showing.ask());
    let (covered, taken) = {
        let mut answers = lock(answers);
        let covered = answers.cover(key, ask);
        (covered, answers.take(key, ask))
    };
    let Some(content) = taken else {
        return Ok(Beforehand::No);
    };
    let not_used = |why: &str| {
        screen.say(&format!(
            "The answer to {key:?} that was given beforehand is not used: {why}."
        ));
    };
    // The desk refuses for itself what is dangerous.
    if !covered && !ask.dangerous {
        not_used("it is a secret, and secrets are typed");
        return Ok(Beforehand::No);
    }
    let content = match content {
        Ok(content) => content,
        Err(why) => return Ok(Beforehand::Wrong(format!("the answer to {key:?}: {why}"))),
    };
    let replier = shell.replier(ChannelKind::Preset, Presence::default());
    let taken = desk.reply(showing.id(), replier, Reply::Accept { content });
    Ok(match taken.await? {
        ReplyResult::Settled(_) | ReplyResult::Late(_) => Beforehand::Answered,
        ReplyResult::Invalid(errors) => {
            let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
            Beforehand::Wrong(format!(
                "the answer to {key:?} does not fit: {}",
                errors.join(" ")
            ))
        }
        ReplyResult::NotTaken(_) => {
            not_used("it is dangerous, so a person is asked");
            Beforehand::No
        }
        _ => Beforehand::No,
    })
}

/// The person at this terminal, and answers given beforehand, as a channel.
#[derive(Debug)]
struct TerminalChannel {
    here: bool,
    answers: Arc<Mutex<Answers>>,
    tell: mpsc::UnboundedSender<Showing>,
}

impl Channel for TerminalChannel {
    fn kind(&self) -> ChannelKind {
        if self.here {
            ChannelKind::Terminal
        } else {
            ChannelKind::Preset
        }
    }

    fn reaches(&self, ask: &Ask) -> bool {
        let given = |id: &str| lock(&self.answers).reach(id, ask);
        self.here || ask.key.as_deref().is_some_and(given)
    }

    fn deliver(&self, showing: Showing) -> BoxFuture<'static, Result<Delivery, DeliveryError>> {
        let _ = self.tell.send(showing);
        std::future::ready(Ok(Delivery::Parked)).boxed()
    }
}

fn lock(answers: &Mutex<Answers>) -> MutexGuard<'_, Answers> {
    answers.lock().unwrap_or_else(PoisonError::into_inner)
}
