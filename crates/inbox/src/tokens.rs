//! Tokens: what a program shows so that it may ask, or answer, in its own name.
//!
//! Each is a private value of the journal, named after its token. It holds a hash: the token itself is shown once,
//! when it is made. Every process that has the journal knows it. That one was made, and revoked, is on record.

use crate::keys::same;
use holdpoint::{
    Digest, Origin,
    journal::{EventKind, JournalEngine, JournalError, Write},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{io, sync::Arc};

/// Below which name in the vault they are.
const PLACE: &str = "tokens";

/// How a token begins, so that people and scanners of leaked secrets recognise it.
const PREFIX: &str = "holdpoint";
/// The most characters of a name.
const LONGEST_NAME: usize = 32;

/// What a token's holder may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum May {
    /// Ask, over MCP by HTTP and through the page's API, and read what became of that.
    Ask,
    /// See open asks and answer those that are not dangerous.
    Answer,
}

impl May {
    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ask => "ask",
            Self::Answer => "answer",
        }
    }
}

/// A token, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// In whose name its holder speaks.
    pub name: String,
    /// What they may do.
    pub may: Vec<May>,
    /// When it was made.
    pub created_at: Timestamp,
    hash: String,
}

impl Token {
    /// The principal of what its holder does.
    pub fn principal(&self) -> String {
        format!("{}{}", Origin::TOKEN, self.name)
    }
}

/// Why tokens cannot be used, or one cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The name does not fit.
    #[error(
        "`{0}` cannot be a token's name: use up to {LONGEST_NAME} small letters, digits and hyphens"
    )]
    Name(String),
    /// There is one of this name.
    #[error("there is a token `{0}` already: revoke it first, or choose another name")]
    Taken(String),
    /// A person has this name.
    #[error(
        "there is a person `{0}`: what this token answers could be taken for theirs. Choose another name"
    )]
    Person(String),
    /// The system has no randomness.
    #[error("no token can be made")]
    Random(#[source] io::Error),
    /// The tokens cannot be read or written.
    #[error("the tokens cannot be used")]
    Journal(#[from] JournalError),
}

/// The tokens of one journal.
#[derive(Debug, Clone)]
pub struct Tokens {
    journal: Arc<dyn JournalEngine>,
    /// Who makes and revokes them.
    by: Option<String>,
}

impl Tokens {
    /// The tokens of this journal.
    pub fn new(journal: Arc<dyn JournalEngine>) -> Self {
        Self { journal, by: None }
    }

    /// The tokens of this journal, which this person makes and revokes.
    pub fn made_by(mut self, person: impl Into<String>) -> Self {
        self.by = Some(person.into());
        self
    }

    /// Makes a token, and gives the only copy of it. That is on record before the token is good.
    ///
    /// # Errors
    /// When the name does not fit or is taken, or the token cannot be recorded or stored.
    pub async fn create(&self, name: &str, may: &[May]) -> Result<String, TokenError> {
        let place = place(name)?;
        if self
            .journal
            .load(&format!("people/{name}"))
            .await?
            .is_some()
        {
            return Err(TokenError::Person(name.to_owned()));
        }
        if self.journal.load(&place).await?.is_some() {
            return Err(TokenError::Taken(name.to_owned()));
        }
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| TokenError::Random(error.into()))?;
        let shown = format!("{PREFIX}_{name}_{}", Digest::from_bytes(secret));
        let mut may = may.to_vec();
        may.sort_unstable();
        may.dedup();
        let token = Token {
            name: name.to_owned(),
            may,
            created_at: Timestamp::now(),
            hash: Digest::hash_bytes(shown.as_bytes()).to_string(),
        };
        let bytes = serde_json::to_vec(&token).map_err(unreadable)?;
        let may: Vec<_> = token.may.iter().map(|may| may.as_str()).collect();
        let about = json!({ "name": name, "may": may, "by": self.by });
        self.note(EventKind::TokenMade, about).await?;
        if self.journal.create(&place, bytes).await? {
            Ok(shown)
        } else {
            Err(TokenError::Taken(name.to_owned()))
        }
    }

    /// All of them, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn list(&self) -> Result<Vec<Token>, TokenError> {
        let mut tokens = Vec::new();
        for place in self.journal.names(PLACE).await? {
            tokens.extend(self.read(&place).await?);
        }
        Ok(tokens)
    }

    /// Revokes a token, at once and in every process, also where its holder waits for an answer; false where there is
    /// none of this name.
    ///
    /// # Errors
    /// When it cannot be removed, and is good still, or that cannot be recorded.
    pub async fn revoke(&self, name: &str) -> Result<bool, TokenError> {
        let place = place(name)?;
        let was_there = self.journal.names(PLACE).await?.contains(&place);
        self.journal.store(&place, None).await?;
        if was_there {
            let about = json!({ "name": name, "by": self.by });
            self.note(EventKind::TokenRevoked, about).await?;
        }
        Ok(was_there)
    }

    async fn note(&self, kind: EventKind, body: Value) -> Result<(), JournalError> {
        let note = Write::Note {
            call: None,
            ask: None,
            kind,
            body,
            at: Timestamp::now(),
        };
        self.journal.commit(vec![note]).await.map(drop)
    }

    /// The token that this is, if it is one. What cannot be read is none.
    pub async fn find(&self, shown: &str) -> Option<Token> {
        let mut parts = shown.split('_');
        let (prefix, name) = (parts.next()?, parts.next()?);
        if prefix != PREFIX {
            return None;
        }
        let token = match self.read(&place(name).ok()?).await {
            Ok(token) => token?,
            Err(error) => {
                tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    token = name,
                    "a token was refused: it cannot be read"
                );
                return None;
            }
        };
        let hash = Digest::hash_bytes(shown.as_bytes()).to_string();
        (token.name == name && same(&token.hash, &hash)).then_some(token)
    }

    /// Whether this token has not been revoked since.
    pub(crate) async fn is_good(&self, token: &Token) -> Result<bool, JournalError> {
        let stored = self.read(&format!("{PLACE}/{}", token.name)).await?;
        Ok(stored.as_ref() == Some(token))
    }

    async fn read(&self, place: &str) -> Result<Option<Token>, JournalError> {
        let Some(bytes) = self.journal.load(place).await? else {
            return Ok(None);
        };
        serde_json::from_slice(&bytes).map_err(unreadable)
    }
}

