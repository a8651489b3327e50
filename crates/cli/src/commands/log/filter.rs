//! Which asks are meant.

use super::{Record, times};
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
    #[arg(long, value_name = "TIME", value_parser = super::times::duration)]
    pub slower_than: Option<Duration>,
}

impl FilterArgs {
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
