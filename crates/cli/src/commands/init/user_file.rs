//! Whose files are written: the project's, or those of the person, for all of their projects.

use super::client::{Client, Machine};
use anyhow::{Context, bail};
use std::path::{Path, PathBuf};

/// Whose files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The folder's.
    Project,
    /// The person's.
    User,
}

impl Scope {
    /// The flag that says it.
    pub fn flag(self) -> &'static str {
        match self {
            Self::Project => "",
            Self::User => " --user",
        }
    }
}

impl Client {
    /// The file that lists its servers, for the folder or for the person.
    ///
    /// # Errors
    /// When it is not known where a person's is.
    pub fn file(self, scope: Scope, folder: &Path, machine: &Machine) -> anyhow::Result<PathBuf> {
        match scope {
            Scope::Project => self.config(folder, machine),
            Scope::User if self.is_in_home() => self.config(folder, machine),
            Scope::User => self.of_person(machine),
        }
    }

    fn of_person(self, machine: &Machine) -> anyhow::Result<PathBuf> {
        let title = self.title();
        Ok(match self {
            Self::Vscode => {
                let data = machine.app_data().with_context(|| {
                    format!("cannot tell where {title} keeps its configuration: HOME (on Windows, APPDATA) is not set")
                })?;
                data.join("Code").join("User").join("mcp.json")
            }
            Self::Claude => match machine.folder("CLAUDE_CONFIG_DIR") {
                Some(folder) => folder.join(".claude.json"),
                None => machine.below_home(".claude.json")?,
            },
            Self::Codex => machine.codex_folder()?.join("config.toml"),
            Self::Zed => machine.zed_folder()?.join("settings.json"),
            _ => bail!(
                "--user knows the files of VS Code, Claude Code, Codex and Zed, not that of {title}. Run this in a project's folder, without the flag; nothing was written."
            ),
        })
    }
}

impl Machine {
    /// Where programs keep what they know of a person.
    pub fn app_data(&self) -> Option<PathBuf> {
        match self.os {
            "windows" => self.folder("APPDATA"),
            "macos" => Some(self.home()?.join("Library/Application Support")),
            _ => {
                let own = self.folder("XDG_CONFIG_HOME");
                own.or_else(|| Some(self.home()?.join(".config")))
            }
        }
    }

    /// Claude Code's own folder.
    pub fn claude_folder(&self) -> anyhow::Result<PathBuf> {
        let moved = self.folder("CLAUDE_CONFIG_DIR").map(Ok);
        moved.unwrap_or_else(|| self.below_home(".claude"))
    }

    /// Codex's own folder.
    pub fn codex_folder(&self) -> anyhow::Result<PathBuf> {
        let moved = self.folder("CODEX_HOME").map(Ok);
        moved.unwrap_or_else(|| self.below_home(".codex"))
    }

    /// Zed's own folder: on a Mac it is not where other apps have theirs.
    pub fn zed_folder(&self) -> anyhow::Result<PathBuf> {
        let own = match self.os {
            "windows" => self.folder("APPDATA").map(|data| data.join("Zed")),
            "macos" => None,
            _ => {
                let moved = self.folder("FLATPAK_XDG_CONFIG_HOME");
                let moved = moved.or_else(|| self.folder("XDG_CONFIG_HOME"));
                moved.map(|data| data.join("zed"))
            }
        };
        match own {
            Some(own) => Ok(own),
            None => Ok(self.below_home(".config")?.join("zed")),
        }
    }

    /// A file or folder in the person's home.
    pub fn below_home(&self, name: &str) -> anyhow::Result<PathBuf> {
        let home = self
            .home()
            .with_context(|| format!("cannot tell where ~/{name} is: HOME is not set"))?;
        Ok(home.join(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_platform_has_its_place() {
        let root = tempfile::tempdir().unwrap();
        let check = |client: Client, os, variables: &'static [(&str, &str)], wanted: &str| {
            let below = root.path().to_owned();
            let machine = Machine {
                os,
                var: Box::new(move |name| {
                    let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
                    Some(below.join(value).into_os_string())
                }),
                binary: None,
            };
            let found = client.file(Scope::User, root.path(), &machine).unwrap();
            assert_eq!(found, root.path().join(wanted), "{client:?} {os}");
        };
        let home: &[_] = &[("HOME", "h")];
        let vscode = |os, variables, wanted: &str| check(Client::Vscode, os, variables, wanted);
        vscode("linux", home, "h/.config/Code/User/mcp.json");
        let moved = &[("HOME", "h"), ("XDG_CONFIG_HOME", "x")];
        vscode("linux", moved, "x/Code/User/mcp.json");
        let mac = "h/Library/Application Support/Code/User/mcp.json";
        vscode("macos", home, mac);
        vscode("windows", &[("APPDATA", "a")], "a/Code/User/mcp.json");
        let zed = |os, variables, wanted: &str| check(Client::Zed, os, variables, wanted);
        zed("linux", home, "h/.config/zed/settings.json");
        zed("linux", moved, "x/zed/settings.json");
        zed("macos", moved, "h/.config/zed/settings.json");
        zed("windows", &[("APPDATA", "a")], "a/Zed/settings.json");
        for os in ["linux", "macos"] {
            check(
                Client::Windsurf,
                os,
                home,
                "h/.codeium/windsurf/mcp_config.json",
            );
            check(Client::Claude, os, home, "h/.claude.json");
            check(Client::Codex, os, home, "h/.codex/config.toml");
            let moved = &[
                ("HOME", "h"),
                ("CLAUDE_CONFIG_DIR", "c"),
                ("CODEX_HOME", "o"),
            ];
            check(Client::Claude, os, moved, "c/.claude.json");
            check(Client::Codex, os, moved, "o/config.toml");
            check(Client::Continue, os, home, "h/.continue/config.yaml");
        }
        check(
            Client::Codex,
            "windows",
            &[("USERPROFILE", "u")],
            "u/.codex/config.toml",
        );
    }
}
