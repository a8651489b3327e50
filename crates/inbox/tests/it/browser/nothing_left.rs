//! A browser does not outlive the tests that opened it, however they end.

use super::tab::Tab;
use holdpoint_testkit::eventually_blocking;
use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

const ROLE: &str = "HOLDPOINT_TEST_OPENS_A_BROWSER";
const OPENED: &str = "opened: ";

#[test]
fn no_browser_is_left_of_a_test_that_was_killed() {
    let mut test = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "browser::nothing_left::opens_a_browser"])
        .args(["--nocapture", "--test-threads=1"])
        .env(ROLE, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(test.stdout.take().unwrap()).lines();
    let profile = lines.find_map(|line| {
        let line = line.unwrap();
        let (_, profile) = line.split_once(OPENED)?;
        Some(profile.to_owned())
    });
    let profile = profile.expect("it says what it opened");
    assert!(!running(&profile).is_empty(), "the browser runs");
    test.kill().unwrap();
    test.wait().unwrap();
    eventually_blocking("the browser's end", || {
        running(&profile).is_empty().then_some(())
    });
}

/// What the test above runs and kills; by itself it does nothing.
#[tokio::test]
async fn opens_a_browser() {
    if std::env::var_os(ROLE).is_none() {
        return;
    }
    let tab = Tab::blank().await;
    println!("{OPENED}{}", tab.profile().display());
    // Until it is killed.
    std::io::stdin().lines().for_each(drop);
}

/// The processes whose command line has this.
fn running(words: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|one| fs::read(one.path().join("cmdline")).ok());
    let lines = lines.map(|line| String::from_utf8_lossy(&line).into_owned());
    lines.filter(|line| line.contains(words)).collect()
}
