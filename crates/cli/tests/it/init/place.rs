//! A folder with a client's file in it, and the real binary run there.

use super::cases::{Syntax, TABLE};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_holdpoint");

/// A client, and what its file is like.
pub struct Client {
    pub name: &'static str,
    pub file: &'static str,
    pub syntax: Syntax,
    key: &'static str,
    entry: &'static str,
    binary: &'static str,
}

/// Entries as the clients have them.
const TYPED: &str = r#""holdpoint": {
  "type": "stdio",
  "command": "BINARY",
  "args": ["serve"]
}"#;
const PLAIN: &str = r#""holdpoint": {
  "command": "BINARY",
  "args": ["serve"]
}"#;
const LOCAL: &str = r#""holdpoint": {
  "type": "local",
  "command": ["BINARY", "serve"],
  "enabled": true
}"#;

const fn json(name: &'static str, file: &'static str, key: &'static str) -> Client {
    Client {
        name,
        file,
        syntax: Syntax::Json,
        key,
        entry: TYPED,
        binary: "holdpoint",
    }
}

const fn plain(name: &'static str, file: &'static str) -> Client {
    Client {
        entry: PLAIN,
        ..json(name, file, "mcpServers")
    }
}

const fn local(name: &'static str, file: &'static str) -> Client {
    Client {
        syntax: Syntax::Local,
        entry: LOCAL,
        ..json(name, file, "mcp")
    }
}

pub const CLIENTS: [Client; 11] = [
    json("vscode", ".vscode/mcp.json", "servers"),
    json("claude", ".mcp.json", "mcpServers"),
    json("cursor", ".cursor/mcp.json", "mcpServers"),
    json("copilot", ".github/mcp.json", "mcpServers"),
    plain("gemini", ".gemini/settings.json"),
    plain("qwen", ".qwen/settings.json"),
    plain("cline", ".cline/data/settings/cline_mcp_settings.json"),
    local("opencode", "opencode.json"),
    local("kilo", "kilo.json"),
    Client {
        binary: BINARY,
        ..plain(
            "claude-desktop",
            ".config/Claude/claude_desktop_config.json",
        )
    },
    Client {
        syntax: Syntax::Toml,
        ..json("codex", ".codex/config.toml", "mcp_servers")
    },
];

impl Client {
    /// A template with this client's words in it.
    pub fn filled(&self, template: &str) -> String {
        let lines = template.split_inclusive('\n').map(|line| {
            let indent = &line[..line.len() - line.trim_start().len()];
            let entry = if indent.contains('\t') {
                self.entry().replace("  ", "\t")
            } else {
                self.entry()
            };
            let entry = entry.replace('\n', &format!("\n{indent}"));
            let end = format!("\n{indent}}}");
            let commas = entry.strip_suffix(&end).unwrap_or(&entry).to_owned() + "," + &end;
            line.replace("ENTRY", &entry).replace("COMMAS", &commas)
        });
        let text: String = lines.collect();
        text.replace("TABLE", TABLE)
            .replace("KEY", self.key)
            .replace("BINARY", self.binary)
    }

    fn entry(&self) -> String {
        self.entry.to_owned()
    }
}

/// How a run ended.
pub struct Run {
    pub ok: bool,
    pub out: String,
    pub err: String,
}

/// A folder of its own.
pub struct Place {
    folder: TempDir,
    client: &'static str,
    file: &'static str,
}

impl Place {
    pub fn new(client: &Client) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            client: client.name,
            file: client.file,
        }
    }

    pub fn of(name: &str) -> Self {
        Self::new(CLIENTS.iter().find(|client| client.name == name).unwrap())
    }

    /// `holdpoint init CLIENT …`, run here.
    pub fn init(&self, args: &[&str]) -> Run {
        let output = Command::new(BINARY)
            .args(["init", self.client])
            .args(args)
            .current_dir(self.folder())
            .env("HOME", self.folder())
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_STATE_HOME")
            .env("HOLDPOINT_TEST_ACCOUNT", self.folder())
            .env("CLAUDE_CONFIG_DIR", self.folder().join("own/claude"))
            .env("CODEX_HOME", self.folder().join("own/codex"))
            .env("PATH", Path::new(BINARY).parent().unwrap())
            .output()
            .unwrap();
        Run {
            ok: output.status.success(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self) -> PathBuf {
        self.folder().join(self.file)
    }

    /// The file as messages name it: from the folder where it can be.
    pub fn told(&self) -> &'static str {
        self.file
    }

    pub fn text(&self) -> String {
        fs::read_to_string(self.file()).unwrap()
    }

    pub fn put(&self, text: &str) {
        fs::create_dir_all(self.file().parent().unwrap()).unwrap();
        fs::write(self.file(), text).unwrap();
    }

    /// The text in another folder, and a link to it where the file belongs.
    pub fn link(&self, text: &str) {
        let target = self.folder().join("dotfiles/target");
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(&target, text).unwrap();
        fs::create_dir_all(self.file().parent().unwrap()).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&target, self.file()).unwrap();
        #[cfg(not(unix))]
        fs::write(self.file(), text).unwrap();
    }

    /// Every file here, with what is in it.
    pub fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.folder().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path)
                } else {
                    drop(found.insert(path.clone(), fs::read(path).unwrap_or_default()))
                }
            }
        }
        found
    }
}
