//! The plugins and the extension of this repository, installed by the clients themselves. What they start is `npx`, which
//! is a program here that starts the binary under test: nothing comes from a registry.

use super::{
    catalog::{self, RealClient},
    forms::is_yes,
    headless::statuses,
    station::Station,
    without_forms,
};
use serde_json::json;
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

/// What clients read, of all that is in the repository.
const READ: [&str; 5] = [
    ".claude-plugin",
    ".agents",
    ".cursor-plugin",
    "plugins",
    "gemini-extension.json",
];

struct Way {
    client: &'static RealClient,
    /// The file of the workspace by which the client has the server without a plugin.
    registered: &'static str,
    /// What a person types; `REPOSITORY` stands for the folder.
    steps: &'static [&'static [&'static str]],
    /// Its arguments for one task without a person, where a plugin's tools have other names.
    task: Option<&'static [&'static str]>,
}

fn asks_through_the_plugin(way: &Way) {
    let station = Station::new(way.client, "");
    fs::remove_file(station.home.workspace().join(way.registered)).unwrap();
    let started = put_npx_on_path(&station);
    install(&station, way.steps);

    let _running = station.one_task(way.task.unwrap_or(way.client.headless), "plan");
    station.answer_on_page("accept", json!({ "decision": "approve", "feedback": "" }));
    let got = station.model.got();
    assert!(is_yes(got.last().unwrap()), "{got:?}");
    assert_eq!(statuses(&station.journal()), ["accepted"]);

    // In the person's folder, since what belongs to a project lies there.
    let started = fs::read_to_string(started).unwrap();
    let workspace = station.home.workspace().canonicalize().unwrap();
    let wanted = format!("{}: -y holdpoint serve", workspace.display());
    assert!(started.lines().all(|line| line == wanted), "{started}");
}

fn install(station: &Station, steps: &[&[&str]]) {
    let repository = copy_of_the_repository(station);
    for step in steps {
        let step: Vec<_> = step
            .iter()
            .map(|word| word.replace("REPOSITORY", &repository))
            .collect();
        station.runs(&step.iter().map(String::as_str).collect::<Vec<_>>());
    }
}

/// It writes down where it is started, and with which arguments.
fn put_npx_on_path(station: &Station) -> PathBuf {
    let started = station.home.root().join("npx.log");
    let line = format!(
        "#!/bin/sh\necho \"$(pwd -P): $*\" >> '{}'\nshift 2\nexec holdpoint \"$@\"\n",
        started.display()
    );
    let path = station.bin().join("npx");
    fs::write(&path, line).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    started
}

/// Some clients copy all that is there, and the repository has gigabytes of what was built.
fn copy_of_the_repository(station: &Station) -> String {
    let copy = station.home.root().join("repository");
    fs::create_dir(&copy).unwrap();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let copied = Command::new("cp")
        .arg("-r")
        .args(READ.map(|name| repository.join(name)))
        .arg(&copy)
        .status();
    assert!(copied.unwrap().success());
    copy.display().to_string()
}

const IN_CLAUDE_CODE: &[&[&str]] = &[
    &["plugin", "validate", "--strict", "REPOSITORY"],
    &[
        "plugin",
        "validate",
        "--strict",
        "REPOSITORY/plugins/claude",
    ],
    &["plugin", "marketplace", "add", "REPOSITORY"],
    &["plugin", "install", "holdpoint@holdpoint"],
];

#[test]
fn claude_code() {
    asks_through_the_plugin(&Way {
        client: &catalog::CLAUDE_CODE,
        registered: ".mcp.json",
        steps: IN_CLAUDE_CODE,
        task: Some(&[
            "-p",
            "TASK",
            "--model",
            "claude-sonnet-4-5",
            "--allowedTools",
            "mcp__plugin_holdpoint_holdpoint",
        ]),
    });
}

/// With the plugin and the project's file the server runs twice, unless both start the same command.
#[test]
fn claude_code_with_both() {
    let station = Station::new(&catalog::CLAUDE_CODE, "");
    put_npx_on_path(&station);
    install(&station, IN_CLAUDE_CODE);
    let connected = || {
        let listed = station.process(&["mcp", "list"]).output().unwrap();
        let listed = String::from_utf8(listed.stdout).unwrap();
        let mut servers: Vec<_> = listed
            .lines()
            .filter(|line| line.contains("Connected"))
            .filter_map(|line| Some(line.split_once(": ")?.0.to_owned()))
            .collect();
        servers.sort();
        servers
    };
    assert_eq!(connected(), ["holdpoint", "plugin:holdpoint:holdpoint"]);
    let same = json!({ "command": "npx", "args": ["-y", "holdpoint", "serve"] });
    let servers = json!({ "mcpServers": { "holdpoint": same } });
    station.home.work_file(".mcp.json", &servers.to_string());
    assert_eq!(connected(), ["holdpoint"]);
}

#[test]
fn codex() {
    asks_through_the_plugin(&Way {
        client: &catalog::CODEX,
        registered: ".codex/config.toml",
        steps: &[
            &["plugin", "marketplace", "add", "REPOSITORY"],
            &["plugin", "add", "holdpoint@holdpoint"],
        ],
        task: None,
    });
}

#[test]
fn gemini() {
    asks_through_the_plugin(&Way {
        client: &without_forms::GEMINI,
        registered: ".gemini/settings.json",
        steps: &[
            &["extensions", "validate", "REPOSITORY"],
            &[
                "extensions",
                "install",
                "REPOSITORY",
                "--consent",
                "--skip-settings",
            ],
        ],
        task: None,
    });
}

/// It finds Claude Code's marketplace there too, and without the name it asks which of its plugins is meant.
#[test]
fn qwen() {
    asks_through_the_plugin(&Way {
        client: &without_forms::QWEN,
        registered: ".qwen/settings.json",
        steps: &[&["extensions", "install", "REPOSITORY:holdpoint", "--consent"]],
        task: None,
    });
}
