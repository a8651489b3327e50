//! The corpus: what the analyser finds in files whose problems are known.

use super::{
    analysis::{Analysis, ProblemKind},
    canonical::migrate,
    document::Document,
    loss_check::lost,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

/// A problem by its kind and its lines.
type Found = (ProblemKind, Vec<usize>);

pub(super) struct Case {
    pub name: String,
    pub text: String,
    pattern: String,
    expected: Vec<Found>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Score {
    right: usize,
    wrong: usize,
    missed: usize,
}

impl Score {
    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.missed).max(1) as f64
    }
}

pub(super) fn cases(part: &str) -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/corpus")
        .join(part);
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files.iter().map(|file| case(file)).collect()
}

fn case(file: &Path) -> Case {
    let marked = fs::read_to_string(file).unwrap();
    let (pattern, body) = marked.split_once('\n').unwrap();
    let pattern = pattern.trim_matches(['⟦', '⟧']).to_owned();
    let mut text = String::new();
    let mut marks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut expected = Vec::new();
    for (number, line) in body.lines().enumerate() {
        let (line, found) = line.split_once(" ⟦").unwrap_or((line, ""));
        text.push_str(line);
        text.push('\n');
        for mark in found.trim_end_matches('⟧').split_whitespace() {
            match mark {
                "u" => expected.push((ProblemKind::Unclear, vec![number + 1])),
                mark => marks.entry(mark.to_owned()).or_default().push(number + 1),
            }
        }
    }
    for (mark, lines) in marks {
        let kind = match &mark[..1] {
            "d" => ProblemKind::Duplication,
            "c" => ProblemKind::Contradiction,
            other => panic!("{}: {other}", file.display()),
        };
        assert!(lines.len() > 1, "{}: {mark} stands alone", file.display());
        expected.extend(lines[1..].iter().map(|line| (kind, vec![lines[0], *line])));
    }
    Case {
        name: file.file_stem().unwrap().to_string_lossy().into_owned(),
        text,
        pattern,
        expected,
    }
}

/// Scores a part, by kind and in all, and how many patterns are right.
fn score(part: &str) -> (Score, usize, usize) {
    let mut kinds: BTreeMap<ProblemKind, Score> = BTreeMap::new();
    let mut patterns = 0;
    let cases = cases(part);
    for case in &cases {
        let analysis = Analysis::new(&Document::read(&case.text));
        let mut left = case.expected.clone();
        for problem in &analysis.problems {
            let found = (problem.kind, problem.lines.clone());
            let score = kinds.entry(problem.kind).or_default();
            match left.iter().position(|expected| *expected == found) {
                Some(place) => {
                    left.remove(place);
                    score.right += 1;
                }
                None => {
                    println!("{part}/{}: not expected: {problem:?}", case.name);
                    score.wrong += 1;
                }
            }
        }
        for (kind, lines) in left {
            println!("{part}/{}: missed: {kind:?} {lines:?}", case.name);
            kinds.entry(kind).or_default().missed += 1;
        }
        if analysis.pattern.as_str() == case.pattern {
            patterns += 1
        } else {
            println!(
                "{part}/{}: {:?}, not {}",
                case.name, analysis.pattern, case.pattern
            )
        }
    }
    let mut all = Score::default();
    for (kind, score) in kinds {
        println!(
            "{part} {}: precision {:.2}, recall {:.2} ({score:?})",
            kind.as_str(),
            score.precision(),
            score.recall()
        );
        all.right += score.right;
        all.wrong += score.wrong;
        all.missed += score.missed;
    }
    println!(
        "{part}: {} files, precision {:.2}, recall {:.2}, patterns {patterns} of {}",
        cases.len(),
        all.precision(),
        all.recall(),
        cases.len()
    );
    (all, patterns, cases.len())
}

#[test]
fn tuned_part() {
    let (all, patterns, files) = score("tuned");
    assert!(all.precision() >= 0.95 && all.recall() >= 0.95, "{all:?}");
    assert_eq!(patterns, files);
}

#[test]
fn held_out_part() {
    let (all, patterns, files) = score("held-out");
    assert!(all.precision() >= 0.95 && all.recall() >= 0.95, "{all:?}");
    assert_eq!(patterns, files);
}

#[test]
fn nothing_of_the_corpus_is_lost_and_twice_is_once() {
    let mut names = BTreeSet::new();
    for part in ["tuned", "held-out"] {
        for case in cases(part) {
            let migrated = migrate(&case.text);
            assert!(!migrated.untouched, "{} was left as it is", case.name);
            let removed = migrated.removed.iter().map(|removed| removed.text.as_str());
            let lost = lost(&case.text, &migrated.text, removed);
            assert!(
                lost.is_empty(),
                "{}: {lost:?}\n{}",
                case.name,
                migrated.text
            );
            let twice = migrate(&migrated.text);
            assert_eq!(twice.text, migrated.text, "{}", case.name);
            assert!(
                twice.removed.is_empty(),
                "{}: {:?}",
                case.name,
                twice.removed
            );
            names.insert(format!("{part}/{}", case.name));
        }
    }
    assert!(names.len() >= 40, "{} files", names.len());
}
