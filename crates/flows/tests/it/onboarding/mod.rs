//! Taking over an instruction file, from outside.

mod ask;
mod file;
mod forged;
mod guarded;
mod killed;
mod sampled;
mod way;

use crate::{
    client::{Client, Era},
    stand::{Ended, Stand},
};
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path};

pub const TOOL: &str = "onboarding";
pub const FILE: &str = ".github/copilot-instructions.md";

/// A file with something of each kind wrong with it.
pub const SOURCE: &str = "\
# Shop

Some words about the shop.

## Git

- Squash before merging.

## Style

- Use tabs for indentation.
* Handle errors properly.
- Never use tabs for indentation.

## Tests

- Every fix has a test.
- Every fix has a test.
";

pub fn write(folder: &Path, text: &str) {
    let file = folder.join(FILE);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

pub fn read(folder: &Path) -> String {
    fs::read_to_string(folder.join(FILE)).unwrap()
}

pub async fn stand() -> Stand {
    let stand = Stand::new().await;
    write(&stand.path(), SOURCE);
    stand
}

/// One action, with these replies to what it asks.
pub async fn act(stand: &Stand, era: Era, action: &str, replies: &[Value]) -> Ended {
    stand
        .run(era, TOOL, json!({ "action": action }), replies)
        .await
}

/// Up to where a person has approved.
pub async fn approved(stand: &Stand, era: Era) {
    for action in ["analyze", "propose"] {
        act(stand, era, action, &[]).await;
    }
    let ended = act(stand, era, "approve", &[yes("approve")]).await;
    assert_eq!(ended.body["state"], "approved", "{:?}", ended.body);
}

/// Up to the migrated file.
pub async fn migrated(stand: &Stand, era: Era) -> Ended {
    approved(stand, era).await;
    let ended = act(stand, era, "migrate", &[yes("migrate")]).await;
    assert_eq!(ended.body["state"], "completed", "{:?}", ended.body);
    ended
}

/// A yes to what an action asks.
pub fn yes(action: &str) -> Value {
    crate::client::accept(match action {
        "approve" => json!({ "approved": true }),
        "migrate" => json!({ "confirmed": true, "understood_risks": true }),
        _ => json!({ "confirmed": true }),
    })
}

/// Every file of a folder with its bytes.
pub fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    fn walk(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(root, &path, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_string_lossy();
                found.insert(name.into_owned(), fs::read(&path).unwrap());
            }
        }
    }
    let mut found = BTreeMap::new();
    walk(folder, folder, &mut found);
    found
}

/// The traces of a folder, by name.
pub fn traces(folder: &Path) -> BTreeMap<String, Value> {
    let traces = tree(folder).into_iter().filter_map(|(name, bytes)| {
        let name = name
            .strip_prefix(".copilot-state/elicitation-traces/")?
            .to_owned();
        Some((name, serde_json::from_slice(&bytes).unwrap()))
    });
    traces.collect()
}

/// The backups of a folder, by path.
pub fn backups(folder: &Path) -> BTreeMap<String, String> {
    let backups = tree(folder)
        .into_iter()
        .filter(|(name, _)| name.starts_with(".copilot-state/backup/"));
    backups
        .map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// A client that shows no forms.
pub async fn mute(stand: &Stand, era: Era) -> Client {
    Client::with(stand.server.clone(), era, json!({})).await
}
