//! The clients that declare no forms, as data: their questions are answered on the page.

use super::{
    catalog::{RealClient, SHORT_HOLD, write, write_json},
    station::Station,
};
use serde_json::{Value, json};

pub const GEMINI: RealClient = RealClient {
    name: "gemini",
    program: "node_modules/@google/gemini-cli/bundle/gemini.js",
    node: true,
    variables: &[
        ("GEMINI_API_KEY", "none"),
        ("GOOGLE_GEMINI_BASE_URL", "MODEL"),
        ("GEMINI_TELEMETRY_ENABLED", "false"),
    ],
    set_up: |station| {
        write_json(
            &station.home.workspace().join(".gemini/settings.json"),
            &servers(),
        );
        let quiet = json!({
            "security": { "auth": { "selectedType": "gemini-api-key" }, "folderTrust": { "enabled": false } },
            "privacy": { "usageStatisticsEnabled": false },
            "telemetry": { "enabled": false },
            "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        });
        write_json(&station.home.root().join(".gemini/settings.json"), &quiet);
    },
    headless: &[
        "-m",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "-p",
        "TASK",
    ],
    unsafe_headless: &[
        "-m",
        "gemini-2.5-flash",
        "--approval-mode",
        "yolo",
        "-p",
        "TASK",
    ],
    interactive: &["-m", "gemini-2.5-flash", "--approval-mode", "yolo"],
    ready: "Type your message",
    short_hold: SHORT_HOLD,
};

pub const OPENCODE: RealClient = RealClient {
    name: "opencode",
    program: "node_modules/opencode-linux-x64/bin/opencode",
    node: false,
    variables: &[
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ("OPENCODE_DISABLE_SHARE", "1"),
        // It installs something for its plugins first, and waits long where there is no network.
        ("npm_config_fetch_retries", "0"),
    ],
    set_up: opencode_file,
    headless: &["run", "TASK"],
    unsafe_headless: &["run", "TASK"],
    interactive: &[],
    ready: "Ask anything",
    short_hold: SHORT_HOLD,
};

pub const KILO: RealClient = RealClient {
    name: "kilo",
    program: "node_modules/@kilocode/cli-linux-x64/bin/kilo",
    node: false,
    variables: &[
        ("KILO_DISABLE_AUTOUPDATE", "1"),
        ("KILO_DISABLE_MODELS_FETCH", "1"),
        ("KILO_TELEMETRY", "off"),
        ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
        ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
        ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
    ],
    set_up: opencode_file,
    headless: &["run", "TASK"],
    unsafe_headless: &["run", "TASK"],
    interactive: &[],
    ready: "Ask anything",
    short_hold: SHORT_HOLD,
};

pub const QWEN: RealClient = RealClient {
    name: "qwen",
    program: "node_modules/@qwen-code/qwen-code/cli.js",
    node: true,
    variables: &[
        ("OPENAI_BASE_URL", "MODEL/v1"),
        ("OPENAI_API_KEY", "none"),
        ("OPENAI_MODEL", "fake-model"),
    ],
    set_up: |station| {
        write_json(
            &station.home.workspace().join(".qwen/settings.json"),
            &servers(),
        );
        let quiet = json!({
            "security": { "auth": { "selectedType": "openai" }, "folderTrust": { "enabled": false } },
            "privacy": { "usageStatisticsEnabled": false },
            "telemetry": { "enabled": false },
            "general": { "enableAutoUpdate": false },
        });
        write_json(&station.home.root().join(".qwen/settings.json"), &quiet);
    },
    headless: &["--approval-mode", "yolo", "-p", "TASK"],
    unsafe_headless: &["--approval-mode", "yolo", "-p", "TASK"],
    interactive: &[],
    ready: "Type your message",
    short_hold: SHORT_HOLD,
};

pub const CLINE: RealClient = RealClient {
    name: "cline",
    program: "node_modules/@cline/cli-linux-x64/bin/cline",
    node: false,
    variables: &[],
    set_up: |station| {
        let model = format!("{}/v1", station.model.address);
        station.runs(&[
            "auth",
            "-p",
            "openai",
            "-k",
            "none",
            "-m",
            "fake-model",
            "-b",
            &model,
        ]);
        station.runs(&[
            "mcp",
            "add",
            "--yes",
            "holdpoint",
            "--",
            "holdpoint",
            "serve",
        ]);
    },
    headless: &["TASK"],
    unsafe_headless: &["TASK"],
    interactive: &[],
    ready: "",
    short_hold: SHORT_HOLD,
};

pub const CONTINUE: RealClient = RealClient {
    name: "continue",
    program: "node_modules/@continuedev/cli/dist/cn.js",
    node: true,
    variables: &[
        ("CONTINUE_TELEMETRY_ENABLED", "0"),
        ("CONTINUE_ALLOW_ANONYMOUS_TELEMETRY", "0"),
        ("CONTINUE_METRICS_ENABLED", "0"),
    ],
    set_up: |station| {
        let settings = format!(
            "name: fake\n\
             version: 1.0.0\n\
             schema: v1\n\
             models:\n  \
             - {{name: fake, provider: openai, model: fake-model, apiBase: \"{}/v1\", apiKey: none, \
             roles: [chat], capabilities: [tool_use]}}\n\
             mcpServers:\n  \
             - {{name: holdpoint, command: holdpoint, args: [serve]}}\n",
            station.model.address
        );
        write(&station.home.workspace().join("config.yaml"), &settings);
    },
    headless: &["--config", "config.yaml", "--auto", "-p", "TASK"],
    unsafe_headless: &["--config", "config.yaml", "--auto", "-p", "TASK"],
    interactive: &[],
    ready: "",
    short_hold: SHORT_HOLD,
};

fn opencode_file(station: &Station) {
    let settings = json!({
        "autoupdate": false,
        "share": "disabled",
        "permission": { "bash": "allow" },
        "model": "fake/fake-model",
        "small_model": "fake/fake-model",
        "provider": { "fake": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Fake",
            "options": { "baseURL": format!("{}/v1", station.model.address), "apiKey": "none" },
            "models": { "fake-model": {
                "name": "Fake", "tool_call": true, "limit": { "context": 100_000, "output": 8000 },
            } },
        } },
        "mcp": { "holdpoint": { "type": "local", "command": ["holdpoint", "serve"], "enabled": true } },
    });
    write_json(&station.home.workspace().join("opencode.json"), &settings);
}

fn servers() -> Value {
    json!({ "mcpServers": { "holdpoint": { "command": "holdpoint", "args": ["serve"] } } })
}
