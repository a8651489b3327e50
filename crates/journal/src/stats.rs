//! Counts over asks: how many, how they ended, how fast people were.

use jiff::{Timestamp, civil::Date};
use serde::Serialize;

mod tally;

pub use tally::{Fact, Tally};

/// How many asks there were, by what, how they ended, and how fast they were answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Stats {
    /// How many asks were counted.
    pub asks: u64,
    /// When the first of them was opened.
    pub first: Option<Timestamp>,
    /// When the last of them was opened.
    pub last: Option<Timestamp>,
    /// By the server and its tool that asked, most first; no name for an ask without a tool.
    pub by_tool: Vec<Count>,
    /// By the server that asked, most first; no name for an ask without one.
    pub by_server: Vec<Count>,
    /// By the agent's client with its version, most first; no name for an ask without one.
    pub by_client: Vec<Count>,
    /// By their status, most first.
    pub by_outcome: Vec<Count>,
    /// By the channel that the answer came through, most first; those that no reply ended are not
    /// in it.
    pub by_channel: Vec<Count>,
    /// By the hour of the day in which they were opened, from 0 to 23.
    pub by_hour: Vec<u64>,
    /// By the day on which they were opened: every day from the first to the last, or the latest
    /// 366 of them.
    pub by_day: Vec<Day>,
    /// How they ended, all together.
    #[serde(flatten)]
    pub ended: Ended,
    /// How many answers came faster than a person can read.
    pub fast: u64,
}

/// How many asks share a tool, a server, a client, an outcome or a channel.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Count {
    /// Whose tool it is: tools of two servers can have one name. None for what is no tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// Which one.
    pub name: Option<String>,
    /// How many.
    pub asks: u64,
    /// How they ended.
    #[serde(flatten)]
    pub ended: Ended,
}

/// How many asks were opened on a day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Day {
    /// The day.
    pub day: Date,
    /// How many.
    pub asks: u64,
    /// How they ended.
    #[serde(flatten)]
    pub ended: Ended,
}

/// How asks ended, and how long people took over them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Ended {
    /// How many ended, in whatever way: all but the open ones.
    #[serde(rename = "ended")]
    pub asks: u64,
    /// How many of them got a valid answer. To a yes or a no that is a yes; to a choice it is any choice.
    pub accepted: u64,
    /// How many deadlines passed.
    pub timed_out: u64,
    /// Which part of those that ended was accepted, from 0 to 1 to four places; none where none ended.
    pub success_rate: Option<f64>,
    /// Which part of those that ended timed out.
    pub timed_out_rate: Option<f64>,
    /// How long people took; none where nobody answered.
    pub response: Option<Response>,
}

/// How long it took from opening an ask to a person's reply. Answers given beforehand are not
/// counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Response {
    /// How many replies.
    pub answered: u64,
    /// Half of them took no longer.
    pub p50_ms: u64,
    /// Nine of ten took no longer.
    pub p90_ms: u64,
    /// What they took on average.
    pub mean_ms: u64,
}
