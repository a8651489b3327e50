//! What the rules say of one use of a tool.

mod command;
mod file;
mod given;
mod tally;

use crate::{
    Holder, Paths, Reason, Rules, Ruling, Scope, ToolUse, Verdict,
    annotations::is_read_only,
    domain::host_of,
    place::Bases,
    rule::{What, file_argument},
};
use given::Given;
use jiff::Timestamp;
use tally::{Cause, Tally};

/// What the rules say, and which of them matched.
pub(crate) struct Judged {
    pub ruling: Ruling,
    pub matched: Vec<Matched>,
}

/// A rule that matched.
pub(crate) struct Matched {
    /// Its number.
    pub rule: usize,
    /// The command or file that it is about; empty where it is the whole use.
    pub of: String,
}

impl Rules {
    /// What the rules and scopes say of a use of a tool. The strictest rule wins; scopes allow what would
    /// otherwise be asked by default.
    pub fn decide(
        &self,
        tool_use: &ToolUse,
        paths: &dyn Paths,
        scopes: &[Scope],
        holder: &Holder,
        now: Timestamp,
    ) -> Ruling {
        self.judge(tool_use, paths, scopes, holder, now).ruling
    }

    pub(crate) fn judge(
        &self,
        tool_use: &ToolUse,
        paths: &dyn Paths,
        scopes: &[Scope],
        holder: &Holder,
        now: Timestamp,
    ) -> Judged {
        let mut case = Case {
            rules: self,
            tool_use,
            bases: Bases::of(tool_use),
            paths,
            given: Given::of(scopes, tool_use, holder, now),
            tally: Tally::default(),
        };
        case.check_definition();
        let blanket = case.whole_tool();
        match &*tool_use.tool {
            "Bash" => case.command(blanket),
            "WebFetch" => case.web(blanket),
            tool if file_argument(tool).is_some() => case.file(blanket),
            _ => case.whole(blanket),
        }
        case.finish()
    }
}

/// One use of a tool, being judged.
struct Case<'a> {
    rules: &'a Rules,
    tool_use: &'a ToolUse,
    bases: Bases,
    paths: &'a dyn Paths,
    given: Given<'a>,
    tally: Tally,
}

