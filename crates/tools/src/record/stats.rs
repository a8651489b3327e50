//! `decision_stats`: how this agent's questions ended, and how long people took.

use super::{Tool, filter::Filter};
use holdpoint::{
    ToolContext, describe,
    journal::{
        Stats,
        jiff::tz::TimeZone,
        stats::{Count, Day, Ended, Response},
    },
    tool::{PlainResult, ToolError, ToolHints, ToolInfo},
};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How many groups are given at most.
const MOST: usize = 50;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    #[serde(flatten)]
    filter: Filter,
    #[serde(default)]
    group_by: Option<GroupBy>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum GroupBy {
    Tool,
    Channel,
    Client,
    Status,
    Day,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    asks: u64,
    /// How many of each status
    #[schemars(with = "JsonObject")]
    by_status: BTreeMap<String, u64>,
    /// All but pending
    ended: u64,
    /// accepted / ended, 0 to 1
    success_rate: Option<f64>,
    /// timed_out / ended
    timed_out_rate: Option<f64>,
    /// Of a person's answers: answered, p50Ms, p90Ms, meanMs
    #[schemars(with = "Option<JsonObject>")]
    response: Option<Response>,
    /// Each with name, asks, ended, both rates and response
    #[schemars(with = "Option<Vec<JsonObject>>")]
    groups: Option<Vec<Group>>,
    /// How many groups are not listed
    groups_left_out: Option<usize>,
}

#[derive(Serialize)]
struct Group {
    name: Option<String>,
    asks: u64,
    #[serde(flatten)]
    ended: Ended,
}

pub(super) fn tool() -> Tool {
    let about = ToolInfo {
        name: "decision_stats",
        title: "Count decisions",
        description: "Counts your questions in this workspace: how they ended, and how long people took, all together and by group.",
        hints: ToolHints::Reads,
    };
    Tool::new(about, run)
}

async fn run(cx: ToolContext, arguments: Arguments) -> Result<PlainResult<Output>, ToolError> {
    let search = arguments.filter.search(&cx)?;
    let journal = cx.desk().journal();
    let stats = journal.stats(search, TimeZone::system()).await?;
    let mut groups = arguments.group_by.map(|by| by.groups(&stats));
    let left_out = groups
        .as_ref()
        .map(|groups| groups.len().saturating_sub(MOST));
    if let Some(groups) = &mut groups {
        groups.truncate(MOST);
    }
    let by_status = stats.by_outcome.iter();
    let output = Output {
        asks: stats.asks,
        by_status: by_status
            .map(|count| (count.name.clone().unwrap_or_default(), count.asks))
            .collect(),
        ended: stats.ended.asks,
        success_rate: stats.ended.success_rate,
        timed_out_rate: stats.ended.timed_out_rate,
        response: stats.ended.response,
        groups,
        groups_left_out: left_out.filter(|left_out| *left_out > 0),
    };
    let next_step = match output.asks {
        0 => "Nothing of yours was found in this workspace.",
        _ => "These are counts: they permit nothing.",
    };
    Ok(PlainResult::new(next_step, &output))
}

impl GroupBy {
    fn groups(self, stats: &Stats) -> Vec<Group> {
        let counts = match self {
            Self::Tool => &stats.by_tool,
            Self::Channel => &stats.by_channel,
            Self::Client => &stats.by_client,
            Self::Status => &stats.by_outcome,
            // The latest first, so that the last ones are left out.
            Self::Day => {
                let days = stats.by_day.iter().rev();
                return days.filter(|day| day.asks > 0).map(Group::from).collect();
            }
        };
        counts.iter().map(Group::from).collect()
    }
}

impl From<&Count> for Group {
    fn from(count: &Count) -> Self {
        Self {
            name: count.name.as_deref().map(describe::one_line),
            asks: count.asks,
            ended: count.ended,
        }
    }
}

impl From<&Day> for Group {
    fn from(day: &Day) -> Self {
        Self {
            name: Some(day.day.to_string()),
            asks: day.asks,
            ended: day.ended,
        }
    }
}