fn unreadable(error: serde_json::Error) -> JournalError {
    JournalError::read("what is stored of a token is damaged: revoke it and make another")
        .with_source(error)
}

/// Where the token of this name is.
fn place(name: &str) -> Result<String, TokenError> {
    if !fits(name) {
        return Err(TokenError::Name(name.to_owned()));
    }
    Ok(format!("{PLACE}/{name}"))
}

/// Whether this can be a name: also of a file, and beside others in a token.
fn fits(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::PathBuf};

    /// Tokens, and where they lie as files: where older programs look for them.
    async fn tokens() -> (tempfile::TempDir, PathBuf, Tokens) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = holdpoint::journal::open(&format!("sqlite:{}", path.display())).await;
        let tokens = Tokens::new(journal.unwrap());
        (folder, path.with_file_name("journal.db-tokens"), tokens)
    }

    #[tokio::test]
    async fn a_token_is_known_by_its_hash_until_it_is_revoked() {
        let (_kept, folder, tokens) = tokens().await;
        let shown = tokens.create("phone", &[May::Answer]).await.unwrap();
        let found = tokens.find(&shown).await.unwrap();
        assert_eq!(found.principal(), "token:phone");
        assert_eq!(found.may, [May::Answer]);
        let stored = fs::read_to_string(folder.join("phone")).unwrap();
        let secret = shown.rsplit('_').next().unwrap();
        assert!(!stored.contains(secret), "{stored}");
        let again = tokens.create("phone", &[May::Ask]).await;
        assert!(matches!(again, Err(TokenError::Taken(_))));
        assert_eq!(tokens.list().await.unwrap(), [found]);
        assert!(tokens.revoke("phone").await.unwrap());
        assert!(!tokens.revoke("phone").await.unwrap());
        assert_eq!(tokens.find(&shown).await, None);
        assert_eq!(tokens.list().await.unwrap(), []);
    }

    #[tokio::test]
    async fn that_a_token_was_made_and_revoked_is_on_record_without_it() {
        let (_kept, _folder, tokens) = tokens().await;
        let tokens = tokens.made_by("ann");
        let may = [May::Answer, May::Ask, May::Ask];
        let shown = tokens.create("phone", &may).await.unwrap();
        tokens.create("phone", &may).await.unwrap_err();
        tokens.revoke("phone").await.unwrap();
        tokens.revoke("phone").await.unwrap();
        let events = tokens.journal.events(0, 9).await.unwrap();
        let said: Vec<_> = events
            .iter()
            .map(|event| (event.kind, &event.body))
            .collect();
        let made = json!({ "name": "phone", "may": ["ask", "answer"], "by": "ann" });
        let revoked = json!({ "name": "phone", "by": "ann" });
        let kinds = [EventKind::TokenMade, EventKind::TokenRevoked];
        assert_eq!(said, [(kinds[0], &made), (kinds[1], &revoked)]);
        assert!(!format!("{events:?}").contains(shown.rsplit('_').next().unwrap()));
        assert!(tokens.journal.verify().await.unwrap().flaws.is_empty());
    }

    #[tokio::test]
    async fn what_is_not_the_token_is_none() {
        let (_kept, folder, tokens) = tokens().await;
        let shown = tokens.create("ci", &[May::Ask]).await.unwrap();
        let other = tokens.create("ci-2", &[May::Ask]).await.unwrap();
        let secret = shown.rsplit('_').next().unwrap();
        let crossed = format!("holdpoint_ci-2_{secret}");
        for wrong in [
            "",
            "holdpoint",
            "holdpoint_ci",
            "holdpoint_ci_",
            "holdpoint_../ci_x",
            "holdpoint__x",
            &shown[..shown.len() - 1],
            &format!("{shown} "),
            &format!("{shown}_"),
            &crossed,
            &shown.replace("holdpoint", "other"),
        ] {
            assert_eq!(tokens.find(wrong).await, None, "{wrong}");
        }
        // A copy of one token's file under the name of another.
        fs::copy(folder.join("ci"), folder.join("ci-2")).unwrap();
        assert_eq!(tokens.find(&other).await, None);
        assert_eq!(tokens.find(&crossed).await, None);
    }

    #[tokio::test]
    async fn names_that_a_file_could_not_have() {
        let (_kept, _folder, tokens) = tokens().await;
        for name in ["", "../x", "a b", "A", "a_b", "ä", &"x".repeat(33)] {
            let made = tokens.create(name, &[May::Ask]).await;
            assert!(matches!(made, Err(TokenError::Name(_))), "{name}");
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_token_that_others_may_read_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let (_kept, folder, tokens) = tokens().await;
        let shown = tokens.create("ci", &[May::Ask]).await.unwrap();
        let path = folder.join("ci");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(tokens.find(&shown).await, None);
    }
}
