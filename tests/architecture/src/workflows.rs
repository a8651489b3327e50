//! What newcomers and machines are told to run is there: workflows, the justfile, the fuzz targets.

use crate::sources::{root, text_files};
use saphyr::{LoadableYamlNode, Yaml};
use std::{collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::Path};

/// Folders of programs that are run by their path.
const PROGRAMS: [&str; 4] = ["dev/", "tools/", "bench/", ".ci/"];

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The files of GitHub's in the repository that are YAML.
fn yaml_files() -> Vec<String> {
    let github = root().join(".github");
    let files = text_files();
    let files = files.iter().filter(|file| file.starts_with(&github));
    let yaml = |file: &&std::path::PathBuf| {
        let ending = file.extension().and_then(|ending| ending.to_str());
        matches!(ending, Some("yml" | "yaml"))
    };
    let short =
        |file: &std::path::PathBuf| file.strip_prefix(root()).unwrap().display().to_string();
    files.filter(yaml).map(short).collect()
}

/// Calls `visit` with each value that stands under this key, at any depth.
fn each<'a>(yaml: &'a Yaml<'_>, key: &str, visit: &mut impl FnMut(&'a str)) {
    if let Some(map) = yaml.as_mapping() {
        for (name, value) in map {
            match (name.as_str() == Some(key), value.as_str()) {
                (true, Some(text)) => visit(text),
                _ => each(value, key, visit),
            }
        }
    }
    for item in yaml.as_sequence().into_iter().flatten() {
        each(item, key, visit);
    }
}

/// The programs of the repository that a text of commands names.
fn programs(commands: &str) -> BTreeSet<String> {
    let words =
        commands.split(|letter: char| letter.is_whitespace() || "\"'();|&".contains(letter));
    let ours = words.filter(|word| PROGRAMS.iter().any(|folder| word.starts_with(folder)));
    ours.map(str::to_owned).collect()
}

/// Fails where one of these is not a program in the repository.
fn can_be_run(programs: &BTreeSet<String>, by: &str) {
    for program in programs {
        let file = root().join(program);
        let mode = fs::metadata(&file).map(|found| found.permissions().mode());
        let mode = mode.unwrap_or_else(|error| panic!("{by} calls {program}: {error}"));
        assert!(
            mode & 0o100 != 0,
            "{by} calls {program}, which cannot be run"
        );
    }
}

#[test]
fn workflows_call_what_is_there() {
    let files = yaml_files();
    let mut called = BTreeSet::new();
    assert!(files.len() > 3, "{files:?}");
    for file in &files {
        let text = read(file);
        let parsed = Yaml::load_from_str(&text);
        let parsed = parsed.unwrap_or_else(|error| panic!("{file}: {error}"));
        let [document] = parsed.as_slice() else {
            panic!("{file} has {} documents", parsed.len());
        };
        each(document, "run", &mut |commands| {
            called.extend(programs(commands))
        });
        each(document, "uses", &mut |action| {
            let version = action.split_once('@').map(|(_, version)| version);
            let pinned = version.is_some_and(|version| {
                let version = version.strip_prefix('v').unwrap_or(version);
                version.starts_with(|first: char| first.is_ascii_digit()) || version.len() == 40
            });
            let local = action.starts_with("./");
            assert!(pinned || local, "{file} uses {action}, of no version");
        });
    }
    can_be_run(&called, "a workflow");
    for program in ["dev/test", "dev/check-features"] {
        assert!(called.contains(program), "no workflow calls {program}");
    }
}

#[test]
fn the_justfile_calls_what_is_there() {
    let text = read("justfile");
    let recipes = text.lines().filter(|line| line.starts_with("    "));
    let called = programs(&recipes.collect::<Vec<_>>().join("\n"));
    assert!(called.len() > 4, "{called:?}");
    can_be_run(&called, "the justfile");
}

#[test]
fn every_fuzz_target_has_seeds_and_words() {
    let manifest = read("fuzz/Cargo.toml");
    let targets: BTreeSet<String> = manifest
        .split("[[bin]]\nname = \"")
        .skip(1)
        .map(|target| target.split('"').next().unwrap().to_owned())
        .collect();
    assert_eq!(targets.len(), 8, "{targets:?}");
    let names = |folder: &str, without: &str| -> BTreeSet<String> {
        let entries = fs::read_dir(root().join("fuzz").join(folder)).unwrap();
        let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names
            .map(|name| name.trim_end_matches(without).to_owned())
            .collect()
    };
    for (folder, ending) in [("targets", ".rs"), ("seeds", ""), ("dictionaries", ".dict")] {
        assert_eq!(names(folder, ending), targets, "fuzz/{folder}");
    }
    for target in &targets {
        let seeds = names(&Path::new("seeds").join(target).display().to_string(), "");
        assert!(seeds.len() > 2, "{target} has few seeds: {seeds:?}");
    }
}

#[test]
fn the_repository_is_the_one_of_the_manifest() {
    let manifest = read("Cargo.toml");
    let own = manifest.split_once("\nrepository = \"");
    let own = own.and_then(|(_, rest)| rest.split_once('"'));
    // Until the manifest has it, all must at least name the same.
    let mut named: BTreeSet<String> = own.map(|(own, _)| own.to_owned()).into_iter().collect();
    for file in yaml_files() {
        let text = read(&file);
        for rest in text.split("https://github.com/").skip(1) {
            let parts: Vec<_> = rest.split(['/', '"', '\n', ' ']).take(2).collect();
            named.insert(format!("https://github.com/{}", parts.join("/")));
        }
    }
    assert_eq!(named.len(), 1, "{named:?}");
}
