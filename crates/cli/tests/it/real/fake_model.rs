//! The model that the clients talk with: it does what `scenarios.json` says.

use super::support::eventually_blocking;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

pub struct FakeModel {
    pub address: String,
    log: PathBuf,
    process: Child,
}

impl FakeModel {
    /// Starts it on a free port. It ends when it is dropped.
    pub fn start(folder: &Path) -> Self {
        let log = folder.join("model.jsonl");
        let mut process = Command::new("python3")
            .arg(script("model.py"))
            .arg(script("scenarios.json"))
            .arg(&log)
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("python3");
        let mut address = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut address).unwrap();
        Self {
            address: address.trim().to_owned(),
            log,
            process,
        }
    }

    /// All that it said and heard, line by line.
    pub fn log(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.log).unwrap_or_default();
        // The last line may not be whole yet.
        let lines = text.lines().map(serde_json::from_str);
        lines.map_while(Result::ok).collect()
    }

    /// Waits for the end of a scenario: what the client gave the model, call by call.
    pub fn got(&self) -> Vec<String> {
        self.got_after(0)
    }

    /// How many scenarios have ended.
    pub fn ended(&self) -> usize {
        let log = self.log();
        log.iter().filter(|line| line["got"].is_array()).count()
    }

    /// The same for the scenario that ends after so many others.
    pub fn got_after(&self, others: usize) -> Vec<String> {
        eventually_blocking("the end of the scenario", || {
            let log = self.log();
            let faults: Vec<_> = log.iter().filter(|line| !line["fault"].is_null()).collect();
            assert!(faults.is_empty(), "{faults:#?}");
            let got = log
                .iter()
                .filter_map(|line| line["got"].as_array().cloned())
                .nth(others)?;
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            Some(got.iter().map(text).collect())
        })
    }
}

impl Drop for FakeModel {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A file of `tests/clients/real`.
pub fn script(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/real");
    folder.join(name).canonicalize().unwrap()
}
