//! The scopes that fit who uses the tool, and when.

use crate::{
    Covers, Holder, Scope, ToolUse, Verdict,
    rule::{EDITORS, Rule, What},
    shell::Part,
};
use jiff::Timestamp;

/// Tools that can do anything.
const TOO_WIDE: [&str; 2] = ["Bash", "PowerShell"];

pub(super) struct Given<'a> {
    tool_use: &'a ToolUse,
    /// Each with the rule that its pattern is.
    scopes: Vec<(&'a Scope, Option<Rule>)>,
}

impl<'a> Given<'a> {
    pub fn of(scopes: &'a [Scope], tool_use: &'a ToolUse, holder: &Holder, now: Timestamp) -> Self {
        let held = scopes
            .iter()
            .filter(|scope| scope.is_held(tool_use, holder, now));
        let scopes = held
            .map(|scope| {
                let rule = match &scope.covers {
                    Covers::Pattern(pattern) => Rule::parse(pattern, Verdict::Allow).ok(),
                    _ => None,
                };
                (scope, rule)
            })
            .collect();
        Self { tool_use, scopes }
    }

    pub fn scope(&self, number: usize) -> &Scope {
        self.scopes[number].0
    }

    fn find(&self, covers: impl Fn(&Covers, Option<&Rule>) -> bool) -> Option<usize> {
        self.scopes
            .iter()
            .position(|(scope, rule)| covers(&scope.covers, rule.as_ref()))
    }

    /// The scope for exactly this use.
    pub fn exactly(&self) -> Option<usize> {
        if self.scopes.is_empty() {
            return None;
        }
        let digest = self.tool_use.digest();
        self.find(|covers, _| matches!(covers, Covers::Exactly(wanted) if *wanted == digest))
    }

    /// The scope for every use of the tool. A shell is too wide for that: nobody knows what they would allow.
    pub fn whole_tool(&self) -> Option<usize> {
        let tool = &*self.tool_use.tool;
        self.find(|covers, rule| match covers {
            Covers::Tool(name) => name == tool && !TOO_WIDE.contains(&tool),
            Covers::Pattern(_) => rule.is_some_and(|rule| {
                matches!(rule.what, What::Any) && rule.is_about(tool) && !TOO_WIDE.contains(&tool)
            }),
            Covers::Exactly(_) => false,
        })
    }

    /// The scope for a part of a command.
    pub fn command(&self, part: &Part, line: &str) -> Option<usize> {
        self.find(|_, rule| {
            rule.is_some_and(|rule| match &rule.what {
                What::Command(pattern) => pattern.allows(part, line),
                _ => false,
            })
        })
    }

    /// The scope for a host.
    pub fn domain(&self, host: &str) -> Option<usize> {
        let fits = |rule: &Rule| match &rule.what {
            What::Domain(domain) => domain.fits(host),
            _ => false,
        };
        self.whole_tool()
            .or_else(|| self.find(|_, rule| rule.is_some_and(fits)))
    }

    /// The scope for a file. One for the whole tool is good inside the workspace; one that changes files nowhere
    /// else.
    pub fn file(
        &self,
        tool: &str,
        in_workspace: bool,
        fits: impl Fn(&Rule) -> bool,
    ) -> Option<usize> {
        self.find(|covers, rule| match covers {
            Covers::Tool(name) => name == tool && (in_workspace || !EDITORS.contains(&tool)),
            Covers::Pattern(_) => rule.is_some_and(|rule| {
                rule.is_about(tool)
                    && match rule.what {
                        What::Any => in_workspace || !EDITORS.contains(&tool),
                        _ => fits(rule),
                    }
            }),
            Covers::Exactly(_) => false,
        })
    }
}
