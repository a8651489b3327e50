//! Diffs of what an agent replaces.

use holdpoint_ask::diff::unified;
use holdpoint_ask::visible;

/// From here on lines are not compared: it takes long, and nobody reads it.
const MOST_LINES: usize = 4_000;

/// The diff of a text that is replaced by another. The file around it is not known, so its lines count from one.
pub(super) fn edit_diff(path: &str, old: &str, new: &str) -> String {
    let lines = old.lines().count() + new.lines().count();
    if lines > MOST_LINES {
        let gone = marked('-', old);
        return format!(
            "{}@@ -1,{} +1,{} @@\n{gone}{}",
            header(path),
            old.lines().count(),
            new.lines().count(),
            marked('+', new)
        );
    }
    // The end of a piece of a file is not the end of the file.
    let (old, new) = (ended(old), ended(new));
    let hunks = unified(&old, &new);
    if hunks.is_empty() {
        return hunks;
    }
    format!("{}{hunks}", header(path))
}

/// The diff of a file that is written whole.
pub(super) fn whole_file(path: &str, content: &str) -> String {
    let lines = content.lines().count();
    format!(
        "{}@@ -0,0 +1,{lines} @@\n{}",
        header(path),
        marked('+', content)
    )
}

/// The two lines that name the file.
pub(super) fn header(path: &str) -> String {
    let path = one_line(path);
    format!("--- a/{path}\n+++ b/{path}\n")
}

/// A path that cannot end its line.
pub(super) fn one_line(path: &str) -> String {
    visible(path).replace(['\n', '\r'], "⏎")
}

fn marked(mark: char, text: &str) -> String {
    text.lines().map(|line| format!("{mark}{line}\n")).collect()
}

fn ended(text: &str) -> String {
    match text {
        "" => String::new(),
        text if text.ends_with('\n') => text.to_owned(),
        text => format!("{text}\n"),
    }
}
