//! Ids as people write them: the short form that is shown, and a part by which one is found.
//!
//! Ids begin with the time at which they were made, so those of one minute begin alike. Their last digits are
//! random: what is shown of an id is its end, which stays the same wherever and whenever it is shown.

use std::{
    collections::HashMap,
    fmt::{self, Display},
    str::FromStr,
};

/// How many digits are shown of an id, where no other that is shown ends with the same.
pub const SHOWN: usize = 8;
/// How many digits an id has.
const WHOLE: usize = 32;
/// With fewer digits nothing is looked for.
const FEWEST: usize = 4;

/// As much of the end of each id as tells it from all the others of these, and at least eight digits of it.
///
/// ```
/// use holdpoint_ask::{AskId, id_part::{IdPart, short_ids}};
///
/// let ids = [AskId::new(), AskId::new()];
/// let short = short_ids(&ids);
/// assert_ne!(short[0], short[1]);
/// let part: IdPart = short[0].parse().unwrap();
/// assert!(part.is_in(&ids[0]) && !part.is_in(&ids[1]));
/// ```
pub fn short_ids<T: Display>(ids: &[T]) -> Vec<String> {
    let digits: Vec<_> = ids.iter().map(digits).collect();
    let mut short = vec![String::new(); ids.len()];
    let mut left: Vec<usize> = (0..ids.len()).collect();
    for length in SHOWN..=WHOLE {
        let mut ends: HashMap<&str, Option<&str>> = HashMap::new();
        for &at in &left {
            let whole = digits[at].as_str();
            let first = ends.entry(end(whole, length)).or_insert(Some(whole));
            if *first != Some(whole) {
                *first = None;
            }
        }
        left.retain(|&at| {
            let end = end(&digits[at], length);
            let is_alone = ends.get(end).is_some_and(Option::is_some);
            if is_alone {
                short[at] = end.to_owned();
            }
            !is_alone
        });
    }
    short
}

/// The end of an id, as it is shown where there is nothing to tell it from.
pub fn short_id(id: &impl Display) -> String {
    end(&digits(id), SHOWN).to_owned()
}

fn digits(id: &impl Display) -> String {
    id.to_string().replace('-', "")
}

fn end(digits: &str, length: usize) -> &str {
    &digits[digits.len().saturating_sub(length)..]
}

/// A part of an id, from wherever in it: at least four digits, with hyphens or without.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdPart(String);

impl IdPart {
    /// Its digits, small and without hyphens.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is in this id.
    pub fn is_in(&self, id: &impl Display) -> bool {
        digits(id).contains(&self.0)
    }

    /// Of what has this part in its id: only what it is the shown end of, where that is one, else all.
    pub fn pick<T, I: Display>(&self, found: Vec<T>, id: impl Fn(&T) -> I) -> Vec<T> {
        let is_shown = |one: &T| self.0.len() >= SHOWN && digits(&id(one)).ends_with(&self.0);
        let shown = found.iter().filter(|one| is_shown(one)).count();
        let fits = |one: &T| shown != 1 || is_shown(one);
        found.into_iter().filter(fits).collect()
    }
}

impl Display for IdPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for IdPart {
    type Err = InvalidIdPart;

    fn from_str(text: &str) -> Result<Self, InvalidIdPart> {
        let digits = text.trim().to_ascii_lowercase().replace('-', "");
        let is_part = (FEWEST..=WHOLE).contains(&digits.len())
            && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_part.then_some(Self(digits)).ok_or(InvalidIdPart)
    }
}

/// The text is no part of an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an id, or at least four digits in a row of one (0 to 9, a to f), was expected")]
pub struct InvalidIdPart;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AskId, CallId, GrantId};
    use std::collections::HashSet;

    #[test]
    fn what_was_made_in_the_same_moment_has_different_short_ids() {
        let ids: Vec<AskId> = (0..5_000).map(|_| AskId::new()).collect();
        let starts: HashSet<String> = ids.iter().map(|id| id.to_string()[..8].into()).collect();
        assert!(starts.len() < 5, "ids of a moment begin alike");
        let short = short_ids(&ids);
        assert_eq!(short.iter().collect::<HashSet<_>>().len(), ids.len());
        assert!(short.iter().all(|short| short.len() >= SHOWN));
        for (id, short) in ids.iter().zip(&short).take(50) {
            let part: IdPart = short.parse().unwrap();
            let found = ids.iter().filter(|id| part.is_in(id)).collect();
            assert_eq!(part.pick(found, |id| **id), [id]);
        }
    }

    #[test]
    fn short_ids_are_as_long_as_they_must_be() {
        let ids: Vec<AskId> = [
            "0197a8e0-0000-7000-8000-00000000abcd",
            "0197a8e0-0001-7000-8000-00010000abcd",
            "0297a8e0-0001-7000-8000-00010000dcba",
            "0297a8e0-0001-7000-8000-00010000dcba",
        ]
        .map(|id| id.parse().unwrap())
        .to_vec();
        let short = short_ids(&ids);
        assert_eq!(short[..2], ["00000abcd", "10000abcd"]);
        assert_eq!(short[2], "0000dcba", "the same id twice counts once");
        assert_eq!(short[2], short_id(&ids[2]));
    }

    #[test]
    fn ids_that_are_made_of_others_differ_at_their_end_too() {
        let ask = AskId::new();
        let other = AskId::new();
        assert_ne!(
            short_id(&GrantId::from_ask(ask)),
            short_id(&GrantId::from_ask(other))
        );
        assert_ne!(
            short_id(&CallId::named("local", "deploy-1")),
            short_id(&CallId::named("local", "deploy-2"))
        );
    }

    #[test]
    fn parts() {
        let id: AskId = "0197a8e0-0001-7abc-8000-0000deadbeef".parse().unwrap();
        for part in [
            "0197",
            "0197a8e0-0001",
            "a8e00001",
            "7abc-8",
            "DEADBEEF",
            " beef ",
            "0197a8e0-0001-7abc-8000-0000deadbeef",
        ] {
            assert!(part.parse::<IdPart>().unwrap().is_in(&id), "{part}");
        }
        assert!(!"dead0000".parse::<IdPart>().unwrap().is_in(&id));
        for wrong in ["", "019", "01-9", "deploy", "0197 a8e0", &"a".repeat(33)] {
            assert_eq!(wrong.parse::<IdPart>(), Err(InvalidIdPart), "{wrong}");
        }
    }

    #[test]
    fn what_is_shown_outranks_what_is_somewhere_inside() {
        let ids: Vec<AskId> = [
            "0197a8e0-0000-7000-8000-0000deadbeef",
            "deadbeef-0001-7000-8000-000100000001",
        ]
        .map(|id| id.parse().unwrap())
        .to_vec();
        let pick = |part: &str| {
            let part: IdPart = part.parse().unwrap();
            let found = ids.iter().copied().filter(|id| part.is_in(id)).collect();
            part.pick(found, |id| *id)
        };
        assert_eq!(pick("deadbeef"), ids[..1]);
        assert_eq!(pick("beef"), ids, "less than is shown is ambiguous");
        assert_eq!(pick("beef0001"), ids[1..]);
    }
}
