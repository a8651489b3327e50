//! `holdpoint uninstall`: what lies where, and that its commands remove it.

use crate::support::*;
use std::{fs, process::Command};

#[test]
fn a_fresh_home_has_nothing() {
    let home = new_home();
    let output = home.run(&["uninstall", "--print"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let said = stdout(&output);
    assert!(!said.contains("init "), "{said}");
    assert!(!home.journal().exists(), "it makes nothing");
    // Without the flag it does the same, and says so.
    let output = home.run(&["uninstall"]);
    assert_eq!(output.status.code(), Some(0));
    let more = stdout(&output);
    assert!(
        more.starts_with("Nothing is removed by this command."),
        "{more}"
    );
    assert!(more.ends_with(&said), "{more}");
}

#[test]
fn what_was_put_in_is_listed_and_its_commands_take_it_out() {
    let home = new_home();
    home.config("timeout_seconds = 60\n");
    let init = |args: &[&str]| {
        let done = home.run(&[&["init"], args].concat());
        assert!(done.status.success(), "{args:?}: {}", stderr(&done));
    };
    init(&["claude"]);
    init(&["codex", "--user"]);
    init(&["cline"]);
    init(&["vscode", "--conductor"]);
    let changed = home.workspace().join(".github/agents");
    let agents = fs::read_dir(&changed).unwrap().flatten();
    let agent = agents.map(|entry| entry.path()).min().unwrap();
    fs::write(&agent, fs::read_to_string(&agent).unwrap() + "Mine.\n").unwrap();
    let unit = home.root().join(".config/systemd/user/holdpoint.service");
    fs::create_dir_all(unit.parent().unwrap()).unwrap();
    fs::write(
        &unit,
        "[Service]\nExecStart=/nowhere/holdpoint serve --http 127.0.0.1:0\n",
    )
    .unwrap();
    // Asked from another folder, where another client knows it.
    let other = home.root().join("other project");
    fs::create_dir(&other).unwrap();
    let in_other = |args: &[&str]| {
        let mut command = home.command(args);
        assert!(
            command.current_dir(&other).status().unwrap().success(),
            "{args:?}"
        );
    };
    in_other(&["init", "gemini"]);
    let mut serve = home.command(&["serve"]);
    let mut client = Pipe::modern(serve.current_dir(&other));
    client.ask("tools/call", confirm());
    drop(client);

    let said = stdout(&home.run(&["uninstall", "--print"]));
    for part in [
        ".mcp.json",
        "Codex for all of your projects",
        "init codex --user --remove",
        "init cline --remove",
        "init vscode --remove",
        "which you changed",
        "systemctl --user disable --now holdpoint.service",
        ".config/holdpoint/config.toml",
        "journal.db-keys",
        "journal copy sqlite:",
        ".gemini/settings.json",
        "/other project' && ",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }

    // As it says, from top to bottom, but for what is not the tests' to touch.
    let commands = said.lines().filter_map(|line| line.strip_prefix("    "));
    let commands: Vec<_> = commands
        .filter(|line| !line.contains("systemctl") && !line.contains("journal copy"))
        .filter(|line| !line.contains(home.binary().to_str().unwrap()) || line.contains(" init "))
        .filter(|line| !line.contains("holdpoint-demo-"))
        .collect();
    for line in commands {
        let mut shell = Command::new("/bin/sh");
        shell.args(["-c", line]).current_dir(home.workspace());
        shell.envs(home.variables());
        let done = shell.output().unwrap();
        assert!(done.status.success(), "{line}: {}", stderr(&done));
    }
    assert!(!home.journal().exists());
    let said = stdout(&home.run(&["uninstall", "--print"]));
    for part in [
        " init ",
        "config.toml",
        "journal.db",
        "systemctl",
        "you changed",
    ] {
        assert!(!said.contains(part), "{part:?} is still in {said}");
    }
}
