//! The programs that run agents.

use std::{fmt, str::FromStr};

/// A program that runs an agent and prompts its user by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Harness {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// VS Code.
    VsCode,
    /// Copilot CLI.
    Copilot,
    /// Cursor.
    Cursor,
    /// Gemini CLI.
    Gemini,
    /// opencode.
    OpenCode,
}

impl Harness {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Claude,
        Self::Codex,
        Self::VsCode,
        Self::Copilot,
        Self::Cursor,
        Self::Gemini,
        Self::OpenCode,
    ];

    /// What it is called in commands and in the record: `claude`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::VsCode => "vscode",
            Self::Copilot => "copilot",
            Self::Cursor => "cursor",
            Self::Gemini => "gemini",
            Self::OpenCode => "opencode",
        }
    }

    /// What people call it: "Claude Code".
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::VsCode => "VS Code",
            Self::Copilot => "Copilot CLI",
            Self::Cursor => "Cursor",
            Self::Gemini => "Gemini CLI",
            Self::OpenCode => "opencode",
        }
    }
}

impl fmt::Display for Harness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// No harness has this word.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a known harness: claude, codex, vscode, copilot, cursor, gemini or opencode")]
pub struct UnknownHarness(String);

impl FromStr for Harness {
    type Err = UnknownHarness;
    fn from_str(word: &str) -> Result<Self, UnknownHarness> {
        let found = Self::ALL.into_iter().find(|harness| harness.word() == word);
        found.ok_or_else(|| UnknownHarness(word.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_one_harness() {
        for harness in Harness::ALL {
            assert_eq!(harness.to_string().parse(), Ok(harness));
        }
        assert!("Claude Code".parse::<Harness>().is_err());
    }
}
