//! Names that are hidden: what lies under them (`.git`, `.vscode`, `.claude`, `.holdpoint`) decides what
//! runs, and what agents are told.

/// Whether a name is hidden, on file systems of every kind: some ignore characters that nobody sees, and
/// some have a second name for what does not fit their first.
pub fn is_hidden(name: &str) -> bool {
    let mut seen = name.chars().filter(|character| !is_ignored(*character));
    seen.next() == Some('.') || name.to_lowercase().starts_with("git~")
}

/// What HFS+ ignores in a name.
fn is_ignored(character: char) -> bool {
    matches!(character, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_hidden() {
        for name in [
            ".git",
            ".GIT",
            ".git ",
            ".github",
            ".x",
            "\u{200c}.git",
            "GIT~1",
            "git~2",
            "..",
        ] {
            assert!(is_hidden(name), "{name:?}");
        }
        for name in ["git", "plans", "a.git", "x~1", "digit~1", "", "-.git"] {
            assert!(!is_hidden(name), "{name:?}");
        }
    }
}
