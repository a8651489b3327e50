//! Settings of clients that answer Holdpoint's questions in the person's place, or that keep its hook from
//! running.

use super::Check;
use crate::{
    commands::init::{
        Client,
        client::Machine,
        prompts::found::{Found, vscode_settings},
        registered::Registered,
    },
    config::toml_as_json,
};
use jsonc_parser::ParseOptions;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

const NAME: &str = "settings";

/// The clients in which Holdpoint is.
pub struct Guarded {
    registered: Vec<Client>,
    hooked: Vec<Client>,
}

impl Guarded {
    /// Those with the server, and those with the hook.
    pub fn new(registered: &[Registered], hooks: &[Found]) -> Self {
        let named = registered
            .iter()
            .filter(|found| matches!(found.entry, Ok(Some(_))));
        Self {
            registered: named.map(|found| found.client).collect(),
            hooked: hooks.iter().map(|found| found.client).collect(),
        }
    }

    fn has(&self, client: Client) -> bool {
        self.registered.contains(&client) || self.is_hooked(client)
    }

    fn is_hooked(&self, client: Client) -> bool {
        self.hooked.contains(&client)
    }
}

/// What is to be said of each client's settings.
pub fn checks(guarded: &Guarded, workspace: &Path, machine: &Machine) -> Vec<Check> {
    let mut found = Vec::new();
    let shown = |path: &Path| {
        let path = path.strip_prefix(workspace).unwrap_or(path);
        path.display().to_string()
    };
    if guarded.has(Client::Vscode) {
        let own = workspace.join(".vscode/settings.json");
        let own = json(&own).map(|value| (own, value));
        for (path, settings) in own.into_iter().chain(vscode_settings(machine)) {
            found.extend(vscode(&shown(&path), &settings, guarded));
        }
    }
    if guarded.has(Client::Codex) {
        let own = machine.codex_folder().map(|own| own.join("config.toml"));
        let files = [workspace.join(".codex/config.toml")]
            .into_iter()
            .chain(own.ok());
        for path in files {
            found.extend(toml(&path).and_then(|settings| codex(&shown(&path), &settings)));
        }
    }
    if guarded.is_hooked(Client::Claude) {
        for path in claude_files(workspace, machine) {
            let settings = json(&path).unwrap_or_default();
            found.extend(claude(&shown(&path), &settings));
        }
    }
    // They share a file.
    if guarded.is_hooked(Client::Vscode) {
        let folder = workspace.join(".github/copilot");
        let own = machine.below_home(".copilot/settings.json").ok();
        let files = ["settings.json", "settings.local.json"].map(|name| folder.join(name));
        for path in files.into_iter().chain(own) {
            let settings = json(&path).unwrap_or_default();
            found.extend(disabled("Copilot CLI", &shown(&path), &settings));
        }
    }
    found
}

fn vscode(file: &str, settings: &Value, guarded: &Guarded) -> Vec<Check> {
    let mut found = Vec::new();
    let level = settings["chat.permissions.default"].as_str();
    let answers = [
        (
            level == Some("autopilot"),
            "`chat.permissions.default` is `autopilot`",
        ),
        (
            level == Some("autoApprove"),
            "`chat.permissions.default` is `autoApprove`",
        ),
        (
            settings["chat.tools.global.autoApprove"] == true,
            "`chat.tools.global.autoApprove` is on",
        ),
        (settings["chat.autoReply"] == true, "`chat.autoReply` is on"),
    ];
    for (is_so, what) in answers {
        if is_so {
            let what =
                format!("{file}: {what}, and VS Code then skips or answers questions by itself");
            found.push(Check::problem(NAME, what).fix(
                "take it out there; what is dangerous can be kept to the inbox (`[trust] dangerous = \"inbox\"`)",
            ));
        }
    }
    if guarded.is_hooked(Client::Vscode) && settings["chat.useHooks"] == false {
        let what = format!("{file}: `chat.useHooks` is off, so VS Code runs no hook");
        found.push(Check::problem(NAME, what).fix("take it out there"));
    }
    found
}

fn codex(file: &str, settings: &Value) -> Option<Check> {
    let policy = &settings["approval_policy"];
    let what = if policy == "never" {
        "`approval_policy` is `never`"
    } else if policy["granular"]["mcp_elicitations"] == false {
        "`mcp_elicitations` is false in `approval_policy`"
    } else {
        return None;
    };
    let what = format!("{file}: {what}, so Codex declines Holdpoint's forms by itself");
    Some(
        Check::problem(NAME, what).fix(
            "set `approval_policy = \"on-request\"`; until then its questions wait in the inbox",
        ),
    )
}

fn claude(file: &str, settings: &Value) -> Vec<Check> {
    let mut found: Vec<_> = disabled("Claude Code", file, settings)
        .into_iter()
        .collect();
    let what = match settings["permissions"]["defaultMode"].as_str() {
        Some("bypassPermissions") => "asks for nothing itself, so only your rules hold it back",
        Some("dontAsk") => "denies by itself what it would ask you",
        _ => return found,
    };
    let mode = &settings["permissions"]["defaultMode"];
    let what = format!("{file}: `permissions.defaultMode` is {mode}: Claude Code {what}");
    found.push(Check::hint(NAME, what).fix("take it out there, to be asked"));
    found
}

fn disabled(title: &str, file: &str, settings: &Value) -> Option<Check> {
    let what = format!("{file}: `disableAllHooks` is on, so {title} runs none, ours neither");
    (settings["disableAllHooks"] == true)
        .then(|| Check::problem(NAME, what).fix("take it out there"))
}

fn claude_files(workspace: &Path, machine: &Machine) -> Vec<PathBuf> {
    let own = |name: &str| workspace.join(".claude").join(name);
    let mut files = vec![own("settings.json"), own("settings.local.json")];
    let of_person = machine.claude_folder().ok();
    files.extend(of_person.map(|folder| folder.join("settings.json")));
    files
}

fn json(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    jsonc_parser::parse_to_serde_value(text, &ParseOptions::default()).ok()
}

/// What a TOML file says.
pub fn toml(path: &Path) -> Option<Value> {
    let text = fs::read_to_string(path).ok()?;
    let document: toml_edit::DocumentMut = text.parse().ok()?;
    Some(toml_as_json(document.as_item()))
}
