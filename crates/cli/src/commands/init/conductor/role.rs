//! The Conductor and its three subagents: what they are called, what they are for, what they are told.

use holdpoint_ask::visible::is_visible;
use std::str::FromStr;

/// One of the four agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Runs the task and keeps the gates.
    Conductor,
    /// Researches.
    Planning,
    /// Writes the code of a phase.
    Implement,
    /// Reviews a phase.
    Review,
}

/// The model that one of them uses, as `--model-for` says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFor {
    /// Who.
    pub role: Role,
    /// Which; none for the one that the client chooses.
    pub model: Option<String>,
}

/// The most characters of a model's name.
const LONGEST: usize = 200;

impl Role {
    /// All of them, the Conductor first.
    pub const ALL: [Self; 4] = [
        Self::Conductor,
        Self::Planning,
        Self::Implement,
        Self::Review,
    ];

    /// The name by which others call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Conductor => "conductor",
            Self::Planning => "planning",
            Self::Implement => "implement",
            Self::Review => "code-review",
        }
    }

    /// Its name on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Review => "review",
            other => other.name(),
        }
    }

    /// What it is for.
    pub fn description(self) -> &'static str {
        match self {
            Self::Conductor => {
                "Takes a task through plan, implement, review and commit, and stops for a person's decision at each gate"
            }
            Self::Planning => {
                "Researches a task in the code base and reports what a plan needs; changes nothing"
            }
            Self::Implement => {
                "Implements one phase of a plan, test first; offers options when unsure"
            }
            Self::Review => {
                "Reviews one phase and returns APPROVED, NEEDS_REVISION or FAILED with rated findings; changes nothing"
            }
        }
    }

    /// What it is told. `{SUBAGENTS}` stands for how its client runs subagents.
    pub fn text(self) -> &'static str {
        match self {
            Self::Conductor => include_str!("conductor.md"),
            Self::Planning => include_str!("planning.md"),
            Self::Implement => include_str!("implement.md"),
            Self::Review => include_str!("code-review.md"),
        }
    }
}

/// Whether this can be a model's name: nothing in it leaves the line that it is written on.
pub fn is_model(text: &str) -> bool {
    !text.contains(['\n', '\r']) && is_visible(text) && text.chars().count() <= LONGEST
}

impl FromStr for ModelFor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let words = Role::ALL.map(Role::word).join(", ");
        let (name, model) = text
            .split_once('=')
            .ok_or_else(|| format!("expected NAME=MODEL, where NAME is one of {words}"))?;
        let named = |role: &Role| [role.word(), role.name()].contains(&name.trim());
        let role = Role::ALL.into_iter().find(named);
        let role = role.ok_or_else(|| format!("there is no agent {name:?}; there are {words}"))?;
        let model = model.trim();
        if !is_model(model) {
            return Err(format!(
                "the name of a model is one line of at most {LONGEST} visible characters"
            ));
        }
        Ok(Self {
            role,
            model: (!model.is_empty()).then(|| model.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_for_an_agent() {
        let good = |text: &str, role, model: Option<&str>| {
            let model = model.map(str::to_owned);
            assert_eq!(text.parse(), Ok(ModelFor { role, model }), "{text}");
        };
        good("implement=opus", Role::Implement, Some("opus"));
        good(
            "review = GPT-5 (copilot)",
            Role::Review,
            Some("GPT-5 (copilot)"),
        );
        good("code-review=a=b", Role::Review, Some("a=b"));
        good("conductor=", Role::Conductor, None);
        let bad = |text: &str, wanted: &str| {
            let said = text.parse::<ModelFor>().unwrap_err();
            assert!(said.contains(wanted), "{said}");
        };
        let all = "conductor, planning, implement, review";
        bad("opus", &format!("one of {all}"));
        bad(
            "reviewer=opus",
            &format!("no agent \"reviewer\"; there are {all}"),
        );
        for model in [
            "a\ntools: ['*']",
            "a\u{202e}b",
            "a\rb",
            "\u{0}",
            &"x".repeat(201),
        ] {
            bad(&format!("implement={model}"), "one line");
        }
    }
}
