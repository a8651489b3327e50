//! `release.js`, in a real repository.

use super::*;
use std::path::Path;

const LEAVE: &str = "Esc to leave";

/// A repository with a version, a tag and two commits since.
fn repository(home: &Home) {
    home.work_file(
        "package.json",
        "{\n  \"name\": \"it\",\n  \"version\": \"1.2.3\"\n}\n",
    );
    home.work_file("CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n- first\n");
    git(home, &["init", "--quiet", "--initial-branch=main"]);
    git(home, &["config", "user.name", "Ann"]);
    git(home, &["config", "user.email", "ann@example.org"]);
    git(home, &["add", "."]);
    git(home, &["commit", "--quiet", "-m", "Begin"]);
    git(home, &["tag", "v1.2.3"]);
    for what in ["Add a door", "Mend the roof"] {
        home.work_file("house.txt", what);
        git(home, &["add", "."]);
        git(home, &["commit", "--quiet", "-m", what]);
    }
}

fn git(home: &Home, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(args)
        .current_dir(home.workspace())
        .env("HOME", home.root())
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", stderr(&output));
    stdout(&output).trim().to_owned()
}

fn read(home: &Home, name: &str) -> String {
    std::fs::read_to_string(Path::new(&home.workspace()).join(name)).unwrap()
}

#[test]
fn a_release_is_made() {
    let home = new_home();
    repository(&home);
    let file = example("release.js");
    // What the file may do is asked once.
    let mut person = Person::runs(&home, &["run", &file, "preview"], &[]);
    person
        .sees("DANGEROUS")
        .sees("release.js")
        .sees("git")
        .sees(LEAVE)
        .types("allow\r");
    person.sees("- Mend the roof");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");

    let mut person = Person::runs(&home, &["run", &file, "tag", "--json"], &[]);
    person
        .sees("The version is 1.2.3")
        .sees("minor: 1.3.0")
        .sees(LEAVE);
    person.types(&format!("{DOWN}{DOWN}{ENTER}"));
    person
        .sees("The notes of 1.3.0")
        .sees(LEAVE)
        .types(ALT_ENTER)
        .types("- and more")
        .types(ENTER);
    person
        .sees("DANGEROUS")
        .sees("Release v1.3.0?")
        .sees(LEAVE)
        .types("confirm\r");
    let (page, status) = person.ends();
    assert!(status.success(), "{page}");
    let told = last_json(&page);
    assert_eq!(told["result"]["tag"], "v1.3.0", "{told}");
    assert_eq!(
        told["result"]["commit"],
        git(&home, &["rev-parse", "v1.3.0^{commit}"])
    );
    assert_eq!(git(&home, &["cat-file", "-t", "v1.3.0"]), "tag");
    assert_eq!(git(&home, &["log", "-1", "--format=%s"]), "Release 1.3.0");
    assert_eq!(git(&home, &["status", "--porcelain"]), "");
    assert!(read(&home, "package.json").contains("\"version\": \"1.3.0\""));
    let changelog = read(&home, "CHANGELOG.md");
    let (new, old) = (
        changelog.find("## 1.3.0 (").unwrap(),
        changelog.find("## 1.2.3").unwrap(),
    );
    assert!(new < old, "{changelog}");
    let notes = &changelog[new..old];
    assert!(
        notes.contains("- Mend the roof\n- Add a door\n- and more"),
        "{changelog}"
    );
}

#[test]
fn a_no_releases_nothing() {
    let home = new_home();
    repository(&home);
    let before = git(&home, &["rev-parse", "HEAD"]);
    let file = example("release.js");
    let mut person = Person::runs(&home, &["run", &file, "tag"], &[]);
    person.sees("DANGEROUS").sees(LEAVE).types("allow\r");
    person
        .sees("minor: 1.3.0")
        .sees(LEAVE)
        .types(&format!("{DOWN}{ENTER}"));
    person.sees("The notes of 1.2.4").sees(LEAVE).types(ENTER);
    person.sees("Release v1.2.4?").sees(LEAVE).types("no\r");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 6, "{page}");
    assert!(page.contains("the answer was no"), "{page}");
    assert_eq!(git(&home, &["rev-parse", "HEAD"]), before);
    assert_eq!(git(&home, &["tag"]), "v1.2.3");
    assert_eq!(git(&home, &["status", "--porcelain"]), "");
    // Who does not permit it at all is not asked on.
    let mut person = Person::runs(&home, &["run", &file, "preview"], &[]);
    person.sees("Mend the roof");
    assert_eq!(person.code(), 0);
    let other = new_home();
    repository(&other);
    let mut person = Person::runs(&other, &["run", &file, "preview"], &[]);
    person.sees("DANGEROUS").sees(LEAVE).types("no\r");
    let (page, status) = person.ends();
    assert_eq!(status.exit_code(), 1, "{page}");
    assert!(!page.contains("Mend the roof"), "{page}");
}
