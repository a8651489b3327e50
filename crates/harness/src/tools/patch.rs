//! The files that a patch names.

use holdpoint_ask::diff;

/// Where patches are, in the arguments of one tool or another.
pub(super) const KEYS: [&str; 5] = ["patch", "patchText", "patch_text", "input", "command"];

/// The files that a patch touches: those of `*** Update File: …` and its like, or those of a diff.
pub(super) fn paths(patch: &str) -> Vec<String> {
    let marks = [
        "*** Add File:",
        "*** Update File:",
        "*** Delete File:",
        "*** Move to:",
    ];
    let named = patch.lines().filter_map(|line| {
        let line = line.trim();
        let path = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
        Some(path.trim().to_owned())
    });
    let mut paths: Vec<String> = named.collect();
    if paths.is_empty() && patch.lines().any(|line| line.starts_with("+++ ")) {
        for file in diff::parse(patch) {
            paths.extend(file.from);
            paths.push(file.path);
        }
    }
    paths.retain(|path| !path.is_empty());
    paths
}
