//! The migrated file: sections in a stable order, one rule per bullet, duplicates merged,
//! contradictions side by side. Nothing is lost, and doing it twice changes nothing.

use super::{
    analysis::Analysis,
    document::{Block, Document, Kind},
    loss_check, prose,
    sections::{self, Section, Sections},
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A migrated file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Migrated {
    pub text: String,
    /// What is not in it any more, because it was there twice.
    pub removed: Vec<Removed>,
    /// How many rules stand under [`TO_SETTLE`] now that did not before.
    pub settle: usize,
    /// Its Markdown could not be rearranged without a risk: it stays as it is.
    pub untouched: bool,
}

/// Lines that say the same as others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Removed {
    /// From 1, in the source.
    pub line: usize,
    pub text: String,
    /// What says it now.
    pub kept: String,
}

/// The heading over rules that contradict each other.
pub(crate) const TO_SETTLE: &str = "To be settled";
const HOW: &str =
    "Each group holds rules that contradict each other: keep one of each, and delete the rest.";
const TITLE: &str = "# Instructions";
/// How often a file is rearranged until nothing changes any more.
const ROUNDS: usize = 5;

impl Migrated {
    /// A file of this text, from which nothing is missing.
    pub fn with_text(text: String) -> Self {
        Self {
            text,
            removed: Vec::new(),
            settle: 0,
            untouched: false,
        }
    }
}

/// The canonical form of a file.
pub(crate) fn migrate(source: &str) -> Migrated {
    let (mark, body) = match source.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", source),
    };
    let lines = if body.contains("\r\n") { "\r\n" } else { "\n" };
    settled(body).map_or_else(
        || as_it_is(source),
        |mut migrated| {
            if lines != "\n" {
                migrated.text = migrated.text.replace('\n', lines);
            }
            migrated.text.insert_str(0, mark);
            migrated
        },
    )
}

fn as_it_is(source: &str) -> Migrated {
    Migrated {
        untouched: true,
        ..Migrated::with_text(source.to_owned())
    }
}

/// Rearranges until nothing changes; none where that does not come, or something would be lost.
fn settled(source: &str) -> Option<Migrated> {
    let mut text = source.replace("\r\n", "\n");
    let plain = text.clone();
    let mut removed: Vec<Removed> = Vec::new();
    let mut settle = 0;
    for _ in 0..ROUNDS {
        let round = rearranged(&prose::as_bullets(&text)?)?;
        settle += round.settle;
        removed.extend(round.removed);
        if round.text == text {
            number(&plain, &mut removed);
            let gone = removed.iter().map(|removed| removed.text.as_str());
            return loss_check::nothing_lost(&plain, &text, gone).then_some(Migrated {
                text,
                removed,
                settle,
                untouched: false,
            });
        }
        text = round.text;
    }
    None
}

/// Finds the lines of the source again that later rounds have removed.
fn number(source: &str, removed: &mut [Removed]) {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (number, line) in source.lines().enumerate() {
        places
            .entry(loss_check::content(line))
            .or_default()
            .push(number + 1);
    }
    for removed in removed {
        let first = removed.text.lines().next().unwrap_or_default();
        // The last one that is left: the first is what was kept. What was a part of a line keeps
        // the number that it had when it was removed.
        if let Some(line) = places
            .get_mut(loss_check::content(first))
            .and_then(Vec::pop)
        {
            removed.line = line;
        }
    }
}

struct Round {
    text: String,
    removed: Vec<Removed>,
    settle: usize,
}

fn rearranged(text: &str) -> Option<Round> {
    let document = Document::read(text);
    if document.blocks.is_empty() {
        return Some(Round {
            text: text.to_owned(),
            removed: Vec::new(),
            settle: 0,
        });
    }
    let analysis = Analysis::new(&document);
    let mut sections = Sections::new(&document);
    let mut removed = Vec::new();
    let gone = merged(&document, &analysis, &sections, &mut removed);
    let groups = groups(&document, &analysis, &sections, &gone);
    let moved: BTreeSet<usize> = groups.iter().flatten().copied().collect();
    sections.drop_blocks(|block| gone.contains(&block) || moved.contains(&block));
    let again = sections.merge_equal(&document);
    removed.extend(again.into_iter().map(|(line, text)| Removed {
        line,
        kept: text.clone(),
        text,
    }));
    sections.sort(&document);
    let mut page = Page::default();
    page.sections(&document, &sections);
    page.settle(&document, &sections, &groups);
    let text = page.finish();
    // The blocks must come back from the new text as they went in.
    let read = Document::read(&text);
    let same = read.blocks.len() == page.blocks.len()
        && read
            .blocks
            .iter()
            .zip(&page.blocks)
            .all(|(read_block, (written, _))| read.text_of(read_block) == *written);
    same.then_some(Round {
        text,
        removed,
        settle: moved.len(),
    })
}

/// The blocks that say nothing that another does not say.
fn merged(
    document: &Document<'_>,
    analysis: &Analysis,
    sections: &Sections,
    removed: &mut Vec<Removed>,
) -> BTreeSet<usize> {
    let mut in_block = vec![0usize; document.blocks.len()];
    for unit in &document.units {
        in_block[unit.block] += 1;
    }
    let in_conflict: BTreeSet<usize> = analysis
        .conflicts
        .iter()
        .flat_map(|(one, other)| [*one, *other])
        .collect();
    let single = |unit: usize| {
        let block = document.units[unit].block;
        in_block[block] == 1
            && document.blocks[block].kind == Kind::Item { plain: true }
            && !sections.is_to_settle(block)
    };
    let mut gone = BTreeSet::new();
    for pair in &analysis.duplicates {
        let (first, again) = (pair.first, pair.again);
        let (drop, keep) = if pair.covered && single(again) {
            (again, first)
        } else if pair.extended && single(first) && !in_conflict.contains(&first) {
            (first, again)
        } else {
            continue;
        };
        let (drop, keep) = (document.units[drop].block, document.units[keep].block);
        let (text, kept) = (
            document.text_of(&document.blocks[drop]),
            document.text_of(&document.blocks[keep]),
        );
        if drop == keep || gone.contains(&keep) || !same_links(&text, &kept) {
            continue;
        }
        if gone.insert(drop) {
            removed.push(Removed {
                line: document.blocks[drop].lines.start + 1,
                text,
                kept,
            });
        }
    }
    gone
}

