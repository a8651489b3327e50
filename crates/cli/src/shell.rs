//! The desk of a command that a person runs in a shell.

use crate::{
    commands::serve::{build, page},
    config::{Config, Environment, JournalArgs},
    notify::Notifier,
    terminal::person,
};
use holdpoint::{
    Channel, ChannelKind, Desk, Gesture, Presence, Replier, journal,
    journal::{EventKind, JournalEngine, Write},
};
use jiff::Timestamp;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// What is set, and the record.
pub struct Shell {
    /// What is set.
    pub config: Config,
    /// The record.
    pub journal: Arc<dyn JournalEngine>,
    /// The operating-system user.
    pub user: String,
    /// The agent that runs us, as far as one can tell.
    pub inside_agent: Option<String>,
}

impl Shell {
    /// Reads what is set, and opens the record.
    ///
    /// # Errors
    /// When the configuration is wrong or the journal cannot be opened.
    pub async fn open(args: JournalArgs) -> anyhow::Result<Self> {
        let environment = Environment::from_process();
        let config = Config::load(&environment, Path::new("."), &args.flags())?;
        let journal = journal::open(&config.journal(&environment)?).await?;
        Ok(Self {
            config,
            journal,
            user: person::user(),
            inside_agent: person::inside_agent(&environment),
        })
    }

    /// The inbox as a channel, unless it is off. Hooks notify of what it shows, but not
    /// a person who is `here` and sees it at once.
    pub fn inbox(&self, here: bool) -> Option<Arc<dyn Channel>> {
        // Where the page cannot be served, the inbox is still there in a terminal.
        let wanted = page::wanted(&self.config, true).ok().flatten()?;
        let inbox = page::channel(&wanted);
        if here {
            return Some(Arc::new(inbox));
        }
        let pages = inbox.clone();
        let notifier = Notifier::new(self.config.notify.clone());
        let notified = notifier.observe(Arc::new(inbox), move |ask| pages.ask_address(ask));
        Some(Arc::new(notified))
    }

    /// A desk over the record that shows its asks on these channels.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub async fn desk(&self, channels: Vec<Arc<dyn Channel>>) -> anyhow::Result<Desk> {
        let mut desk = Desk::builder(self.journal.clone()).settings(self.config.settings());
        for channel in channels {
            desk = desk.channel(channel);
        }
        Ok(desk.build().await?)
    }

    /// What no script may touch, wherever the workspace is.
    ///
    /// # Errors
    /// When it is not known where the record is.
    pub fn private(&self) -> anyhow::Result<Vec<PathBuf>> {
        let journal = self.config.journal(&Environment::from_process())?;
        Ok(build::private(&journal))
    }

    /// Refuses what only a person may do where an agent runs us, and records the attempt.
    ///
    /// # Errors
    /// When an agent runs us, with why it is refused; or when the record cannot be kept.
    pub async fn refuse_agents(&self, command: &str, why: &str) -> anyhow::Result<()> {
        let Some(agent) = &self.inside_agent else {
            return Ok(());
        };
        let note = Write::Note {
            call: None,
            ask: None,
            kind: EventKind::AgentAnswered,
            body: json!({ "command": command, "by": self.user, "agent": agent }),
            at: Timestamp::now(),
        };
        self.journal.commit(vec![note]).await?;
        anyhow::bail!(
            "this command seems to be run by an agent: {agent}. {why}; the attempt is recorded. \
             Use a terminal of your own"
        );
    }

    /// The person here, replying through this channel.
    pub fn replier(&self, channel: ChannelKind) -> Replier {
        let typed = Gesture::Word("confirm".to_owned());
        let presence = Presence::seen(Timestamp::UNIX_EPOCH, typed)
            .at_terminal()
            .inside(self.inside_agent.clone());
        Replier::new(channel, Some(self.user.clone()), presence)
    }
}
