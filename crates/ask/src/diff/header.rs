//! The lines of a diff that say which file and which lines follow.

use super::{FileDiff, FileStatus, Line, LineKind, path};

/// What a line before a file's first hunk says.
pub(super) enum Says {
    Status(FileStatus),
    From(FileStatus, String),
    To(FileStatus, String),
    /// It is binary, and that is all.
    Binary,
    /// It is binary, and its data follow.
    BinaryPatch,
    Other,
}

/// Whether a file begins with the first of these lines.
pub(super) fn starts_file(lines: &[&str]) -> bool {
    let line = lines[0];
    let git = line.strip_prefix("diff --git ").and_then(path::of_git);
    // What other tools write before the paths, which must then follow.
    let followed = |after: usize| {
        lines
            .get(after)
            .is_some_and(|line| line.starts_with("--- "))
    };
    git.is_some()
        || merged_path(line).is_some()
        || (line.starts_with("diff -") && followed(1))
        || (line.starts_with("Index: ") && (followed(1) || followed(2)))
}

/// The path of a file in the diff of a merge.
pub(super) fn merged_path(line: &str) -> Option<String> {
    let starts = ["diff --cc ", "diff --combined "];
    let rest = starts.iter().find_map(|start| line.strip_prefix(start))?;
    Some(path::whole(rest)).filter(|path| !path.is_empty())
}

/// What stands behind `--- ` and `+++ ` in the first two of these lines.
pub(super) fn paths<'a>(lines: &[&'a str]) -> Option<(&'a str, &'a str)> {
    let old = lines.first()?.strip_prefix("--- ")?;
    let new = lines.get(1)?.strip_prefix("+++ ")?;
    let named = |text: &str| !text.trim().is_empty();
    (named(old) && named(new)).then_some((old, new))
}

/// What a line before the first hunk says of its file; none where it is no such line.
pub(super) fn read(line: &str) -> Option<Says> {
    use FileStatus::{Added, Copied, Deleted, Mode, Renamed};
    let moved = |start: &str| line.strip_prefix(start).map(path::whole);
    if let Some(path) = moved("rename from ") {
        return Some(Says::From(Renamed, path));
    }
    if let Some(path) = moved("rename to ") {
        return Some(Says::To(Renamed, path));
    }
    if let Some(path) = moved("copy from ") {
        return Some(Says::From(Copied, path));
    }
    if let Some(path) = moved("copy to ") {
        return Some(Says::To(Copied, path));
    }
    if line.starts_with("Binary files ") && line.ends_with(" differ") {
        return Some(Says::Binary);
    }
    if line == "GIT binary patch" {
        return Some(Says::BinaryPatch);
    }
    // Nothing but numbers may follow these: a sentence would be read by nobody here.
    let numbers = |rest: &str| {
        rest.chars()
            .all(|char| char.is_ascii_hexdigit() || " .,%".contains(char))
    };
    let known = [
        ("new file mode ", Says::Status(Added)),
        ("deleted file mode ", Says::Status(Deleted)),
        ("old mode ", Says::Status(Mode)),
        ("new mode ", Says::Status(Mode)),
        ("mode ", Says::Other),
        ("similarity index ", Says::Other),
        ("dissimilarity index ", Says::Other),
        ("index ", Says::Other),
    ];
    let fits = |start: &str| line.strip_prefix(start).is_some_and(numbers);
    let found = known.into_iter().find(|(start, _)| fits(start));
    let underlined = line.len() >= 10 && line.bytes().all(|byte| byte == b'=');
    found
        .map(|(_, says)| says)
        .or(underlined.then_some(Says::Other))
}

/// Whether a line before the first hunk says nothing but what is known of the file: its paths, that it is new,
/// gone, moved or binary, and what git calls its contents.
pub(super) fn is_told(line: &str, file: &FileDiff) -> bool {
    let paths = || {
        let from = file.from.as_deref();
        from.into_iter().chain([file.path.as_str()])
    };
    let is_path = |text: &str| {
        let prefixes = ["", "a/", "b/", "i/", "w/", "c/", "o/"];
        let rest = prefixes.iter().filter_map(|one| text.strip_prefix(one));
        rest.into_iter()
            .any(|rest| paths().any(|path| path == rest))
    };
    let is_side = |text: &str| text == path::NONE || is_path(text);
    // Where the paths have such a word in them, too.
    let are_two = |text: &str, between: &str, is_one: &dyn Fn(&str) -> bool| {
        let places = text.match_indices(between);
        places
            .into_iter()
            .any(|(place, _)| is_one(&text[..place]) && is_one(&text[place + between.len()..]))
    };
    let after = |start: &str| line.strip_prefix(start);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let hex = |text: &str| text.bytes().all(|one| one.is_ascii_hexdigit());
    let contents = |text: &str| {
        let (both, mode) = text.split_once(' ').unwrap_or((text, "100644"));
        let known = both
            .split_once("..")
            .is_some_and(|(old, new)| hex(old) && hex(new));
        known && matches!(mode, "100644" | "100755")
    };
    let similar = |text: &str| text.strip_suffix('%').is_some_and(digits);
    let binary = |text: &str| {
        let sides = text.strip_suffix(" differ");
        file.binary && sides.is_some_and(|sides| are_two(sides, " and ", &is_side))
    };
    // Git ends a path that has spaces with a tab.
    let side = |text: &str| is_side(text.strip_suffix('\t').unwrap_or(text));
    after("diff --git ").is_some_and(|rest| are_two(rest, " ", &is_path))
        || after("--- ").is_some_and(side)
        || after("+++ ").is_some_and(side)
        || after("index ").is_some_and(contents)
        || after("similarity index ").is_some_and(similar)
        || after("dissimilarity index ").is_some_and(similar)
        || after("deleted file mode ").is_some_and(digits)
        || after("rename from ").is_some_and(is_path)
        || after("rename to ").is_some_and(is_path)
        || after("copy from ").is_some_and(is_path)
        || after("copy to ").is_some_and(is_path)
        || after("Index: ").is_some_and(is_path)
        || after("Binary files ").is_some_and(binary)
        || line == "new file mode 100644"
        || line == "GIT binary patch"
        || line.bytes().all(|byte| byte == b'=')
}

