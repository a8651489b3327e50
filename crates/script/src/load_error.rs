//! Why a file is not a script, with the place.

use crate::engine::{At, ScriptError};
use std::fmt;

/// Why a file could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    /// The file's name.
    pub file: String,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    pub column: Option<u32>,
    /// What is wrong, and what to do.
    pub message: String,
    /// The text of that line.
    pub excerpt: Option<String>,
}

impl LoadError {
    pub(crate) fn new(file: &str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line: None,
            column: None,
            message: message.into(),
            excerpt: None,
        }
    }

    pub(crate) fn at(at: &At, source: &str, message: impl Into<String>) -> Self {
        let line = at.line.map(|line| line.saturating_sub(1) as usize);
        let excerpt = line.and_then(|line| source.lines().nth(line));
        Self {
            file: at.file.clone(),
            line: at.line,
            column: at.column,
            message: message.into(),
            excerpt: excerpt.map(str::to_owned),
        }
    }

    /// The place of a byte of the source.
    pub(crate) fn at_byte(file: &str, source: &str, byte: usize, message: &str) -> Self {
        let before = &source[..byte];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        let at = At {
            file: file.to_owned(),
            line: Some(before.matches('\n').count() as u32 + 1),
            column: Some(before[line_start..].chars().count() as u32 + 1),
        };
        Self::at(&at, source, message)
    }

    /// An error of the engine, at its place in the source.
    pub(crate) fn from_script_error(error: &ScriptError, at: &At, source: &str) -> Self {
        let whole = error.to_string();
        let message = whole
            .strip_prefix(&error.at().to_string())
            .unwrap_or(&whole);
        Self::at(at, source, message)
    }
}

/// How much of a line is shown; what is minified has one long line.
const WIDTH: usize = 120;

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        write!(f, ": {}", self.message)?;
        let (Some(line), Some(excerpt)) = (self.line, &self.excerpt) else {
            return Ok(());
        };
        let column = self
            .column
            .map_or(0, |column| column.saturating_sub(1) as usize);
        let skipped = column.saturating_sub(WIDTH / 2);
        let shown: String = excerpt.chars().skip(skipped).take(WIDTH).collect();
        let margin = line.to_string();
        write!(f, "\n{margin} | {}", holdpoint_ask::visible(&shown))?;
        if self.column.is_none() {
            return Ok(());
        }
        // A tab before the caret stays a tab, so that the caret stands under the character.
        let before = shown.chars().take(column - skipped);
        let indent: String = before
            .map(|character| if character == '\t' { '\t' } else { ' ' })
            .collect();
        write!(f, "\n{:width$} | {indent}^", "", width = margin.len())
    }
}

impl std::error::Error for LoadError {}
