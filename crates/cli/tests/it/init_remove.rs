//! `holdpoint init --remove`, and the clients whose file is YAML.

use crate::{
    init::place::{CLIENTS, registering},
    support::*,
};
use std::{fs, path::PathBuf};

/// A client, its file from the home or the workspace, and something else in it.
fn clients() -> Vec<(&'static str, PathBuf, String)> {
    let json = |key: &str| {
        format!(
            "{{\n  // mine\n  \"{key}\": {{\n    \"other\": {{ \"command\": \"x\" }} // why\n  }}\n}}\n"
        )
    };
    let of_home = ["cline", "claude-desktop", "windsurf"];
    let mut all: Vec<_> = CLIENTS
        .iter()
        .map(|client| {
            let place = if of_home.contains(&client.name) {
                PathBuf::from(client.file)
            } else {
                PathBuf::from("work").join(client.file)
            };
            let text = match client.name {
                "vscode" => json("servers"),
                "opencode" | "kilo" => json("mcp"),
                "zed" => json("context_servers"),
                "codex" => {
                    "# mine\nmodel = 'x' # why\n\n[mcp_servers.other]\ncommand = 'y'\n".into()
                }
                _ => json("mcpServers"),
            };
            (client.name, place, text)
        })
        .collect();
    all.push((
        "continue",
        ".continue/config.yaml".into(),
        "name: mine # why\nschema: v1\nmcpServers:\n  # the first\n  - name: other\n    command: x\n".into(),
    ));
    all.push((
        "fast-agent",
        "work/fastagent.config.yaml".into(),
        "# mine\nmcp:\n  servers:\n    other:\n      command: x # why\n".into(),
    ));
    all
}