/// Whether a line is data of a binary file, as git writes it.
pub(super) fn is_binary_data(line: &str) -> bool {
    let size = line
        .strip_prefix("literal ")
        .or(line.strip_prefix("delta "));
    let sized = size.is_some_and(|size| size.bytes().all(|byte| byte.is_ascii_digit()));
    sized || (line.len() <= 66 && line.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Where in the two versions of a file the next line of a hunk stands.
#[derive(Clone)]
pub(super) struct Numbers {
    old: Option<u32>,
    new: Option<u32>,
    /// How many lines of each are still to come; none where the hunk does not say.
    pub left: Option<(u32, u32)>,
    /// How many marks stand before each line: one, and more in the diff of a merge.
    marks: usize,
}

impl Numbers {
    /// For lines that are not numbered.
    pub fn unknown() -> Self {
        Self {
            old: None,
            new: None,
            left: None,
            marks: 1,
        }
    }

    /// Reads a line `@@ -1,2 +3,4 @@ …`, and what people write instead.
    pub fn read(line: &str) -> Option<Self> {
        let signs = line.bytes().take_while(|byte| *byte == b'@').count();
        let after = &line[signs..];
        if !(2..=9).contains(&signs) || !(after.is_empty() || after.starts_with(' ')) {
            return None;
        }
        let ranges: Vec<_> = after
            .split_whitespace()
            .map_while(|word| {
                let (sign, rest) = word.split_at_checked(1)?;
                let (start, count) = rest.split_once(',').unwrap_or((rest, "1"));
                Some((sign, start.parse().ok()?, count.parse().ok()?))
            })
            .collect();
        let marks = signs - 1;
        Some(match ranges.as_slice() {
            [("-", old, gone), ("+", new, came)] if marks == 1 => Self {
                old: Some(*old),
                new: Some(*new),
                left: Some((*gone, *came)),
                marks,
            },
            [.., ("+", new, _)] if marks > 1 => Self {
                new: Some(*new),
                marks,
                ..Self::unknown()
            },
            _ => Self::unknown(),
        })
    }

    /// Whether lines that the hunk promised are still to come.
    pub fn lacks_lines(&self) -> bool {
        self.left.is_some_and(|left| left != (0, 0))
    }

    /// A line without its mark, and what the mark says; none where it has none.
    pub fn split<'a>(&self, line: &'a str) -> Option<(LineKind, &'a str)> {
        if line.is_empty() {
            return Some((LineKind::Context, line));
        }
        if let Some(remark) = line.strip_prefix("\\ ") {
            return Some((LineKind::Remark, remark));
        }
        let (marks, text) = line.split_at_checked(self.marks)?;
        if !marks.bytes().all(|mark| b" +-".contains(&mark)) {
            return None;
        }
        let kind = match (marks.contains('+'), marks.contains('-')) {
            (true, _) => LineKind::Added,
            (false, true) => LineKind::Removed,
            (false, false) => LineKind::Context,
        };
        Some((kind, text))
    }

    /// The next line, with its numbers.
    pub fn line(&mut self, kind: LineKind, text: &str) -> Line {
        let before = matches!(kind, LineKind::Context | LineKind::Removed);
        let after = matches!(kind, LineKind::Context | LineKind::Added);
        let next = |number: &mut Option<u32>| {
            let now = *number;
            *number = now.map(|now| now.saturating_add(1));
            now
        };
        if let Some((old, new)) = &mut self.left {
            *old = old.saturating_sub(u32::from(before));
            *new = new.saturating_sub(u32::from(after));
        }
        Line {
            kind,
            old: before.then(|| next(&mut self.old)).flatten(),
            new: after.then(|| next(&mut self.new)).flatten(),
            text: text.to_owned(),
            words: Vec::new(),
        }
    }
}
