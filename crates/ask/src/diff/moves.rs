//! Files that were moved: one is gone, and another has just its lines.

use super::{FileDiff, FileStatus, Line, LineKind};

/// Shows a file that is gone and one with the same lines that is new as one that was moved. What a diff says
/// of a move by itself stays as it is.
pub fn pair_moves(mut files: Vec<FileDiff>) -> Vec<FileDiff> {
    let mut at = 0;
    while at < files.len() {
        match moved_to(&files, at) {
            Some(to) => {
                let from = files[at].path.clone();
                files[to].moved(from);
                files.remove(at);
            }
            None => at += 1,
        }
    }
    files
}

/// The new file that has the lines of this one, which is gone.
fn moved_to(files: &[FileDiff], gone: usize) -> Option<usize> {
    let file = &files[gone];
    if file.status != FileStatus::Deleted || file.binary || file.lines().next().is_none() {
        return None;
    }
    // One that becomes executable on the way is shown as what it is.
    let same = |other: &FileDiff| {
        other.status == FileStatus::Added
            && mode(other, "new file mode ") == mode(file, "deleted file mode ")
            && other.lines().map(text).eq(file.lines().map(text))
    };
    files.iter().position(same)
}

fn mode<'f>(file: &'f FileDiff, start: &str) -> Option<&'f str> {
    file.header.iter().find_map(|line| line.strip_prefix(start))
}

fn text(line: &Line) -> (bool, &str) {
    (line.kind == LineKind::Remark, &line.text)
}

impl FileDiff {
    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.hunks.iter().flat_map(|hunk| &hunk.lines)
    }

    fn moved(&mut self, from: String) {
        self.status = FileStatus::Renamed;
        self.from = Some(from);
        let lines = self.hunks.iter_mut().flat_map(|hunk| &mut hunk.lines);
        for line in lines.filter(|line| line.kind == LineKind::Added) {
            (line.kind, line.old) = (LineKind::Context, line.new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::parse;

    const GONE: &str = "diff --git a/old.md b/old.md\ndeleted file mode 100644\n--- a/old.md\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n";

    fn check(new: &str, paths: &[(&str, Option<&str>)]) -> Vec<FileDiff> {
        let added = format!(
            "diff --git a/new.md b/new.md\nnew file mode 100644\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1,2 @@\n{new}"
        );
        let files = pair_moves(parse(&format!("{GONE}{added}")));
        let told = files
            .iter()
            .map(|file| (file.path.as_str(), file.from.as_deref()));
        assert_eq!(told.collect::<Vec<_>>(), paths);
        files
    }

    #[test]
    fn a_file_with_the_same_lines_was_moved() {
        let files = check("+one\n+two\n", &[("new.md", Some("old.md"))]);
        assert_eq!(files[0].status, FileStatus::Renamed);
        assert_eq!((files[0].added(), files[0].removed()), (0, 0));
        let numbers = files[0].hunks[0]
            .lines
            .iter()
            .map(|line| (line.old, line.new));
        assert_eq!(
            numbers.collect::<Vec<_>>(),
            [(Some(1), Some(1)), (Some(2), Some(2))]
        );
    }

    #[test]
    fn a_file_that_becomes_executable_was_not_only_moved() {
        let added = "diff --git a/new.md b/new.md\nnew file mode 100755\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1,2 @@\n+one\n+two\n";
        let files = pair_moves(parse(&format!("{GONE}{added}")));
        assert_eq!(files.len(), 2);
        assert!(files[1].untold().eq(["new file mode 100755"]));
    }

    #[test]
    fn one_line_less_is_two_files() {
        check("+one\n", &[("old.md", None), ("new.md", None)]);
        check("+one\n+three\n", &[("old.md", None), ("new.md", None)]);
    }
}
