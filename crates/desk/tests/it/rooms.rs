//! The rooms depend on each other as ARCHITECTURE.md says, and in no other way.

use serde_json::Value;
use std::{collections::BTreeSet, process::Command};

/// Each room, and the rooms that it may use.
const ROOMS: [(&str, &[&str]); 8] = [
    ("holdpoint-ask", &[]),
    ("holdpoint-workspace", &[]),
    (
        "holdpoint-journal",
        &["holdpoint-ask", "holdpoint-workspace"],
    ),
    ("holdpoint", &["holdpoint-ask", "holdpoint-journal"]),
    (
        "holdpoint-flows",
        &[
            "holdpoint-ask",
            "holdpoint-workspace",
            "holdpoint-journal",
            "holdpoint",
        ],
    ),
    (
        "holdpoint-inbox",
        &[
            "holdpoint-ask",
            "holdpoint-workspace",
            "holdpoint-journal",
            "holdpoint",
        ],
    ),
    (
        "holdpoint-script",
        &[
            "holdpoint-ask",
            "holdpoint-workspace",
            "holdpoint-journal",
            "holdpoint",
        ],
    ),
    (
        "holdpoint-cli",
        &[
            "holdpoint-ask",
            "holdpoint-workspace",
            "holdpoint-journal",
            "holdpoint",
            "holdpoint-flows",
            "holdpoint-inbox",
            "holdpoint-script",
        ],
    ),
];

/// What a room never uses.
const ABSENT: [(&str, &[&str]); 6] = [
    (
        "holdpoint-ask",
        &["tokio", "rmcp", "rusqlite", "axum", "futures"],
    ),
    ("holdpoint-journal", &["rmcp", "axum", "inquire"]),
    ("holdpoint", &["axum", "rusqlite", "inquire", "clap"]),
    ("holdpoint-flows", &["axum", "rusqlite", "inquire", "clap"]),
    ("holdpoint-inbox", &["rmcp", "rusqlite", "inquire", "clap"]),
    ("holdpoint-script", &["axum", "rusqlite", "inquire", "clap"]),
];

#[test]
fn the_rooms_use_each_other_as_drawn() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let used = |room: &str| -> Option<BTreeSet<String>> {
        let package = packages.iter().find(|package| package["name"] == room)?;
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        let shipped = dependencies.filter(|dependency| dependency["kind"].is_null());
        Some(
            shipped
                .map(|dependency| dependency["name"].as_str().unwrap().to_owned())
                .collect(),
        )
    };
    let mut seen = 0;
    for (room, allowed) in ROOMS {
        let Some(used) = used(room) else { continue };
        seen += 1;
        let rooms = used.iter().filter(|name| name.starts_with("holdpoint"));
        let strays: Vec<_> = rooms
            .filter(|name| !allowed.contains(&name.as_str()))
            .collect();
        assert!(strays.is_empty(), "{room} must not use {strays:?}");
        let known = packages
            .iter()
            .map(|package| package["name"].as_str().unwrap())
            .filter(|name| name.starts_with("holdpoint"))
            .all(|name| ROOMS.iter().any(|(room, _)| *room == name));
        assert!(known, "a room is missing from this test");
    }
    assert!(seen >= 3);
    for (room, absent) in ABSENT {
        let Some(used) = used(room) else { continue };
        let found: Vec<_> = absent.iter().filter(|name| used.contains(**name)).collect();
        assert!(found.is_empty(), "{room} must not use {found:?}");
    }
}
