//! Which asks an agent means.

use holdpoint::{
    ChannelKind, ToolContext,
    journal::{
        Search,
        jiff::{Timestamp, tz::TimeZone},
        search::When,
    },
    tool::ToolError,
};
use schemars::JsonSchema;
use serde::Deserialize;

/// The longest text that is searched for, in characters.
const LONGEST: usize = 500;

/// What an agent says about the asks that it means. Everything that is said must hold.
#[derive(Deserialize, JsonSchema)]
pub(super) struct Filter {
    /// Words; quote a phrase
    #[serde(default)]
    text: Option<String>,
    /// Part of the tool's name
    #[serde(default)]
    tool: Option<String>,
    #[serde(default)]
    channel: Option<String>,
    /// 7d, today, 2026-11-01 or a date-time
    #[serde(default)]
    from: Option<String>,
    /// The same; through that day
    #[serde(default)]
    until: Option<String>,
}

impl Filter {
    /// The search that it means now, among what this caller may see.
    pub fn search(self, cx: &ToolContext) -> Result<Search, ToolError> {
        let (now, zone) = (cx.desk().now(), TimeZone::system());
        let from = moment("from", self.from, |when| when.start(now, &zone))?;
        let until = moment("until", self.until, |when| when.end(now, &zone))?;
        if from.zip(until).is_some_and(|(from, until)| until <= from) {
            return Err(ToolError::argument("until", "is not after `from`"));
        }
        let text = self.text.unwrap_or_default();
        if text.chars().count() > LONGEST {
            let what = format!("is longer than {LONGEST} characters");
            return Err(ToolError::argument("text", what));
        }
        let channel = self.channel.map(|name| name.parse::<ChannelKind>());
        let channel = channel.transpose().map_err(|error| {
            let what = format!("expected client, inbox, terminal or another channel: {error}");
            ToolError::argument("channel", what)
        })?;
        Ok(Search {
            seen_by: Some(cx.origin().clone()),
            words: Search::split(&text),
            tool: self.tool,
            channel,
            since: from,
            until,
            ..Search::default()
        })
    }
}

fn moment<E>(
    name: &str,
    text: Option<String>,
    at: impl Fn(When) -> Result<Timestamp, E>,
) -> Result<Option<Timestamp>, ToolError> {
    let Some(text) = text else { return Ok(None) };
    let when: When = text
        .trim()
        .parse()
        .map_err(|expected: String| ToolError::argument(name, expected))?;
    let found = at(when).map_err(|_| ToolError::argument(name, "is out of range"))?;
    Ok(Some(found))
}
