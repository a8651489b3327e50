//! `release.js`: a real release of a real repository.

use super::{
    stage::{Stage, accept, asked, result},
    tab::Tab,
};
use std::process::Command;

fn git(stage: &Stage, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
        .args(args)
        .current_dir(stage.home.workspace())
        .envs(stage.home.variables())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// A stage whose workspace is a repository at version 1.2.3.
async fn repository() -> Stage {
    let stage = Stage::set().await;
    git(&stage, &["init", "--quiet"]);
    git(&stage, &["config", "user.name", "Ada"]);
    git(&stage, &["config", "user.email", "ada@example.org"]);
    let version = "{\n  \"name\": \"shop\",\n  \"version\": \"1.2.3\"\n}\n";
    stage.home.work_file("package.json", version);
    git(&stage, &["add", "."]);
    git(&stage, &["commit", "--quiet", "-m", "Sell apples"]);
    stage
}

#[tokio::test]
async fn a_release_is_chosen_edited_confirmed_and_tagged() {
    let stage = repository().await;
    let tab = Tab::at(&stage, "/scripts/release/tag").await;
    tab.says(".method .details", "Makes a release").await;
    tab.click("#run").await;
    accept(&tab, "Let the script release.js act in").await;
    asked(&tab, "The version is 1.2.3.").await;
    tab.click(".asking input[value=minor]").await;
    tab.click("#submit").await;
    asked(&tab, "The notes of 1.3.0").await;
    // The page is closed and opened again in the middle: nothing is lost.
    tab.enter(".asking textarea", "\n- Sell pears").await;
    tab.reload().await;
    asked(&tab, "The notes of 1.3.0").await;
    tab.click("#submit").await;
    asked(&tab, "Release v1.3.0?").await;
    tab.says(".asking .details", "Sell pears").await;
    tab.says(".asking .warning", "Dangerous.").await;
    tab.approve().await;
    let released = result(&tab).await;
    assert_eq!(released["tag"], "v1.3.0", "{released}");
    assert_eq!(git(&stage, &["tag", "--list"]), "v1.3.0");
    assert_eq!(
        git(&stage, &["rev-parse", "HEAD"]),
        released["commit"].as_str().unwrap()
    );
    let changelog = git(&stage, &["show", "HEAD:CHANGELOG.md"]);
    assert!(
        changelog.contains("- Sell apples\n- Sell pears"),
        "{changelog}"
    );
    assert!(git(&stage, &["show", "HEAD:package.json"]).contains("1.3.0"));
    tab.says(".artifact li", "Sell pears").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn a_no_releases_nothing() {
    let stage = repository().await;
    let tab = Tab::at(&stage, "/scripts/release/tag").await;
    tab.click("#run").await;
    accept(&tab, "Let the script release.js act in").await;
    asked(&tab, "The version is 1.2.3.").await;
    tab.click(".asking input[value=patch]").await;
    tab.click("#submit").await;
    accept(&tab, "The notes of 1.2.4").await;
    asked(&tab, "Release v1.2.4?").await;
    tab.click("#decline").await;
    tab.click("#decline-send").await;
    tab.says(".named .badge", "Declined").await;
    tab.says(".result .told", "The person said no").await;
    assert_eq!(git(&stage, &["tag", "--list"]), "");
    assert_eq!(git(&stage, &["status", "--porcelain"]), "");
    tab.close().await;
}
