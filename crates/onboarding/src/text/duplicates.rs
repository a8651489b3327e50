//! Rules that say the same as an earlier one.

use super::{
    analysis::Rules,
    similarity::{alike, similarity, within},
};

/// From this share of common words on, two rules are near-duplicates.
pub(crate) const ALIKE: f64 = 0.8;
/// Rules of fewer words must have all of them in common.
const FEW: usize = 4;

/// A rule that says the same as another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Duplicate {
    pub first: usize,
    pub again: usize,
    /// Every word of `again` that says something is in `first`.
    pub covered: bool,
    /// Every word of `first` is in `again`, and that has more.
    pub extended: bool,
}

pub(super) fn find(rules: &Rules<'_>) -> Vec<Duplicate> {
    let sets: Vec<_> = rules
        .features
        .iter()
        .map(|rule| rule.words.as_slice())
        .collect();
    let mut found: Vec<Duplicate> = Vec::new();
    let mut is_again = vec![false; sets.len()];
    for (first, again) in alike(&sets, rules.words, ALIKE) {
        let (one, other) = (&rules.features[first], &rules.features[again]);
        let short = one.words.len().min(other.words.len()) < FEW;
        if is_again[first]
            || is_again[again]
            || one.negative != other.negative
            || one.numbers != other.numbers
            || short && similarity(&one.words, &other.words) < 1.0
            || rules.in_order[first]
            || rules.in_order[again]
            || rules.other_worlds(first, again)
        {
            continue;
        }
        is_again[again] = true;
        found.push(Duplicate {
            first,
            again,
            covered: within(&other.words, &one.words),
            extended: within(&one.words, &other.words) && one.words.len() < other.words.len(),
        });
    }
    found
}
