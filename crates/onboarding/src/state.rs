//! Where the take-over of a file stands, as the journal has it.

use super::{
    folder::Folder,
    text::analysis::{Pattern, Problem},
};
use crate::Flow;
use holdpoint::tool::ToolError;
use holdpoint::{CallId, Digest, GrantId};
use holdpoint_workspace::Workspace;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where the take-over stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    #[default]
    NotStarted,
    Analyzed,
    Proposed,
    Approved,
    Completed,
    Rejected,
    Skipped,
}

/// Everything that is known, recorded whole at each change.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Record {
    pub status: Status,
    pub pattern: Option<Pattern>,
    /// When the state became what it is, by its name.
    pub times: Times,
    /// The first of them; `problem_count` says how many there are.
    pub problems: Vec<Problem>,
    pub problem_count: usize,
    /// The digest of what was analysed; none where there was no file.
    pub source: Option<Digest>,
    pub proposal: Option<Proposal>,
    /// What a person's approval gave; good once.
    pub grant: Option<GrantId>,
    /// A write to the file that was begun; what became of it is seen at the file.
    pub begun: Option<Begun>,
    /// The migration that can be rolled back.
    pub migration: Option<Migration>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Times {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analyzed: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proposed: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approved: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rolled_back: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Proposal {
    pub title: String,
    pub summary: String,
    pub steps: Vec<String>,
    pub risk: Risk,
    /// None where there is no file: the proposal is to create it.
    pub source_digest: Option<Digest>,
    pub result_digest: Digest,
    /// The files that the text of a new one speaks of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<String>,
    /// The text as the person edited and approved it, in place of the one that was proposed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edited: Option<String>,
}

impl Proposal {
    /// Whether the file is to be created.
    pub fn creates(&self) -> bool {
        self.source_digest.is_none()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Risk {
    Low,
    Medium,
    High,
}

/// A file that was kept, and what must be in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Backup {
    /// From the workspace.
    pub path: String,
    pub digest: Digest,
}

/// A write to the instruction file: from what to what.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Begun {
    pub what: What,
    /// None where there was no file.
    pub from: Option<Digest>,
    /// None where the file is removed.
    pub to: Option<Digest>,
    pub backup: Option<Backup>,
    pub at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    Migrate,
    Rollback,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Migration {
    /// What was replaced; none where the file was created.
    pub backup: Option<Backup>,
    /// What was written.
    pub result: Digest,
    /// Until when it can be rolled back.
    pub until: Timestamp,
}

/// A record and where it stands, to see whether it is still the newest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Current {
    pub record: Record,
    /// The call that recorded it.
    pub by: Option<CallId>,
    pub digest: Digest,
}

/// How long a migration can be rolled back.
pub(crate) const WINDOW: std::time::Duration = std::time::Duration::from_secs(7 * 86_400);

/// The name under which the states of a file are recorded.
pub(super) fn name(workspace: &Workspace, file: &str) -> String {
    format!("onboarding {file} in {}", workspace.root().display())
}

impl Current {
    /// The state of a file, as the journal has it. Files in the workspace are not asked, but for
    /// one thing: what became of a write that was interrupted.
    pub async fn read(flow: &Flow, folder: &Folder) -> Result<Self, ToolError> {
        let name = name(&folder.workspace, folder.file);
        let (journal, server) = (flow.cx.desk().journal(), &flow.cx.origin().server);
        let found = journal.latest_step(&name, server.as_deref()).await?;
        let (by, record) = match found {
            None => (None, Record::default()),
            Some((call, value)) => {
                let record = serde_json::from_value(value).map_err(|error| {
                    ToolError::File(format!("the record of {name} cannot be read: {error}"))
                })?;
                (Some(call), record)
            }
        };
        let digest =
            Digest::hash_json(&record).map_err(|error| ToolError::File(error.to_string()))?;
        let mut current = Self { record, by, digest };
        current.see_what_became(folder);
        current.spend(flow).await?;
        Ok(current)
    }

    /// A write that was begun has happened or not: the file has one digest or the other.
    fn see_what_became(&mut self, folder: &Folder) {
        let record = &mut self.record;
        let Some(begun) = record.begun.take() else {
            return;
        };
        // What cannot be read is neither the one nor the other.
        let done = |now| now == begun.to && now != begun.from;
        let done = folder.digest().is_ok_and(done);
        match (begun.what, done) {
            (What::Migrate, true) => record.complete(&begun),
            (What::Rollback, true) => record.roll_back(&begun),
            // Neither happened; what was written, if anything, is the person's own.
            _ => {}
        }
    }

    /// An approval that was used, or is too old, is none.
    async fn spend(&mut self, flow: &Flow) -> Result<(), ToolError> {
        if self.record.status != Status::Approved {
            return Ok(());
        }
        let desk = flow.cx.desk();
        let grant = match self.record.grant {
            Some(id) => desk.journal().grant(id).await?,
            None => None,
        };
        let good =
            grant.is_some_and(|grant| grant.redeemed_at.is_none() && grant.expires_at > desk.now());
        if !good {
            self.record.status = Status::Proposed;
            self.record.grant = None;
        }
        Ok(())
    }
}

impl Record {
    pub fn complete(&mut self, begun: &Begun) {
        self.status = Status::Completed;
        self.times.completed = Some(begun.at);
        self.grant = None;
        self.begun = None;
        self.migration = begun.to.map(|result| Migration {
            backup: begun.backup.clone(),
            result,
            until: begun.at.saturating_add(WINDOW).unwrap_or(Timestamp::MAX),
        });
    }

    /// Whether it was rolled back by what was decided at this time.
    pub fn was_rolled_back(&self, at: Timestamp) -> bool {
        self.status == Status::NotStarted && self.times.rolled_back == Some(at)
    }

    /// The way goes on from `analyze`.
    pub fn roll_back(&mut self, begun: &Begun) {
        *self = Self {
            times: Times {
                rolled_back: Some(begun.at),
                ..Times::default()
            },
            ..Self::default()
        };
    }
}

impl Status {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NotStarted => "not_started",
            Self::Analyzed => "analyzed",
            Self::Proposed => "proposed",
            Self::Approved => "approved",
            Self::Completed => "completed",
            Self::Rejected => "rejected",
            Self::Skipped => "skipped",
        }
    }
}

impl Risk {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}
