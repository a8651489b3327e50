//! People who have a key of their own, so that the page knows them by name.
//!
//! Each is a private value of the journal. A person's keys are made of the page's key, their name and a number that
//! is theirs alone: every process that has the journal knows them, and none of them is good for anything once the
//! person is removed, also where somebody of the same name is added later.

use holdpoint::journal::{JournalEngine, JournalError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::{io, sync::Arc};

use crate::opening_keys::hex;

/// Below which name in the vault they are.
const PLACE: &str = "people";
/// The most characters of a name.
const LONGEST_NAME: usize = 64;

/// A person whom the page knows by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Their name, which is recorded with what they answer.
    pub name: String,
    /// When they were added.
    pub created_at: Timestamp,
    /// Tells them from whoever had the name before.
    pub(crate) number: String,
}

/// Why somebody cannot be added, or people cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PersonError {
    /// The name does not fit.
    #[error(
        "{0:?} cannot be a person's name here: use up to {LONGEST_NAME} small letters, digits and . _ - @ between them"
    )]
    Name(String),
    /// There is one of this name.
    #[error("there is a person `{0}` already: `holdpoint person key {0}` shows them a new key")]
    Taken(String),
    /// A program has this name.
    #[error(
        "there is a token `{0}`: what it answers could be taken for this person's. Choose another name, or revoke the token"
    )]
    Program(String),
    /// There is none of this name.
    #[error("there is no person `{0}`: `holdpoint person add {0}` adds them")]
    Unknown(String),
    /// The system has no randomness.
    #[error("nobody can be added")]
    Random(#[source] io::Error),
    /// They cannot be read or written.
    #[error("the people of this journal cannot be used")]
    Journal(#[from] JournalError),
}

/// The people of one journal.
#[derive(Debug, Clone)]
pub struct People {
    journal: Arc<dyn JournalEngine>,
}

impl People {
    /// The people of this journal.
    pub fn new(journal: Arc<dyn JournalEngine>) -> Self {
        Self { journal }
    }

    /// Adds somebody.
    ///
    /// # Errors
    /// When the name does not fit or is taken, or they cannot be stored.
    pub async fn add(&self, name: &str) -> Result<Person, PersonError> {
        let place = place(name)?;
        if self
            .journal
            .load(&format!("tokens/{name}"))
            .await?
            .is_some()
        {
            return Err(PersonError::Program(name.to_owned()));
        }
        let mut number = [0; 16];
        getrandom::fill(&mut number).map_err(|error| PersonError::Random(error.into()))?;
        let person = Person {
            name: name.to_owned(),
            created_at: Timestamp::now(),
            number: hex(&number),
        };
        let bytes = serde_json::to_vec(&person).map_err(unreadable)?;
        if self.journal.create(&place, bytes).await? {
            Ok(person)
        } else {
            Err(PersonError::Taken(name.to_owned()))
        }
    }

    /// All of them, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<Person>, PersonError> {
        let mut people = Vec::new();
        for place in self.journal.names(PLACE).await? {
            people.extend(self.read(&place).await?);
        }
        Ok(people)
    }

    /// Removes somebody: their keys and browsers are good for nothing from now on, at every page of this
    /// journal. False where there is none of this name.
    ///
    /// # Errors
    /// When they cannot be removed. Their keys are good still.
    pub async fn remove(&self, name: &str) -> Result<bool, PersonError> {
        let place = place(name)?;
        let was_there = self.journal.names(PLACE).await?.contains(&place);
        self.journal.store(&place, None).await?;
        Ok(was_there)
    }

    /// Who has this name; none where it is nobody's, or no name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn find(&self, name: &str) -> Result<Option<Person>, JournalError> {
        let Ok(place) = place(name) else {
            return Ok(None);
        };
        let person = self.read(&place).await?;
        Ok(person.filter(|person| person.name == name))
    }

    /// Whether this person has not been removed since.
    pub(crate) async fn is_here(&self, person: &Person) -> Result<bool, JournalError> {
        Ok(self.find(&person.name).await?.as_ref() == Some(person))
    }

    async fn read(&self, place: &str) -> Result<Option<Person>, JournalError> {
        let Some(bytes) = self.journal.load(place).await? else {
            return Ok(None);
        };
        serde_json::from_slice(&bytes).map_err(unreadable)
    }
}

fn unreadable(error: serde_json::Error) -> JournalError {
    JournalError::read("what is stored of a person is damaged: remove them and add them again")
        .with_source(error)
}

/// Where the person of this name is.
fn place(name: &str) -> Result<String, PersonError> {
    if !fits(name) {
        return Err(PersonError::Name(name.to_owned()));
    }
    Ok(format!("{PLACE}/{name}"))
}

/// Whether this can be a name: no two that look alike, and nothing that a header, a key or a file name could not hold.
fn fits(name: &str) -> bool {
    let letter = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = name.as_bytes();
    name.len() <= LONGEST_NAME
        && bytes.first().is_some_and(letter)
        && bytes.last().is_some_and(letter)
        && bytes
            .iter()
            .all(|byte| letter(byte) || b"._-@".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::{May, TokenError, Tokens};

    async fn journal() -> Arc<dyn JournalEngine> {
        holdpoint::journal::open("memory:").await.unwrap()
    }

    #[tokio::test]
    async fn somebody_is_known_until_they_are_removed() {
        let people = People::new(journal().await);
        let ann = people.add("ann").await.unwrap();
        people.add("bob@example.com").await.unwrap();
        assert_eq!(people.find("ann").await.unwrap().as_ref(), Some(&ann));
        let again = people.add("ann").await;
        assert!(matches!(again, Err(PersonError::Taken(_))));
        let names: Vec<_> = people.list().await.unwrap();
        let names: Vec<_> = names.iter().map(|person| person.name.as_str()).collect();
        assert_eq!(names, ["ann", "bob@example.com"]);
        assert!(people.remove("ann").await.unwrap());
        assert!(!people.remove("ann").await.unwrap());
        assert_eq!(people.find("ann").await.unwrap(), None);
        let other = people.add("ann").await.unwrap();
        assert_ne!(other.number, ann.number, "another ann");
        assert!(!people.is_here(&ann).await.unwrap());
    }

    #[tokio::test]
    async fn names_that_could_be_taken_for_others_are_refused() {
        let people = People::new(journal().await);
        let long = "x".repeat(65);
        for name in [
            "",
            "Ann",
            "ANN",
            "ann ",
            " ann",
            "ann\n",
            "ann\r\nx-a: b",
            "аnn",
            "ann\u{301}",
            "a\u{200b}nn",
            "ａｎｎ",
            "ann~bob",
            "ann.",
            ".ann",
            "../ann",
            "ann/bob",
            "a\0b",
            "ann#",
            "ann;",
            &long,
        ] {
            let added = people.add(name).await;
            assert!(matches!(added, Err(PersonError::Name(_))), "{name:?}");
            assert_eq!(people.find(name).await.unwrap(), None, "{name:?}");
        }
    }

    #[tokio::test]
    async fn a_program_and_a_person_never_have_the_same_name() {
        let journal = journal().await;
        let (people, tokens) = (People::new(journal.clone()), Tokens::new(journal));
        people.add("ann").await.unwrap();
        let made = tokens.create("ann", &[May::Answer]).await;
        assert!(matches!(made, Err(TokenError::Person(_))));
        tokens.create("phone", &[May::Answer]).await.unwrap();
        let added = people.add("phone").await;
        assert!(matches!(added, Err(PersonError::Program(_))));
    }
}
