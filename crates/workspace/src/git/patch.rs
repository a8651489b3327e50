//! A diff, file by file: every file has its share of the room, and every byte is shown.

use super::{Change, GitError, command::expect};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// A file that a commit changes, as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownFile {
    /// The file, from the folder that has `.git` in it.
    pub path: String,
    /// Its mode before; none where it is new.
    pub before: Option<String>,
    /// Its mode now; none where it is deleted.
    pub after: Option<String>,
    /// How many lines are new, and how many are gone; none where it is not text.
    pub lines: Option<(u64, u64)>,
    /// What changes in it, as text.
    pub diff: String,
    /// How many bytes of that are left out.
    pub left_out: usize,
    /// It has bytes that are not UTF-8; they are written as `⟨0xE8⟩`.
    pub not_utf8: bool,
}

impl ShownFile {
    /// A file without its diff.
    pub(super) fn new(change: &Change) -> Self {
        let mode = |side: &Option<super::Side>| side.as_ref().map(|side| side.mode.clone());
        Self {
            path: change.path.clone(),
            before: mode(&change.before),
            after: mode(&change.after),
            lines: None,
            diff: String::new(),
            left_out: 0,
            not_utf8: false,
        }
    }

    /// What becomes of it, in words: `new, executable, +3 −0`.
    pub fn describe(&self) -> String {
        let kind = |mode: &str| match mode {
            "100644" => "an ordinary file".to_owned(),
            "100755" => "executable".to_owned(),
            "120000" => "a link".to_owned(),
            "160000" => "a submodule".to_owned(),
            other => format!("mode {other}"),
        };
        let mut words = match (&self.before, &self.after) {
            (None, Some(mode)) if mode == "100644" => "new".to_owned(),
            (None, Some(mode)) => format!("new, {}", kind(mode)),
            (Some(_), None) => "deleted".to_owned(),
            (Some(before), Some(after)) if before == after => "changed".to_owned(),
            (before, after) => format!(
                "was {}, is {}",
                kind(before.as_deref().unwrap_or_default()),
                kind(after.as_deref().unwrap_or_default())
            ),
        };
        match self.lines {
            Some((new, gone)) => drop(write!(words, ", +{new} −{gone}")),
            None => words.push_str(", not text"),
        }
        if self.not_utf8 {
            words.push_str(", with bytes that are not UTF-8, written as ⟨0x…⟩");
        }
        match (self.left_out, self.diff.is_empty()) {
            (0, _) => {}
            (_, true) => words.push_str("; its diff is not shown here"),
            (bytes, false) => drop(write!(
                words,
                "; {bytes} bytes of its diff are not shown here"
            )),
        }
        words
    }

    /// Keeps the lines of the diff that fit into so many bytes.
    pub fn cut(&mut self, most: usize) {
        let kept = whole_lines(self.diff.as_bytes(), most);
        self.left_out += self.diff.len() - kept;
        self.diff.truncate(kept);
    }
}

/// Gives every file its part of a patch, cut so that all of it fits into so many bytes.
/// `unread` is how many bytes of the patch are not there.
pub(super) fn fill(
    files: &mut [ShownFile],
    patch: &[u8],
    unread: usize,
    most: usize,
) -> Result<(), GitError> {
    let mut parts = split(patch).into_iter();
    let mut diffs = Vec::with_capacity(files.len());
    for file in files.iter() {
        // A file that becomes a link, or a link that becomes a file, is deleted and made anew.
        let kind = |mode: &Option<String>| {
            mode.as_ref()
                .map(|mode| mode[..mode.len().min(2)].to_owned())
        };
        let (before, after) = (kind(&file.before), kind(&file.after));
        let count = if before.is_some() && after.is_some() && before != after {
            2
        } else {
            1
        };
        diffs.push(parts.by_ref().take(count).collect::<Vec<_>>().concat());
    }
    let is_whole =
        parts.next().is_none() && (unread > 0 || diffs.iter().all(|diff| !diff.is_empty()));
    expect(is_whole.then_some(()), "diff-tree")?;
    let sizes: Vec<_> = diffs.iter().map(Vec::len).collect();
    for ((file, diff), most) in files.iter_mut().zip(&diffs).zip(share(&sizes, most)) {
        let kept = whole_lines(diff, most);
        (file.diff, file.not_utf8) = readable(&diff[..kept]);
        file.not_utf8 |= std::str::from_utf8(diff).is_err();
        file.left_out = diff.len() - kept;
    }
    // What was not read belongs to the last files that have something.
    if unread > 0 {
        let last = diffs.iter().rposition(|diff| !diff.is_empty()).unwrap_or(0);
        for file in &mut files[last..] {
            file.left_out = file.left_out.max(1);
        }
    }
    Ok(())
}

/// How much each may have of a room, so that the small ones are whole and the large ones get alike.
pub fn share(sizes: &[usize], room: usize) -> Vec<usize> {
    let mut order: Vec<_> = (0..sizes.len()).collect();
    order.sort_by_key(|place| sizes[*place]);
    let (mut left, mut shares) = (room, vec![0; sizes.len()]);
    for (done, place) in order.into_iter().enumerate() {
        shares[place] = sizes[place].min(left / (sizes.len() - done));
        left -= shares[place];
    }
    shares
}

/// How many bytes the lines have that fit into so many.
fn whole_lines(text: &[u8], most: usize) -> usize {
    if text.len() <= most {
        return text.len();
    }
    let end = text[..most].iter().rposition(|byte| *byte == b'\n');
    end.map_or(0, |end| end + 1)
}

/// The parts of a patch, one for each header. What belongs to a file's content never begins a line.
fn split(patch: &[u8]) -> Vec<&[u8]> {
    const HEADER: &[u8] = b"diff --git ";
    let mut parts = Vec::new();
    let mut start = 0;
    let mut line = 0;
    while line < patch.len() {
        if line > start && patch[line..].starts_with(HEADER) {
            parts.push(&patch[start..line]);
            start = line;
        }
        let end = patch[line..].iter().position(|byte| *byte == b'\n');
        line = end.map_or(patch.len(), |end| line + end + 1);
    }
    if start < patch.len() {
        parts.push(&patch[start..]);
    }
    parts
}

/// Bytes as text, and whether some were not: two that differ never look alike.
fn readable(bytes: &[u8]) -> (String, bool) {
    let mut text = String::with_capacity(bytes.len());
    let mut odd = false;
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            odd = true;
            let _ = write!(text, "⟨0x{byte:02X}⟩");
        }
    }
    (text, odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_small_are_whole_and_the_large_get_alike() {
        assert_eq!(share(&[10, 1000, 20, 500], 430), [10, 200, 20, 200]);
        assert_eq!(share(&[10, 20], 100), [10, 20]);
        assert_eq!(share(&[], 100), [0; 0]);
        assert_eq!(share(&[5, 5, 5], 2), [0, 1, 1]);
    }

    #[test]
    fn a_patch_is_split_at_its_headers_only() {
        let patch = b"diff --git a/x b/x\n--- a/x\n+diff --git a/y b/y\n diff --git\ndiff --git a/y b/y\n+z";
        let parts = split(patch);
        assert_eq!(parts.len(), 2);
        assert!(parts[1].starts_with(b"diff --git a/y"));
        assert_eq!(split(b""), [&[] as &[u8]; 0]);
    }

    #[test]
    fn bytes_that_are_not_text_are_written_out() {
        assert_eq!(readable(b"k=\xe8\n"), ("k=⟨0xE8⟩\n".to_owned(), true));
        assert_eq!(readable("é".as_bytes()), ("é".to_owned(), false));
    }
}
