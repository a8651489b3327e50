//! What is wrong with an instruction file, and which of four patterns it has.

use super::{
    contradictions::{self, Why},
    document::{Document, Kind},
    duplicates::{self, Duplicate},
    rule_features::{RuleFeatures, Vocabulary},
    unclear,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was found in a file.
#[derive(Debug)]
pub(crate) struct Analysis {
    pub pattern: Pattern,
    pub problems: Vec<Problem>,
    pub rules: usize,
    pub(super) duplicates: Vec<Duplicate>,
    /// The units of rules that contradict each other.
    pub(super) conflicts: Vec<(usize, usize)>,
}

/// How a file is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Pattern {
    // Not doc comments: they would be in the tool's schema, one alternative each.
    // Sections and lists, and nothing wrong.
    Clean,
    // Sections and lists, with some problems.
    Structured,
    // Mostly prose or loose lines.
    Unstructured,
    // Problems in a large part of its rules.
    Messy,
}

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Problem {
    pub kind: ProblemKind,
    /// From 1.
    pub lines: Vec<usize>,
    /// What stands there.
    pub texts: Vec<String>,
    pub why: String,
}

#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ProblemKind {
    Contradiction,
    Duplication,
    Unclear,
}

/// The rules of a file, made comparable.
pub(super) struct Rules<'a> {
    pub features: &'a [RuleFeatures],
    /// Which of them begin with "use".
    pub uses: Vec<bool>,
    /// Which of them are steps of a list with an order: a step may come twice.
    pub in_order: Vec<bool>,
    /// How many different words there are.
    pub words: usize,
    /// The languages that headings name.
    worlds: Vec<Vec<String>>,
    /// The headings above each rule.
    world: Vec<usize>,
}

impl Rules<'_> {
    /// Whether two rules stand in sections about different languages.
    pub fn other_worlds(&self, one: usize, other: usize) -> bool {
        let (one, other) = (self.world[one], self.world[other]);
        let (one, other) = (&self.worlds[one], &self.worlds[other]);
        !one.is_empty() && !other.is_empty() && !one.iter().any(|world| other.contains(world))
    }
}

/// A file is messy from this share of problems among its rules on.
const MESSY: f64 = 0.25;
/// And with at least so many.
const FEWEST: usize = 3;
/// A file has a structure where so much of it stands in lists.
const LISTED: f64 = 0.6;

impl Analysis {
    pub fn new(document: &Document<'_>) -> Self {
        let mut vocabulary = Vocabulary::new();
        let features: Vec<_> = document
            .units
            .iter()
            .map(|unit| vocabulary.features(&unit.text))
            .collect();
        let (headings, of_block) = document.headings();
        let worlds = headings.iter().map(|heading| vocabulary.worlds(heading));
        let worlds = worlds.collect();
        let units = &document.units;
        let begins = |text: &str| {
            text.get(..4)
                .is_some_and(|use_| use_.eq_ignore_ascii_case("use "))
        };
        let rules = Rules {
            features: &features,
            uses: units.iter().map(|unit| begins(&unit.text)).collect(),
            in_order: units
                .iter()
                .map(|unit| document.blocks[unit.block].kind == Kind::Whole)
                .collect(),
            words: vocabulary.len(),
            worlds,
            world: units.iter().map(|unit| of_block[unit.block]).collect(),
        };
        let duplicates = duplicates::find(&rules);
        let conflicts = contradictions::find(&rules, &vocabulary, &duplicates);
        let mut problems: Vec<Problem> = Vec::new();
        let two = |kind, one: usize, other: usize, why: &str| Problem {
            kind,
            lines: vec![units[one].line, units[other].line],
            texts: vec![units[one].text.clone(), units[other].text.clone()],
            why: why.to_owned(),
        };
        for conflict in &conflicts {
            let why = match conflict.why {
                Why::Opposite => "one says to do what the other says not to do",
                Why::Values => "two values for one setting",
            };
            let kind = ProblemKind::Contradiction;
            problems.push(two(kind, conflict.first, conflict.second, why));
        }
        for pair in &duplicates {
            let why = if features[pair.first].words == features[pair.again].words {
                "the same rule again"
            } else {
                "nearly the same rule again"
            };
            problems.push(two(ProblemKind::Duplication, pair.first, pair.again, why));
        }
        let one = |line: usize, text: &str, why: &str| Problem {
            kind: ProblemKind::Unclear,
            lines: vec![line],
            texts: vec![text.to_owned()],
            why: why.to_owned(),
        };
        for unit in units {
            if let Some(why) = unclear::find(unit) {
                problems.push(one(unit.line, &unit.text, why));
            }
        }
        for block in unclear::empty_sections(document) {
            let block = &document.blocks[block];
            if let Kind::Heading { text, .. } = &block.kind {
                problems.push(one(block.lines.start + 1, text, "empty section"));
            }
        }
        problems.sort_by(|one, other| (one.kind, &one.lines).cmp(&(other.kind, &other.lines)));
        Self {
            pattern: pattern(document, problems.len()),
            rules: units.len(),
            conflicts: conflicts
                .iter()
                .map(|pair| (pair.first, pair.second))
                .collect(),
            problems,
            duplicates,
        }
    }

    pub fn count(&self, kind: ProblemKind) -> usize {
        let of_it = self.problems.iter().filter(|problem| problem.kind == kind);
        of_it.count()
    }
}

fn pattern(document: &Document<'_>, problems: usize) -> Pattern {
    let rules = document.units.len();
    if problems >= FEWEST && problems as f64 / rules.max(1) as f64 >= MESSY {
        return Pattern::Messy;
    }
    let headed = document
        .blocks
        .iter()
        .any(|block| matches!(block.kind, Kind::Heading { .. }));
    let listed = document
        .units
        .iter()
        .filter(|unit| !matches!(document.blocks[unit.block].kind, Kind::Paragraph))
        .count();
    let structured = headed && listed as f64 >= LISTED * rules as f64;
    match (structured, problems) {
        (true, 0) => Pattern::Clean,
        (true, _) => Pattern::Structured,
        (false, _) => Pattern::Unstructured,
    }
}

impl Pattern {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Clean => "clean",
            Self::Structured => "structured",
            Self::Unstructured => "unstructured",
            Self::Messy => "messy",
        }
    }
}

impl ProblemKind {
    pub const ALL: [Self; 3] = [Self::Contradiction, Self::Duplication, Self::Unclear];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Duplication => "duplication",
            Self::Unclear => "unclear",
        }
    }
}
