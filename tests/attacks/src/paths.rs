//! Paths that lead where nothing may be written.
#![cfg(unix)]

use holdpoint_plans::{PlanTools, PlansConfig};
use holdpoint_testkit::{Conversation, Era, StandSetup, attack_cases};
use serde_json::json;
use std::{fs, os::unix::fs::symlink, path::Path, sync::Arc};

/// What an attacker has prepared in the workspace.
fn prepare(workspace: &Path, outside: &Path) {
    for folder in [
        ".git/hooks",
        ".github/workflows",
        ".vscode",
        ".claude/agents",
        ".holdpoint",
        "docs",
    ] {
        fs::create_dir_all(workspace.join(folder)).unwrap();
    }
    let link = |to: &Path, name: &str| symlink(to, workspace.join(name)).unwrap();
    link(Path::new(".git"), "git-link");
    link(Path::new("../.git/hooks"), "docs/hooks");
    link(Path::new(".claude"), "claude-link");
    link(Path::new("git-link"), "link-link");
    link(outside, "outside-link");
    link(Path::new("/"), "root-link");
    link(Path::new("nowhere"), "dangling");
    fs::write(workspace.join("file"), "").unwrap();
}

/// Every path below a folder, without following links.
fn tree(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        found.push(path.display().to_string());
        if entry.file_type().unwrap().is_dir() {
            found.extend(tree(&path));
        }
    }
    found.sort();
    found
}

#[tokio::test(start_paused = true)]
async fn workspace_files_and_agents_cannot_point_at_what_is_not_theirs() {
    for case in attack_cases("paths") {
        let outside = tempfile::tempdir().unwrap();
        let given = case.text("path").unwrap();
        let given = given.replace("OUTSIDE", outside.path().to_str().unwrap());
        for by_file in [true, false] {
            let plans_dir = if by_file {
                given.clone()
            } else {
                "plans".into()
            };
            let stand = StandSetup::new(move |workspace| {
                let plans_dir = plans_dir.clone();
                vec![Arc::new(PlanTools::new(PlansConfig {
                    workspace,
                    plans_dir,
                }))]
            });
            let stand = stand.stand().await;
            prepare(&stand.path(), outside.path());
            let before = (tree(&stand.path()), tree(outside.path()));
            let mut arguments = json!({ "code": "attack", "description": "x", "steps": ["one"] });
            if !by_file {
                arguments["directory"] = given.clone().into();
            }
            let mut client = Conversation::new(&stand, Era::Modern).await;
            let answer = client.call("plan_create", arguments).await.done();
            let after = (tree(&stand.path()), tree(outside.path()));
            let name = format!("{} (by a file: {by_file}): {answer}", case.name);
            if case.is("allowed") {
                assert_ne!(before, after, "{name}");
            } else {
                assert_eq!(before, after, "{name}");
                assert_ne!(
                    answer["result"]["structuredContent"]["proceed"], true,
                    "{name}"
                );
                let refused = answer["result"]["isError"] == true || answer.get("error").is_some();
                assert!(refused, "{name}");
            }
        }
    }
}
