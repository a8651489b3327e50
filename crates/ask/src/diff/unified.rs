//! Two texts as a unified diff.

use similar::TextDiff;

/// What changed between two texts, as `diff -u` writes it, without a header; empty where nothing did.
pub fn unified(before: &str, after: &str) -> String {
    let diff = TextDiff::from_lines(before, after);
    diff.unified_diff().to_string()
}

/// The same with the names of the two in its header.
pub fn unified_with_names(before: (&str, &str), after: (&str, &str)) -> String {
    let hunks = unified(before.1, after.1);
    if hunks.is_empty() {
        return hunks;
    }
    format!("--- {}\n+++ {}\n{hunks}", before.0, after.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changed_with_three_lines_around_it() {
        let before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
        let after = before.replace("5\n", "five\n");
        let hunk = "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n";
        assert_eq!(unified(before, &after), hunk);
        let named = unified_with_names(("a", before), ("b", &after));
        assert_eq!(named, format!("--- a\n+++ b\n{hunk}"));
        assert_eq!(unified_with_names(("a", before), ("b", before)), "");
        assert!(unified("x", "y\n").contains("\\ No newline at end of file"));
    }
}
