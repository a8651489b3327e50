//! The clients that people use, as data: how each is installed, set up and run. Here are those that show forms.

use super::station::Station;
use serde_json::{Value, json};
use std::{fs, path::Path};

/// A client, and what is needed to drive it.
pub struct RealClient {
    /// Its folder below `.tools/real-clients`, and the first part of its recordings' names.
    pub name: &'static str,
    /// The program, from that folder.
    pub program: &'static str,
    /// It is a script of Node's.
    pub node: bool,
    /// Its variables; `MODEL` stands for the model's address.
    pub variables: &'static [(&'static str, &'static str)],
    /// Writes its files, as a person has them who has set it up.
    pub set_up: fn(&Station),
    /// Its arguments for one task without a person; `TASK` stands for it.
    pub headless: &'static [&'static str],
    /// The same, when its shell may run anything.
    pub unsafe_headless: &'static [&'static str],
    /// Its arguments in a terminal.
    pub interactive: &'static [&'static str],
    /// What its screen shows once it can be typed at.
    pub ready: &'static str,
    /// The configuration of Holdpoint with which a call of this client ends `pending` soon.
    pub short_hold: &'static str,
}

/// Where a client has no limits of its own.
pub const SHORT_HOLD: &str = "hold_seconds = 1\n";

pub const CLAUDE_CODE: RealClient = RealClient {
    name: "claude-code",
    program: "node_modules/@anthropic-ai/claude-code-linux-x64/claude",
    node: false,
    variables: &[
        ("ANTHROPIC_BASE_URL", "MODEL"),
        ("ANTHROPIC_AUTH_TOKEN", "none"),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
        ("DISABLE_TELEMETRY", "1"),
        ("DISABLE_ERROR_REPORTING", "1"),
        ("DISABLE_AUTOUPDATER", "1"),
        ("IS_SANDBOX", "1"),
    ],
    set_up: |station| {
        station.init("claude");
        let workspace = station.home.workspace().display().to_string();
        let seen = json!({
            "hasTrustDialogAccepted": true,
            "enabledMcpjsonServers": ["holdpoint"],
            "hasCompletedProjectOnboarding": true,
        });
        let settings = json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "lastOnboardingVersion": "2.1.325",
            "projects": { workspace: seen },
        });
        write_json(&station.home.root().join(".claude.json"), &settings);
    },
    headless: &[
        "-p",
        "TASK",
        "--model",
        "claude-sonnet-4-5",
        "--allowedTools",
        "mcp__holdpoint",
    ],
    unsafe_headless: &[
        "-p",
        "TASK",
        "--model",
        "claude-sonnet-4-5",
        "--allowedTools",
        "mcp__holdpoint",
        "Bash",
    ],
    interactive: &[
        "--model",
        "claude-sonnet-4-5",
        "--allowedTools",
        "mcp__holdpoint",
    ],
    ready: "for shortcuts",
    short_hold: "hold_seconds = 1\n[clients.claude-code]\nprogress_resets_clock = false\n",
};

pub const CODEX: RealClient = RealClient {
    name: "codex",
    program: "node_modules/@openai/codex/bin/codex.js",
    node: true,
    variables: &[("FAKE_KEY", "none")],
    set_up: |station| {
        station.init("codex");
        let settings = format!(
            "model = \"fake-model\"\n\
             model_provider = \"fake\"\n\
             check_for_update_on_startup = false\n\
             [analytics]\n\
             enabled = false\n\
             [model_providers.fake]\n\
             name = \"fake\"\n\
             base_url = \"{}/v1\"\n\
             wire_api = \"responses\"\n\
             env_key = \"FAKE_KEY\"\n\
             stream_max_retries = 0\n\
             request_max_retries = 0\n\
             [projects.\"{}\"]\n\
             trust_level = \"trusted\"\n",
            station.model.address,
            station.home.workspace().display()
        );
        write(&station.home.root().join(".codex/config.toml"), &settings);
    },
    headless: &["exec", "--json", "TASK"],
    unsafe_headless: &[
        "exec",
        "--json",
        "--dangerously-bypass-approvals-and-sandbox",
        "TASK",
    ],
    interactive: &[],
    ready: "for shortcuts",
    short_hold: SHORT_HOLD,
};

pub const COPILOT: RealClient = RealClient {
    name: "copilot",
    program: "node_modules/@github/copilot/npm-loader.js",
    node: true,
    variables: &[
        ("COPILOT_AUTO_UPDATE", "false"),
        ("COPILOT_OFFLINE", "true"),
        ("COPILOT_PROVIDER_BASE_URL", "MODEL/v1"),
        ("COPILOT_MODEL", "fake-model"),
        ("COPILOT_PROVIDER_API_KEY", "none"),
    ],
    set_up: |station| {
        // It reads the file that Claude Code reads.
        station.init("claude");
        let trusted = json!({ "trusted_folders": [station.home.workspace()] });
        write_json(&station.home.root().join(".copilot/config.json"), &trusted);
    },
    headless: &["-p", "TASK", "--allow-all-tools"],
    unsafe_headless: &["-p", "TASK", "--allow-all-tools"],
    interactive: &["--allow-all-tools"],
    ready: "? help",
    short_hold: SHORT_HOLD,
};

pub const FAST_AGENT: RealClient = RealClient {
    name: "fast-agent",
    program: "bin/fast-agent",
    node: false,
    variables: &[],
    set_up: |station| {
        let settings = format!(
            "default_model: generic.fake-model\n\
             generic: {{api_key: none, base_url: \"{}/v1\"}}\n\
             mcp: {{servers: {{holdpoint: {{command: holdpoint, args: [serve]}}}}}}\n",
            station.model.address
        );
        write(
            &station.home.workspace().join("fastagent.config.yaml"),
            &settings,
        );
    },
    headless: &[],
    unsafe_headless: &[],
    interactive: &["go", "--servers", "holdpoint"],
    ready: "for commands",
    short_hold: SHORT_HOLD,
};

pub const VSCODE: RealClient = RealClient {
    name: "vscode",
    program: "node_modules/code-server/out/node/entry.js",
    node: true,
    variables: &[],
    set_up: |station| {
        station.init("vscode");
        let address = format!("{}/v1/chat/completions", station.model.address);
        let model = json!([{
            "vendor": "customendpoint",
            "name": "Fake",
            "apiKey": "none",
            "models": [{
                "id": "fake-model", "name": "Fake", "url": address, "toolCalling": true, "vision": false,
                "maxInputTokens": 100_000, "maxOutputTokens": 8000,
            }],
        }]);
        let user = station.home.root().join(".local/share/code-server/User");
        write_json(&user.join("chatLanguageModels.json"), &model);
        let settings = json!({
            "chat.defaultModel": "Fake",
            "chat.mcp.autostart": "newAndOutdated",
            "telemetry.telemetryLevel": "off",
            "workbench.startupEditor": "none",
        });
        write_json(&user.join("settings.json"), &settings);
    },
    headless: &[],
    unsafe_headless: &[],
    interactive: &[
        "--auth",
        "none",
        "--bind-addr",
        "127.0.0.1:0",
        "--disable-telemetry",
        "--disable-update-check",
        "--disable-workspace-trust",
        ".",
    ],
    ready: "",
    short_hold: SHORT_HOLD,
};

/// Writes a file of a client's.
pub fn write_json(path: &Path, value: &Value) {
    write(path, &format!("{value:#}\n"));
}

/// Writes a file of a client's.
pub fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
