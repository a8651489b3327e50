//! Rules that the record suggests. Only a person makes a rule of one.

use crate::{ToolUse, proposal};
use jiff::Timestamp;
use std::{collections::HashMap, fmt};

/// The fewest times that somebody must have said yes.
const FEWEST: usize = 5;
/// The most examples beside a suggestion.
const EXAMPLES: usize = 3;

/// A use of a tool that a person was asked about.
#[derive(Debug, Clone, PartialEq)]
pub struct PastUse {
    /// What was asked about.
    pub tool_use: ToolUse,
    /// Whether they said yes.
    pub said_yes: bool,
    /// Whether it was dangerous. What is dangerous is never suggested.
    pub danger: bool,
    /// When they answered.
    pub at: Timestamp,
}

/// A rule for `allow` that would have saved a person these questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// The rule, as it would be written.
    pub rule: String,
    /// How often they said yes to what it allows.
    pub yes: usize,
    /// How often they said no. Never more than none.
    pub no: usize,
    /// The latest of these uses, in short texts.
    pub examples: Vec<String>,
}

#[derive(Default)]
struct Count<'a> {
    yes: usize,
    no: usize,
    uses: Vec<&'a PastUse>,
}

/// The rules that the record suggests, most often used first: those with five yes or more, and no no. What is
/// dangerous or unclear counts for none, and a no to it against all that it could be.
pub fn suggest(past: &[PastUse]) -> Vec<Suggestion> {
    let mut counts: HashMap<String, Count<'_>> = HashMap::new();
    for one in past {
        for rule in rules_for(&one.tool_use) {
            let count = counts.entry(rule).or_default();
            if one.said_yes && !one.danger {
                count.yes += 1;
                count.uses.push(one);
            } else {
                count.no += 1
            }
        }
    }
    let often = counts
        .into_iter()
        .filter(|(_, count)| count.yes >= FEWEST && count.no == 0);
    let mut suggestions: Vec<Suggestion> = often
        .map(|(rule, mut count)| {
            count.uses.sort_by_key(|one| std::cmp::Reverse(one.at));
            let mut examples = Vec::new();
            for one in count.uses {
                let text = one.tool_use.summary();
                if examples.len() < EXAMPLES && !examples.contains(&text) {
                    examples.push(text);
                }
            }
            Suggestion {
                rule,
                yes: count.yes,
                no: count.no,
                examples,
            }
        })
        .collect();
    suggestions.sort_by(|one, other| {
        other
            .yes
            .cmp(&one.yes)
            .then_with(|| one.rule.cmp(&other.rule))
    });
    suggestions
}

fn rules_for(tool_use: &ToolUse) -> Vec<String> {
    if tool_use.tool != "Bash" {
        return proposal::of_tool(tool_use).into_iter().collect();
    }
    let command = tool_use
        .input
        .get("command")
        .and_then(|command| command.as_str());
    let mut rules = command.and_then(proposal::of_command).unwrap_or_default();
    rules.sort();
    rules.dedup();
    rules
}

/// "`Bash(git push *)`: 12 yes, no no".
impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {} yes, ", self.rule, self.yes)?;
        match self.no {
            0 => f.write_str("no no"),
            no => write!(f, "{no} no"),
        }
    }
}
