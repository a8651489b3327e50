//! Syntax colour: which stretches of a line are comments, texts, keywords and so on, in the page's few classes.
//!
//! The grammars are regular expressions, slow ones, and what they read is an agent's text. So what they read is
//! bounded: a long line, and everything after the budget of its document is used up, is coloured lightly.

use super::light_colour;
use holdpoint_ask::diff::FileDiff;
use std::{
    ops::Range,
    sync::LazyLock,
    time::{Duration, Instant},
};
use syntect::parsing::{ParseState, Scope, ScopeStack, SyntaxReference, SyntaxSet};

/// The class of each stretch of a line that has one, in order.
pub(super) type Classes = Vec<(Range<usize>, &'static str)>;

/// A longer line is no line for a grammar: nobody wrote it by hand.
const LONGEST_LINE: usize = 300;
/// How many lines of one document are read by a grammar.
const MOST_LINES: usize = 1_500;
/// What a grammar has not read by then it does not read. The first lines of a language in a process are slow.
const LONGEST_TIME: Duration = Duration::from_millis(200);

static SYNTAXES: LazyLock<SyntaxSet> = LazyLock::new(two_face::syntax::extra_newlines);

/// What one document may still cost.
pub(super) struct Budget {
    lines: usize,
    time: Duration,
    /// When the first line was read: loading the grammars is not the document's fault.
    begun: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            lines: MOST_LINES,
            time: LONGEST_TIME,
            begun: None,
        }
    }
}

impl Budget {
    /// Takes one line from it; whether there was one.
    fn spend(&mut self) -> bool {
        let begun = *self.begun.get_or_insert_with(Instant::now);
        if self.lines > 0 && begun.elapsed() > self.time {
            self.lines = 0;
        }
        let left = self.lines.checked_sub(1);
        self.lines = left.unwrap_or(0);
        left.is_some()
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
    comment: Option<&'static str>,
    /// A line was left out, so that the grammar no longer knows where it is.
    lost: bool,
}

impl Colours {
    /// From the beginning of a text.
    pub fn new(language: Language) -> Self {
        Self {
            state: ParseState::new(language.0),
            stack: ScopeStack::new(),
            comment: light_colour::comment_mark(&language.0.file_extensions),
            lost: false,
        }
    }

    /// The classes of the next line.
    pub fn line(&mut self, line: &str, budget: &mut Budget) -> Classes {
        self.lost |= line.len() > LONGEST_LINE || !budget.spend();
        if self.lost {
            return self
                .comment
                .map_or_else(Vec::new, |mark| light_colour::line(line, mark));
        }
        let mut classes = Vec::new();
        let Ok(changes) = self.state.parse_line(&format!("{line}\n"), &SYNTAXES) else {
            self.lost = true;
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
        let mut budget = patient();
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
    fn unknown_languages_stay_plain() {
        assert!(Language::named("nonsense").is_none());
        assert!(Language::named("text").is_none());
    }

    /// What only the grammar knows, and what the light colour gives it.
    const LINE: &str = "let x = r#\"1\"#;";
    const LIGHT: &str = "\"1\"";

    #[test]
    fn what_is_too_much_is_coloured_lightly() {
        let check = |mut budget: Budget, lines: &[&str], wanted: &[bool]| {
            let mut colours = Colours::new(Language::named("rust").unwrap());
            let light: Vec<_> = lines
                .iter()
                .map(|line| {
                    let classes = colours.line(line, &mut budget);
                    let text = |(range, class): &(Range<usize>, &str)| {
                        (&line[range.clone()] == LIGHT) && *class == "str"
                    };
                    classes.iter().any(text)
                })
                .collect();
            assert_eq!(light, wanted);
        };
        check(patient(), &[LINE, LINE], &[false, false]);
        let two = Budget {
            lines: 2,
            ..patient()
        };
        check(two, &[LINE, LINE, LINE], &[false, false, true]);
        let late = Budget {
            time: Duration::ZERO,
            begun: Instant::now().checked_sub(Duration::from_millis(1)),
            ..Budget::default()
        };
        check(late, &[LINE], &[true]);
        let long = "x".repeat(LONGEST_LINE + 1);
        check(patient(), &[LINE, &long, LINE], &[false, false, true]);
    }

    /// A budget that no slow machine uses up.
    fn patient() -> Budget {
        Budget {
            time: Duration::from_secs(600),
            ..Budget::default()
        }
    }
}
