//! The agent files of each client: where they are, and what is around the same text.

use super::{
    super::{
        client::{Client, Machine},
        user_file::Scope,
        yaml_lines,
    },
    role::Role,
};
use std::path::{Path, PathBuf};

/// How a client wants its agents written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Markdown with YAML before it, as VS Code reads it.
    Vscode,
    /// The same, as Claude Code reads it.
    Claude,
    /// TOML for the subagents. The Conductor is a skill: Codex runs no agent of ours in the session itself,
    /// and one that it spawns cannot spawn others.
    Codex,
}

/// How one file says what is not for the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comments {
    /// `<!-- … -->`
    Markdown,
    /// `# …`
    Toml,
}

impl Dialect {
    /// The clients that have one.
    pub const CLIENTS: [(Client, Self); 3] = [
        (Client::Vscode, Self::Vscode),
        (Client::Claude, Self::Claude),
        (Client::Codex, Self::Codex),
    ];

    /// That of a client, where `--conductor` knows it.
    pub fn for_client(client: Client) -> Option<Self> {
        let mut all = Self::CLIENTS.into_iter();
        all.find_map(|(known, dialect)| (known == client).then_some(dialect))
    }

    /// Where the file of an agent is.
    pub fn path(
        self,
        role: Role,
        scope: Scope,
        folder: &Path,
        machine: &Machine,
    ) -> anyhow::Result<PathBuf> {
        type Own = fn(&Machine) -> anyhow::Result<PathBuf>;
        let (of_project, of_person, file): (_, Own, _) = match (self, role) {
            (Self::Vscode, _) => (
                ".github",
                |machine| machine.below_home(".copilot"),
                format!("agents/{}.agent.md", self.name(role)),
            ),
            (Self::Claude, _) => (
                ".claude",
                Machine::claude_folder,
                format!("agents/{}.md", self.name(role)),
            ),
            (Self::Codex, Role::Conductor) => (
                ".agents",
                |machine| machine.below_home(".agents"),
                format!("skills/{}/SKILL.md", self.name(role)),
            ),
            (Self::Codex, _) => (
                ".codex",
                Machine::codex_folder,
                format!("agents/{}.toml", self.name(role)),
            ),
        };
        let agents = match scope {
            Scope::Project => folder.join(of_project),
            Scope::User => of_person(machine)?,
        };
        Ok(agents.join(file))
    }

    /// How the file of an agent is commented.
    pub fn comments(self, role: Role) -> Comments {
        match (self, role) {
            (Self::Codex, Role::Planning | Role::Implement | Role::Review) => Comments::Toml,
            _ => Comments::Markdown,
        }
    }