/// Two links with the same words may lead to different places.
fn same_links(one: &str, other: &str) -> bool {
    let links = |text: &str| -> Vec<String> {
        let parts = text.split([' ', '(', ')', '<', '>', '[', ']', '\n']);
        let links = parts.filter(|part| part.contains("://") || part.contains('/'));
        links.map(str::to_owned).collect()
    };
    let plain = |text: &str| !text.contains("](") && !text.contains("][");
    (plain(one) && plain(other)) || links(one) == links(other)
}

/// The bullets that contradict each other, as groups, in the order of the file.
fn groups(
    document: &Document<'_>,
    analysis: &Analysis,
    sections: &Sections,
    gone: &BTreeSet<usize>,
) -> Vec<Vec<usize>> {
    let block = |unit: usize| document.units[unit].block;
    let movable = |block: usize| {
        matches!(document.blocks[block].kind, Kind::Item { .. }) && !gone.contains(&block)
    };
    let mut group_of: BTreeMap<usize, usize> = BTreeMap::new();
    let mut groups: Vec<BTreeSet<usize>> = Vec::new();
    for (one, other) in &analysis.conflicts {
        let (one, other) = (block(*one), block(*other));
        let inside = (sections.is_to_settle(one), sections.is_to_settle(other));
        if one == other || inside == (true, true) || !movable(one) || !movable(other) {
            continue;
        }
        let mut joined = BTreeSet::new();
        for member in [one, other] {
            if !sections.is_to_settle(member) {
                joined.insert(member);
            }
            if let Some(group) = group_of.get(&member) {
                joined.append(&mut groups[*group]);
            }
        }
        for member in &joined {
            group_of.insert(*member, groups.len());
        }
        groups.push(joined);
    }
    groups.retain(|group| !group.is_empty());
    groups.sort_by_key(|group| group.first().copied());
    groups
        .into_iter()
        .map(|group| group.into_iter().collect())
        .collect()
}

/// The new text, block by block.
#[derive(Default)]
struct Page {
    /// Each block, and whether it is a bullet.
    blocks: Vec<(String, bool)>,
}

impl Page {
    fn push(&mut self, text: impl Into<String>) {
        self.blocks.push((text.into(), false));
    }

    fn block(&mut self, document: &Document<'_>, number: usize) {
        let block = &document.blocks[number];
        let text = document.text_of(block);
        match block.kind {
            Kind::Item { .. } => self.blocks.push((bullet(&text), true)),
            _ => self.push(text),
        }
    }

    fn sections(&mut self, document: &Document<'_>, sections: &Sections) {
        for block in &sections.front {
            self.block(document, *block);
        }
        match sections.title {
            Some(title) => self.block(document, title),
            None if !sections.has_title => self.push(TITLE),
            None => {}
        }
        for block in &sections.preamble {
            self.block(document, *block);
        }
        for section in &sections.sections {
            self.section(document, section);
        }
    }

    fn section(&mut self, document: &Document<'_>, section: &Section) {
        self.block(document, section.heading);
        for block in &section.blocks {
            self.block(document, *block);
        }
    }

    /// The rules that contradict each other, behind those that are there already.
    fn settle(&mut self, document: &Document<'_>, sections: &Sections, groups: &[Vec<usize>]) {
        let marks = "#".repeat(usize::from(sections.level));
        let mut count = 0;
        match &sections.to_settle {
            Some(section) => {
                self.section(document, section);
                let deeper = |block: &&usize| {
                    let kind = &document.blocks[**block].kind;
                    matches!(kind, Kind::Heading { .. })
                };
                count = section.blocks.iter().filter(deeper).count();
            }
            None if groups.is_empty() => return,
            None => {
                self.push(format!("{marks} {TO_SETTLE}"));
                self.push(HOW);
            }
        }
        for group in groups {
            count += 1;
            self.push(format!("{marks}# Contradiction {count}"));
            for block in group {
                self.block(document, *block);
            }
        }
    }

    fn finish(&self) -> String {
        let mut text = String::new();
        let mut after_bullet = false;
        for (number, (block, bullet)) in self.blocks.iter().enumerate() {
            if number > 0 {
                text.push_str(if after_bullet && *bullet {
                    "\n"
                } else {
                    "\n\n"
                });
            }
            text.push_str(block);
            after_bullet = *bullet;
        }
        text.push('\n');
        text
    }
}

/// An item at the left edge, with the one mark that all bullets have.
fn bullet(text: &str) -> String {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let lines = text.lines().enumerate().map(|(number, line)| {
        let spaces = line.len() - line.trim_start_matches(' ').len();
        let line = &line[spaces.min(indent)..];
        match number {
            0 => line.replacen(['*', '+'], "-", usize::from(line.starts_with(['*', '+']))),
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

impl Sections {
    /// Whether a block stands under the heading of contradictions.
    fn is_to_settle(&self, block: usize) -> bool {
        self.settling.contains(&block)
    }
}

/// Whether a heading is the one over contradictions.
pub(super) fn is_to_settle(block: &Block) -> bool {
    matches!(&block.kind, Kind::Heading { text, .. } if sections::plain(text) == sections::plain(TO_SETTLE))
}
