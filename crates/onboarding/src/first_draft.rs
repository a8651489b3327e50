//! The text of a new instruction file: what the names of a repository's files show, and what a person has to add.

/// A file whose name says something, the section that this belongs to, and what it says.
const SIGNS: [(&str, Section, &str); 24] = [
    ("README.md", Section::Overview, "Read `README.md` first."),
    (
        "AGENTS.md",
        Section::Overview,
        "Follow the rules in `AGENTS.md` too.",
    ),
    (
        "CLAUDE.md",
        Section::Overview,
        "`CLAUDE.md` holds more rules: keep to them.",
    ),
    (
        ".github/copilot-instructions.md",
        Section::Overview,
        "See `.github/copilot-instructions.md` for more.",
    ),
    (
        "Cargo.toml",
        Section::Setup,
        "Build the Rust code with `cargo build`.",
    ),
    (
        "Cargo.toml",
        Section::Tests,
        "`cargo test` runs the Rust tests.",
    ),
    (
        "go.mod",
        Section::Setup,
        "Build the Go code with `go build ./...`.",
    ),
    (
        "go.mod",
        Section::Tests,
        "`go test ./...` runs the Go tests.",
    ),
    (
        "package.json",
        Section::Setup,
        "`package.json` lists the scripts for JavaScript and its packages.",
    ),
    (
        "deno.json",
        Section::Setup,
        "`deno.json` lists the tasks that `deno task` runs.",
    ),
    (
        "pyproject.toml",
        Section::Setup,
        "`pyproject.toml` describes the Python project.",
    ),
    (
        "requirements.txt",
        Section::Setup,
        "Python's dependencies are in `requirements.txt`.",
    ),
    (
        "Gemfile",
        Section::Setup,
        "`bundle install` gets the Ruby gems.",
    ),
    (
        "composer.json",
        Section::Setup,
        "`composer install` gets what PHP needs.",
    ),
    (
        "pom.xml",
        Section::Setup,
        "Maven builds this: `mvn package`.",
    ),
    ("pom.xml", Section::Tests, "`mvn test` runs Maven's tests."),
    (
        "gradlew",
        Section::Setup,
        "Gradle builds this: `./gradlew build`.",
    ),
    (
        "gradlew",
        Section::Tests,
        "`./gradlew test` runs Gradle's tests.",
    ),
    (
        "Package.swift",
        Section::Setup,
        "Build the Swift package with `swift build`.",
    ),
    (
        "Package.swift",
        Section::Tests,
        "`swift test` runs the Swift tests.",
    ),
    (
        "CMakeLists.txt",
        Section::Setup,
        "`CMakeLists.txt` describes the build to CMake.",
    ),
    (
        "Makefile",
        Section::Setup,
        "The targets of `make` are in `Makefile`.",
    ),
    (
        ".editorconfig",
        Section::Style,
        "`.editorconfig` sets indentation and line ends.",
    ),
    (
        "CONTRIBUTING.md",
        Section::Git,
        "`CONTRIBUTING.md` says how to contribute.",
    ),
];

/// The sections, in the order of the canonical form.
#[derive(Clone, Copy, PartialEq)]
enum Section {
    Overview,
    Setup,
    Style,
    Tests,
    Git,
}

/// Each section, and what it says whatever the repository holds.
const SECTIONS: [(Section, &str, &[&str]); 5] = [
    (
        Section::Overview,
        "Overview",
        &[
            "This is a first draft, made from the names of the files here: a person should complete it.",
            "What the project is for, and for whom, is for a person to add here.",
            "Where this file says nothing, ask the person instead of guessing.",
        ],
    ),
    (Section::Setup, "Setup", &[]),
    (
        Section::Style,
        "Style",
        &["Write new code like the code around it, until a person has put rules here."],
    ),
    (Section::Tests, "Tests", &[]),
    (
        Section::Git,
        "Git",
        &["Ask before each commit or push, until a person has written here how they are made."],
    ),
];

/// The names of files that say something, each once.
pub(super) fn signs() -> impl Iterator<Item = &'static str> {
    let first = |number: usize| SIGNS[..number].iter().all(|sign| sign.0 != SIGNS[number].0);
    let names = SIGNS.iter().enumerate();
    names
        .filter(move |(number, _)| first(*number))
        .map(|(_, (name, ..))| *name)
}

/// The text, where files of these names are there. It holds no word from any of them.
pub(super) fn text(seen: &[String]) -> String {
    let mut text = String::from("# Instructions\n");
    for (section, title, always) in SECTIONS {
        let of_signs = SIGNS
            .iter()
            .filter(|(name, its, _)| *its == section && seen.iter().any(|seen| seen == name))
            .map(|(.., says)| says);
        let rules: Vec<_> = always.iter().chain(of_signs).collect();
        if !rules.is_empty() {
            text.push_str(&format!("\n## {title}\n\n"));
        }
        for rule in rules {
            text.push_str(&format!("- {rule}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{
        analysis::{Analysis, Pattern},
        canonical::migrate,
        document::Document,
    };

    /// Analyses the new file as if somebody had written it.
    fn check(seen: &[&str]) {
        let seen: Vec<_> = seen.iter().map(|name| (*name).to_owned()).collect();
        let text = text(&seen);
        let found = Analysis::new(&Document::read(&text));
        assert_eq!(found.problems, [], "{text}");
        assert_eq!(found.pattern, Pattern::Clean, "{text}");
        assert_eq!(migrate(&text).text, text);
        assert!(text.contains("a person should complete it"));
    }

    #[test]
    fn a_new_file_is_clean_and_canonical() {
        let all: Vec<_> = signs().collect();
        check(&[]);
        check(&all);
        for (number, one) in all.iter().enumerate() {
            check(&[one]);
            for other in &all[number + 1..] {
                check(&[one, other]);
            }
        }
    }

    #[test]
    fn it_says_only_what_is_there() {
        let text = text(&["Cargo.toml".into(), "$(rm -rf)".into()]);
        assert!(text.contains("`cargo test`"), "{text}");
        for absent in ["`go build", "package.json", "rm -rf", "## Setup\n\n\n"] {
            assert!(!text.contains(absent), "{text}");
        }
    }
}
