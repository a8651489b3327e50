//! The steps that a step's text says it needs, in the ways that RiotPlan reads them.

use super::step_file::{item, lines_below};

/// What the text says: the list below `## Dependencies`, `(depends on Step 1, 2)` and
/// `Requires: Step 1`. None where it says nothing of steps.
pub(super) fn dependencies(body: &str) -> Option<Vec<u32>> {
    let mut found: Option<Vec<u32>> = None;
    for (within, line) in lines_below(body, "dependencies") {
        let lower = line.to_ascii_lowercase();
        let mut said = if within { listed(&lower) } else { None };
        if let Some((_, behind)) = lower.split_once("(depends on ")
            && let Some((inner, _)) = behind.split_once(')')
        {
            said.get_or_insert_default().extend(numbers(inner));
        }
        if let Some((_, behind)) = lower.split_once("requires:") {
            let steps = mentioned(behind);
            if !steps.is_empty() {
                said.get_or_insert_default().extend(steps);
            }
        }
        if let Some(said) = said {
            found.get_or_insert_default().extend(said);
        }
    }
    found
}

/// The steps that a line of the list names; none where it is about something else.
fn listed(line: &str) -> Option<Vec<u32>> {
    let line = line.trim();
    let text = item(line).unwrap_or(line);
    let word = text.trim_matches(|char: char| !char.is_alphanumeric());
    if matches!(word, "none" | "nothing" | "no dependencies") {
        return Some(Vec::new());
    }
    let mut steps = mentioned(text);
    let list = text.trim_start_matches(|char: char| "[(#*`".contains(char));
    if steps.is_empty() && item(line).is_some() && list.starts_with(|c: char| c.is_ascii_digit()) {
        // `- 01`, `- 1, 2`, `- 01-setup`: what follows a number is its name.
        let plain = |char: char| char.is_ascii_digit() || ", &".contains(char);
        let only = list.trim_end_matches(|c: char| ")]`*.".contains(c));
        steps = if only.chars().all(plain) {
            numbers(only)
        } else {
            numbers(list).into_iter().take(1).collect()
        };
    }
    (!steps.is_empty()).then_some(steps)
}

/// The numbers behind the word "step" or "steps".
fn mentioned(text: &str) -> Vec<u32> {
    let mut steps = Vec::new();
    for (at, word) in text.match_indices("step") {
        let part_of_a_word = text[..at].ends_with(char::is_alphanumeric);
        let behind = text[at + word.len()..].trim_start_matches('s');
        let end = behind.find(|c: char| !(c.is_ascii_digit() || " ,&*`#".contains(c)));
        let list = &behind[..end.unwrap_or(behind.len())];
        // `Step 1, 2 tables` names one step: the last number is a number of something else.
        let mut list = numbers(list);
        let cut = end.is_some_and(|end| behind[end..].starts_with(char::is_alphabetic));
        if cut && list.len() > 1 {
            list.pop();
        }
        if !part_of_a_word {
            steps.extend(list);
        }
    }
    steps
}

fn numbers(text: &str) -> Vec<u32> {
    let parts = text.split(|char: char| !char.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_says_that_it_needs() {
        let check = |body: &str, wanted: Option<&[u32]>| {
            let found = dependencies(body);
            assert_eq!(found.as_deref(), wanted, "{body}");
        };
        let below = |list: &str| {
            format!("# Step 03: A\n\n## Dependencies\n\n{list}\n\n## Tasks\n\n- Step 9\n")
        };
        check(&below("- Step 01"), Some(&[1]));
        check(
            &below("- Step 01: Schema\n* step 2 (the form)"),
            Some(&[1, 2]),
        );
        check(&below("- 01\n- 02-form"), Some(&[1, 2]));
        check(&below("- [ ] 1, 2"), Some(&[1, 2]));
        check(&below("- **Steps 1, 2 & 4**"), Some(&[1, 2, 4]));
        check(&below("Needs Step 01 and Step 02."), Some(&[1, 2]));
        check(&below("None"), Some(&[]));
        check(&below("- None."), Some(&[]));
        check(&below("*Nothing*"), Some(&[]));
        // It says nothing of steps: then it needs the one before it, as ever.
        check(&below("- The database is up"), None);
        check(&below("- Node 18"), None);
        check(&below(""), None);
        check("# A\n\n```\n## Dependencies\n- Step 1\n```\n", None);
        check("# A\n\nDraw it (depends on Step 1, 2).\n", Some(&[1, 2]));
        check("# A\n\nRequires: Step 04 and Node 18\n", Some(&[4]));
        check("# A\n\nRequires: Node 18\n", None);
        check(&below("- Footstep 7"), None);
        check(&below("- Step 99999999999999999999"), None);
    }
}
