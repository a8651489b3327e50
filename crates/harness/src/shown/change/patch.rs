//! Patches that begin with `*** Begin Patch`, as diffs.

use super::diff::{header, one_line};

/// The patch as a diff, as far as it is one: its marks become the lines that name files, and all other lines stay
/// as they are.
pub(super) fn as_diff(patch: &str) -> String {
    let mut diff = String::new();
    let mut lines = patch.lines().peekable();
    while let Some(line) = lines.next() {
        // With space before it, it is a line of the file.
        let mark = line.trim_end();
        let named = |mark_of: &str| mark.strip_prefix(mark_of).map(|path| one_line(path.trim()));
        if let Some(path) = named("*** Add File:") {
            diff.push_str(&format!("--- /dev/null\n+++ b/{path}\n"));
        } else if let Some(path) = named("*** Delete File:") {
            diff.push_str(&format!(
                "diff --git a/{path} b/{path}\ndeleted file mode 100644\n--- a/{path}\n+++ /dev/null\n"
            ));
        } else if let Some(path) = named("*** Update File:") {
            let moved = lines.peek().and_then(|next| {
                let to = next.strip_prefix("*** Move to:")?;
                Some(one_line(to.trim()))
            });
            match moved {
                Some(to) => {
                    lines.next();
                    diff.push_str(&format!(
                        "diff --git a/{path} b/{to}\nrename from {path}\nrename to {to}\n--- a/{path}\n+++ b/{to}\n"
                    ));
                }
                None => diff.push_str(&header(&path)),
            }
        } else if !matches!(
            mark,
            "*** Begin Patch" | "*** End Patch" | "*** End of File"
        ) {
            diff.push_str(line);
            diff.push('\n');
        }
    }
    diff
}

#[cfg(test)]
mod tests {
    use super::*;
    use holdpoint_ask::diff::{FileStatus, parse};

    #[test]
    fn a_patch_reads_as_a_diff_and_loses_no_line() {
        let patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: src/a.rs\n@@ fn main() {\n-old\n+new\n kept\n *** Update File: x\n*** Update File: b.rs\n*** Move to: c.rs\n@@\n-x\n+y\n*** Delete File: gone.rs\n*** End Patch\n";
        let diff = as_diff(patch);
        let files = parse(&diff);
        let read: Vec<_> = files
            .iter()
            .map(|file| (file.path.as_str(), file.added(), file.removed()))
            .collect();
        assert_eq!(
            read,
            [
                ("new.txt", 2, 0),
                ("src/a.rs", 1, 1),
                ("c.rs", 1, 1),
                ("gone.rs", 0, 0)
            ],
            "{diff}"
        );
        assert_eq!(files[0].status, FileStatus::Added);
        assert_eq!(files[3].status, FileStatus::Deleted);
        for line in [
            "+one",
            "-old",
            " kept",
            " *** Update File: x",
            "@@ fn main() {",
        ] {
            assert!(diff.contains(line), "{line}");
        }
    }
}
