//! Paths as text: made absolute and plain, without a look at the disk.

use crate::ToolUse;

/// The folders that paths and patterns begin at, each absolute and plain.
#[derive(Debug, Clone)]
pub(crate) struct Bases {
    /// Where the tool is used.
    pub folder: String,
    /// The workspace's root.
    pub workspace: String,
    /// The person's home.
    pub home: Option<String>,
}

impl Bases {
    pub fn of(tool_use: &ToolUse) -> Self {
        Self {
            folder: plain(&tool_use.folder),
            workspace: plain(&tool_use.workspace),
            home: tool_use.home.as_deref().map(plain),
        }
    }

    /// The absolute path that a tool means by this one; none where it begins at an unknown home.
    pub fn absolute(&self, path: &str) -> Option<String> {
        if let Some(rest) = path.strip_prefix('~') {
            let home = self.home.as_deref()?;
            return match rest.strip_prefix(['/', '\\']) {
                Some(rest) => Some(plain(&format!("{home}/{rest}"))),
                // `~ann` is somebody else's home.
                None => rest.is_empty().then(|| home.to_owned()),
            };
        }
        if path.starts_with(['/', '\\']) || drive(path).is_some() {
            return Some(plain(path));
        }
        Some(plain(&format!("{}/{path}", self.folder)))
    }

    /// Whether this absolute and plain path is in the workspace, or is its root.
    pub fn in_workspace(&self, path: &str) -> bool {
        below(path, &self.workspace).is_some()
    }
}

/// The path below a folder, without a slash before it; none where it is elsewhere.
pub(crate) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    match rest.strip_prefix('/') {
        Some(rest) => Some(rest),
        None => rest.is_empty().then_some(rest),
    }
}

/// The path without `.`, `..` and double slashes. What climbs over the root stays at it. `C:\x` is `/c/x`.
pub(crate) fn plain(path: &str) -> String {
    let (first, rest, is_windows) = match drive(path) {
        Some(letter) => (Some(letter.to_ascii_lowercase()), &path[2..], true),
        None => (None, path, path.starts_with("\\\\")),
    };
    let separators: &[char] = if is_windows { &['/', '\\'] } else { &['/'] };
    let mut names: Vec<&str> = Vec::new();
    for name in rest.split(separators) {
        match name {
            "" | "." => {}
            ".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    let mut plain = String::with_capacity(path.len() + 1);
    if let Some(letter) = first {
        plain.extend(['/', letter]);
    }
    for name in names {
        plain.push('/');
        plain.push_str(name);
    }
    if plain.is_empty() {
        plain.push('/');
    }
    plain
}

/// The letter of `C:\` or `C:/`.
fn drive(path: &str) -> Option<char> {
    match path.as_bytes() {
        [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic() => {
            Some(char::from(*letter))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_absolute_and_plain() {
        let bases = Bases {
            folder: "/work/app/sub".into(),
            workspace: "/work/app".into(),
            home: Some("/home/ann".into()),
        };
        for (path, wanted) in [
            ("x.rs", Some("/work/app/sub/x.rs")),
            ("../x.rs", Some("/work/app/x.rs")),
            ("/etc//./passwd", Some("/etc/passwd")),
            ("/../../etc", Some("/etc")),
            ("~/.ssh/id", Some("/home/ann/.ssh/id")),
            ("~", Some("/home/ann")),
            ("~root/x", None),
            ("C:\\Users\\x", Some("/c/Users/x")),
            ("", Some("/work/app/sub")),
        ] {
            assert_eq!(bases.absolute(path).as_deref(), wanted, "{path}");
        }
        assert!(bases.in_workspace("/work/app") && bases.in_workspace("/work/app/x"));
        assert!(!bases.in_workspace("/work/apple"));
        assert_eq!(below("/x", "/"), Some("x"));
    }
}
