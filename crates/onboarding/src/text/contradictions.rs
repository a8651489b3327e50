//! Rules that cannot both be followed.

use super::{
    analysis::Rules,
    duplicates::{ALIKE, Duplicate},
    lexicon::ALTERNATIVES,
    rule_features::{RuleFeatures, Vocabulary, Word},
    similarity::{alike, similarity, within},
};

/// Two rules that cannot both be followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contradiction {
    pub first: usize,
    pub second: usize,
    pub why: Why,
}

/// In what they contradict each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Why {
    /// One says to do what the other says not to do.
    Opposite,
    /// Two values for one setting.
    Values,
}

/// How many rules with one of several alternatives are compared.
const MOST: usize = 200;

pub(super) fn find(
    rules: &Rules<'_>,
    vocabulary: &Vocabulary,
    duplicates: &[Duplicate],
) -> Vec<Contradiction> {
    let mut again = vec![false; rules.features.len()];
    for duplicate in duplicates {
        again[duplicate.again] = true;
    }
    let mut found = Vec::new();
    opposites(rules, &mut found);
    values(rules, &mut found);
    alternatives(rules, vocabulary, &mut found);
    roles(rules, &mut found);
    found.retain(|pair: &Contradiction| {
        !again[pair.first] && !again[pair.second] && !rules.other_worlds(pair.first, pair.second)
    });
    found.sort_by_key(|pair| (pair.first, pair.second));
    found.dedup_by_key(|pair| (pair.first, pair.second));
    found
}

fn opposites(rules: &Rules<'_>, found: &mut Vec<Contradiction>) {
    let sets: Vec<_> = rules
        .features
        .iter()
        .map(|rule| rule.core.as_slice())
        .collect();
    for (first, second) in alike(&sets, rules.words, ALIKE) {
        let (one, other) = (&rules.features[first], &rules.features[second]);
        if one.negative == other.negative || one.exception || other.exception {
            continue;
        }
        let (wanted, unwanted) = if one.negative {
            (other, one)
        } else {
            (one, other)
        };
        // "Use tabs" and "No tabs in YAML" is a rule and its exception. The other way round
        // nothing is left of the wanted.
        let all_of_it = unwanted.scope.is_empty() || within(&unwanted.scope, &wanted.scope);
        if all_of_it && one.numbers == other.numbers {
            found.push(Contradiction {
                first,
                second,
                why: Why::Opposite,
            });
        }
    }
}

fn values(rules: &Rules<'_>, found: &mut Vec<Contradiction>) {
    let numbered = |rule: &RuleFeatures| rule.numbers.len() == 1;
    let empty: &[Word] = &[];
    let sets: Vec<_> = rules
        .features
        .iter()
        .map(|rule| {
            if numbered(rule) {
                rule.setting.as_slice()
            } else {
                empty
            }
        })
        .collect();
    for (first, second) in alike(&sets, rules.words, ALIKE) {
        let (one, other) = (&rules.features[first], &rules.features[second]);
        let sides = match (one.bound, other.bound) {
            (Some(one), Some(other)) => one == other,
            _ => true,
        };
        if one.numbers != other.numbers && sides && !one.exception && !other.exception {
            found.push(Contradiction {
                first,
                second,
                why: Why::Values,
            });
        }
    }
}

/// Two of a row of which a project has one.
fn alternatives(rules: &Rules<'_>, vocabulary: &Vocabulary, found: &mut Vec<Contradiction>) {
    for (alone, row) in ALTERNATIVES {
        let row: Vec<_> = row
            .iter()
            .filter_map(|name| member(vocabulary, name))
            .collect();
        if row.len() < 2 {
            continue;
        }
        let mut with: Vec<(usize, usize, Vec<Word>)> = Vec::new();
        for (number, rule) in rules.features.iter().enumerate() {
            if rule.negative || rule.exception || with.len() == MOST {
                continue;
            }
            let has = |(_, words): &(usize, &Vec<Word>)| {
                words
                    .iter()
                    .all(|word| rule.words.binary_search(word).is_ok())
            };
            let mut members = row.iter().enumerate().filter(has);
            if let (Some((place, taken)), None) = (members.next(), members.next()) {
                let rest = rule.words.iter().filter(|word| !taken.contains(word));
                with.push((number, place, rest.copied().collect()));
            }
        }
        for (late, (second, value, rest)) in with.iter().enumerate() {
            for (first, earlier, before) in &with[..late] {
                let same = similarity(before, rest) >= ALIKE
                    || before.is_empty() && rest.is_empty()
                    || *alone && (within(before, rest) || within(rest, before));
                if earlier != value && same {
                    found.push(Contradiction {
                        first: *first,
                        second: *second,
                        why: Why::Values,
                    });
                }
            }
        }
    }
}

/// The words that name one of a row: `single-quote` is both words. None where the file has them
/// not.
fn member(vocabulary: &Vocabulary, name: &str) -> Option<Vec<Word>> {
    let stems = match name {
        "single-quote" => ["singl", "quot"],
        "double-quote" => ["doubl", "quot"],
        "tab-indent" => ["tab", "indent"],
        "space-indent" => ["space", "indent"],
        name => return Some(vec![vocabulary.written(name)?]),
    };
    stems.iter().map(|stem| vocabulary.find(stem)).collect()
}

/// "Use this for that" and "Use the other for that", where that is named closely.
fn roles(rules: &Rules<'_>, found: &mut Vec<Contradiction>) {
    let empty: &[Word] = &[];
    let fits = |rule: &RuleFeatures| {
        !rule.negative
            && !rule.exception
            && rule.core.len() == 1
            && rule.scope.len() >= 2
            && rule.numbers.is_empty()
            && rule.words.len() == 1 + rule.scope.len()
    };
    let sets: Vec<_> = rules
        .features
        .iter()
        .zip(&rules.uses)
        .map(|(rule, uses)| {
            if *uses && fits(rule) {
                rule.scope.as_slice()
            } else {
                empty
            }
        })
        .collect();
    for (first, second) in alike(&sets, rules.words, 1.0) {
        if rules.features[first].core != rules.features[second].core {
            found.push(Contradiction {
                first,
                second,
                why: Why::Values,
            });
        }
    }
}