impl Case<'_> {
    /// A tool that is not what it was when a person saw it is asked about, whatever allows it.
    fn check_definition(&mut self) {
        let pinned = self
            .rules
            .server_of(&self.tool_use.tool)
            .and_then(|(server, tool)| server.tools.get(tool));
        if let (Some(pinned), Some(definition)) = (pinned, &self.tool_use.definition)
            && *pinned != definition.digest
        {
            self.tally.note(Verdict::Ask, Cause::Changed);
        }
    }

    /// Looks at the rules for the tool as a whole. Gives the one that allows it.
    fn whole_tool(&mut self) -> Option<usize> {
        let tool = &*self.tool_use.tool;
        let mut allows = None;
        for number in self.rules.index.about(tool) {
            let number = number as usize;
            let rule = &self.rules.rules[number];
            if !rule.is_about(tool) || !rule.fits_input(&self.tool_use.input) {
                continue;
            }
            self.matches(number, "");
            if rule.verdict == Verdict::Allow {
                allows = Some(number);
            }
        }
        for number in self.rules.index.read_only() {
            if self.is_read_only_and_trusted() {
                self.matches(number as usize, "");
                allows = allows.or(Some(number as usize));
            }
        }
        allows
    }

    /// Whether a trusted server says that the tool changes nothing, and a person has seen it say so.
    fn is_read_only_and_trusted(&self) -> bool {
        let Some((server, tool)) = self.rules.server_of(&self.tool_use.tool) else {
            return false;
        };
        let Some(definition) = &self.tool_use.definition else {
            return false;
        };
        server.trusted
            && server.tools.get(tool) == Some(&definition.digest)
            && is_read_only(&definition.annotations)
    }

    /// Notes that a rule matched. One that allows decides nothing by that.
    fn matches(&mut self, number: usize, of: &str) {
        let rule = &self.rules.rules[number];
        let matched = &mut self.tally.matched;
        if !matched.iter().any(|one| one.rule == number && one.of == of) {
            matched.push(Matched {
                rule: number,
                of: of.to_owned(),
            });
        }
        if rule.verdict != Verdict::Allow {
            self.tally.danger |= rule.danger;
            self.tally.note(rule.verdict, Cause::Rule(number));
        }
    }

    /// A use that is allowed as a whole or not at all.
    fn whole(&mut self, blanket: Option<usize>) {
        let allowed = blanket.map(Cause::Rule);
        let allowed = allowed.or_else(|| self.by_scope(|given| given.whole_tool()));
        self.settle(allowed);
    }

    fn web(&mut self, blanket: Option<usize>) {
        let url = self.tool_use.input.get("url").and_then(|url| url.as_str());
        let Some(host) = url.and_then(host_of) else {
            // What leads nowhere on the web fits no domain; it is not what a rule for the tool was made for, either.
            return self.whole(blanket);
        };
        let mut allows = blanket;
        for number in self.rules.index.domains(&host) {
            let number = number as usize;
            let rule = &self.rules.rules[number];
            let fits = match &rule.what {
                What::Domain(domain) => domain.fits(&host) && rule.fits_input(&self.tool_use.input),
                _ => false,
            };
            if fits {
                self.matches(number, &host);
                if rule.verdict == Verdict::Allow {
                    allows = allows.or(Some(number));
                }
            }
        }
        let allowed = allows.map(Cause::Rule);
        let allowed = allowed.or_else(|| self.by_scope(|given| given.domain(&host)));
        self.settle(allowed);
    }

    /// The scope that allows something, where it would be asked by default.
    fn by_scope(&self, find: impl FnOnce(&Given<'_>) -> Option<usize>) -> Option<Cause> {
        match self.rules.default {
            Verdict::Ask => find(&self.given).map(Cause::Scope),
            _ => None,
        }
    }

    /// Notes what allows something, or that nothing does. Gives the verdict.
    fn settle(&mut self, allowed: Option<Cause>) -> Verdict {
        self.settle_with(allowed, self.rules.default)
    }

    fn settle_with(&mut self, allowed: Option<Cause>, default: Verdict) -> Verdict {
        let (verdict, cause) = match allowed {
            Some(cause) => (Verdict::Allow, cause),
            None => (default, Cause::Default),
        };
        self.tally.note(verdict, cause);
        verdict
    }

    /// Notes that it cannot be told what would happen: a person is asked, or by default it is not done.
    fn unclear(&mut self, why: String) -> Verdict {
        let verdict = self.rules.default.max(Verdict::Ask);
        self.tally.note(verdict, Cause::Unclear(why));
        verdict
    }

    fn finish(mut self) -> Judged {
        if self.tally.asks_by_itself()
            && let Some(scope) = self.given.exactly()
        {
            self.tally.only(Cause::Scope(scope));
        }
        let verdict = self.tally.verdict();
        let causes = self.tally.decisive(verdict);
        let scope = causes.iter().find_map(|cause| match cause {
            Cause::Scope(number) => Some(self.given.scope(*number).id.clone()),
            _ => None,
        });
        let reasons = causes
            .into_iter()
            .map(|cause| self.reason(cause, verdict))
            .collect();
        Judged {
            ruling: Ruling {
                verdict,
                danger: self.tally.danger,
                reasons,
                parts: self.tally.parts,
                scope,
            },
            matched: self.tally.matched,
        }
    }

    fn reason(&self, cause: Cause, verdict: Verdict) -> Reason {
        match cause {
            Cause::Rule(number) => {
                let rule = &self.rules.rules[number];
                Reason::Rule {
                    verdict: rule.verdict,
                    text: rule.text.to_string(),
                    place: rule.place(),
                    because: rule.because.as_deref().map(str::to_owned),
                }
            }
            Cause::Scope(number) => {
                let scope = self.given.scope(number);
                Reason::Scope {
                    id: scope.id.clone(),
                    pattern: scope.covers.to_string(),
                }
            }
            Cause::Default => Reason::Default(verdict),
            Cause::Reads => Reason::ReadsInWorkspace,
            Cause::Unclear(why) => Reason::Unclear(why),
            Cause::Changed => Reason::ChangedDefinition,
        }
    }
}