    /// Why an agent's file cannot name its model, and what to do instead.
    pub fn no_model(self, role: Role) -> Option<&'static str> {
        (self == Self::Codex && role == Role::Conductor).then_some(
            "In Codex the Conductor is a skill, which runs with the model of the session: start it as `codex -m MODEL`",
        )
    }

    /// The file of an agent.
    pub fn write(self, role: Role, model: Option<&str>) -> String {
        let text = role.text().replace("{SUBAGENTS}", self.subagents());
        if self.comments(role) == Comments::Toml {
            return toml(role, &text, model);
        }
        let (name, description) = (self.name(role), self.description(role));
        let mut header = format!("name: {name}\ndescription: {description}\n");
        for (key, value) in self.header(role) {
            header.push_str(&format!("{key}: {value}\n"));
        }
        if let Some(model) = model {
            header.push_str(&format!("model: {}\n", quoted(model)));
        }
        format!("---\n{header}---\n{text}")
    }

    /// The model that such a file names.
    pub fn model_in(self, role: Role, file: &str) -> Option<String> {
        let value = match self.comments(role) {
            Comments::Toml => {
                let file: toml_edit::DocumentMut = file.parse().ok()?;
                return Some(file.get("model")?.as_str()?.to_owned());
            }
            Comments::Markdown => {
                let header = file.strip_prefix("---\n")?.split_once("\n---\n")?.0;
                yaml_lines::as_json(&yaml_lines::parse(header).ok()??)?
            }
        };
        Some(value["model"].as_str()?.to_owned())
    }

    /// What a person does to start it.
    pub fn start(self) -> &'static str {
        match self {
            Self::Vscode => "Choose Conductor in the chat's agent picker and tell it the task.",
            Self::Claude => "Start it with `claude --agent conductor` and tell it the task.",
            Self::Codex => "Start `codex`, write `$conductor` and the task.",
        }
    }

    /// How the Conductor runs its subagents.
    fn subagents(self) -> &'static str {
        match self {
            Self::Vscode => {
                "The subagents are **planning**, **implement** and **code-review**. Run one with the agent tool, by its name, and wait for its report."
            }
            Self::Claude => {
                "The subagents are **planning**, **implement** and **code-review**. Run one with the Agent tool, its name as `subagent_type`, and wait for its report. You are the session's own agent: if you were started as a subagent yourself, say that `claude --agent conductor` starts you, and stop."
            }
            Self::Codex => {
                "The subagents are the custom agents **planning**, **implement** and **code-review**. Spawn one by its name, one at a time, and wait for its report. Where no agent can be spawned, do its part yourself, by its file in `.codex/agents`, and say so."
            }
        }
    }

    /// What the client calls it.
    fn name(self, role: Role) -> &'static str {
        match (self, role) {
            // People read it in the agent picker.
            (Self::Vscode, Role::Conductor) => "Conductor",
            _ => role.name(),
        }
    }

    /// What it is for, and what keeps the client from running it where it cannot work.
    fn description(self, role: Role) -> String {
        let note = match (self, role) {
            (Self::Claude, Role::Conductor) => {
                ". Not a subagent; a person starts it with claude --agent conductor"
            }
            (Self::Codex, Role::Conductor) => ". Only when the person asks for the Conductor",
            _ => "",
        };
        format!("{}{note}", role.description())
    }

    /// What comes after name and description in the YAML before the text.
    fn header(self, role: Role) -> &'static [(&'static str, &'static str)] {
        match (self, role) {
            (Self::Vscode, Role::Conductor) => &[
                ("argument-hint", "What should be built or changed?"),
                (
                    "tools",
                    "['agent', 'read', 'search', 'edit', 'execute', 'web', 'todo', 'holdpoint/*']",
                ),
                ("agents", "['planning', 'implement', 'code-review']"),
                ("disable-model-invocation", "true"),
            ],
            (Self::Vscode, Role::Planning) => &[
                ("tools", "['read', 'search', 'web']"),
                ("agents", "[]"),
                ("user-invocable", "false"),
            ],
            (Self::Vscode, Role::Implement) => &[
                ("tools", "['read', 'search', 'edit', 'execute', 'todo']"),
                ("agents", "[]"),
                ("user-invocable", "false"),
            ],
            (Self::Vscode, Role::Review) => &[
                ("tools", "['read', 'search', 'execute']"),
                ("agents", "[]"),
                ("user-invocable", "false"),
            ],
            // Without a list it has all tools, those of the server among them.
            (Self::Claude, Role::Conductor) => &[],
            (Self::Claude, Role::Planning) => &[("tools", "Read, Grep, Glob, WebFetch, WebSearch")],
            (Self::Claude, Role::Implement) => {
                &[("tools", "Read, Grep, Glob, Edit, Write, Bash, TodoWrite")]
            }
            (Self::Claude, Role::Review) => &[("tools", "Read, Grep, Glob, Bash")],
            (Self::Codex, _) => &[],
        }
    }
}

fn toml(role: Role, text: &str, model: Option<&str>) -> String {
    let mut file = toml_edit::DocumentMut::new();
    file["name"] = toml_edit::value(role.name());
    file["description"] = toml_edit::value(role.description());
    if let Some(model) = model {
        file["model"] = toml_edit::value(model);
    }
    if role == Role::Planning {
        file["sandbox_mode"] = toml_edit::value("read-only");
    }
    file["developer_instructions"] = toml_edit::value(text);
    file.to_string()
}

/// A text as YAML that is nothing but this text, whatever is in it.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
