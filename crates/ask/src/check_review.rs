//! Checks what a person says beside an answer.

use crate::{
    Ask, FieldError, Review,
    limits::{MAX_COMMENT, MAX_COMMENTS, MAX_EDITED},
    review::{Comment, Place},
    visible::is_visible,
};

/// The most parts of a heading path, and the most characters of each.
const MAX_HEADINGS: usize = 16;
const MAX_QUOTE: usize = 4_000;

impl Ask {
    /// Checks what a person says beside an answer to this ask: a text was edited only where it may be, and
    /// its digests are ours, whatever was sent.
    ///
    /// ```
    /// use holdpoint_ask::{Ask, Review, review::{EditableText, Round}};
    ///
    /// let text = EditableText::field("commitMessage", "Commit message", "wip");
    /// let ask = Ask::confirm("Commit phase 1?")
    ///     .in_round(Round::first("Phase 1"))
    ///     .editable(text.clone());
    /// let mut review = Review::default();
    /// review.edited = text.edited("feat: add login");
    /// assert!(ask.check_review(review.clone()).is_ok());
    /// assert!(Ask::confirm("Commit phase 1?").check_review(review).is_err());
    /// ```
    ///
    /// # Errors
    /// What is wrong with it, under `comments` or `edited`.
    pub fn check_review(&self, review: Review) -> Result<Review, Vec<FieldError>> {
        let mut errors = Vec::new();
        let mut fault = |field: &str, what: String| errors.push(FieldError::new(field, what));
        if review.comments.len() > MAX_COMMENTS {
            let count = review.comments.len();
            let what = format!("There are {count} comments; at most {MAX_COMMENTS} can be sent.");
            fault("comments", what);
        }
        for (place, comment) in review.comments.iter().enumerate() {
            if let Err(what) = comment.check() {
                fault("comments", format!("Comment {} {what}.", place + 1));
            }
        }
        let edited = match (review.edited, &self.editable) {
            (None, _) => None,
            (Some(_), None) => {
                fault("edited", "Nothing in this ask can be edited.".into());
                None
            }
            (Some(edited), Some(text)) if edited.of != text.of => {
                fault("edited", format!("Only “{}” can be edited.", text.title));
                None
            }
            (Some(edited), Some(_)) if edited.text.len() > MAX_EDITED => {
                let what = format!("The edited text has more than {MAX_EDITED} bytes.");
                fault("edited", what);
                None
            }
            (Some(edited), Some(_)) if edited.text.trim().is_empty() => {
                fault("edited", "The edited text is empty.".into());
                None
            }
            (Some(edited), Some(text)) => text.edited(edited.text),
        };
        if errors.is_empty() {
            let comments = review.comments;
            Ok(Review { comments, edited })
        } else {
            Err(errors)
        }
    }
}

impl Comment {
    fn check(&self) -> Result<(), String> {
        let too_long = |text: &str, most: usize| text.chars().count() > most;
        if self.text.trim().is_empty() && self.suggestion.is_none() {
            return Err("says nothing".into());
        }
        let suggestion = self.suggestion.as_deref().unwrap_or_default();
        if too_long(&self.text, MAX_COMMENT) || too_long(suggestion, MAX_COMMENT) {
            return Err(format!("has more than {MAX_COMMENT} characters"));
        }
        let quote = self.quote.as_deref().unwrap_or_default();
        let Place { headings, file, .. } = &self.place;
        let names = headings.iter().chain(file);
        if too_long(quote, MAX_QUOTE)
            || headings.len() > MAX_HEADINGS
            || names.into_iter().any(|name| too_long(name, MAX_QUOTE))
        {
            return Err("quotes more than is allowed".into());
        }
        if !file.as_deref().is_none_or(is_visible) {
            return Err("names a file with hidden characters".into());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Digest,
        review::{EditableText, Edited, TextOf},
    };
    use serde_json::json;

    fn ask() -> Ask {
        let text = EditableText::field("commitMessage", "Commit message", "Add tests");
        Ask::confirm("Commit?").editable(text)
    }

    fn edited(text: &str) -> Review {
        let of = TextOf::Field("commitMessage".into());
        let digest = Digest::hash_bytes(b"not this");
        let edited = Edited {
            of,
            text: text.into(),
            digest,
            shown: digest,
        };
        Review {
            edited: Some(edited),
            ..Review::default()
        }
    }

    #[test]
    fn digests_are_made_here_whatever_was_sent() {
        let checked = ask().check_review(edited("Add more tests")).unwrap();
        let edited = checked.edited.unwrap();
        assert_eq!(edited.digest, Digest::hash_bytes(b"Add more tests"));
        assert_eq!(edited.shown, Digest::hash_bytes(b"Add tests"));
        let wanted = json!({
            "field": "commitMessage", "text": "Add more tests",
            "digest": edited.digest, "shown": edited.shown,
        });
        assert_eq!(serde_json::to_value(&edited).unwrap(), wanted);
    }

    #[test]
    fn the_same_text_is_no_edit() {
        assert!(ask().check_review(edited("Add tests")).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_edited_is_refused() {
        let check = |ask: &Ask, review: Review, wanted: &str| {
            let errors = ask.check_review(review).unwrap_err();
            assert_eq!(errors[0].message, wanted);
        };
        let other = Ask::confirm("Commit?").editable(EditableText::file("a.md", "The plan", "x"));
        check(&other, edited("y"), "Only “The plan” can be edited.");
        let none = Ask::confirm("Commit?");
        check(&none, edited("y"), "Nothing in this ask can be edited.");
        check(&ask(), edited(" \n"), "The edited text is empty.");
        let long = "x".repeat(MAX_EDITED + 1);
        let wanted = "The edited text has more than 524288 bytes.";
        check(&ask(), edited(&long), wanted);
    }

    #[test]
    fn a_comment_says_something_and_not_too_much() {
        let check = |change: &dyn Fn(&mut Comment), wanted: Option<&str>| {
            let mut comment = Comment::new(Place::below(["Plan", "Phase 2"]), "Why?");
            change(&mut comment);
            let review = Review {
                comments: vec![comment],
                edited: None,
            };
            let checked = ask().check_review(review);
            let message = checked.err().map(|errors| errors[0].message.clone());
            assert_eq!(message.as_deref(), wanted);
        };
        check(&|_| {}, None);
        check(
            &|comment| comment.text = " ".into(),
            Some("Comment 1 says nothing."),
        );
        check(
            &|comment| {
                comment.text = String::new();
                comment.suggestion = Some("Because".into());
            },
            None,
        );
        check(
            &|comment| comment.text = "x".repeat(MAX_COMMENT + 1),
            Some("Comment 1 has more than 10000 characters."),
        );
        check(
            &|comment| comment.quote = Some("x".repeat(MAX_QUOTE + 1)),
            Some("Comment 1 quotes more than is allowed."),
        );
        check(
            &|comment| comment.place.file = Some("a\u{202e}b".into()),
            Some("Comment 1 names a file with hidden characters."),
        );
    }
}
