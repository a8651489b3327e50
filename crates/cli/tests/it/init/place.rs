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

/// The clients that start their servers in no project's folder.
pub const ANYWHERE: [&str; 2] = ["claude-desktop", "windsurf"];

/// The arguments that register with a client: one that starts its servers anywhere is told the folder.
pub fn registering(client: &str) -> Vec<&str> {
    let folder: &[_] = if ANYWHERE.contains(&client) {
        &["--workspace", "."]
    } else {
        &[]
    };
    [&["init", client], folder].concat()
}

/// Entries as the clients have them.
const TYPED: &str = r#""holdpoint": {
  "type": "stdio",
  "command": "BINARY",
  "args": ["serve"FOLDER]
}"#;
const PLAIN: &str = r#""holdpoint": {
  "command": "BINARY",
  "args": ["serve"FOLDER]
}"#;
const TIMED: &str = r#""holdpoint": {
  "command": "BINARY",
  "args": ["serve"],
  "timeout": 600
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

pub const CLIENTS: [Client; 13] = [
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
        entry: TIMED,
        ..json("zed", ".zed/settings.json", "context_servers")
    },
    Client {
        binary: BINARY,
        ..plain("windsurf", ".codeium/windsurf/mcp_config.json")
    },
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

/// How a run ended.
pub struct Run {
    pub ok: bool,
    pub out: String,
    pub err: String,
}

/// A folder of its own.
pub struct Place {
    folder: TempDir,
    client: &'static Client,
}

impl Place {
    pub fn new(client: &'static Client) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            client,
        }
    }

    pub fn of(name: &str) -> Self {
        Self::new(CLIENTS.iter().find(|client| client.name == name).unwrap())
    }

    /// `holdpoint init CLIENT …`, run here, with the folder where the client needs one.
    pub fn register(&self, args: &[&str]) -> Run {
        self.run(&[&registering(self.client.name), args].concat())
    }

    /// `holdpoint init CLIENT …`, run here, with these arguments alone.
    pub fn init(&self, args: &[&str]) -> Run {
        self.run(&[&["init", self.client.name], args].concat())
    }

    fn run(&self, args: &[&str]) -> Run {
        let output = Command::new(BINARY)
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

    /// A template with the client's words in it, and this folder.
    pub fn filled(&self, template: &str) -> String {
        let entry = self.client.entry;
        let lines = template.split_inclusive('\n').map(|line| {
            let indent = &line[..line.len() - line.trim_start().len()];
            let entry = if indent.contains('\t') {
                entry.replace("  ", "\t")
            } else {
                entry.to_owned()
            };
            let entry = entry.replace('\n', &format!("\n{indent}"));
            let end = format!("\n{indent}}}");
            let commas = entry.strip_suffix(&end).unwrap_or(&entry).to_owned() + "," + &end;
            line.replace("ENTRY", &entry).replace("COMMAS", &commas)
        });
        let text: String = lines.collect();
        let folder = if ANYWHERE.contains(&self.client.name) {
            let folder = self.folder().canonicalize().unwrap();
            format!(r#", "--workspace", "{}""#, folder.display())
        } else {
            String::new()
        };
        text.replace("TABLE", TABLE.trim_end())
            .replace("KEY", self.client.key)
            .replace("BINARY", self.client.binary)
            .replace("FOLDER", &folder)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn file(&self) -> PathBuf {
        self.folder().join(self.client.file)
    }

    /// The file as messages name it: from the folder where it can be.
    pub fn told(&self) -> &'static str {
        self.client.file
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
