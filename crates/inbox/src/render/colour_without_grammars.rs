//! Colour in a build without grammars (the feature `colours`): every line is coloured lightly.

use super::light_colour;
use holdpoint_ask::diff::FileDiff;
use std::ops::Range;

/// The class of each stretch of a line that has one, in order.
pub(super) type Classes = Vec<(Range<usize>, &'static str)>;

/// What one document may still cost: light colour costs next to nothing.
#[derive(Default)]
pub(super) struct Budget;

/// A language whose code can be coloured.
#[derive(Clone, Copy)]
pub(super) struct Language {
    ending: &'static str,
    comment: &'static str,
}

impl Language {
    /// The language that a block of code names.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim_start_matches('.').trim_end_matches(',');
        let name = match name.to_ascii_lowercase().as_str() {
            "rust" => "rs".to_owned(),
            "python" => "py".to_owned(),
            "javascript" => "js".to_owned(),
            "typescript" => "ts".to_owned(),
            "shell" | "console" => "sh".to_owned(),
            "golang" => "go".to_owned(),
            "jsonc" | "json5" => "json".to_owned(),
            known => known.to_owned(),
        };
        Self::with_ending(&name)
    }

    /// The language of a file, by its path.
    pub fn of(file: &FileDiff) -> Option<Self> {
        let name = file.path.rsplit('/').next()?;
        Self::with_ending(name.rsplit_once('.')?.1)
    }

    fn with_ending(ending: &str) -> Option<Self> {
        let (ending, comment) = light_colour::known_ending(ending)?;
        Some(Self { ending, comment })
    }

    /// What people call it: here the ending of its files.
    pub fn name(self) -> &'static str {
        self.ending
    }
}

/// Colours lines that follow each other.
#[derive(Clone)]
pub(super) struct Colours(Language);

impl Colours {
    /// From the beginning of a text.
    pub fn new(language: Language) -> Self {
        Self(language)
    }

    /// The classes of the next line.
    pub fn line(&mut self, line: &str, _budget: &mut Budget) -> Classes {
        light_colour::line(line, self.0.comment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_by_name() {
        let name = |name| Language::named(name).map(Language::name);
        assert_eq!(name("rust"), Some("rs"));
        assert_eq!(name("py,"), Some("py"));
        assert_eq!(name("text"), None);
    }

    #[test]
    fn a_line_is_coloured_lightly() {
        let mut colours = Colours::new(Language::named("rust").unwrap());
        let classes = colours.line("let x", &mut Budget);
        assert_eq!(classes, [(0..3, "kw")]);
    }
}
