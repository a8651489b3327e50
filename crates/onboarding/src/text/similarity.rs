//! Rules whose words are nearly the same.

use super::rule_features::Word;
use std::collections::HashMap;

/// How many earlier rules with a word in common are compared with a rule. A bound for files that
/// say one thing a thousand times.
const COMPARED: usize = 64;

/// The share of words that two sets have in common: Jaccard's measure.
pub(super) fn similarity(one: &[Word], other: &[Word]) -> f64 {
    let both = common(one, other);
    let all = one.len() + other.len() - both;
    match all {
        0 => 0.0,
        all => both as f64 / all as f64,
    }
}

/// Whether every word of one set is in the other.
pub(super) fn within(inner: &[Word], outer: &[Word]) -> bool {
    common(inner, outer) == inner.len()
}

/// The pairs of sets, earlier first, that are at least so much alike.
///
/// Two sets that are alike share one of their rarest words, so only the first few are looked up.
pub(super) fn alike(sets: &[&[Word]], words: usize, least: f64) -> Vec<(usize, usize)> {
    let mut count = vec![0u32; words];
    for word in sets.iter().copied().flatten() {
        count[*word as usize] += 1;
    }
    let mut seen: HashMap<Word, Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    let mut candidates = Vec::new();
    for (number, set) in sets.iter().enumerate() {
        if set.is_empty() {
            continue;
        }
        let mut rare = set.to_vec();
        rare.sort_unstable_by_key(|word| (count[*word as usize], *word));
        let shared = (least * set.len() as f64).ceil() as usize;
        rare.truncate(set.len() + 1 - shared.clamp(1, set.len()));
        candidates.clear();
        for word in &rare {
            let earlier = seen.entry(*word).or_default();
            candidates.extend(earlier.iter().take(COMPARED / 2));
            candidates.extend(earlier.iter().rev().take(COMPARED / 2));
        }
        candidates.sort_unstable();
        candidates.dedup();
        let close = |earlier: &&usize| similarity(sets[**earlier], set) >= least;
        pairs.extend(
            candidates
                .iter()
                .filter(close)
                .map(|earlier| (*earlier, number)),
        );
        for word in rare {
            seen.entry(word).or_default().push(number);
        }
    }
    pairs
}

fn common(one: &[Word], other: &[Word]) -> usize {
    let (mut left, mut right, mut both) = (0, 0, 0);
    while left < one.len() && right < other.len() {
        match one[left].cmp(&other[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                (left, right, both) = (left + 1, right + 1, both + 1);
            }
        }
    }
    both
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_pairs_as_by_comparing_all() {
        let sets: Vec<Vec<Word>> = (0..60u32)
            .map(|seed| {
                let mut set: Vec<_> = (0..2 + seed % 6).map(|n| (seed * 7 + n * n) % 17).collect();
                set.sort_unstable();
                set.dedup();
                set
            })
            .collect();
        let sets: Vec<&[Word]> = sets.iter().map(Vec::as_slice).collect();
        for least in [0.5, 0.8, 1.0] {
            let mut all = Vec::new();
            for (late, set) in sets.iter().enumerate() {
                let early = (0..late).filter(|early| similarity(sets[*early], set) >= least);
                all.extend(early.map(|early| (early, late)));
            }
            assert_eq!(alike(&sets, 17, least), all, "{least}");
        }
    }
}
