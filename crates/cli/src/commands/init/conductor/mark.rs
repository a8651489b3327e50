//! The mark at the end of an agent file, by which it is known later whether a person changed it.

use super::dialect::Comments;
use sha2::{Digest, Sha256};

/// Raised when the text of an agent file changes.
const VERSION: u32 = 2;
const NAME: &str = "holdpoint agent file, version ";

impl Comments {
    fn ends(self) -> (&'static str, &'static str) {
        match self {
            Self::Markdown => ("<!-- ", " -->"),
            Self::Toml => ("# ", ""),
        }
    }

    /// The text with its mark.
    pub fn marked(self, text: &str) -> String {
        let digest = digest(text);
        let (open, close) = self.ends();
        format!(
            "{text}\n{open}{NAME}{VERSION}, {digest}: replaced by a newer one only while it is unchanged{close}\n"
        )
    }

    /// Whether this is what some version of ours wrote: its mark is its last line and fits its text.
    pub fn is_unchanged(self, file: &str) -> bool {
        let mark = format!("\n{}{NAME}", self.ends().0);
        let Some((text, mark)) = file.rsplit_once(&mark) else {
            return false;
        };
        let last = mark.find('\n').is_none_or(|end| end + 1 == mark.len());
        let named = mark
            .split_once(", ")
            .and_then(|(_, rest)| rest.split_once(": "));
        last && named.is_some_and(|(named, _)| named == digest(text))
    }
}

/// Whether some version of ours wrote it, whatever became of it.
pub fn is_marked(file: &str) -> bool {
    file.contains(NAME)
}

fn digest(text: &str) -> String {
    let hash = Sha256::digest(text.as_bytes());
    let hex: String = hash
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("sha256 {hex}")
}
