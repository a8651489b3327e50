//! Of what one server, principal and workspace decided, what is left is the newest part: what reads decisions
//! back lets a later no undo an earlier yes, so a no must not go while an older yes stays.

use super::{AskFacts, Unit};
use holdpoint_ask::AskId;
use std::collections::HashMap;

/// Those of the units that may go, and how many stay because of older ones that do.
pub(super) fn split(
    mut units: Vec<Unit>,
    needed: &[Unit],
    asks: &HashMap<AskId, AskFacts>,
) -> (Vec<Unit>, usize) {
    // The oldest decision that stays, of each asker.
    let mut oldest: HashMap<usize, u64> = HashMap::new();
    let stay = |unit: &Unit, oldest: &mut HashMap<usize, u64>| {
        for (asker, decided) in decisions(unit, asks) {
            let first = oldest.entry(asker).or_insert(decided);
            *first = decided.min(*first);
        }
    };
    needed.iter().for_each(|unit| stay(unit, &mut oldest));
    let newest = |unit: &Unit| decisions(unit, asks).map(|(_, seq)| seq).max();
    units.sort_by_key(|unit| std::cmp::Reverse(newest(unit)));
    let before = units.len();
    // One that stays makes others stay, which mostly come behind it in this order.
    loop {
        let count = units.len();
        units.retain(|unit| {
            let goes = decisions(unit, asks)
                .all(|(asker, decided)| oldest.get(&asker).is_none_or(|first| decided < *first));
            if !goes {
                stay(unit, &mut oldest);
            }
            goes
        });
        if units.len() == count {
            break;
        }
    }
    let kept = before - units.len();
    (units, kept)
}

fn decisions<'a>(
    unit: &'a Unit,
    asks: &'a HashMap<AskId, AskFacts>,
) -> impl Iterator<Item = (usize, u64)> + 'a {
    let facts = unit.asks.iter().filter_map(|ask| asks.get(ask));
    facts.filter_map(|ask| Some((ask.asker, ask.decided?)))
}
