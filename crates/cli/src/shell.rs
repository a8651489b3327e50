//! The desk of a command that a person runs in a shell.

use crate::{
    commands::serve::{build, page},
    config::{Config, ConfigError, Environment, Flags, JournalArgs},
    notify::Notifier,
    terminal::{detect_agent, person},
};
use holdpoint::{
    AskId, Channel, ChannelKind, Desk, PinPlace, Presence, Replier, journal,
    journal::{EventKind, JournalEngine, Write},
};
use holdpoint_ask::describe;
use jiff::Timestamp;
use serde_json::json;
use std::{
    path::{Path, PathBuf},
    sync::{Arc, Once},
};

/// What is set, and the record.
pub struct Shell {
    /// What is set.
    pub config: Config,
    /// The record.
    pub journal: Arc<dyn JournalEngine>,
    /// Where the person's PIN is.
    pin: PinPlace,
    /// The operating-system user.
    pub user: String,
    /// The agent whose mark is on this command, or on what runs it.
    pub agent: Option<String>,
    /// Why this command is not at a terminal of a person's, if it is not.
    pub no_terminal: Option<&'static str>,
}

impl Shell {
    /// Reads what is set, and opens the record, for a command that asks.
    ///
    /// # Errors
    /// When the configuration is wrong or the journal cannot be opened.
    pub async fn open(args: JournalArgs) -> anyhow::Result<Self> {
        let environment = Environment::from_process();
        let config = Config::load(&environment, Path::new("."), &args.flags())?;
        Self::over(environment, config).await
    }

    /// The same for a command that asks nobody: it is about the person's own record, and a mistake in
    /// the folder's configuration is no obstacle.
    ///
    /// # Errors
    /// When the rest of the configuration is wrong or the journal cannot be opened.
    pub async fn open_own(args: JournalArgs) -> anyhow::Result<Self> {
        let environment = Environment::from_process();
        let config = own_config(&environment, &args.flags())?;
        Self::over(environment, config).await
    }

    async fn over(environment: Environment, config: Config) -> anyhow::Result<Self> {
        let url = config.journal(&environment)?;
        Ok(Self {
            pin: build::pin_place(&environment, &url),
            journal: journal::open(&url).await?,
            config,
            user: person::user(),
            agent: detect_agent::find(&environment),
            no_terminal: person::why_no_terminal(),
        })
    }

    /// Why what is said here may be an agent's word: its marks, which count before the terminal
    /// does since a pseudo-terminal is easily had, or no terminal of a person's.
    pub fn inside_agent(&self) -> Option<&str> {
        self.agent.as_deref().or(self.no_terminal)
    }

    /// Whether a person is at this terminal, and no agent runs us in it.
    pub fn is_person_here(&self) -> bool {
        person::is_here() && self.inside_agent().is_none()
    }

    /// The inbox as a channel, unless it is off. Hooks notify of what it shows, but not
    /// a person who is `here` and sees it at once.
    pub fn inbox(&self, here: bool) -> Option<Arc<dyn Channel>> {
        // Where the page cannot be served, the inbox is still there in a terminal.
        let wanted = page::described(&self.config).ok().flatten()?;
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
        let mut desk = Desk::builder(self.journal.clone())
            .settings(self.config.settings())
            .pin_place(self.pin.clone());
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

    /// Refuses what only a person may do where an agent runs us, and records the attempt. Every
    /// command that answers or loosens something passes here first.
    ///
    /// # Errors
    /// When an agent runs us, with why it is refused; or when the record cannot be kept.
    pub async fn refuse_agents(&self, command: &str, why: &str) -> anyhow::Result<()> {
        self.refuse_agents_for(None, command, why).await
    }

    /// As [`Self::refuse_agents`], for what is about this ask.
    ///
    /// # Errors
    /// As there.
    pub async fn refuse_agents_for(
        &self,
        ask: Option<AskId>,
        command: &str,
        why: &str,
    ) -> anyhow::Result<()> {
        let Some(agent) = self.inside_agent() else {
            return Ok(());
        };
        self.record_attempt(ask, command, agent).await?;
        anyhow::bail!(
            "this command seems to be run by an agent: {agent}. {why}; the attempt is recorded. \
             Use the page, or a terminal of your own"
        );
    }

    /// Puts on record that an agent tried what only a person may do.
    ///
    /// # Errors
    /// When the record cannot be kept.
    pub async fn record_attempt(
        &self,
        ask: Option<AskId>,
        command: &str,
        agent: &str,
    ) -> anyhow::Result<()> {
        let note = Write::Note {
            call: None,
            ask,
            kind: EventKind::AgentAnswered,
            body: json!({ "command": command, "by": self.user, "agent": agent }),
            at: Timestamp::now(),
        };
        self.journal.commit(vec![note]).await?;
        Ok(())
    }

    /// The person here, replying through this channel, with what their reply itself shows of them.
    /// What can be told of the process is added.
    pub fn replier(&self, channel: ChannelKind, presence: Presence) -> Replier {
        let mut presence = presence.inside(self.agent.clone());
        presence.terminal = self.no_terminal.is_none();
        Replier::new(channel, Some(self.user.clone()), presence)
    }
}

/// What is set, for a command that is about the person's own record. Of a file of this folder with a mistake
/// nothing counts, which is said in a line on standard error.
///
/// # Errors
/// When anything else is wrong.
pub fn own_config(environment: &Environment, flags: &Flags) -> Result<Config, ConfigError> {
    static SAID: Once = Once::new();
    let (config, fault) = Config::load_around_workspace(environment, Path::new("."), flags)?;
    if let Some(fault) = fault {
        // Some commands read what is set twice.
        SAID.call_once(|| eprintln!(
            "holdpoint: this folder's own configuration is left out, and agents are not served here until it is \
             fixed: {}",
            describe::error_chain(&fault)
        ));
    }
    Ok(config)
}
