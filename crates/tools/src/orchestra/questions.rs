//! Open questions as fields of a form.

use holdpoint::tool::ToolError;
use holdpoint::{
    Field, Kind,
    field::{Choice, Pick, Text},
};

/// The most characters of an option that is read out of a question.
const LONGEST: usize = 100;

/// A field for each question, `answer_1` and so on.
pub(super) fn fields(questions: &[String]) -> Result<Vec<Field>, ToolError> {
    let field = |(place, question): (usize, &String)| {
        if question.trim().is_empty() {
            let name = format!("openQuestions[{place}]");
            return Err(ToolError::argument(
                name,
                "expected a question, and it is empty",
            ));
        }
        let kind = match options(question) {
            Some((options, other)) => Kind::Choice(Choice {
                options,
                other,
                ..Choice::default()
            }),
            None => Kind::Text(Text {
                max_length: Some(1000),
                multiline: true,
                default: Some(String::new()),
                ..Text::default()
            }),
        };
        let number = place + 1;
        let field = Field::new(format!("answer_{number}"), kind);
        let help = format!("Your answer to open question {number}, if you have one.");
        Ok(field.title(question.trim()).help(help).separate())
    };
    questions.iter().enumerate().map(field).collect()
}

/// The options that a question ends in, as `Which one? Option A / Option B / …`; and whether the
/// list is open. None where it does not clearly end so.
fn options(question: &str) -> Option<(Vec<Pick>, bool)> {
    let question = question.trim();
    let (_, tail) = question.rsplit_once(['?', ':'])?;
    let tail = tail.trim().trim_end_matches('.').trim();
    let tail = bare(tail);
    // Without spaces it may be a path, a fraction, or and/or.
    let mut parts: Vec<_> = tail.split(" / ").map(str::trim).collect();
    let open =
        parts.len() > 1 && matches!(parts.last(), Some(&("" | "…" | "..." | "other" | "Other")));
    if open {
        parts.pop();
    }
    let fits = |part: &&str| {
        !part.is_empty() && part.chars().count() <= LONGEST && !part.contains(['\n', '?'])
    };
    let differ = parts
        .iter()
        .enumerate()
        .all(|(place, part)| !parts[..place].contains(part));
    if parts.len() < 2 || !parts.iter().all(fits) || !differ {
        return None;
    }
    Some((parts.into_iter().map(Pick::new).collect(), open))
}

/// A list without the brackets around it.
fn bare(list: &str) -> &str {
    [('(', ')'), ('[', ']')]
        .into_iter()
        .find_map(|(open, close)| list.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(list)
        .trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_at_the_end_of_a_question() {
        let check = |question: &str, wanted: &[&str], open: bool| {
            let read = options(question).map(|(picks, open)| {
                (
                    picks.into_iter().map(|pick| pick.value).collect::<Vec<_>>(),
                    open,
                )
            });
            match wanted {
                [] => assert_eq!(read, None, "{question}"),
                _ => assert_eq!(
                    read,
                    Some((wanted.iter().map(|&it| it.to_owned()).collect(), open)),
                    "{question}"
                ),
            }
        };
        check(
            "Which store? SQLite / PostgreSQL",
            &["SQLite", "PostgreSQL"],
            false,
        );
        check(
            "Which store? Option A / Option B / Option C",
            &["Option A", "Option B", "Option C"],
            false,
        );
        check(
            "Which store: SQLite / PostgreSQL.",
            &["SQLite", "PostgreSQL"],
            false,
        );
        check(
            "Which store? (SQLite / PostgreSQL)",
            &["SQLite", "PostgreSQL"],
            false,
        );
        check(
            "Which store? SQLite / PostgreSQL / …",
            &["SQLite", "PostgreSQL"],
            true,
        );
        check("Keep it? Yes / No", &["Yes", "No"], false);
        for plain in [
            "What should it be called?",
            "Should reads and/or writes be cached?",
            "Is src/main.rs right? It is in a/b",
            "Which? A",
            "Which? A / A",
            "Which? / ",
            "A / B",
            "Use A / B?",
            "Ratio? 1/2",
            "",
        ] {
            check(plain, &[], false);
        }
    }
}
