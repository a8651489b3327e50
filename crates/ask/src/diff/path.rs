//! Paths as diffs write them.

/// The path in a line `--- PATH` or `+++ PATH`, without the time that may stand behind it.
pub(super) fn of_header(rest: &str) -> String {
    if let Some((path, _)) = quoted(rest) {
        return path;
    }
    let path = rest.split_once('\t').map_or(rest, |(path, _)| path);
    path.trim_end().to_owned()
}

/// A path that may be quoted, and nothing else.
pub(super) fn whole(text: &str) -> String {
    quoted(text).map_or_else(|| text.to_owned(), |(path, _)| path)
}

/// Both paths in what stands behind `diff --git `. Where they have spaces and differ, this is a guess.
pub(super) fn of_git(rest: &str) -> Option<(String, String)> {
    if let Some((old, after)) = quoted(rest) {
        return Some((old, whole(after.trim_start())));
    }
    if rest.ends_with('"')
        && let Some((old, new)) = rest.split_once(" \"")
    {
        let new = format!("\"{new}");
        return Some((old.to_owned(), whole(&new)));
    }
    let same = |place: usize| {
        let (old, new) = (&rest[..place], &rest[place + 1..]);
        let (short_old, short_new) = without_prefixes(old, new);
        (short_old == short_new).then(|| (old.to_owned(), new.to_owned()))
    };
    let spaces = rest.match_indices(' ').map(|(place, _)| place);
    // Only the space in the middle can have the same path on both sides.
    let middle = rest.len() / 2;
    let near = |place: &usize| place.abs_diff(middle) <= 2;
    let guess = || {
        let place = rest.find(" b/").or_else(|| rest.find(' '))?;
        Some((rest[..place].to_owned(), rest[place + 1..].to_owned()))
    };
    spaces.filter(near).find_map(same).or_else(guess)
}

/// Both paths without the prefixes that git puts before them, `a/` and `b/` for one.
pub(super) fn without_prefixes<'a>(old: &'a str, new: &'a str) -> (&'a str, &'a str) {
    let pairs = [
        ("a/", "b/"),
        ("i/", "w/"),
        ("c/", "i/"),
        ("c/", "w/"),
        ("o/", "w/"),
    ];
    for (before, after) in pairs {
        let short = |path: &'a str, prefix| match path {
            NONE => Some(path),
            _ => path.strip_prefix(prefix),
        };
        if let (Some(old), Some(new)) = (short(old, before), short(new, after)) {
            return (old, new);
        }
    }
    (old, new)
}

/// What stands for the path of a file that is not there.
pub(super) const NONE: &str = "/dev/null";

/// A path in quotes at the beginning of the text, with what it escapes read, and what stands behind it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut bytes = Vec::new();
    let mut rest = inside.bytes().enumerate();
    while let Some((place, byte)) = rest.next() {
        match byte {
            b'"' => {
                let path = String::from_utf8_lossy(&bytes).into_owned();
                return Some((path, &inside[place + 1..]));
            }
            b'\\' => bytes.push(match rest.next()?.1 {
                b'a' => 7,
                b'b' => 8,
                b't' => b'\t',
                b'n' => b'\n',
                b'v' => 11,
                b'f' => 12,
                b'r' => b'\r',
                first @ b'0'..=b'3' => {
                    let digits = [first, rest.next()?.1, rest.next()?.1];
                    let digits = std::str::from_utf8(&digits).ok()?;
                    u8::from_str_radix(digits, 8).ok()?
                }
                other => other,
            }),
            byte => bytes.push(byte),
        }
    }
    None
}
