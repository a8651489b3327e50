//! The payloads in `tests/corpus`.

use holdpoint_harness::{Harness, Surroundings};
use std::{fs, path::PathBuf};

/// A payload, with the harness that its hook is registered for.
#[derive(Debug, Clone)]
pub struct Payload {
    pub harness: Harness,
    pub name: String,
    pub bytes: Vec<u8>,
    pub around: Surroundings,
}

/// All payloads of hooks.
pub fn all() -> Vec<Payload> {
    let mut all: Vec<_> = Harness::ALL.into_iter().flat_map(of).collect();
    all.retain(|payload| !payload.name.starts_with("permission-tool"));
    assert!(all.len() > 60, "{}", all.len());
    all
}

/// The payloads of one harness, by name.
pub fn of(harness: Harness) -> Vec<Payload> {
    let folder = folder(harness);
    let files = fs::read_dir(&folder).unwrap_or_else(|why| panic!("{folder:?}: {why}"));
    let mut payloads: Vec<_> = files
        .map(|file| file.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            Payload {
                // Their hooks are in Claude Code's file.
                harness: if name.ends_with("by-claudes-file") || name.starts_with("claude-format") {
                    Harness::Claude
                } else {
                    harness
                },
                around: around(name.contains("headless")),
                bytes: fs::read(&path).unwrap(),
                name,
            }
        })
        .collect();
    payloads.sort_by(|one, other| one.name.cmp(&other.name));
    payloads
}

/// One payload.
pub fn named(harness: Harness, name: &str) -> Payload {
    let found = of(harness).into_iter().find(|payload| payload.name == name);
    found.unwrap_or_else(|| panic!("no payload {name} of {harness}"))
}

/// Ann's machine.
pub fn around(unattended: bool) -> Surroundings {
    Surroundings {
        home: Some("/home/ann".into()),
        workspace: Some("/home/ann/project".into()),
        unattended,
        mcp_servers: vec!["mini".into()],
    }
}

fn folder(harness: Harness) -> PathBuf {
    let corpus = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    corpus.join(harness.word())
}
