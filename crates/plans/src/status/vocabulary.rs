//! The words of `STATUS.md`, and what people write instead of them.

use super::table::plain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How far a plan or a step is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum State {
    Pending,
    InProgress,
    Completed,
    Blocked,
    Failed,
}

impl State {
    pub const ALL: [Self; 5] = [
        Self::Pending,
        Self::InProgress,
        Self::Completed,
        Self::Blocked,
        Self::Failed,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
        }
    }

    /// The state that a person wrote, with a tick, an emoji or emphasis around it or not.
    pub fn read(text: &str) -> Option<Self> {
        Some(match plain(text).as_str() {
            "pending" | "todo" | "to_do" | "open" | "not_started" | "planned" => Self::Pending,
            "in_progress" | "started" | "doing" | "active" | "wip" | "running" => Self::InProgress,
            "completed" | "complete" | "done" | "finished" => Self::Completed,
            "blocked" | "on_hold" | "waiting" => Self::Blocked,
            "failed" | "aborted" => Self::Failed,
            _ => return None,
        })
    }
}

/// A row of the Current State table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Status,
    CurrentStep,
    LastCompleted,
    StartedAt,
    LastUpdated,
}

impl Key {
    pub fn title(self) -> &'static str {
        match self {
            Self::Status => "Status",
            Self::CurrentStep => "Current Step",
            Self::LastCompleted => "Last Completed",
            Self::StartedAt => "Started At",
            Self::LastUpdated => "Last Updated",
        }
    }

    pub fn read(text: &str) -> Option<Self> {
        Some(match plain(text).as_str() {
            "status" => Self::Status,
            "current_step" => Self::CurrentStep,
            "last_completed" => Self::LastCompleted,
            "started_at" => Self::StartedAt,
            "last_updated" => Self::LastUpdated,
            _ => return None,
        })
    }
}

/// A column of the Step Progress table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    Step,
    Name,
    Status,
    Started,
    Completed,
    Notes,
}

impl Column {
    /// The column of this name, which is [`plain`].
    pub fn read(name: &str) -> Option<Self> {
        Some(match name {
            "step" | "#" | "no" | "nr" | "number" => Self::Step,
            "name" | "title" => Self::Name,
            "status" | "state" => Self::Status,
            "started" | "started_at" | "start" => Self::Started,
            "completed" | "completed_at" | "finished" | "done" => Self::Completed,
            "notes" | "note" | "comment" | "comments" => Self::Notes,
            _ => return None,
        })
    }
}
