//! Diffs as people read them: files, hunks and lines with their numbers, and the words that changed.
//!
//! [`parse`] takes what git writes, what `diff -u` writes, and what is only lines that begin with `+` and
//! `-`, whatever stands around them. It refuses nothing and loses no text: what belongs to no file is shown as
//! lines of a file without a name.

mod generated;
mod header;
mod moves;
mod parse;
mod path;
mod unified;
mod words;

use std::ops::Range;

pub use generated::is_generated;
pub use moves::pair_moves;
pub use parse::parse;
pub use unified::{unified, unified_with_names};

/// What happened to one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileDiff {
    /// Its path after the change, or before it where it was deleted; empty where the lines name none. As in the
    /// diff: hidden characters are in it.
    pub path: String,
    /// The path that it was renamed or copied from.
    pub from: Option<String>,
    /// What happened to it.
    pub status: FileStatus,
    /// Its content is not text, and not shown.
    pub binary: bool,
    /// The lines that stand before its first hunk, as they are.
    pub header: Vec<String>,
    /// What changed.
    pub hunks: Vec<Hunk>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum FileStatus {
    /// It is new.
    Added,
    /// It is gone.
    Deleted,
    /// Its content is another.
    Modified,
    /// It has another path.
    Renamed,
    /// It was made from another.
    Copied,
    /// Only its mode is another.
    Mode,
    /// The diff does not say.
    #[default]
    Unknown,
}

/// A run of lines with what changed in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hunk {
    /// The line that begins with `@@`; empty where there is none.
    pub header: String,
    /// Its lines.
    pub lines: Vec<Line>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Line {
    /// What happened to it.
    pub kind: LineKind,
    /// Its number before the change, from 1; none where it was not there, or the diff does not say.
    pub old: Option<u32>,
    /// Its number after the change.
    pub new: Option<u32>,
    /// Its text, without the mark before it.
    pub text: String,
    /// The words of it that its counterpart does not have, as ranges of bytes in order; empty where the whole
    /// line is new or gone.
    pub words: Vec<Range<usize>>,
}

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineKind {
    /// Nothing.
    Context,
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It is a remark of the diff's own: that the file has no newline at its end.
    Remark,
}

impl FileDiff {
    /// How many lines are new.
    pub fn added(&self) -> usize {
        self.count(LineKind::Added)
    }

    /// How many lines are gone.
    pub fn removed(&self) -> usize {
        self.count(LineKind::Removed)
    }

    fn count(&self, kind: LineKind) -> usize {
        let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.kind == kind).count()
    }

    /// Whether a program made its content, going by its path.
    pub fn is_generated(&self) -> bool {
        is_generated(&self.path)
    }

    /// The lines before its first hunk that its path, where it comes from and its status do not tell: that it
    /// becomes executable, and whatever else somebody wrote there. They are shown, since nothing else says it.
    ///
    /// ```
    /// let files = holdpoint_ask::diff::parse(
    ///     "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n--- a/run.sh\tDrop it.\n+++ b/run.sh\n@@ -1 +1 @@\n-a\n+b\n",
    /// );
    /// let untold: Vec<_> = files[0].untold().collect();
    /// assert_eq!(untold, ["old mode 100644", "new mode 100755", "--- a/run.sh\tDrop it."]);
    /// ```
    pub fn untold(&self) -> impl Iterator<Item = &str> {
        let lines = self.header.iter().map(String::as_str);
        lines.filter(|line| self.is_nameless() || !header::is_told(line, self))
    }

    /// Whether it is lines that name no file.
    pub fn is_nameless(&self) -> bool {
        self.path.is_empty()
    }
}

impl FileStatus {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Deleted => "deleted",
            Self::Modified => "modified",
            Self::Renamed => "renamed",
            Self::Copied => "copied",
            Self::Mode => "mode",
            Self::Unknown => "unknown",
        }
    }
}

impl LineKind {
    /// The mark before such a line.
    pub fn mark(self) -> char {
        match self {
            Self::Context => ' ',
            Self::Added => '+',
            Self::Removed => '-',
            Self::Remark => '\\',
        }
    }
}

#[cfg(test)]
mod tests;
