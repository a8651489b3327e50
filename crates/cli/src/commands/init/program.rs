//! What starts the server: the program itself, or a launcher that gets it.

use std::path::Path;

/// The name of the program, and that under which the server is registered.
pub const NAME: &str = "holdpoint";

/// What starts Holdpoint: a program, and what it needs before Holdpoint's own arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The program.
    pub command: String,
    /// Its first arguments.
    pub args: Vec<String>,
}

/// The launchers that get Holdpoint from a registry of packages, and by what their own copy is known.
pub const LAUNCHERS: [(&str, &[&str], &str); 2] = [
    ("npx", &["-y", NAME], "_npx"),
    ("uvx", &[NAME], "archive-v0"),
];

impl Program {
    /// `holdpoint`, found by the shell's PATH.
    pub fn on_path() -> Self {
        Self::path(NAME)
    }

    /// The program at a path.
    pub fn path(command: &str) -> Self {
        Self {
            command: command.to_owned(),
            args: Vec::new(),
        }
    }

    /// The launcher that runs this binary, where it is one: its copy goes when the launcher tidies up, and is on
    /// no other shell's PATH.
    pub fn launched(binary: Option<&Path>) -> Option<Self> {
        let is_in = |folder: &str| {
            let mut parts = binary.into_iter().flat_map(Path::components);
            parts.any(|part| part.as_os_str() == folder)
        };
        let (command, args, _) = LAUNCHERS.iter().find(|(_, _, folder)| is_in(folder))?;
        Some(Self {
            command: (*command).to_owned(),
            args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_is_known_by_where_it_keeps_its_copy() {
        let check = |binary: &str, wanted: Option<&str>| {
            let found = Program::launched(Some(Path::new(binary)));
            let words = found.map(|found| [vec![found.command], found.args].concat().join(" "));
            assert_eq!(words.as_deref(), wanted, "{binary}");
        };
        check("/home/ann/.cargo/bin/holdpoint", None);
        check(
            "/home/ann/.npm/_npx/1a2b/node_modules/@holdpoint/cli-linux-x64/holdpoint",
            Some("npx -y holdpoint"),
        );
        check(
            "/home/ann/.cache/uv/archive-v0/x1/bin/holdpoint",
            Some("uvx holdpoint"),
        );
        assert_eq!(Program::launched(None), None);
    }
}
