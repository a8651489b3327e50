//! Files that people give: kept with the journal, and read as files where the flow runs.
//!
//! Where the journal keeps its private values as files, the field of an answer names that file. Elsewhere it names
//! the value, and the process in which the flow gets the answer makes a file of it, for as long as it lives.

use super::{desk::Desk, picked_file::PickedFile};
use holdpoint_ask::{Answer, AskId, Digest, Form, Kind};
use holdpoint_journal::JournalError;
use serde_json::Value;
use std::path::PathBuf;
use uuid::Uuid;

/// What stands before the name of a private value where a path is expected.
const IN_VAULT: &str = "holdpoint:";
/// The most bytes of a file's own name in the name that it is kept under.
const LONGEST_NAME: usize = 200;

impl Desk {
    /// Keeps a file that a person gives for an ask, and gives the value for its field. The name is one that
    /// a file may have: letters, digits and a few signs.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use holdpoint::{AskId, Desk};
    ///
    /// let (desk, ask) = (Desk::open("memory:").await?, AskId::new());
    /// let file = desk.keep_file(ask, "plan.md", b"# Plan".to_vec()).await?;
    /// assert!(desk.is_kept(ask, &file).await?);
    /// assert!(!desk.is_kept(AskId::new(), &file).await?);
    /// assert_eq!(desk.count_files(ask).await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it cannot be kept.
    pub async fn keep_file(
        &self,
        ask: AskId,
        name: &str,
        bytes: Vec<u8>,
    ) -> Result<PickedFile, JournalError> {
        let short = &name[..name.floor_char_boundary(LONGEST_NAME)];
        let number = Uuid::now_v7().simple().to_string();
        let kept = format!("{}/{}-{short}", below(ask), &number[24..]);
        let kept = kept.trim_end_matches(['.', ' ']);
        let (size, sha256) = (bytes.len() as u64, Digest::hash_bytes(&bytes).to_string());
        if !self.journal().create(kept, bytes).await? {
            return Err(JournalError::write(format!("{kept} is there already")));
        }
        Ok(PickedFile {
            name: name.to_owned(),
            size,
            sha256,
            path: self.place(kept).await?,
        })
    }

    /// How many files are kept for an ask, also those that are in no answer.
    ///
    /// # Errors
    /// When that cannot be read.
    pub async fn count_files(&self, ask: AskId) -> Result<usize, JournalError> {
        Ok(self.journal().names(&below(ask)).await?.len())
    }

    /// Whether this is a file that was kept for this ask, unchanged.
    ///
    /// # Errors
    /// When what is kept cannot be read.
    pub async fn is_kept(&self, ask: AskId, file: &PickedFile) -> Result<bool, JournalError> {
        let Some(last) = file.path.file_name().and_then(|last| last.to_str()) else {
            return Ok(false);
        };
        let kept = format!("{}/{last}", below(ask));
        // A name that nothing can be kept under is none of ours.
        if self.place(&kept).await.ok().as_ref() != Some(&file.path) {
            return Ok(false);
        }
        let bytes = self.journal().load(&kept).await?;
        Ok(bytes.is_some_and(|bytes| is_it(file, &bytes)))
    }

    /// Puts paths of this machine into an answer for the files that are in no folder.
    pub(crate) async fn fetch_files(
        &self,
        ask: AskId,
        form: &Form,
        answer: &mut Answer,
    ) -> Result<(), JournalError> {
        let fields = form.fields.iter();
        for field in fields.filter(|field| matches!(field.kind, Kind::File(_))) {
            let Some(value) = answer.get_mut(&field.name) else {
                continue;
            };
            let Ok(file) = serde_json::from_value::<PickedFile>(value.clone()) else {
                continue;
            };
            let kept = file
                .path
                .to_str()
                .and_then(|path| path.strip_prefix(IN_VAULT));
            if let Some(kept) = kept {
                let path = self.fetch(ask, kept, &file).await?;
                value["path"] = Value::String(path.to_string_lossy().into_owned());
            }
        }
        Ok(())
    }

    async fn fetch(
        &self,
        ask: AskId,
        kept: &str,
        file: &PickedFile,
    ) -> Result<PathBuf, JournalError> {
        let gone = || {
            let what = format!(
                "the file {:?} that a person gave is missing or was changed",
                file.name
            );
            JournalError::damaged(what)
        };
        let last = kept
            .strip_prefix(&below(ask))
            .and_then(|rest| rest.strip_prefix('/'));
        let last = last.ok_or_else(gone)?;
        let bytes = self.journal().load(kept).await?;
        let bytes = bytes.filter(|bytes| is_it(file, bytes)).ok_or_else(gone)?;
        let made = self.inner.fetched.write(&ask.to_string(), last, &bytes);
        made.map_err(|error| {
            JournalError::read("a file that a person gave cannot be written here")
                .with_source(error)
        })
    }

    /// Where the private value of this name is said to be.
    async fn place(&self, kept: &str) -> Result<PathBuf, JournalError> {
        let file = self.journal().file(kept).await?;
        Ok(file.unwrap_or_else(|| format!("{IN_VAULT}{kept}").into()))
    }
}

fn below(ask: AskId) -> String {
    format!("files/{ask}")
}

fn is_it(file: &PickedFile, bytes: &[u8]) -> bool {
    bytes.len() as u64 == file.size && Digest::hash_bytes(bytes).to_string() == file.sha256
}
