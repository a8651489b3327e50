//! Tokens: what a program shows so that it may ask, or answer, in its own name.
//!
//! Each is a private file beside the journal, named after its token. It holds a hash: the token itself is
//! shown once, when it is made.

use crate::keys::same;
use holdpoint::{
    Digest,
    journal::{JournalError, Vault},
};
use holdpoint_workspace::{Access, Folder, private};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::{fs, io, path::PathBuf};

/// How a token begins, so that people and scanners of leaked secrets recognise it.
const PREFIX: &str = "holdpoint";
/// The most characters of a name.
const LONGEST_NAME: usize = 32;

/// What a token's holder may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum May {
    /// Ask over MCP.
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
        format!("token:{}", self.name)
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
    /// A file cannot be used.
    #[error("the tokens in {} cannot be used", folder.display())]
    Io {
        /// Where.
        folder: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
}

/// The tokens of one journal.
#[derive(Debug, Clone)]
pub struct Tokens {
    folder: PathBuf,
}

impl Tokens {
    /// The tokens of this journal; none where it is not in a folder.
    ///
    /// # Errors
    /// When their folder cannot be made.
    pub async fn open(journal: &dyn Vault) -> Result<Option<Self>, JournalError> {
        let folder = journal.folder("tokens").await?;
        Ok(folder.map(|folder| Self { folder }))
    }

    /// Makes a token, and gives the only copy of it.
    ///
    /// # Errors
    /// When the name does not fit or is taken, or the token cannot be stored.
    pub fn create(&self, name: &str, may: &[May]) -> Result<String, TokenError> {
        if !fits(name) {
            return Err(TokenError::Name(name.to_owned()));
        }
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|error| self.unusable(error.into()))?;
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
        let stored = || {
            let bytes = serde_json::to_vec(&token)?;
            Folder::open(&self.folder)?.create_file(name, &bytes, Access::Private)
        };
        if stored().map_err(|source| self.unusable(source))? {
            Ok(shown)
        } else {
            Err(TokenError::Taken(name.to_owned()))
        }
    }

    /// All of them, by name.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn list(&self) -> Result<Vec<Token>, TokenError> {
        let names = || -> io::Result<Vec<String>> {
            let entries = fs::read_dir(&self.folder)?;
            entries
                .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
                .collect()
        };
        let mut names = names().map_err(|source| self.unusable(source))?;
        names.retain(|name| fits(name));
        names.sort_unstable();
        let tokens = names.iter().map(|name| self.read(name));
        let tokens: io::Result<Vec<_>> = tokens.collect();
        let tokens = tokens.map_err(|source| self.unusable(source))?;
        Ok(tokens.into_iter().flatten().collect())
    }

    /// Revokes a token, at once and in every process; false where there is none of this name.
    ///
    /// # Errors
    /// When it cannot be removed. It is good still.
    pub fn revoke(&self, name: &str) -> Result<bool, TokenError> {
        if !fits(name) {
            return Err(TokenError::Name(name.to_owned()));
        }
        let removed = Folder::open(&self.folder).and_then(|folder| folder.remove_file(name));
        removed.map_err(|source| self.unusable(source))
    }

    /// The token that this is, if it is one. What cannot be read is none.
    pub fn find(&self, shown: &str) -> Option<Token> {
        let mut parts = shown.split('_');
        let (prefix, name) = (parts.next()?, parts.next()?);
        if prefix != PREFIX || !fits(name) {
            return None;
        }
        let token = match self.read(name) {
            Ok(token) => token?,
            Err(error) => {
                tracing::warn!(%error, token = name, "a token was refused: it cannot be read");
                return None;
            }
        };
        let hash = Digest::hash_bytes(shown.as_bytes()).to_string();
        (token.name == name && same(&token.hash, &hash)).then_some(token)
    }

    fn read(&self, name: &str) -> io::Result<Option<Token>> {
        match private::read(&self.folder.join(name)) {
            Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn unusable(&self, source: io::Error) -> TokenError {
        let folder = self.folder.clone();
        TokenError::Io { folder, source }
    }
}

/// Whether this can be a name: also of a file, and beside others in a token.
fn fits(name: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !name.is_empty() && name.len() <= LONGEST_NAME && name.bytes().all(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens() -> (tempfile::TempDir, Tokens) {
        let folder = tempfile::tempdir().unwrap();
        let tokens = Tokens {
            folder: folder.path().to_owned(),
        };
        (folder, tokens)
    }

    #[test]
    fn a_token_is_known_by_its_hash_until_it_is_revoked() {
        let (folder, tokens) = tokens();
        let shown = tokens.create("phone", &[May::Answer]).unwrap();
        let found = tokens.find(&shown).unwrap();
        assert_eq!(found.principal(), "token:phone");
        assert_eq!(found.may, [May::Answer]);
        let stored = fs::read_to_string(folder.path().join("phone")).unwrap();
        let secret = shown.rsplit('_').next().unwrap();
        assert!(!stored.contains(secret), "{stored}");
        let again = tokens.create("phone", &[May::Ask]);
        assert!(matches!(again, Err(TokenError::Taken(_))));
        assert_eq!(tokens.list().unwrap(), [found]);
        assert!(tokens.revoke("phone").unwrap());
        assert!(!tokens.revoke("phone").unwrap());
        assert_eq!(tokens.find(&shown), None);
        assert_eq!(tokens.list().unwrap(), []);
    }

    #[test]
    fn what_is_not_the_token_is_none() {
        let (folder, tokens) = tokens();
        let shown = tokens.create("ci", &[May::Ask]).unwrap();
        let other = tokens.create("ci-2", &[May::Ask]).unwrap();
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
            assert_eq!(tokens.find(wrong), None, "{wrong}");
        }
        // A copy of one token's file under the name of another.
        fs::copy(folder.path().join("ci"), folder.path().join("ci-2")).unwrap();
        assert_eq!(tokens.find(&other), None);
        assert_eq!(tokens.find(&crossed), None);
    }

    #[test]
    fn names_that_a_file_could_not_have() {
        let (_folder, tokens) = tokens();
        for name in ["", "../x", "a b", "A", "a_b", "ä", &"x".repeat(33)] {
            let made = tokens.create(name, &[May::Ask]);
            assert!(matches!(made, Err(TokenError::Name(_))), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_token_that_others_may_read_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let (folder, tokens) = tokens();
        let shown = tokens.create("ci", &[May::Ask]).unwrap();
        let path = folder.path().join("ci");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(tokens.find(&shown), None);
    }
}
