//! The npm packages, installed from what `npm pack` makes of their folders; and the launcher, which must not be noticed.

use holdpoint_testkit::{Home, Pipe, eventually_blocking, stderr, stdout};
use packages::{binary, finished, once, packages, succeeded};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    fs,
    io::Write,
    os::unix::{fs::PermissionsExt, process::ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output},
};

/// The version of every package.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A port at which nobody listens: what is not in the files is nowhere.
const NO_REGISTRY: &str = "http://127.0.0.1:9/";

/// Runs a program of npm's in this folder, without a network.
fn npm(program: &str, folder: &Path, args: &[&str]) -> Output {
    let home = Home::new(program);
    let mut command = home.command(args);
    command
        .current_dir(folder)
        .env("npm_config_registry", NO_REGISTRY)
        .env("npm_config_audit", "false")
        .env("npm_config_fund", "false")
        .env("npm_config_update_notifier", "false");
    finished(&mut command)
}

/// Runs npm where it must succeed.
#[track_caller]
fn npm_done(folder: &Path, args: &[&str]) {
    let output = npm("npm", folder, args);
    assert!(output.status.success(), "{args:?}\n{}", stderr(&output));
}

/// The folders that are packed, by their name.
fn folders() -> [PathBuf; 2] {
    ["holdpoint", "cli-linux-x64"].map(|name| packages().join("npm").join(name))
}

/// What `npm pack` makes of both folders.
fn packed() -> PathBuf {
    once("npm-packed", |to| {
        for folder in folders() {
            let to = to.to_str().unwrap();
            npm_done(&folder, &["pack", "--pack-destination", to]);
        }
    })
}

fn archives(folder: &Path) -> [String; 2] {
    ["holdpoint", "holdpoint-cli-linux-x64"].map(|name| {
        folder
            .join(format!("{name}-{VERSION}.tgz"))
            .display()
            .to_string()
    })
}

/// A folder into which both packages were installed from their files.
fn installed() -> PathBuf {
    once("npm-installed", |folder| {
        let [main, platform] = archives(&packed());
        let args = ["install", "--offline", "--ignore-scripts", &main, &platform];
        npm_done(folder, &args);
    })
}

/// A home in which `holdpoint` is the launcher.
fn launcher() -> Home {
    Home::new(installed().join("node_modules/.bin/holdpoint"))
}

/// The files of an archive: each with its mode and what is in it.
fn files_of(archive: &str) -> BTreeMap<String, (u32, Vec<u8>)> {
    let folder = tempfile::tempdir().unwrap();
    let mut tar = Command::new("tar");
    tar.args(["-xzpf", archive, "-C"]).arg(folder.path());
    succeeded(&mut tar);
    let mut files = BTreeMap::new();
    let mut left = vec![folder.path().to_owned()];
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                fs::read_dir(path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        let name = path
            .strip_prefix(folder.path())
            .unwrap()
            .display()
            .to_string();
        let mode = path.metadata().unwrap().permissions().mode() & 0o777;
        files.insert(name, (mode, fs::read(path).unwrap()));
    }
    files
}

#[test]
fn our_archives_have_what_npm_packs() {
    let pairs = archives(&packages()).into_iter().zip(archives(&packed()));
    for (ours, theirs) in pairs {
        let (ours_has, theirs_has) = (files_of(&ours), files_of(&theirs));
        let names = |files: &BTreeMap<String, _>| files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&ours_has), names(&theirs_has), "{ours}");
        for (name, found) in &ours_has {
            assert!(*found == theirs_has[name], "{name} differs in {ours}");
        }
        for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
            assert!(
                ours_has.contains_key(&format!("package/{licence}")),
                "{ours}"
            );
        }
    }
}

