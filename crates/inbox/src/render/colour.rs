//! Syntax colour: which stretches of a line are comments, texts, keywords and so on, in the page's few classes.
//!
//! The grammars are regular expressions, and what they read is an agent's text. So what is read is bounded: a
//! long line, and everything after the budget of its document is used up, stays plain.

use holdpoint_ask::diff::FileDiff;
use std::{
    ops::Range,
    sync::LazyLock,
    time::{Duration, Instant},
};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// The class of each stretch of a line that has one, in order.
pub(super) type Classes = Vec<(Range<usize>, &'static str)>;

/// A longer line is not coloured: nobody wrote it by hand.
const LONGEST_LINE: usize = 600;
/// How many lines of one document are coloured.
const MOST_LINES: usize = 20_000;
/// How many bytes of one document are coloured.
const MOST_BYTES: usize = 768 * 1024;
/// What is not coloured by then stays plain. Only lines made to be slow take so long.
const LONGEST_TIME: Duration = Duration::from_millis(1_500);

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// What one document may still cost.
pub(super) struct Budget {
    lines: usize,
    bytes: usize,
    until: Instant,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            lines: MOST_LINES,
            bytes: MOST_BYTES,
            until: Instant::now() + LONGEST_TIME,
        }
    }
}

impl Budget {
    fn spend(&mut self, bytes: usize) -> bool {
        let (Some(lines), Some(bytes)) = (self.lines.checked_sub(1), self.bytes.checked_sub(bytes))
        else {
            self.lines = 0;
            return false;
        };
        (self.lines, self.bytes) = (lines, bytes);
        if lines.is_multiple_of(16) && Instant::now() > self.until {
            self.lines = 0;
        }
        true
    }

    fn is_spent(&self) -> bool {
        self.lines == 0
    }
}

/// A language whose code can be coloured.
#[derive(Clone, Copy)]
pub(super) struct Language(&'static SyntaxReference);

impl Language {
    /// The language that a block of code names.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim_start_matches('.').trim_end_matches(',');
        let name = match name.to_ascii_lowercase().as_str() {
            "" | "text" | "txt" | "plain" | "plaintext" | "output" => return None,
            "jsonc" | "json5" => "json".to_owned(),
            "shell" | "console" | "sh-session" => "bash".to_owned(),
            "golang" => "go".to_owned(),
            "csharp" => "cs".to_owned(),
            known => known.to_owned(),
        };
        SYNTAXES.find_syntax_by_token(&name).and_then(Self::known)
    }

    /// The language of a file, by its path.
    pub fn of(file: &FileDiff) -> Option<Self> {
        let name = file.path.rsplit('/').next()?;
        let ending = || name.rsplit_once('.').map(|(_, ending)| ending);
        let by_name = SYNTAXES.find_syntax_by_extension(name);
        let found = by_name.or_else(|| SYNTAXES.find_syntax_by_extension(ending()?));
        found.and_then(Self::known)
    }

    fn known(syntax: &'static SyntaxReference) -> Option<Self> {
        (syntax.name != "Plain Text").then_some(Self(syntax))
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        &self.0.name
    }
}

/// Colours lines that follow each other.
#[derive(Clone)]
pub(super) struct Colours {
    state: ParseState,
    stack: ScopeStack,
}

impl Colours {
    /// From the beginning of a text.
    pub fn new(language: Language) -> Self {
        Self {
            state: ParseState::new(language.0),
            stack: ScopeStack::new(),
        }
    }

    /// The classes of the next line.
    pub fn line(&mut self, line: &str, budget: &mut Budget) -> Classes {
        if budget.is_spent() || line.len() > LONGEST_LINE || !budget.spend(line.len()) {
            return Vec::new();
        }
        let mut classes = Vec::new();
        let Ok(changes) = self.state.parse_line(&format!("{line}\n"), &SYNTAXES) else {
            return classes;
        };
        let mut start = 0;
        for (place, change) in changes {
            let end = place.min(line.len());
            self.push(&mut classes, start..end);
            start = end;
            if self.stack.apply(&change).is_err() {
                return classes;
            }
        }
        self.push(&mut classes, start..line.len());
        classes
    }

    fn push(&self, classes: &mut Classes, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let Some(class) = class_of(self.stack.as_slice()) else {
            return;
        };
        match classes.last_mut() {
            Some((last, same)) if *same == class && last.end == range.start => last.end = range.end,
            _ => classes.push((range, class)),
        }
    }
}

/// The class of what stands in these scopes, the innermost last.
fn class_of(scopes: &[Scope]) -> Option<&'static str> {
    for scope in scopes.iter().rev() {
        let found = RULES.iter().find(|(rule, _)| rule.is_prefix_of(*scope));
        if let Some((_, class)) = found {
            return (!class.is_empty()).then_some(class);
        }
    }
    None
}

