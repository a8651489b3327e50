//! Which tools a server has: sets of them, presets in plain words, and single ones.

use holdpoint_ask::nearest::nearest;
use std::str::FromStr;

/// Tools that belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolSet {
    /// Single questions.
    Elicit,
    /// Plans and phases of a Conductor agent.
    Orchestra,
    /// Plan directories with a state.
    Plans,
    /// Taking over a repository's instruction file.
    Onboarding,
    /// What was decided earlier.
    Record,
    /// What a harness calls in place of its own prompt. It is not for agents: only its name selects it.
    Permission,
}

/// The tools that a server has, in the order in which they are listed.
///
/// `await_answer` comes along with every tool that asks: its result may be `pending`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolSelection(Vec<&'static str>);

/// Every tool, with its set and whether it asks.
const TOOLS: [(ToolSet, &str, bool); 29] = [
    (ToolSet::Elicit, "elicit_choice", true),
    (ToolSet::Elicit, "elicit_input", true),
    (ToolSet::Elicit, "elicit_confirm", true),
    (ToolSet::Elicit, "elicit_number", true),
    (ToolSet::Elicit, "elicit_rating", true),
    (ToolSet::Elicit, "elicit_form", true),
    (ToolSet::Elicit, "verify_understanding", true),
    (ToolSet::Elicit, AWAIT_ANSWER, false),
    (ToolSet::Orchestra, "request_plan_approval", true),
    (ToolSet::Orchestra, "request_phase_commit_approval", true),
    (ToolSet::Orchestra, "request_review_decision", true),
    (ToolSet::Orchestra, "record_phase_completion", false),
    (ToolSet::Orchestra, "record_plan_completion", false),
    (ToolSet::Plans, "plan_create", true),
    (ToolSet::Plans, "elicit_plan_info", true),
    (ToolSet::Plans, "plan_status", false),
    (ToolSet::Plans, "plan_list", false),
    (ToolSet::Plans, "plan_step_add", false),
    (ToolSet::Plans, "plan_step_start", false),
    (ToolSet::Plans, "plan_step_complete", true),
    (ToolSet::Plans, "plan_step_skip", true),
    (ToolSet::Plans, "plan_validate", false),
    (ToolSet::Plans, "plan_history", false),
    (ToolSet::Plans, "plan_checkpoint", false),
    (ToolSet::Plans, "plan_restore", true),
    (ToolSet::Onboarding, "onboarding", true),
    (ToolSet::Record, "search_decisions", false),
    (ToolSet::Record, "decision_stats", false),
    (ToolSet::Permission, PERMISSION, false),
];

/// The tool that a harness calls in place of its own prompt.
pub const PERMISSION: &str = "permission";

/// The tool that comes along with every one that asks.
pub const AWAIT_ANSWER: &str = "await_answer";

/// Presets for a small context; `all` is every tool.
const PRESETS: [(&str, &[&str]); 2] = [
    ("ask", &["elicit_confirm", "elicit_choice", "elicit_input"]),
    (
        "approvals",
        &[
            "request_plan_approval",
            "request_phase_commit_approval",
            "request_review_decision",
            "elicit_confirm",
        ],
    ),
];

const ALL: &str = "all";

/// A word that names no tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name:?} names no tools; did you mean {nearest:?}? There are the sets elicit, orchestra, plans, onboarding, record and permission, the presets ask, approvals and all, and the name of every tool"
)]
pub struct UnknownTools {
    name: String,
    nearest: &'static str,
}

impl ToolSet {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::Elicit,
        Self::Orchestra,
        Self::Plans,
        Self::Onboarding,
        Self::Record,
        Self::Permission,
    ];

    /// Whether this build has it.
    pub const fn is_built(self) -> bool {
        match self {
            Self::Plans => cfg!(feature = "plans"),
            Self::Onboarding => cfg!(feature = "onboarding"),
            _ => true,
        }
    }

    /// Its name, as in `--tools`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Elicit => "elicit",
            Self::Orchestra => "orchestra",
            Self::Plans => "plans",
            Self::Onboarding => "onboarding",
            Self::Record => "record",
            Self::Permission => PERMISSION,
        }
    }
}

impl ToolSelection {
    /// Every tool that is for agents.
    pub fn all() -> Self {
        let for_agents = TOOLS
            .iter()
            .filter(|(set, ..)| *set != ToolSet::Permission && set.is_built());
        Self(for_agents.map(|(_, name, _)| *name).collect())
    }

