//! Every link of every text leads somewhere, and every chapter is in the book.

use docs::{Page, root, texts};
use std::{collections::BTreeSet, fs};

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    for page in texts() {
        let file = root().join(&page.name);
        for link in page.links() {
            let outside = link.target.contains("://") || link.target.starts_with("mailto:");
            if outside {
                continue;
            }
            let (path, place) = match link.target.split_once('#') {
                Some((path, place)) => (path, Some(place)),
                None => (link.target.as_str(), None),
            };
            let target = match path {
                "" => file.clone(),
                path => file.parent().unwrap().join(path),
            };
            let at = format!("{}:{}: {}", page.name, link.line, link.target);
            if !target.exists() {
                wrong.push(format!("{at} is not there"));
            } else if let Some(place) = place
                && target
                    .extension()
                    .is_some_and(|extension| extension == "md")
                && !Page::read(&target).places().contains(place)
            {
                wrong.push(format!("{at} has no such heading"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_book_has_every_page() {
    let docs = root().join("docs");
    let summary = Page::read(&docs.join("SUMMARY.md"));
    let listed: BTreeSet<_> = summary
        .links()
        .into_iter()
        .map(|link| link.target)
        .collect();
    let there: BTreeSet<_> = docs::chapters()
        .into_iter()
        .filter_map(|page| page.name.strip_prefix("docs/").map(ToOwned::to_owned))
        .collect();
    assert_eq!(
        listed, there,
        "docs/SUMMARY.md, and the pages that there are"
    );
}

/// One address, from which everything else is made.
#[test]
fn the_book_names_the_repository_by_its_address() {
    let cargo = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let line = cargo.lines().find(|line| line.starts_with("repository = "));
    // It stands there once packages are described.
    let Some(line) = line else { return };
    let address = line.split('"').nth(1).unwrap();
    let book = fs::read_to_string(docs_toml()).unwrap();
    let git = format!("git-repository-url = \"{address}\"");
    let edit = format!("edit-url-template = \"{address}/edit/main/docs/{{path}}\"");
    assert!(book.contains(&git) && book.contains(&edit), "{address}");
}

fn docs_toml() -> std::path::PathBuf {
    root().join("docs/book.toml")
}

#[test]
fn the_first_page_is_short() {
    let lines = fs::read_to_string(root().join("README.md"))
        .unwrap()
        .lines()
        .count();
    assert!(lines < 150, "README.md has {lines} lines");
}
