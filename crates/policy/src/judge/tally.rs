//! Everything that speaks for a verdict.

use super::Matched;
use crate::{CommandPart, Verdict};

/// Why something is to happen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Cause {
    Rule(usize),
    Changed,
    Unclear(String),
    Default,
    Scope(usize),
    Reads,
}

#[derive(Default)]
pub(super) struct Tally {
    causes: Vec<(Verdict, Cause)>,
    pub matched: Vec<Matched>,
    pub parts: Vec<CommandPart>,
    pub danger: bool,
}

impl Tally {
    pub fn note(&mut self, verdict: Verdict, cause: Cause) {
        let noted = (verdict, cause);
        if !self.causes.contains(&noted) {
            self.causes.push(noted);
        }
    }

    /// The strictest verdict. Without any a person is asked.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.causes.iter().map(|(verdict, _)| *verdict);
        verdicts.max().unwrap_or(Verdict::Ask)
    }

    /// Whether it is asked, and neither a rule asks nor a definition changed nor it is dangerous.
    pub fn asks_by_itself(&self) -> bool {
        let by_itself = |(verdict, cause): &(Verdict, Cause)| {
            *verdict == Verdict::Allow || matches!(cause, Cause::Default | Cause::Unclear(_))
        };
        !self.danger && self.verdict() == Verdict::Ask && self.causes.iter().all(by_itself)
    }

    /// Allows it, for this one cause.
    pub fn only(&mut self, cause: Cause) {
        self.causes = vec![(Verdict::Allow, cause)];
    }

    /// What decided, most decisive first.
    pub fn decisive(&mut self, verdict: Verdict) -> Vec<Cause> {
        let mut causes: Vec<Cause> = std::mem::take(&mut self.causes)
            .into_iter()
            .filter(|(noted, _)| *noted == verdict)
            .map(|(_, cause)| cause)
            .collect();
        if causes.is_empty() {
            causes.push(Cause::Unclear("nothing is known of it".into()));
        }
        causes.sort_by_key(|cause| match cause {
            Cause::Rule(_) => 0,
            Cause::Changed => 1,
            Cause::Unclear(_) => 2,
            Cause::Scope(_) => 3,
            Cause::Reads => 4,
            Cause::Default => 5,
        });
        causes
    }
}
