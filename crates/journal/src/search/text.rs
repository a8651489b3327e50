//! The text of an ask that is searched for words.

use crate::AskRecord;
use holdpoint_ask::{Form, Kind, Outcome, field::Pick, redact::secret_given};
use serde_json::Value;
use std::collections::BTreeSet;
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

/// What was shown, where it came from, and what was answered, one piece a line.
pub(crate) fn text_of(record: &AskRecord) -> String {
    let mut text = String::with_capacity(512);
    let mut add = |piece: &str| {
        text.push_str(piece);
        text.push('\n');
    };
    add(&record.ask.message);
    record.ask.title.as_deref().into_iter().for_each(&mut add);
    record.ask.details.as_deref().into_iter().for_each(&mut add);
    form(&record.ask.form, &mut add);
    let origin = &record.origin;
    for piece in [
        &origin.server,
        &origin.tool,
        &origin.client,
        &origin.workspace,
    ] {
        piece.as_deref().into_iter().for_each(&mut add);
    }
    if let Some(decision) = &record.decision {
        decision
            .answered_by
            .as_deref()
            .into_iter()
            .for_each(&mut add);
        match &decision.outcome {
            Outcome::Accepted(answer) => answer.values().for_each(|value| leaves(value, &mut add)),
            Outcome::Declined { reason } => reason.as_deref().into_iter().for_each(&mut add),
            Outcome::Unreachable { why } => add(why),
            Outcome::Invalid { errors } => errors.iter().for_each(|error| add(&error.message)),
            // The rest says nothing in words.
            _ => {}
        }
        if let Some(review) = &decision.review {
            for comment in &review.comments {
                add(&comment.text);
                comment.suggestion.as_deref().into_iter().for_each(&mut add);
            }
            review.edited.iter().for_each(|edited| add(&edited.text));
        }
    }
    text
}

fn form(form: &Form, add: &mut impl FnMut(&str)) {
    for field in &form.fields {
        add(&field.name);
        for piece in [&field.title, &field.help] {
            piece.as_deref().into_iter().for_each(&mut *add);
        }
        let options: &[Pick] = match &field.kind {
            Kind::Choice(choice) => &choice.options,
            Kind::Choices(choices) => &choices.options,
            Kind::Link(link) => {
                add(&link.url);
                &[]
            }
            _ => &[],
        };
        for option in options {
            add(&option.value);
            for piece in [&option.label, &option.description] {
                piece.as_deref().into_iter().for_each(&mut *add);
            }
        }
    }
}

/// The texts and numbers in an answer.
pub(crate) fn leaves(value: &Value, add: &mut impl FnMut(&str)) {
    match value {
        Value::String(text) => add(text),
        Value::Number(number) => add(&number.to_string()),
        Value::Array(values) => values.iter().for_each(|value| leaves(value, add)),
        Value::Object(values) if *value != secret_given() => {
            values.values().for_each(|value| leaves(value, add));
        }
        _ => {}
    }
}

/// The text without case and accents, so that `Strasse` finds `STRAẞE` and `uber` finds `über`.
pub(crate) fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let plain = text.nfkd().filter(|char| !is_combining_mark(*char));
    let mut folded = String::with_capacity(text.len());
    for char in plain.flat_map(char::to_lowercase) {
        match char {
            'ß' => folded.push_str("ss"),
            char => folded.push(char),
        }
    }
    folded
}

/// The terms of a folded text: its runs of letters and digits, each once.
pub(crate) fn terms(folded: &str) -> BTreeSet<&str> {
    let runs = folded.split(|char: char| !char.is_alphanumeric());
    runs.filter(|run| !run.is_empty()).collect()
}

/// A run of letters and digits in a word that is searched for, and what is known of the term around
/// it: where the word goes on before it, the term starts with it, and so at its end.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub run: &'a str,
    pub starts: bool,
    pub ends: bool,
}

impl Part<'_> {
    /// Whether this term can be the one around it.
    pub fn fits(&self, term: &str) -> bool {
        match (self.starts, self.ends) {
            (true, true) => term == self.run,
            (true, false) => term.starts_with(self.run),
            (false, true) => term.ends_with(self.run),
            (false, false) => term.contains(self.run),
        }
    }
}

/// The parts of a folded word: a text has the word only if it has terms for all of its parts.
pub(crate) fn parts(word: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut at = 0;
    for run in word.split(|char: char| !char.is_alphanumeric()) {
        // Where it stands in the word; what lies between two runs is one character.
        let end = at + run.len();
        if !run.is_empty() {
            parts.push(Part {
                run,
                starts: at > 0,
                ends: end < word.len(),
            });
        }
        at = end + word[end..].chars().next().map_or(0, char::len_utf8);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_accents_do_not_matter() {
        let check = |text: &str, folded: &str| assert_eq!(fold(text), folded);
        check("Deploy TO prod", "deploy to prod");
        check("Über die STRAẞE, Straße", "uber die strasse, strasse");
        check("E\u{301}te\u{301} ÉTÉ", "ete ete");
        check("ﬁle ²", "file 2");
        check("東京 Ω", "東京 ω");
    }

    #[test]
    fn a_word_and_its_parts() {
        let check = |word: &str, wanted: &[(&str, bool, bool)]| {
            let wanted: Vec<_> = wanted
                .iter()
                .map(|&(run, starts, ends)| Part { run, starts, ends })
                .collect();
            assert_eq!(parts(word), wanted, "{word:?}");
        };
        check("plan", &[("plan", false, false)]);
        check(
            "src/main.rs",
            &[
                ("src", false, true),
                ("main", true, true),
                ("rs", true, false),
            ],
        );
        check("--force", &[("force", true, false)]);
        check("→ab→", &[("ab", true, true)]);
        check("->", &[]);
    }

    /// Whatever text contains a word has terms for all parts of the word.
    #[test]
    fn parts_lose_nothing() {
        let text = fold("Löschen: `src/main.rs`, x_1 → 東京-2; a.b.c");
        let terms = terms(&text);
        let places: Vec<_> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        for (index, from) in places.iter().enumerate() {
            for to in &places[index..] {
                let word = &text[*from..*to];
                for part in parts(word) {
                    assert!(
                        terms.iter().any(|term| part.fits(term)),
                        "{word:?} {part:?}"
                    );
                }
            }
        }
    }
}
