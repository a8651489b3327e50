//! The sections of a file, and the order in which they belong.

use super::{
    canonical::is_to_settle,
    document::{Document, Kind},
};
use std::collections::{HashMap, HashSet};

/// A file as sections. Numbers are those of blocks.
#[derive(Debug)]
pub(super) struct Sections {
    pub front: Vec<usize>,
    pub title: Option<usize>,
    /// There is a heading of the first level, as a title or as a section.
    pub has_title: bool,
    pub preamble: Vec<usize>,
    pub sections: Vec<Section>,
    pub to_settle: Option<Section>,
    /// The blocks of that section.
    pub settling: HashSet<usize>,
    /// The level of the sections' headings.
    pub level: u8,
}

/// A heading with all that stands under it.
#[derive(Debug)]
pub(super) struct Section {
    pub heading: usize,
    pub blocks: Vec<usize>,
}

/// Where sections belong, by words in their headings.
const ORDER: [(u8, &[&str]); 8] = [
    (
        0,
        &[
            "overview",
            "about",
            "introduction",
            "purpose",
            "context",
            "background",
            "scope",
        ],
    ),
    (
        1,
        &[
            "setup",
            "install",
            "getting started",
            "command",
            "environment",
            "stack",
            "build",
        ],
    ),
    (
        2,
        &[
            "architecture",
            "structure",
            "layout",
            "design",
            "module",
            "package",
        ],
    ),
    (
        3,
        &[
            "style",
            "format",
            "convention",
            "naming",
            "coding",
            "guideline",
            "language",
        ],
    ),
    (4, &["test", "quality", "check"]),
    (5, &["security", "privacy", "secret"]),
    (7, &["doc", "comment", "writing"]),
    (
        8,
        &[
            "git",
            "commit",
            "branch",
            "pull request",
            "review",
            "release",
            "deploy",
            "contribut",
        ],
    ),
];
/// Where all others belong.
const OTHERS: u8 = 6;

impl Sections {
    pub fn new(document: &Document<'_>) -> Self {
        let level_of = |kind: &Kind| match kind {
            Kind::Heading { level, .. } => Some(*level),
            _ => None,
        };
        let headings: Vec<(usize, u8)> = document
            .blocks
            .iter()
            .enumerate()
            .filter_map(|(number, block)| Some((number, level_of(&block.kind)?)))
            .collect();
        let firsts = headings.iter().filter(|(_, level)| *level == 1).count();
        let title = headings
            .first()
            .filter(|(_, level)| *level == 1 && firsts == 1);
        let title = title.map(|(number, _)| *number);
        let others = headings.iter().filter(|(number, _)| Some(*number) != title);
        let level = others.map(|(_, level)| *level).min().unwrap_or(2);
        let mut sections = Self {
            front: Vec::new(),
            title,
            has_title: firsts > 0,
            preamble: Vec::new(),
            sections: Vec::new(),
            to_settle: None,
            settling: HashSet::new(),
            level,
        };
        let mut found: Vec<Section> = Vec::new();
        for (number, block) in document.blocks.iter().enumerate() {
            match &block.kind {
                Kind::Front => sections.front.push(number),
                _ if Some(number) == title => {}
                Kind::Heading { level: own, .. } if *own == level => found.push(Section {
                    heading: number,
                    blocks: Vec::new(),
                }),
                _ => match found.last_mut() {
                    Some(section) => section.blocks.push(number),
                    None => sections.preamble.push(number),
                },
            }
        }
        // What stands before the title stays before everything, under it.
        for section in found {
            if is_to_settle(&document.blocks[section.heading]) && sections.to_settle.is_none() {
                sections.to_settle = Some(section)
            } else {
                sections.sections.push(section)
            }
        }
        if let Some(section) = &sections.to_settle {
            sections.settling = section.blocks.iter().copied().collect();
        }
        sections
    }

    pub fn drop_blocks(&mut self, gone: impl Fn(usize) -> bool) {
        self.preamble.retain(|block| !gone(*block));
        for section in &mut self.sections {
            section.blocks.retain(|block| !gone(*block));
        }
    }

    /// Puts sections with the same heading together; gives the headings that are gone.
    pub fn merge_equal(&mut self, document: &Document<'_>) -> Vec<(usize, String)> {
        let heading = |section: &Section| match &document.blocks[section.heading].kind {
            Kind::Heading { text, .. } => plain(text),
            _ => String::new(),
        };
        // What is put behind a deeper heading would stand under it.
        let deep = |section: &Section| {
            let mut blocks = section.blocks.iter();
            blocks.any(|block| matches!(document.blocks[*block].kind, Kind::Heading { .. }))
        };
        let mut gone = Vec::new();
        let mut merged: Vec<Section> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        for section in std::mem::take(&mut self.sections) {
            let name = heading(&section);
            let same = known.get(&name).filter(|_| !name.is_empty()).copied();
            match same {
                Some(earlier) => {
                    let block = &document.blocks[section.heading];
                    gone.push((block.lines.start + 1, document.text_of(block)));
                    if deep(&section) {
                        known.remove(&name);
                    }
                    merged[earlier].blocks.extend(section.blocks);
                }
                None => {
                    if !deep(&section) {
                        known.insert(name, merged.len());
                    }
                    merged.push(section);
                }
            }
        }
        self.sections = merged;
        gone
    }

    /// Puts the sections in their order; equals stay as they were.
    pub fn sort(&mut self, document: &Document<'_>) {
        self.sections
            .sort_by_key(|section| match &document.blocks[section.heading].kind {
                Kind::Heading { text, .. } => rank(text),
                _ => OTHERS,
            });
    }
}

fn rank(heading: &str) -> u8 {
    let heading = plain(heading);
    let named = |word: &&str| {
        let starts = heading.starts_with(*word);
        starts || heading.contains(&format!(" {word}"))
    };
    let known = ORDER.iter().find(|(_, names)| names.iter().any(named));
    known.map_or(OTHERS, |(rank, _)| *rank)
}

/// A heading without what does not count.
pub(super) fn plain(heading: &str) -> String {
    let words = heading.split(|char: char| !char.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").to_lowercase()
}
