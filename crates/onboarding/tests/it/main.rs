//! Taking over an instruction file, from outside.

mod ask;
mod create;
mod edited;
mod file;
mod forged;
mod guarded;
mod killed;
mod sampled;
mod way;

use holdpoint_onboarding::OnboardingTools;
use holdpoint_testkit::{Conversation, Ended, Era, StandSetup, ToolStand, accept};
use holdpoint_tools::ElicitTools;
use serde_json::{Value, json};
use std::{collections::BTreeMap, fs, path::Path, sync::Arc};

const TOOL: &str = "onboarding";
const FILE: &str = ".github/copilot-instructions.md";

/// A file with something of each kind wrong with it.
const SOURCE: &str = "\
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

fn write(folder: &Path, text: &str) {
    let file = folder.join(FILE);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

fn read(folder: &Path) -> String {
    fs::read_to_string(folder.join(FILE)).unwrap()
}

/// The tool over a workspace of its own.
fn setup() -> StandSetup {
    StandSetup::new(|workspace| {
        // With `await_answer`, which is another room's.
        let elicit = ElicitTools::new();
        vec![Arc::new(elicit), Arc::new(OnboardingTools::new(workspace))]
    })
}

async fn stand() -> ToolStand {
    let stand = setup().stand().await;
    write(&stand.path(), SOURCE);
    stand
}

/// One action, with these replies to what it asks.
async fn act(stand: &ToolStand, era: Era, action: &str, replies: &[Value]) -> Ended {
    stand
        .run(era, TOOL, json!({ "action": action }), replies)
        .await
}

/// Up to where a person has approved.
async fn approved(stand: &ToolStand, era: Era) {
    for action in ["analyze", "propose"] {
        act(stand, era, action, &[]).await;
    }
    let ended = act(stand, era, "approve", &[yes("approve")]).await;
    assert_eq!(ended.body["state"], "approved", "{:?}", ended.body);
}

/// Up to the migrated file.
async fn migrated(stand: &ToolStand, era: Era) -> Ended {
    approved(stand, era).await;
    let ended = act(stand, era, "migrate", &[yes("migrate")]).await;
    assert_eq!(ended.body["state"], "completed", "{:?}", ended.body);
    ended
}

/// A yes to what an action asks.
fn yes(action: &str) -> Value {
    accept(match action {
        "approve" => json!({ "approved": true }),
        "migrate" => json!({ "confirmed": true, "understood_risks": true }),
        _ => json!({ "confirmed": true }),
    })
}

/// Every file of a folder with its bytes.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
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
fn traces(folder: &Path) -> BTreeMap<String, Value> {
    let traces = tree(folder).into_iter().filter_map(|(name, bytes)| {
        let name = name
            .strip_prefix(".copilot-state/elicitation-traces/")
            // A draft that a crash left behind is no trace.
            .filter(|name| !name.starts_with(".holdpoint-"))?
            .to_owned();
        Some((name, serde_json::from_slice(&bytes).unwrap()))
    });
    traces.collect()
}

/// The backups of a folder, by path.
fn backups(folder: &Path) -> BTreeMap<String, String> {
    let backups = tree(folder)
        .into_iter()
        .filter(|(name, _)| name.starts_with(".copilot-state/backup/"));
    backups
        .map(|(name, bytes)| (name, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// A client that shows no forms.
async fn mute(stand: &ToolStand, era: Era) -> Conversation {
    Conversation::with(stand.server.clone(), era, json!({})).await
}
