//! The workflow that makes a release calls what is there, for every platform; and publishes nothing unasked.

use crate::all_platforms::targets;
use packages::root;
use saphyr::{LoadableYamlNode, Yaml};
use std::fs;

fn text(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

#[test]
fn the_workflow_packages_every_platform() {
    let workflow = text(".github/workflows/release.yml");
    let parsed = Yaml::load_from_str(&workflow).unwrap();
    let matrix = &parsed[0]["jobs"]["package"]["strategy"]["matrix"]["include"];
    let mut named: Vec<_> = matrix
        .as_sequence()
        .unwrap()
        .iter()
        .map(|entry| entry["target"].as_str().unwrap().to_owned())
        .collect();
    let mut wanted = targets();
    named.sort();
    wanted.sort();
    assert_eq!(named, wanted, "release.yml, and packaging/platforms.py");
}

/// Commands and actions after which something is public.
const PUBLISHING: [&str; 7] = [
    "npm publish",
    "cargo publish",
    "mcp-publisher publish",
    "docker buildx build --platform linux/amd64,linux/arm64 --push",
    "git push",
    "twine upload",
    "gh-action-pypi-publish",
];

/// What goes out waits for a person: each such job has an environment, in which GitHub asks for an approval.
#[test]
fn what_is_published_waits_for_a_person() {
    let workflow = text(".github/workflows/release.yml");
    let parsed = Yaml::load_from_str(&workflow).unwrap();
    let may_write = parsed[0]["permissions"]["contents"].as_str() != Some("read");
    assert!(!may_write, "jobs say themselves what they write");
    let mut waiting = Vec::new();
    for (name, job) in parsed[0]["jobs"].as_mapping().unwrap() {
        let steps = job["steps"].as_sequence().unwrap().iter();
        let does = |step: &Yaml<'_>, key: &str| {
            let value = step.as_mapping_get(key).and_then(|value| value.as_str());
            value.unwrap_or_default().to_owned()
        };
        let steps: Vec<_> = steps
            .flat_map(|step| [does(step, "run"), does(step, "uses")])
            .collect();
        let publishes = PUBLISHING
            .iter()
            .any(|publishing| steps.join("\n").contains(publishing));
        let waits = job.as_mapping_get("environment").is_some();
        let is_tagged = job.as_mapping_get("if").and_then(|value| value.as_str());
        assert_eq!(publishes, waits, "the job {name:?}");
        if publishes {
            assert_eq!(
                is_tagged,
                Some("github.ref_type == 'tag'"),
                "the job {name:?}"
            );
            waiting.push(name.as_str().unwrap());
        }
    }
    assert_eq!(
        waiting,
        ["crates", "npm", "pypi", "image", "registry", "tap"]
    );
}

/// The page for the person who releases names every crate, in the order in which they are published.
#[test]
fn the_page_has_every_step() {
    let page = text("docs/releasing.md");
    let workflow = text(".github/workflows/release.yml");
    for text in [&page, &workflow] {
        let mut from = 0;
        for name in crate::crates::PUBLISHED {
            let place = text[from..].find(&format!(" {name}"));
            from +=
                place.unwrap_or_else(|| panic!("{name} is not named behind those that it uses"));
        }
    }
    for target in targets() {
        assert!(page.contains(&target), "{target}");
    }
}
