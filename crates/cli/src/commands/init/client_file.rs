//! Where each client's file is.

use super::{
    client::{Client, Machine},
    desktop,
};
use std::path::{Path, PathBuf};

impl Client {
    /// The file that lists its servers. Of several names that the client reads, it is the first that is
    /// there.
    pub fn config(self, folder: &Path, machine: &Machine) -> anyhow::Result<PathBuf> {
        let first = |names: &[&str], otherwise: &str| {
            let mut named = names.iter().map(|name| folder.join(name));
            let there = named.find(|path| path.is_file());
            there.unwrap_or_else(|| folder.join(otherwise))
        };
        Ok(match self {
            Self::Vscode => folder.join(".vscode").join("mcp.json"),
            Self::Claude => folder.join(".mcp.json"),
            Self::ClaudeDesktop => desktop::config(machine)?,
            Self::Cursor => folder.join(".cursor").join("mcp.json"),
            Self::Codex => folder.join(".codex").join("config.toml"),
            // Not .mcp.json, which it reads too: that is Claude Code's.
            Self::Copilot => folder.join(".github").join("mcp.json"),
            Self::Gemini => folder.join(".gemini").join("settings.json"),
            Self::Qwen => folder.join(".qwen").join("settings.json"),
            Self::Opencode => first(
                &[
                    "opencode.json",
                    "opencode.jsonc",
                    ".opencode/opencode.json",
                    ".opencode/opencode.jsonc",
                ],
                "opencode.json",
            ),
            Self::Kilo => first(
                &[
                    ".kilo/kilo.jsonc",
                    ".kilo/kilo.json",
                    "kilo.jsonc",
                    "kilo.json",
                ],
                "kilo.json",
            ),
            Self::Continue => {
                let own = machine.folder("CONTINUE_GLOBAL_DIR").map(Ok);
                let own = own.unwrap_or_else(|| machine.below_home(".continue"));
                own?.join("config.yaml")
            }
            Self::Cline => cline(machine)?,
            Self::Zed => folder.join(".zed").join("settings.json"),
            Self::Windsurf => machine
                .below_home(".codeium")?
                .join("windsurf")
                .join("mcp_config.json"),
            Self::FastAgent => first(
                &["fast-agent.yaml", "fast-agent.config.yaml"],
                "fastagent.config.yaml",
            ),
        })
    }

    /// Whether the file is one person's, in their home, and not the folder's.
    pub fn is_in_home(self) -> bool {
        matches!(
            self,
            Self::ClaudeDesktop | Self::Continue | Self::Cline | Self::Windsurf
        )
    }
}

fn cline(machine: &Machine) -> anyhow::Result<PathBuf> {
    if let Some(file) = machine.folder("CLINE_MCP_SETTINGS_PATH") {
        return Ok(file);
    }
    let data = match (
        machine.folder("CLINE_DATA_DIR"),
        machine.folder("CLINE_DIR"),
    ) {
        (Some(data), _) => data,
        (None, Some(own)) => own.join("data"),
        (None, None) => machine.below_home(".cline")?.join("data"),
    };
    Ok(data.join("settings").join("cline_mcp_settings.json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn check(client: Client, variables: &'static [(&str, &str)], there: &[&str], wanted: &str) {
        let root = tempfile::tempdir().unwrap();
        for name in there {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let below = root.path().to_owned();
        let machine = Machine {
            os: "linux",
            var: Box::new(move |name| {
                let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
                Some(below.join(value).into_os_string())
            }),
            binary: None,
        };
        let found = client.config(root.path(), &machine).unwrap();
        assert_eq!(found, root.path().join(wanted), "{client:?} {variables:?}");
    }

    #[test]
    fn the_file_that_is_there_is_the_one() {
        check(Client::Opencode, &[], &[], "opencode.json");
        check(Client::Opencode, &[], &["opencode.jsonc"], "opencode.jsonc");
        check(Client::Kilo, &[], &["opencode.json"], "kilo.json");
        check(Client::Kilo, &[], &[".kilo/kilo.jsonc"], ".kilo/kilo.jsonc");
        check(Client::FastAgent, &[], &[], "fastagent.config.yaml");
        check(
            Client::FastAgent,
            &[],
            &["fast-agent.yaml"],
            "fast-agent.yaml",
        );
    }

    #[test]
    fn variables_of_the_client_move_its_file() {
        let home: &[_] = &[("HOME", "h")];
        let settings = "settings/cline_mcp_settings.json";
        check(Client::Continue, home, &[], "h/.continue/config.yaml");
        let moved = &[("HOME", "h"), ("CONTINUE_GLOBAL_DIR", "c")];
        check(Client::Continue, moved, &[], "c/config.yaml");
        let cline = |variables, wanted: &str| check(Client::Cline, variables, &[], wanted);
        cline(home, &format!("h/.cline/data/{settings}"));
        cline(&[("CLINE_DIR", "c")], &format!("c/data/{settings}"));
        cline(&[("CLINE_DATA_DIR", "d")], &format!("d/{settings}"));
        cline(&[("CLINE_MCP_SETTINGS_PATH", "own.json")], "own.json");
    }

    #[test]
    fn no_home_is_told() {
        let machine = Machine {
            os: "linux",
            var: Box::new(|_| None),
            binary: None,
        };
        let said = Client::Cline.config(Path::new("/"), &machine).unwrap_err();
        assert_eq!(
            said.to_string(),
            "cannot tell where ~/.cline is: HOME is not set"
        );
    }
}
