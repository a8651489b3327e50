//! Commands: every part must be allowed, and the strictest part wins.

use super::{Case, Cause};
use crate::{
    CommandPart, Verdict,
    rule::What,
    shell::{MOST_STARTS, Part, Redirected, Runs, Taken, Word, file_readers},
};

impl Case<'_> {
    /// A shell command.
    pub(super) fn command(&mut self, blanket: Option<usize>) {
        let Some(command) = self
            .tool_use
            .input
            .get("command")
            .and_then(|command| command.as_str())
        else {
            self.unclear("there is no command".into());
            return;
        };
        let taken = Taken::apart(command);
        // The text itself counts too, so that no way of writing gets around a rule.
        let spaced = command.split_whitespace().collect::<Vec<_>>().join(" ");
        self.tighten_line(command.trim(), "");
        self.tighten_line(&spaced, "");
        // A changed folder changes what paths mean.
        let moves = |part: &&Part| {
            part.inner()
                .next()
                .is_some_and(|word| CHANGE_FOLDER.contains(&&*word.text))
        };
        let everything = || taken.parts.iter().chain(&taken.hidden);
        let folders: Vec<String> = everything()
            .filter(moves)
            .flat_map(|part| part.inner().skip(1))
            .map(|word| word.text.clone())
            .collect();
        let moved = everything().any(|part| moves(&part));
        for part in &taken.hidden {
            self.tighten_part(part, "", &folders);
        }
        for part in &taken.parts {
            self.part(part, blanket, &folders);
        }
        for file in &taken.files {
            self.redirected(file, moved);
        }
        match taken.unclear {
            Some(why) => {
                self.unclear(why);
            }
            // A comment, a file that nothing reads, or nothing at all.
            None if taken.parts.is_empty() && !taken.files.iter().any(|file| file.writes) => {
                self.settle(blanket.map(Cause::Rule));
            }
            None => {}
        }
    }

    fn part(&mut self, part: &Part, blanket: Option<usize>, folders: &[String]) {
        let strictest = self.tighten_part(part, &part.text, folders);
        let could_be = self.could_be(part);
        let line = part.line();
        let allows = self.allowing(part, &line).or(match part.runs {
            Runs::Text { .. } => None,
            _ => blanket,
        });
        let scope = self.by_scope(|given| given.command(part, &line));
        // What a rule asks about and nothing allows still has its default, so that no rule that asks loosens it.
        let guard = strictest.map(|number| self.rules.rules[number].verdict);
        let guard = guard.or(could_be.as_ref().map(|_| Verdict::Ask));
        let base = match (allows, &scope) {
            (None, None) => self.rules.default,
            _ => Verdict::Allow,
        };
        let (verdict, why) = if let Some(guard) = guard.filter(|guard| *guard >= base) {
            let why = match (strictest, could_be) {
                (Some(number), _) => self.by_rule(number),
                (None, why) => {
                    let why = why.unwrap_or_default();
                    self.tally.note(guard, Cause::Unclear(why.clone()));
                    why
                }
            };
            (guard, why)
        } else if let Some(number) = allows {
            (self.settle(Some(Cause::Rule(number))), self.by_rule(number))
        } else if let Some(cause) = scope {
            let why = self.by_cause(&cause);
            (self.settle(Some(cause)), why)
        } else if matches!(part.runs, Runs::Text { .. }) {
            let why = format!("`{}` runs what no rule sees", program(part));
            (self.unclear(why.clone()), why)
        } else {
            (self.settle(None), by_default(self.rules.default))
        };
        self.tally.parts.push(CommandPart {
            text: part.text.clone(),
            verdict,
            why,
        });
    }

    /// The rule that allows a part.
    fn allowing(&mut self, part: &Part, line: &str) -> Option<usize> {
        let rules = self.rules;
        // A rule without stars may be written with the quotes or the wrapper that the command has.
        let raw = rules.index.commands(&part.text);
        let mut numbers = rules
            .index
            .commands(line)
            .chain(raw)
            .map(|number| number as usize);
        let number = numbers.find(|number| {
            let rule = &rules.rules[*number];
            rule.verdict == Verdict::Allow
                && match &rule.what {
                    What::Command(pattern) => pattern.allows(part, line),
                    _ => false,
                }
        })?;
        self.matches(number, &part.text);
        Some(number)
    }

    /// Notes the rules that ask about a part or deny it; gives the strictest.
    fn tighten_part(&mut self, part: &Part, of: &str, folders: &[String]) -> Option<usize> {
        let mut strictest = None;
        for reading in part.readings() {
            let found = self.tighten_line(&reading, of);
            strictest = self.stricter(strictest, found);
        }
        if self.rules.index.guards_files {
            let found = self.named_files(part, of, folders);
            strictest = self.stricter(strictest, found);
        }
        strictest
    }

    fn tighten_line(&mut self, line: &str, of: &str) -> Option<usize> {
        let mut strictest = None;
        let rules = self.rules;
        for number in rules.index.commands(line) {
            let number = number as usize;
            let rule = &rules.rules[number];
            let What::Command(pattern) = &rule.what else {
                continue;
            };
            if rule.verdict != Verdict::Allow
                && pattern.fits(line)
                && rule.fits_input(&self.tool_use.input)
            {
                self.matches(number, of);
                strictest = self.stricter(strictest, Some(number));
            }
        }
        strictest
    }

    /// Whether what the shell makes of the words could be what a rule asks about or denies, in words.
    fn could_be(&self, part: &Part) -> Option<String> {
        let words: Vec<&Word> = part.words.iter().skip(part.settings).collect();
        let expands = words.iter().find(|word| word.expands)?;
        // What runs other commands has them somewhere in its words.
        let starts = if part.runs == Runs::Itself && part.wrapping == 0 {
            1
        } else {
            words.len().min(MOST_STARTS)
        };
        let rule = (0..starts).find_map(|start| {
            let numbers = self.rules.index.guards(&words[start].text);
            let mut rules = numbers.map(|number| &self.rules.rules[number as usize]);
            rules.find(|rule| {
                rule.verdict != Verdict::Allow
                    && match &rule.what {
                        What::Command(pattern) => pattern.may_fit(&words[start..]),
                        _ => false,
                    }
            })
        })?;
        Some(format!(
            "`{}` could make it what `{}` is about",
            expands.text, rule.text
        ))
    }

    fn named_files(&mut self, part: &Part, of: &str, folders: &[String]) -> Option<usize> {
        let name = program(part);
        if matches!(name, "echo" | "printf") {
            return None;
        }
        let only_reads = file_readers(name) && part.runs == Runs::Itself;
        let mut strictest = None;
        for word in part.words.iter().skip(part.settings + 1) {
            let value = match word.text.split_once('=') {
                Some((_, value)) if word.text.starts_with('-') || !value.is_empty() => value,
                _ if word.text.starts_with('-') => continue,
                _ => "",
            };
            for path in [&*word.text, value] {
                if path.is_empty() || path.len() > 4096 {
                    continue;
                }
                let found = self.named_file(path, of, only_reads);
                strictest = self.stricter(strictest, found);
                for folder in folders.iter().take(8) {
                    let found = self.named_file(&format!("{folder}/{path}"), of, only_reads);
                    strictest = self.stricter(strictest, found);
                }
            }
        }
        strictest
    }

    /// A file that the command reads needs no rule that allows it, as none that it names does; one that it writes
    /// does.
    fn redirected(&mut self, file: &Redirected, moved: bool) {
        let path = file.path.as_deref();
        if !file.writes {
            if let Some(path) = path {
                self.named_file(path, &file.text, true);
            }
            return;
        }
        let (guard, blanket) = self.whole_writes();
        let placed = self.place("Write", path, &file.text, blanket);
        let strictest = self.stricter(guard, placed.strictest);
        // Where it goes depends on where the command went before.
        let lost = moved && path.is_none_or(|path| !path.starts_with(['/', '~']));
        let allowed = placed.allowed.filter(|_| !lost);
        let guard =
            strictest.map(|number| (self.rules.rules[number].verdict, self.by_rule(number)));
        let (base, why) = match &allowed {
            Some(cause) => (Verdict::Allow, self.by_cause(cause)),
            None => (self.rules.default, by_default(self.rules.default)),
        };
        let (verdict, why) = match guard {
            Some((guard, why)) if guard >= base => (guard, why),
            _ => (self.settle(allowed), why),
        };
        self.tally.parts.push(CommandPart {
            text: file.text.clone(),
            verdict,
            why,
        });
    }

    /// The strictest rule about writing any file, and the one that allows it.
    fn whole_writes(&mut self) -> (Option<usize>, Option<usize>) {
        let (mut guard, mut allows) = (None, None);
        for number in self.rules.index.about("Write") {
            let number = number as usize;
            let rule = &self.rules.rules[number];
            // What is said of a write's arguments cannot be said of a redirection's.
            if !rule.is_about("Write") || !matches!(rule.what, What::Any) || !rule.when.is_empty() {
                continue;
            }
            self.matches(number, "");
            match rule.verdict {
                Verdict::Allow => allows = Some(number),
                _ => guard = self.stricter(guard, Some(number)),
            }
        }
        (guard, allows)
    }

    fn by_cause(&self, cause: &Cause) -> String {
        match cause {
            Cause::Rule(number) => self.by_rule(*number),
            Cause::Scope(number) => {
                format!("allowed by the scope {}", self.given.scope(*number).covers)
            }
            _ => by_default(Verdict::Allow),
        }
    }

    fn by_rule(&self, number: usize) -> String {
        let rule = &self.rules.rules[number];
        format!("{} by `{}`", rule.verdict.done(), rule.text)
    }
}

/// What changes the folder that later commands run in.
const CHANGE_FOLDER: [&str; 4] = ["cd", "chdir", "pushd", "popd"];

fn program(part: &Part) -> &str {
    part.inner()
        .nth(part.settings)
        .map_or("", |word| &*word.text)
}

fn by_default(default: Verdict) -> String {
    format!("{} by default: no rule is about it", default.done())
}
