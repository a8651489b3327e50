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
    Skipped,
}

impl State {
    pub const ALL: [Self; 6] = [
        Self::Pending,
        Self::InProgress,
        Self::Completed,
        Self::Blocked,
        Self::Failed,
        Self::Skipped,
    ];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Blocked => "blocked",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }

    /// What needs such a step may start.
    pub fn is_done(self) -> bool {
        matches!(self, Self::Completed | Self::Skipped)
    }

    /// Somebody has worked on such a step.
    pub fn is_begun(self) -> bool {
        matches!(self, Self::InProgress | Self::Completed)
    }

    /// The state that a person or another program wrote: a sign, a word, or both, with emphasis or
    /// not. Where they contradict each other there is none, and a sign that lets others start stands
    /// alone or beside its own word.
    pub fn read(text: &str) -> Option<Self> {
        let mut signs = text.chars().filter_map(Self::signed);
        let (word, sign) = (plain(text), signs.next());
        if signs.any(|other| Some(other) != sign) {
            return None;
        }
        let Some(sign) = sign else {
            return Self::said(&word);
        };
        match Self::said(&word) {
            Some(said) => (said == sign).then_some(sign),
            None => (word.is_empty() || !sign.is_done()).then_some(sign),
        }
    }

    /// The state, written as its cell was before: a bare sign, a sign and a word, or a word, in that
    /// word's case and emphasis.
    pub fn in_manner_of(self, before: &str) -> String {
        let sign = before.chars().any(|char| Self::signed(char).is_some());
        let sign = sign.then(|| self.sign());
        let start = before.find(char::is_alphanumeric);
        let word = start.map(|start| {
            let mark = |char: &char| matches!(char, '`' | '*' | '_');
            let end = before.trim_end_matches(|char: char| !char.is_alphanumeric());
            let opening: String = before[..start].chars().filter(mark).collect();
            let closing: String = before[end.len()..].chars().filter(mark).collect();
            let word = self.cased_like(&before[start..end.len()]);
            // Emphasis that is not closed would run through the table.
            if opening.chars().eq(closing.chars().rev()) {
                format!("{opening}{word}{closing}")
            } else {
                word
            }
        });
        match (sign, word) {
            (None, None) => self.as_str().to_owned(),
            (None, Some(word)) => word,
            (Some(sign), None) => sign.to_owned(),
            (Some(sign), Some(word)) => format!("{sign} {word}"),
        }
    }

    fn cased_like(self, before: &str) -> String {
        let letters = || before.chars().filter(|char| char.is_alphabetic());
        let first = letters().next().is_some_and(char::is_uppercase);
        let separator = ["_", "-", " "]
            .into_iter()
            .find(|sign| before.contains(sign));
        let word = |word: &str| match word.split_at(1) {
            _ if !first => word.to_owned(),
            _ if letters().all(char::is_uppercase) => word.to_uppercase(),
            (head, rest) => format!("{}{rest}", head.to_uppercase()),
        };
        let words: Vec<_> = self.as_str().split('_').map(word).collect();
        words.join(separator.unwrap_or(if first { " " } else { "_" }))
    }

    /// The sign of a state, as RiotPlan's reader looks for it: two of them only with U+FE0F.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Pending => "⬜",
            Self::InProgress => "🔄",
            Self::Completed => "✅",
            Self::Blocked => "⏸\u{fe0f}",
            Self::Failed => "❌",
            Self::Skipped => "⏭\u{fe0f}",
        }
    }

    /// The state that a character is the sign of. What varies its look only is not looked at.
    fn signed(char: char) -> Option<Self> {
        Some(match char {
            '⬜' | '☐' => Self::Pending,
            '🔄' => Self::InProgress,
            '✅' | '✔' | '☑' => Self::Completed,
            '⏸' => Self::Blocked,
            '❌' => Self::Failed,
            '⏭' => Self::Skipped,
            _ => return None,
        })
    }

    fn said(word: &str) -> Option<Self> {
        Some(match word {
            "pending" | "todo" | "to_do" | "open" | "not_started" | "planned" | "planning" => {
                Self::Pending
            }
            "in_progress" | "started" | "doing" | "active" | "wip" | "running" => Self::InProgress,
            "completed" | "complete" | "done" | "finished" => Self::Completed,
            "blocked" | "on_hold" | "waiting" | "paused" => Self::Blocked,
            "failed" | "aborted" => Self::Failed,
            "skipped" | "left_out" => Self::Skipped,
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
    /// RiotPlan's share of completed steps; kept true where it is there.
    Progress,
}

impl Key {
    pub fn title(self) -> &'static str {
        match self {
            Self::Status => "Status",
            Self::CurrentStep => "Current Step",
            Self::LastCompleted => "Last Completed",
            Self::StartedAt => "Started At",
            Self::LastUpdated => "Last Updated",
            Self::Progress => "Progress",
        }
    }

    pub fn read(text: &str) -> Option<Self> {
        Some(match plain(text).as_str() {
            "status" => Self::Status,
            "current_step" => Self::CurrentStep,
            "last_completed" => Self::LastCompleted,
            "started_at" | "started" => Self::StartedAt,
            "last_updated" => Self::LastUpdated,
            "progress" => Self::Progress,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_words_are_read_and_contradictions_are_not() {
        for state in State::ALL {
            let bare = state.sign().trim_end_matches('\u{fe0f}');
            let word = state.as_str();
            for text in [
                bare.to_owned(),
                format!("{bare}\u{fe0f}"),
                format!("{bare}\u{fe0e}"),
                format!("  {bare} {bare} "),
                word.to_owned(),
                format!("{bare} `{word}`"),
                format!(
                    "{} **{}**",
                    state.sign(),
                    word.to_uppercase().replace('_', " ")
                ),
            ] {
                assert_eq!(State::read(&text), Some(state), "{text:?}");
            }
        }
        let read = State::read;
        assert_eq!(read("✔"), Some(State::Completed));
        assert_eq!(read("☑\u{fe0f} done"), Some(State::Completed));
        assert_eq!(read("⬜ PLANNING"), Some(State::Pending));
        assert_eq!(read("🔄 50 % there"), Some(State::InProgress));
        assert_eq!(read("⏸ until Ann is back"), Some(State::Blocked));
        for unclear in [
            "",
            "-",
            "✅ pending",
            "✅ not really",
            "⏭\u{fe0f} perhaps",
            "✅❌",
            "⬜\u{200d}✅",
            "⏯",
            "⏩",
            "🟩",
            "soon",
        ] {
            assert_eq!(read(unclear), None, "{unclear:?}");
        }
    }

    #[test]
    fn a_state_is_written_as_it_was_before() {
        let check = |before: &str, wanted: &str| {
            let written = State::InProgress.in_manner_of(before);
            assert_eq!(written, wanted, "{before}");
            assert_eq!(State::read(&written), Some(State::InProgress));
        };
        check("⬜", "🔄");
        check("⏸\u{fe0f}", "🔄");
        check("✔", "🔄");
        check("", "in_progress");
        check("pending", "in_progress");
        check("`pending`", "`in_progress`");
        check("**Pending**", "**In Progress**");
        check("**Pending", "In Progress");
        check("⬜ pending", "🔄 in_progress");
        check("⬜ PLANNING", "🔄 IN PROGRESS");
        check("NOT_STARTED", "IN_PROGRESS");
        check("✅ Done", "🔄 In Progress");
        check("to-do", "in-progress");
        assert_eq!(State::Blocked.in_manner_of("🔄"), "⏸\u{fe0f}");
        assert_eq!(
            State::Skipped.in_manner_of("⬜ Pending"),
            "⏭\u{fe0f} Skipped"
        );
    }
}