/// Which class a scope gives; the first that fits counts, and an empty one means none. Scopes that are not here say
/// nothing, and what they stand in counts.
static RULES: LazyLock<Vec<(Scope, &str)>> = LazyLock::new(|| {
    let rules = [
        ("comment", "com"),
        ("punctuation.definition.comment", "com"),
        ("meta.mapping.key", "tag"),
        ("meta.interpolation", ""),
        ("meta.template.expression", ""),
        ("punctuation.section.interpolation", "op"),
        ("string", "str"),
        ("constant.numeric", "num"),
        ("constant.language", "num"),
        ("constant.character", "str"),
        ("constant.other", "num"),
        ("keyword.operator.word", "kw"),
        ("keyword.operator", "op"),
        ("keyword", "kw"),
        ("storage.type.numeric", "ty"),
        ("storage", "kw"),
        ("variable.language", "kw"),
        ("entity.name.function", "fn"),
        ("entity.name.macro", "fn"),
        ("support.function", "fn"),
        ("support.macro", "fn"),
        ("variable.function", "fn"),
        ("entity.name.tag", "tag"),
        ("entity.other.attribute-name", "tag"),
        ("variable.annotation", "tag"),
        ("meta.annotation", "tag"),
        ("meta.property-name", "tag"),
        ("support.type.property-name", "tag"),
        ("entity.name", "ty"),
        ("entity.other.inherited-class", "ty"),
        ("support.type", "ty"),
        ("support.class", "ty"),
        ("markup.heading", "kw"),
        ("markup.raw", "str"),
        ("source", ""),
        ("text", ""),
    ];
    let rule = |(scope, class)| (Scope::new(scope).expect("a scope"), class);
    rules.map(rule).into()
});

#[cfg(test)]
mod tests {
    use super::*;

    fn coloured(language: &str, code: &str) -> Vec<(String, &'static str)> {
        let mut colours = Colours::new(Language::named(language).expect("a known language"));
        let mut budget = Budget::default();
        let mut found = Vec::new();
        for line in code.lines() {
            let classes = colours.line(line, &mut budget);
            found.extend(
                classes
                    .into_iter()
                    .map(|(range, class)| (line[range].to_owned(), class)),
            );
        }
        found
    }

    #[test]
    fn what_people_read_most() {
        let check = |language: &str, code: &str, wanted: &[(&str, &str)]| {
            let found = coloured(language, code);
            let found: Vec<_> = found
                .iter()
                .map(|(text, class)| (text.as_str(), *class))
                .collect();
            for pair in wanted {
                assert!(found.contains(pair), "{pair:?} in {language}: {found:?}");
            }
        };
        check(
            "rust",
            "/* a\n b */ fn go(x: Thing) -> u8 { let y = \"s\"; 42 + y }",
            &[
                ("/* a", "com"),
                (" b */", "com"),
                ("fn", "kw"),
                ("go", "fn"),
                ("\"s\"", "str"),
                ("42", "num"),
                ("+", "op"),
            ],
        );
        check(
            "ts",
            "const a: string = `x`; // c",
            &[("const", "kw"), ("`x`", "str"), ("// c", "com")],
        );
        check(
            "json",
            "{\"a\": 1, \"b\": \"c\"}",
            &[("1", "num"), ("\"c\"", "str")],
        );
        check(
            "python",
            "def go(): return None",
            &[
                ("def", "kw"),
                ("go", "fn"),
                ("return", "kw"),
                ("None", "num"),
            ],
        );
        check(
            "html",
            "<p class=\"a\">x</p>",
            &[("p", "tag"), ("class", "tag"), ("\"a\"", "str")],
        );
        check("shell", "echo \"a\" # c", &[("# c", "com")]);
        check(
            "sql",
            "select 42 from t",
            &[("select", "kw"), ("42", "num")],
        );
        check("toml", "a = 1 # c", &[("1", "num"), ("# c", "com")]);
        check("yaml", "a: true", &[("a", "tag"), ("true", "num")]);
        check("css", "p { color: red; }", &[("p", "tag")]);
    }

    #[test]
    fn unknown_languages_and_long_lines_stay_plain() {
        assert!(Language::named("nonsense").is_none());
        assert!(Language::named("text").is_none());
        assert!(
            coloured(
                "rust",
                &format!("let x = \"{}\";", "a".repeat(LONGEST_LINE))
            )
            .is_empty()
        );
        assert!(
            !coloured(
                "rust",
                &format!("let x = \"{}\";", "a".repeat(LONGEST_LINE - 20))
            )
            .is_empty()
        );
    }

    #[test]
    fn a_spent_budget_leaves_the_rest_plain() {
        let mut colours = Colours::new(Language::named("rust").unwrap());
        let mut budget = Budget {
            lines: 2,
            ..Budget::default()
        };
        let mut coloured = || !colours.line("let x = 1;", &mut budget).is_empty();
        assert_eq!([coloured(), coloured(), coloured()], [true, true, false]);
        let mut budget = Budget {
            bytes: 10,
            ..Budget::default()
        };
        let mut coloured = || !colours.line("let x = 1;", &mut budget).is_empty();
        assert_eq!([coloured(), coloured(), coloured()], [true, false, false]);
        let mut budget = Budget {
            until: Instant::now(),
            lines: 33,
            ..Budget::default()
        };
        let coloured = (0..33).filter(|_| !colours.line("let x = 1;", &mut budget).is_empty());
        assert_eq!(coloured.count(), 1);
    }
}