#[test]
fn npm_would_publish_both() {
    for folder in folders() {
        let manifest = fs::read_to_string(folder.join("package.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        assert!(manifest.get("scripts").is_none(), "{manifest}");
        // The one with the binary takes seconds to compress; what npm checks is in the manifest.
        let small = tempfile::tempdir().unwrap();
        fs::write(small.path().join("package.json"), manifest.to_string()).unwrap();
        fs::write(small.path().join("README.md"), "# Stands in\n").unwrap();
        fs::create_dir(small.path().join("bin")).unwrap();
        fs::write(small.path().join("bin/holdpoint.cjs"), "").unwrap();
        let args = ["publish", "--dry-run", "--offline"];
        let done = npm("npm", small.path(), &args);
        let said = stderr(&done);
        assert!(done.status.success(), "{said}");
        // npm mends what is wrong, and says so.
        assert!(!said.contains("auto-corrected"), "{said}");
        let name = manifest["name"].as_str().unwrap();
        assert!(
            stdout(&done).contains(&format!("+ {name}@{VERSION}")),
            "{said}"
        );
    }
}

#[test]
fn npx_shows_the_demo() {
    let args = ["holdpoint", "demo", "--answer", "approve"];
    let output = npm("npx", &installed(), &args);
    let said = stdout(&output);
    assert!(output.status.success(), "{said}{}", stderr(&output));
    assert!(said.contains(r#""decision": "approve""#), "{said}");
    assert!(said.contains("the chain holds"), "{said}");
}

#[test]
fn a_client_talks_to_the_binary_through_the_launcher() {
    let home = launcher();
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(!tools.is_empty(), "{listed}");
    let servers = children(client.process.child().id());
    assert_eq!(servers.len(), 1, "{servers:?}");
    drop(client.input.take());
    assert!(client.process.ended().success());
    assert!(!is_alive(servers[0]));
}

/// Byte for byte: a launcher that adds a line breaks the protocol.
#[test]
fn the_standard_streams_are_the_binarys_own() {
    let hello = holdpoint_testkit::initialize("2025-11-25", &json!({}));
    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello });
    let input = tempfile::NamedTempFile::new().unwrap();
    writeln!(input.as_file(), "{hello}").unwrap();
    let answers = |home: &Home| {
        let mut command = home.command(&["serve"]);
        let output = finished(command.stdin(input.reopen().unwrap()));
        (output.status, stdout(&output))
    };
    let (ended, through) = answers(&launcher());
    assert!(ended.success());
    assert_eq!((ended, through.clone()), answers(&Home::new(binary())));
    let lines: Vec<_> = through.lines().collect();
    assert_eq!(lines.len(), 1, "{through}");
    let answer: Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!(
        (&answer["jsonrpc"], &answer["id"]),
        (&json!("2.0"), &json!(1))
    );
}

#[test]
fn exit_codes_pass_through() {
    let home = launcher();
    for (args, code) in [
        (&["--version"][..], 0),
        (&["no-such-command"], 2),
        (&["demo"], 5),
    ] {
        let output = finished(&mut home.command(args));
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{args:?}\n{said}");
    }
}

#[test]
fn a_signal_ends_the_binary_and_then_the_launcher() {
    for signal in ["-TERM", "-INT", "-HUP"] {
        let ended_by = |home: &Home| -> (ExitStatus, Vec<u32>) {
            let mut client = Pipe::legacy(&mut home.command(&["serve"]));
            let children = children(client.process.child().id());
            client.process.signal(signal);
            (client.process.ended(), children)
        };
        let (through, servers) = ended_by(&launcher());
        let (direct, _) = ended_by(&Home::new(binary()));
        assert_eq!(through, direct, "{signal}");
        assert_eq!(servers.len(), 1, "{signal}");
        assert!(!is_alive(servers[0]), "{signal}");
    }
}

/// Nobody can pass a signal on any more: then the end of its input ends the binary.
#[test]
fn a_killed_launcher_leaves_no_binary() {
    let home = launcher();
    let mut client = Pipe::legacy(&mut home.command(&["serve"]));
    let servers = children(client.process.child().id());
    client.process.signal("-KILL");
    assert_eq!(client.process.ended().signal(), Some(9));
    drop(client.input.take());
    eventually_blocking("the binary's end", || {
        servers
            .iter()
            .all(|server| !is_alive(*server))
            .then_some(())
    });
}

/// Runs the launcher with a program of the test's own instead of the binary.
fn with_program(script: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let home = launcher();
    let mut command = home.command(args);
    finished(command.env("HOLDPOINT_BINARY", program))
}

#[test]
fn a_variable_names_another_binary() {
    let output = with_program(
        "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 9\n",
        &["a b", "", "--c"],
    );
    assert_eq!(stdout(&output), "a b||--c|");
    assert_eq!(output.status.code(), Some(9));
}

/// How the binary ended, by a crash for example, is how the launcher ends.
#[test]
fn the_launcher_ends_as_the_binary_ended() {
    for (name, number) in [("TERM", 15), ("KILL", 9), ("SEGV", 11), ("USR1", 10)] {
        let output = with_program(&format!("#!/bin/sh\nkill -{name} $$\n"), &[]);
        assert_eq!(output.status.signal(), Some(number), "{name}");
    }
    // Node does not end by this one; a shell says it so.
    let output = with_program("#!/bin/sh\nkill -PIPE $$\n", &[]);
    assert_eq!(output.status.code(), Some(128 + 13));
}

#[test]
fn a_missing_binary_is_said_and_is_nobodys_no() {
    let home = launcher();
    let mut command = home.command(&["serve"]);
    let output = finished(command.env("HOLDPOINT_BINARY", "/no/such"));
    assert_eq!(output.status.code(), Some(127));
    assert!(stderr(&output).contains("/no/such cannot be started"));

    let folder = tempfile::tempdir().unwrap();
    let [main, platform] = archives(&packages());
    let install = ["install", "--offline", "--omit=optional", &main];
    npm_done(folder.path(), &install);
    let home = Home::new(folder.path().join("node_modules/.bin/holdpoint"));
    let output = finished(&mut home.command(&["ask", "confirm", "Go on?"]));
    // `ask` says no with 1.
    assert_eq!(output.status.code(), Some(127));
    let said = stderr(&output);
    assert_eq!(stdout(&output), "");
    assert!(
        said.starts_with("holdpoint: the package @holdpoint/cli-linux-x64"),
        "{said}"
    );
    assert!(said.contains("--omit=optional"), "{said}");

    npm_done(folder.path(), &["install", "--offline", &platform]);
    let said = succeeded(&mut home.command(&["--version"]));
    assert!(said.starts_with(&format!("holdpoint {VERSION}")), "{said}");
}

/// The processes that this one has started.
fn children(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    processes
        .filter(|process| {
            let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
            status
                .lines()
                .any(|line| line == format!("PPid:\t{parent}"))
        })
        .collect()
}

fn is_alive(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}
