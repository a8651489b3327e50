//! What `holdpoint serve` refuses to start with, and its exit codes.

use super::support::*;

#[test]
fn exit_codes_and_messages() {
    let check = |prepare: fn(&Home), args: &[&str], code: i32, wanted: &[&str]| {
        let home = new_home();
        prepare(&home);
        let output = home.run(&[&["serve"], args].concat());
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}: {said}");
        assert_eq!(stdout(&output), "", "{args:?}");
        for part in wanted {
            assert!(said.contains(part), "{part:?} is not in: {said}");
        }
    };
    let nothing = |_: &Home| {};
    check(nothing, &["--nonsense"], 2, &["--nonsense"]);
    check(nothing, &["--http", "here"], 2, &["127.0.0.1:8080"]);
    check(nothing, &["--inbox", "here"], 2, &["--inbox", "`off`"]);
    check(
        nothing,
        &["--inbox", "0.0.0.0:0"],
        1,
        &["other machines", "--inbox-cert"],
    );
    check(
        nothing,
        &["--inbox-cert", "cert.pem"],
        1,
        &["`inbox_cert` and `inbox_key` go together"],
    );
    check(
        nothing,
        &["--inbox-cert", "none.pem", "--inbox-key", "none.pem"],
        1,
        &["cannot read none.pem"],
    );
    check(
        nothing,
        &["--tools", "orchestar"],
        2,
        &["--tools", "orchestra"],
    );
    check(
        nothing,
        &["--workspace", "missing"],
        1,
        &["workspace", "missing"],
    );
    check(
        nothing,
        &["--journal", "postgres://localhost:1/x"],
        1,
        &["postgres://localhost:1/x", "no server listens there"],
    );
    check(
        nothing,
        &["--http", "0.0.0.0:0"],
        1,
        &["other machines", "--inbox-cert", "`behind_proxy`"],
    );
    check(
        |home| home.config("hold_second = 3"),
        &[],
        1,
        &["config.toml, line 1", "`hold_seconds`"],
    );
    check(
        |home| home.work_file(".holdpoint/config.toml", "\ncommit = \"perform\""),
        &[],
        1,
        &["config.toml, line 2", "may not set `commit`"],
    );
    check(
        |home| home.config("journal = \"sqlite:/nowhere/j.db\""),
        &["--journal", "memory:"],
        2,
        &["--journal", "only be tightened"],
    );
}

#[test]
fn a_variable_is_refused_by_its_name() {
    let home = new_home();
    let output = home
        .command(&["serve"])
        .env("HOLDPOINT_COMMIT", "perform")
        .output();
    let said = stderr(&output.unwrap());
    assert!(said.contains("HOLDPOINT_COMMIT"), "{said}");
}

#[test]
fn help_and_version() {
    let home = new_home();
    let version = home.run(&["--version"]);
    let wanted = format!("holdpoint {}", env!("CARGO_PKG_VERSION"));
    assert!(stdout(&version).starts_with(&wanted));
    for command in ["serve", "demo", "doctor", "init"] {
        let help = home.run(&[command, "--help"]);
        assert!(help.status.success(), "{command}");
        assert!(stdout(&help).contains("Usage: holdpoint"), "{command}");
    }
    assert_eq!(home.run(&[]).status.code(), Some(2));
}
