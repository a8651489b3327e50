//! A proposal: the whole migrated or new file, its diff, and how much is at stake.

use super::{
    first_draft,
    state::{Proposal, Risk},
    text::{
        analysis::{Analysis, Pattern, ProblemKind},
        canonical::{Migrated, migrate},
        document::Document,
    },
};
use holdpoint::Digest;
use holdpoint_ask::diff::unified_with_names;
use serde_json::{Value, json};

/// How a file is kept, and what it would become.
pub(super) struct Draft {
    pub pattern: Pattern,
    pub migrated: Migrated,
    pub proposal: Proposal,
    pub diff: String,
}

/// From so many contradictions on the risk is high.
const MANY: usize = 3;

impl Draft {
    /// Works out what becomes of a file; where there is none, a new one that speaks of the files that
    /// were `seen`. The same gives the same draft.
    pub fn new(file: &str, source: Option<&str>, seen: Vec<String>) -> Self {
        match source {
            Some(text) => Self::migration(file, text),
            None => Self::creation(file, seen),
        }
    }

    fn creation(file: &str, seen: Vec<String>) -> Self {
        let text = first_draft::text(&seen);
        let proposal = Proposal {
            title: format!("Create {file}"),
            summary: format!(
                "There is no {file}. The proposal is to create it: a short first draft that says what the names of the files in this repository show, for a person to complete."
            ),
            steps: vec![
                "Create the file, with the text in the diff.".into(),
                "Leave it to a person to add what only they know.".into(),
            ],
            risk: Risk::Low,
            source_digest: None,
            result_digest: Digest::hash_bytes(text.as_bytes()),
            seen,
            edited: None,
        };
        Self {
            pattern: Pattern::Clean,
            diff: diff("", &text, "now", "proposed"),
            migrated: Migrated::with_text(text),
            proposal,
        }
    }

    fn migration(file: &str, text: &str) -> Self {
        let analysis = Analysis::new(&Document::read(text));
        let migrated = migrate(text);
        let diff = diff(text, &migrated.text, "now", "proposed");
        let proposal = Proposal {
            title: format!("Bring {file} into its canonical form"),
            summary: summary(file, &analysis, &migrated, text),
            steps: steps(&analysis, &migrated, text),
            risk: risk(&analysis, &migrated, text),
            source_digest: Some(Digest::hash_bytes(text.as_bytes())),
            result_digest: Digest::hash_bytes(migrated.text.as_bytes()),
            seen: Vec::new(),
            edited: None,
        };
        Self {
            pattern: analysis.pattern,
            migrated,
            proposal,
            diff,
        }
    }

    /// The same change with the text that a person made of it.
    pub fn edited(mut self, source: Option<&str>, text: &str) -> Self {
        self.diff = diff(source.unwrap_or_default(), text, "now", "proposed");
        self.migrated = Migrated::with_text(text.to_owned());
        self.proposal = self.proposal.edited(text);
        self
    }

    /// What becomes fewer, line by line.
    pub fn removed(&self) -> Value {
        json!(self.migrated.removed)
    }
}

impl Proposal {
    /// The same proposal with the text that a person made of it.
    pub fn edited(mut self, text: &str) -> Self {
        self.result_digest = Digest::hash_bytes(text.as_bytes());
        self.edited = Some(text.to_owned());
        self
    }

    /// The digest that an approval is bound to: of exactly this change to exactly this file.
    pub fn bound(&self, file: &str) -> Digest {
        let what =
            json!({ "file": file, "source": self.source_digest, "result": self.result_digest });
        // Three texts in an object always have a JSON form.
        Digest::hash_json(&what).unwrap_or_else(|_| Digest::hash_bytes(what.to_string().as_bytes()))
    }
}

/// The changes of a text, as a diff.
pub(super) fn diff(from: &str, to: &str, before: &str, after: &str) -> String {
    unified_with_names((before, from), (after, to))
}

fn summary(file: &str, analysis: &Analysis, migrated: &Migrated, text: &str) -> String {
    if migrated.text == text {
        return format!("{file} has its canonical form already: nothing would change.");
    }
    let removed = migrated.removed.len();
    format!(
        "{file} is {}: {} rules, {}. The migration puts its sections in order with one rule per bullet, removes {removed} duplicate{}, and sets {} contradicting rule{} side by side. Nothing else is lost.",
        analysis.pattern.as_str(),
        analysis.rules,
        counts(analysis),
        if removed == 1 { "" } else { "s" },
        migrated.settle,
        if migrated.settle == 1 { "" } else { "s" },
    )
}

/// How many problems of each kind there are, in words.
pub(super) fn counts(analysis: &Analysis) -> String {
    let part = |kind: ProblemKind| {
        let count = analysis.count(kind);
        let name = match (kind, count) {
            (ProblemKind::Unclear, 1) => "unclear rule".to_owned(),
            (ProblemKind::Unclear, _) => "unclear rules".to_owned(),
            (kind, 1) => kind.as_str().to_owned(),
            (kind, _) => format!("{}s", kind.as_str()),
        };
        format!("{count} {name}")
    };
    ProblemKind::ALL.map(part).join(", ")
}

fn steps(analysis: &Analysis, migrated: &Migrated, text: &str) -> Vec<String> {
    if migrated.untouched {
        return vec!["Leave the file as it is: its Markdown cannot be rearranged safely.".into()];
    }
    if migrated.text == text {
        return vec!["Leave the file as it is: it has its canonical form.".into()];
    }
    let mut steps = vec!["Back up the file.".to_owned()];
    steps.push("Put the sections in their order, with one rule per bullet.".into());
    if !migrated.removed.is_empty() {
        steps.push(format!(
            "Remove what is there twice: {}.",
            lines(migrated.removed.iter().map(|removed| removed.line))
        ));
    }
    if migrated.settle > 0 {
        steps.push(
            "Set rules that contradict each other side by side, for a person to settle.".into(),
        );
    }
    match analysis.count(ProblemKind::Unclear) {
        0 => {}
        1 => steps.push("Leave 1 unclear rule as it is: only a person can rewrite it.".into()),
        unclear => steps.push(format!(
            "Leave {unclear} unclear rules as they are: only a person can rewrite them."
        )),
    }
    steps
}

/// Lines, the first of them by number.
pub(super) fn lines(lines: impl ExactSizeIterator<Item = usize>) -> String {
    const MOST: usize = 12;
    let more = lines.len().saturating_sub(MOST);
    let mut shown: Vec<_> = lines
        .take(MOST)
        .map(|line| format!("line {line}"))
        .collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

fn risk(analysis: &Analysis, migrated: &Migrated, text: &str) -> Risk {
    let contradictions = analysis.count(ProblemKind::Contradiction);
    let gone: usize = migrated
        .removed
        .iter()
        .map(|removed| removed.text.lines().count())
        .sum();
    let all = text.lines().filter(|line| !line.trim().is_empty()).count();
    if contradictions >= MANY || gone * 4 > all {
        return Risk::High;
    }
    if contradictions > 0 || gone > 0 {
        Risk::Medium
    } else {
        Risk::Low
    }
}
