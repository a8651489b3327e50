//! The rooms use each other as ARCHITECTURE.md draws it, and in no other way.

use crate::sources::root;
use serde_json::Value;
use std::{collections::BTreeSet, process::Command};

/// A room: its crate, the rooms that it may use, and libraries that it must not.
struct Room {
    name: &'static str,
    uses: &'static [&'static str],
    absent: &'static [&'static str],
}

const ROOMS: [Room; 13] = [
    Room {
        name: "holdpoint-ask",
        uses: &[],
        absent: PURE,
    },
    Room {
        name: "holdpoint-policy",
        uses: &["holdpoint-ask"],
        absent: PURE,
    },
    Room {
        name: "holdpoint-harness",
        uses: &["holdpoint-ask", "holdpoint-policy"],
        absent: PURE,
    },
    Room {
        name: "holdpoint-workspace",
        uses: &[],
        absent: &["rmcp", "rusqlite", "axum", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-journal",
        uses: &["holdpoint-ask", "holdpoint-workspace"],
        absent: &["rmcp", "axum", "inquire", "clap"],
    },
    Room {
        name: "holdpoint",
        uses: &["holdpoint-ask", "holdpoint-journal", "holdpoint-workspace"],
        absent: &["axum", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-tools",
        uses: ON_THE_DESK,
        absent: &["axum", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-plans",
        uses: ON_THE_DESK,
        absent: &["axum", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-onboarding",
        uses: ON_THE_DESK,
        absent: &["axum", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-script",
        uses: ON_THE_DESK,
        absent: &["axum", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-inbox",
        uses: ON_THE_DESK,
        absent: &["rmcp", "rusqlite", "inquire", "clap"],
    },
    Room {
        name: "holdpoint-cli",
        uses: &[
            "holdpoint-ask",
            "holdpoint-journal",
            "holdpoint-workspace",
            "holdpoint",
            "holdpoint-tools",
            "holdpoint-plans",
            "holdpoint-onboarding",
            "holdpoint-script",
            "holdpoint-inbox",
            "holdpoint-policy",
            "holdpoint-harness",
        ],
        absent: &["rusqlite"],
    },
    Room {
        name: "holdpoint-testkit",
        uses: &["holdpoint"],
        absent: &["rusqlite", "axum", "clap"],
    },
];

/// What rooms without I/O do without.
const PURE: &[&str] = &["tokio", "rmcp", "rusqlite", "axum", "futures"];

/// What the rooms behind the desk may use.
const ON_THE_DESK: &[&str] = &[
    "holdpoint-ask",
    "holdpoint-journal",
    "holdpoint-workspace",
    "holdpoint",
];

/// The packages of the workspace, and what each is shipped with.
fn packages() -> Vec<(String, BTreeSet<String>)> {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
    let name = |value: &Value| value["name"].as_str().unwrap().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .map(|package| {
            let dependencies = package["dependencies"].as_array().unwrap().iter();
            let shipped = dependencies.filter(|dependency| dependency["kind"].is_null());
            (name(package), shipped.map(name).collect())
        })
        .collect()
}

#[test]
fn the_rooms_use_each_other_as_drawn() {
    let packages = packages();
    let is_room = |name: &str| name.starts_with("holdpoint");
    let there: BTreeSet<_> = packages
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| is_room(name))
        .collect();
    let drawn: BTreeSet<_> = ROOMS.iter().map(|room| room.name).collect();
    assert_eq!(there, drawn, "the rooms of the workspace, and those drawn");
    let mut wrong = Vec::new();
    for room in &ROOMS {
        let (_, used) = packages.iter().find(|(name, _)| name == room.name).unwrap();
        for used in used {
            let is_stray = is_room(used) && !room.uses.contains(&used.as_str());
            if is_stray || room.absent.contains(&used.as_str()) {
                wrong.push(format!("{} must not use {used}", room.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_tests_use_the_testkit() {
    for (name, used) in packages() {
        assert!(
            !used.contains("holdpoint-testkit"),
            "{name} is shipped with it"
        );
        assert!(
            name == "bench" || !used.contains("test-postgres"),
            "{name} is shipped with a PostgreSQL for tests"
        );
    }
}