#[track_caller]
fn run(home: &Home, args: &[&str]) -> String {
    let output = home.run(args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

#[test]
fn what_was_registered_can_be_taken_out_again() {
    for (client, place, text) in clients() {
        let home = new_home();
        let file = home.root().join(place);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, &text).unwrap();
        let now = || fs::read_to_string(&file).unwrap();

        let told = run(&home, &["init", client, "--remove"]);
        assert!(told.contains("nothing was changed"), "{client}: {told}");
        let told = run(&home, &registering(client));
        assert!(told.starts_with("Registered Holdpoint"), "{client}: {told}");
        let with = now();
        assert_ne!(with, text, "{client}");
        let told = run(&home, &registering(client));
        assert!(told.contains("nothing was changed"), "{client}: {told}");
        assert_eq!(now(), with, "{client}: twice is not once");

        let told = run(&home, &["init", client, "--remove", "--print"]);
        assert!(told.contains("would be changed"), "{client}: {told}");
        assert_eq!(now(), with, "{client}: --print wrote");
        run(&home, &["init", client, "--remove"]);
        assert_eq!(now(), text, "{client}");
    }
}

#[test]
fn a_file_that_was_made_for_it_goes_with_it() {
    for (client, place, _) in clients() {
        let home = new_home();
        let file = home.root().join(place);
        if client == "continue" {
            continue;
        }
        run(&home, &registering(client));
        assert!(file.exists(), "{client}");
        let told = run(&home, &["init", client, "--remove"]);
        assert!(told.contains("there was nothing else"), "{client}: {told}");
        assert!(!file.exists(), "{client}");
    }
}

#[test]
fn continue_is_set_up_first() {
    let home = new_home();
    let refused = home.run(&["init", "continue"]);
    assert!(!refused.status.success());
    let said = stderr(&refused);
    for part in [
        ".continue/config.yaml was left as it is",
        "it has no models",
        "mcpServers:\n  - name: holdpoint\n    command: holdpoint\n    args: [\"serve\"]\n",
    ] {
        assert!(said.contains(part), "{part:?} is not in {said}");
    }
    assert!(!home.root().join(".continue").exists());
}

#[test]
fn an_entry_as_cline_itself_writes_it_is_known() {
    let home = new_home();
    let file = home
        .root()
        .join(".cline/data/settings/cline_mcp_settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let entry = r#"{"mcpServers":{"holdpoint":{"transport":{"type":"stdio","command":"holdpoint","args":["serve"]}}}}"#;
    fs::write(&file, entry).unwrap();
    run(&home, &["init", "cline"]);
    assert_eq!(fs::read_to_string(&file).unwrap(), entry);
    run(&home, &["init", "cline", "--tools", "elicit"]);
    let wanted = entry.replace(r#"["serve"]"#, r#"["serve", "--tools", "elicit"]"#);
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
}

#[test]
fn clients_with_few_variables_hand_on_where_the_journal_is() {
    let with = |client: &str, variables: &[(&str, &str)], file: &str| {
        let home = new_home();
        let mut init = home.command(&registering(client));
        let done = init.envs(variables.iter().copied()).output().unwrap();
        assert!(done.status.success(), "{}", stderr(&done));
        (
            stdout(&done),
            fs::read_to_string(home.root().join(file)).unwrap(),
        )
    };
    let moved = [
        ("XDG_STATE_HOME", "/elsewhere/state"),
        ("HOLDPOINT_JOURNAL", "postgres://ada:secret@db/holdpoint"),
    ];
    let names = "XDG_STATE_HOME, HOLDPOINT_JOURNAL";
    let (told, text) = with("codex", &moved, "work/.codex/config.toml");
    assert!(told.contains(names), "{told}");
    let line = "\nenv_vars = [\"XDG_STATE_HOME\", \"HOLDPOINT_JOURNAL\"]\n";
    assert!(text.contains(line), "{text}");
    assert!(
        !text.contains("elsewhere") && !text.contains("secret"),
        "{text}"
    );
    let (told, text) = with("fast-agent", &moved, "work/fastagent.config.yaml");
    assert!(told.contains(names), "{told}");
    assert!(
        text.contains("XDG_STATE_HOME: \"${XDG_STATE_HOME:}\"\n"),
        "{text}"
    );
    assert!(
        !text.contains("elsewhere") && !text.contains("secret"),
        "{text}"
    );
    // Its file is one person's; a password is in no file.
    for (client, file) in [
        (
            "claude-desktop",
            ".config/Claude/claude_desktop_config.json",
        ),
        ("windsurf", ".codeium/windsurf/mcp_config.json"),
    ] {
        let (told, text) = with(client, &moved, file);
        assert!(
            told.contains("holds a password, so it was not written"),
            "{told}"
        );
        assert!(!told.contains("secret"), "{told}");
        assert!(
            text.contains("\"XDG_STATE_HOME\": \"/elsewhere/state\""),
            "{text}"
        );
        assert!(!text.contains("secret"), "{text}");
    }
    // Where the client hands on everything, or the variables say what is known anyway.
    for (client, file) in [
        ("gemini", "work/.gemini/settings.json"),
        ("zed", "work/.zed/settings.json"),
    ] {
        let (told, text) = with(client, &moved, file);
        assert!(
            !told.contains("hands on") && !text.contains("XDG"),
            "{told}{text}"
        );
    }
    let (told, text) = with("codex", &[], "work/.codex/config.toml");
    assert!(
        !told.contains("hands on") && !text.contains("env_vars"),
        "{told}{text}"
    );
}

#[test]
fn an_entry_that_is_there_hands_on_what_it_lacks() {
    let home = new_home();
    let before = "[mcp_servers.holdpoint]\ncommand = \"holdpoint\" # mine\nargs = [\"serve\"]\nenv_vars = [\n  \"MINE\", # why\n]\n";
    home.work_file(".codex/config.toml", before);
    for _ in 0..2 {
        let mut init = home.command(&["init", "codex"]);
        let done = init.env("XDG_STATE_HOME", "/elsewhere").output().unwrap();
        assert!(done.status.success(), "{}", stderr(&done));
        let after = fs::read_to_string(home.workspace().join(".codex/config.toml")).unwrap();
        assert_eq!(
            after,
            before.replace("\"MINE\",", "\"MINE\", \"XDG_STATE_HOME\",")
        );
    }
}
