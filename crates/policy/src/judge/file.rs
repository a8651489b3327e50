//! Files that tools read and change, and that commands are redirected to.

use super::{Case, Cause};
use crate::{
    RealPath, Verdict,
    rule::{READERS, Rule, What, file_argument},
};

/// What the rules say of a file.
pub(super) struct Placed {
    /// The strictest rule that asks or denies.
    pub strictest: Option<usize>,
    /// What allows it.
    pub allowed: Option<Cause>,
    /// What happens where nothing does.
    pub default: Verdict,
}

impl Case<'_> {
    /// A tool that reads or changes a file.
    pub(super) fn file(&mut self, blanket: Option<usize>) {
        let tool = self.tool_use.tool.clone();
        let path = file_argument(&tool)
            .and_then(|name| self.tool_use.input.get(name))
            .and_then(|path| path.as_str().map(str::to_owned));
        // What searches does so where it is, or below what its pattern begins with.
        let path = path.or_else(|| match &*tool {
            "Glob" | "Grep" | "LS" => Some(self.bases.folder.clone()),
            _ => None,
        });
        let path = match self
            .tool_use
            .input
            .get("pattern")
            .and_then(|pattern| pattern.as_str())
        {
            Some(pattern) if tool == "Glob" => path.and_then(|path| searched(&path, pattern)),
            _ => path,
        };
        let placed = self.place(&tool, path.as_deref(), "", blanket);
        self.settle_with(placed.allowed, placed.default);
    }

    /// Looks at the rules about a file. The path as it is written, and where it leads, must both be allowed.
    pub(super) fn place(
        &mut self,
        tool: &str,
        path: Option<&str>,
        of: &str,
        blanket: Option<usize>,
    ) -> Placed {
        let mut placed = Placed {
            strictest: None,
            allowed: blanket.map(Cause::Rule),
            default: self.rules.default,
        };
        let Some(path) = path.and_then(|path| self.bases.absolute(path)) else {
            return placed;
        };
        let (places, known) = self.places(path);
        let of = if of.is_empty() {
            places[0].clone()
        } else {
            of.to_owned()
        };
        for place in &places {
            let found = self.tighten(place, &of, |rule| rule.is_about(tool));
            placed.strictest = self.stricter(placed.strictest, found);
        }
        let inside = known && places.iter().all(|place| self.bases.in_workspace(place));
        if let Some(verdict) = self
            .rules
            .workspace_reads
            .filter(|_| inside && READERS.contains(&tool))
        {
            placed.default = verdict;
        }
        if blanket.is_none() && known {
            for place in &places {
                placed.allowed = self.allows(tool, place, &of, placed.default);
                if placed.allowed.is_none() {
                    break;
                }
            }
        }
        let by_reading = placed.default != self.rules.default && placed.default == Verdict::Allow;
        if placed.allowed.is_none() && by_reading {
            placed.allowed = Some(Cause::Reads);
        }
        placed
    }

    /// The path, and where it leads if that is elsewhere; and whether that is known.
    fn places(&self, path: String) -> (Vec<String>, bool) {
        match self.paths.real(&path) {
            RealPath::Same => (vec![path], true),
            RealPath::Elsewhere(real) => {
                let real = crate::place::plain(&real);
                (vec![path, real], true)
            }
            RealPath::Unknown => (vec![path], false),
        }
    }

    /// Notes the rules that ask or deny at this place; gives the strictest.
    fn tighten(
        &mut self,
        place: &str,
        of: &str,
        is_about: impl Fn(&Rule) -> bool,
    ) -> Option<usize> {
        let mut strictest = None;
        let rules = self.rules;
        for number in rules.index.paths(place) {
            let number = number as usize;
            let rule = &rules.rules[number];
            let What::Path(pattern) = &rule.what else {
                continue;
            };
            if rule.verdict != Verdict::Allow
                && is_about(rule)
                && pattern.fits(place, &self.bases, rule.verdict)
                && rule.fits_input(&self.tool_use.input)
            {
                self.matches(number, of);
                strictest = self.stricter(strictest, Some(number));
            }
        }
        strictest
    }

    /// The stricter one of two rules.
    pub(super) fn stricter(&self, one: Option<usize>, other: Option<usize>) -> Option<usize> {
        let verdict = |number: usize| self.rules.rules[number].verdict;
        match (one, other) {
            (Some(one), Some(other)) if verdict(one) >= verdict(other) => Some(one),
            (one, None) => one,
            (_, other) => other,
        }
    }

    /// What allows a tool at this place.
    fn allows(&mut self, tool: &str, place: &str, of: &str, default: Verdict) -> Option<Cause> {
        let fits = |rule: &Rule| match &rule.what {
            What::Path(pattern) => pattern.fits(place, &self.bases, Verdict::Allow),
            _ => false,
        };
        let allows = |number: &usize| {
            let rule = &self.rules.rules[*number];
            rule.verdict == Verdict::Allow && rule.is_about(tool) && fits(rule)
        };
        let mut numbers = self.rules.index.paths(place).map(|number| number as usize);
        if let Some(number) = numbers.find(allows) {
            self.matches(number, of);
            return Some(Cause::Rule(number));
        }
        let inside = self.bases.in_workspace(place);
        match default {
            Verdict::Ask => self.given.file(tool, inside, fits).map(Cause::Scope),
            _ => None,
        }
    }

    /// Notes the rules about files that a word of a command names. Programs that only read are not asked about
    /// by rules for changes.
    pub(super) fn named_file(&mut self, path: &str, of: &str, only_reads: bool) -> Option<usize> {
        let mut strictest = None;
        let path = self.bases.absolute(path)?;
        for place in self.places(path).0 {
            let is_about =
                |rule: &Rule| rule.is_about("Read") || (!only_reads && rule.is_about("Write"));
            let found = self.tighten(&place, of, is_about);
            strictest = self.stricter(strictest, found);
        }
        strictest
    }
}

/// Where a pattern searches: the folder before its first star. None where that is not plain.
fn searched(folder: &str, pattern: &str) -> Option<String> {
    let literal = pattern
        .split(['*', '?', '[', '{'])
        .next()
        .unwrap_or_default();
    if pattern.split('/').any(|name| name == "..") && literal.len() < pattern.len() {
        return None;
    }
    let start = match literal.rsplit_once('/') {
        _ if literal.len() == pattern.len() => literal,
        Some(("", _)) => "/",
        Some((start, _)) => start,
        None => "",
    };
    if start.starts_with(['/', '~']) {
        return Some(start.to_owned());
    }
    Some(format!("{folder}/{start}"))
}
