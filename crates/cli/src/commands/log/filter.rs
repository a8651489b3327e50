//! Which asks are meant.

use super::Record;
use crate::times;
use clap::{Args, builder::PossibleValuesParser};
use holdpoint::{
    ChannelKind,
    journal::{Search, Status, search::When},
};
use std::time::Duration;

/// Which asks are meant: everything that is said must hold.
#[derive(Debug, Clone, Default, Args)]
pub struct FilterArgs {
    /// Words to search for; quote a phrase.
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,

    /// Text in the server's name.
    #[arg(long, value_name = "TEXT")]
    pub server: Option<String>,

    /// Text in the tool's name.
    #[arg(long, value_name = "TEXT")]
    pub tool: Option<String>,

    /// Text in the client's name and version.
    #[arg(long, value_name = "TEXT")]
    pub client: Option<String>,

    /// How it ended; separate several with commas. `pending` stands for open ones.
    #[arg(long, value_name = "OUTCOME", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Status::ALL.map(Status::as_str)))]
    pub outcome: Vec<String>,

    /// The channel through which it was answered: client, url, inbox, terminal, cli, preset, token, or the
    /// name of a channel that a server brings along.
    #[arg(long, value_name = "CHANNEL")]
    pub channel: Option<ChannelKind>,

    /// Asked at this time or later: 2h, 3d, today, yesterday, 2026-11-01, 2026-11-01T14:30.
    #[arg(long, value_name = "TIME")]
    pub since: Option<When>,

    /// Asked before this time, or up to the end of this day.
    #[arg(long, value_name = "TIME")]
    pub until: Option<When>,

    /// Took longer than this from asking to deciding: 30s, 5m, 2h.
    #[arg(long, value_name = "TIME", value_parser = times::duration)]
    pub slower_than: Option<Duration>,
}

impl FilterArgs {
    /// What was said of it, if anything was, as an option.
    pub fn said(&self) -> Option<&'static str> {
        let said = [
            (!self.words.is_empty(), "the words"),
            (self.server.is_some(), "--server"),
            (self.tool.is_some(), "--tool"),
            (self.client.is_some(), "--client"),
            (!self.outcome.is_empty(), "--outcome"),
            (self.channel.is_some(), "--channel"),
            (self.since.is_some(), "--since"),
            (self.until.is_some(), "--until"),
            (self.slower_than.is_some(), "--slower-than"),
        ];
        let said = said.into_iter().find(|(is_said, _)| *is_said);
        said.map(|(_, name)| name)
    }

    /// The search that it means, here and now.
    ///
    /// # Errors
    /// When a time is beyond what a calendar has.
    pub fn search(&self, record: &Record) -> anyhow::Result<Search> {
        let (since, until) = times::range(self.since, self.until, record.now, &record.zone)?;
        Ok(Search {
            words: self.words.clone(),
            server: self.server.clone(),
            tool: self.tool.clone(),
            client: self.client.clone(),
            status: self
                .outcome
                .iter()
                .filter_map(|word| Status::parse(word))
                .collect(),
            channel: self.channel,
            since,
            until,
            slower_than: self.slower_than,
            ..Search::default()
        })
    }
}
