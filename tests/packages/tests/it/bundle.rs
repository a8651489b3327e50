//! The bundle for desktop clients: checked and unpacked by the program of its format, and started as its manifest says.

use holdpoint_testkit::{Home, Pipe};
use packages::{packages, succeeded};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

fn bundle() -> PathBuf {
    packages().join("holdpoint-linux-x64.mcpb")
}

fn mcpb(args: &[&str]) -> String {
    let bin = clients::tools().join("node_modules/.bin");
    let mut command = Command::new(bin.join("node"));
    succeeded(command.arg(bin.join("mcpb")).args(args))
}

fn manifest(folder: &Path) -> Value {
    let text = fs::read_to_string(folder.join("manifest.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What a client does with a value of the manifest.
fn filled(value: &Value, folder: &Path, workspace: &Path) -> String {
    let value = value.as_str().unwrap();
    let value = value.replace("${__dirname}", folder.to_str().unwrap());
    let value = value.replace("${user_config.workspace}", workspace.to_str().unwrap());
    assert!(!value.contains("${"), "{value}");
    value
}

#[test]
fn it_starts_as_its_manifest_says() {
    let around = tempfile::tempdir().unwrap();
    let folder = around.path().join("Claude Extensions/holdpoint");
    mcpb(&[
        "unpack",
        bundle().to_str().unwrap(),
        folder.to_str().unwrap(),
    ]);
    mcpb(&["validate", folder.join("manifest.json").to_str().unwrap()]);

    let manifest = manifest(&folder);
    let server = &manifest["server"];
    assert!(
        folder
            .join(server["entry_point"].as_str().unwrap())
            .is_file()
    );
    let start = &server["mcp_config"];
    let workspace = around.path().join("My Project");
    fs::create_dir(&workspace).unwrap();
    let program = filled(&start["command"], &folder, &workspace);
    let args = start["args"].as_array().unwrap().iter();
    let args: Vec<_> = args.map(|arg| filled(arg, &folder, &workspace)).collect();
    let args: Vec<_> = args.iter().map(String::as_str).collect();

    // Clients start it wherever they are themselves.
    let home = Home::new(program);
    let mut command = home.command(&args);
    let mut client = Pipe::start_legacy_with(command.current_dir("/"), |hello| {
        assert_eq!(
            hello["result"]["serverInfo"]["version"],
            manifest["version"]
        );
    });
    let listed = client.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    assert!(!tools.is_empty(), "{listed}");
    drop(client.input.take());
    assert!(client.process.ended().success());
}

/// The manifest asks for everything that it uses.
#[test]
fn it_asks_for_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    mcpb(&[
        "unpack",
        bundle().to_str().unwrap(),
        folder.path().to_str().unwrap(),
    ]);
    let manifest = manifest(folder.path());
    let text = manifest["server"].to_string();
    for (name, about) in manifest["user_config"].as_object().unwrap() {
        assert!(
            text.contains(&format!("${{user_config.{name}}}")),
            "{name} is not used"
        );
        assert_eq!(about["required"], true, "{name}");
    }
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt"] {
        assert!(folder.path().join(licence).is_file(), "{licence}");
    }
}
