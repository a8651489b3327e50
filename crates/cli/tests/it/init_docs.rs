//! What the pages in `docs/` quote is what there is.

use crate::init::place::Place;
use std::collections::BTreeSet;

const WORKFLOWS: &str = include_str!("../../../../docs/workflows.md");
const TROUBLESHOOTING: &str = include_str!("../../../../docs/troubleshooting.md");
const NOTES: &str = include_str!("../../../desk/examples/notes.rs");

/// The blocks of one language, without their fences.
fn blocks<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("\n```{language}\n");
    let starts = page.split(fence.as_str()).skip(1);
    starts
        .map(|rest| rest.split("\n```").next().unwrap())
        .collect()
}

#[test]
fn the_rust_code_is_in_the_example_that_is_compiled() {
    let plain = |text: &str| -> String {
        let lines = text.lines().map(str::trim);
        lines.collect::<Vec<_>>().join("\n")
    };
    let (notes, blocks) = (plain(NOTES), blocks(WORKFLOWS, "rust"));
    assert_eq!(blocks.len(), 2);
    for block in blocks {
        assert!(notes.contains(&plain(block)), "not in notes.rs:\n{block}");
    }
}

#[test]
fn what_init_says_is_what_the_page_shows() {
    for (client, args, first) in [
        (
            "vscode",
            &["--conductor"][..],
            "$ holdpoint init vscode --conductor",
        ),
        (
            "cursor",
            &["--tools", "elicit"],
            "$ holdpoint init cursor --tools elicit",
        ),
    ] {
        let said = Place::of(client).init(args).out;
        let shown = format!("{first}\n{}", said.trim_end());
        let found = blocks(WORKFLOWS, "console");
        assert!(found.contains(&shown.as_str()), "no block says:\n{shown}");
    }
}

#[test]
fn every_entry_of_the_table_leads_to_a_section() {
    let sections: Vec<_> = TROUBLESHOOTING
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .map(|title| title.to_lowercase().replace('`', "").replace(' ', "-"))
        .collect();
    let mut linked = BTreeSet::new();
    for rest in TROUBLESHOOTING.split("](#").skip(1) {
        let link = rest.split(')').next().unwrap();
        assert!(sections.iter().any(|section| section == link), "#{link}");
        linked.insert(link);
    }
    for section in &sections {
        assert!(linked.contains(&**section), "nothing leads to #{section}");
    }
}