    /// These tools, those that exist.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let names: Vec<_> = names.into_iter().collect();
        let there = TOOLS.iter().filter(|(_, name, _)| names.contains(name));
        let asks = there.clone().any(|(.., asks)| *asks);
        let mut selection = Self(there.map(|(_, name, _)| *name).collect());
        if asks {
            selection.add_await_answer();
        }
        selection
    }

    /// With the tool that a harness calls in place of its own prompt.
    pub fn add_permission(&mut self) {
        if !self.contains(PERMISSION) {
            self.0.push(PERMISSION);
        }
    }

    /// With `await_answer`, for tools from elsewhere that ask.
    pub fn add_await_answer(&mut self) {
        if !self.contains(AWAIT_ANSWER) {
            self.0.push(AWAIT_ANSWER);
            self.0
                .sort_by_key(|name| TOOLS.iter().position(|(_, tool, _)| tool == name));
        }
    }

    /// Whether this tool is one of them.
    pub fn contains(&self, tool: &str) -> bool {
        self.0.contains(&tool)
    }

    /// Whether one of them is in this set.
    pub fn has_some_of(&self, set: ToolSet) -> bool {
        let mut of_set = TOOLS.iter().filter(|(its, ..)| *its == set);
        of_set.any(|(_, name, _)| self.contains(name))
    }

    /// Their names.
    pub fn names(&self) -> &[&'static str] {
        &self.0
    }

    /// The tools of this set that are not among them.
    pub fn missing_of(&self, set: ToolSet) -> Vec<&'static str> {
        let of_set = TOOLS.iter().filter(|(its, ..)| *its == set);
        let names = of_set.map(|(_, name, _)| *name);
        names.filter(|name| !self.contains(name)).collect()
    }

    /// The tools that exist and are not among them.
    pub fn missing(&self) -> Vec<&'static str> {
        let mut missing = Self::all().0;
        missing.retain(|name| !self.contains(name));
        missing
    }
}

/// The tools that one word names: a set, a preset, or a tool.
impl FromStr for ToolSelection {
    type Err = UnknownTools;

    fn from_str(word: &str) -> Result<Self, UnknownTools> {
        let word = word.trim();
        if word == ALL {
            return Ok(Self::all());
        }
        let preset = PRESETS.iter().find(|(name, _)| *name == word);
        let of_word =
            |(set, name, _): &&(ToolSet, &'static str, bool)| set.as_str() == word || *name == word;
        let names: Vec<_> = match preset {
            Some((_, names)) => names.to_vec(),
            None => TOOLS
                .iter()
                .filter(of_word)
                .map(|(_, name, _)| *name)
                .collect(),
        };
        if names.is_empty() {
            let sets = ToolSet::ALL.map(ToolSet::as_str).into_iter();
            let presets = PRESETS.iter().map(|(name, _)| *name).chain([ALL]);
            let tools = TOOLS.iter().map(|(_, name, _)| *name);
            return Err(UnknownTools {
                name: word.to_owned(),
                nearest: nearest(word, sets.chain(presets).chain(tools)).unwrap_or("elicit"),
            });
        }
        Ok(Self::new(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, wanted: &[&str]) {
        let selection: ToolSelection = word.parse().unwrap();
        assert_eq!(selection.names(), wanted, "{word}");
    }

    #[test]
    fn a_word_names_a_set_a_preset_or_a_tool() {
        check(
            "ask",
            &[
                "elicit_choice",
                "elicit_input",
                "elicit_confirm",
                "await_answer",
            ],
        );
        check(
            "approvals",
            &[
                "elicit_confirm",
                "await_answer",
                "request_plan_approval",
                "request_phase_commit_approval",
                "request_review_decision",
            ],
        );
        check("onboarding", &["await_answer", "onboarding"]);
        check(" elicit_rating", &["elicit_rating", "await_answer"]);
        // One that asks nobody comes alone.
        check("record", &["search_decisions", "decision_stats"]);
        check("plan_list", &["plan_list"]);
        check("all", ToolSelection::all().names());
        check("permission", &["permission"]);
        let sets = ToolSet::ALL.map(|set| set.as_str().parse::<ToolSelection>().unwrap());
        let all = ToolSelection::new(sets.iter().flat_map(|set| set.names()).copied());
        let for_agents = ToolSelection::all();
        assert_eq!(all.missing(), Vec::<&str>::new());
        assert!(
            !for_agents.contains("permission"),
            "only its name selects it"
        );
        assert_eq!(for_agents.names().len() + 1, all.names().len());
    }

    #[test]
    fn an_unknown_word_is_an_error_with_the_nearest_one() {
        for (word, near) in [
            ("orchestar", "orchestra"),
            ("aproval", "approvals"),
            ("elicit_confrim", "elicit_confirm"),
            ("al", "all"),
        ] {
            let error = word.parse::<ToolSelection>().unwrap_err().to_string();
            let meant = format!("did you mean {near:?}?");
            assert!(error.contains(&meant), "{error}");
        }
        assert!("".parse::<ToolSelection>().is_err());
    }
}
