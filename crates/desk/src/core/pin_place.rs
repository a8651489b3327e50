//! Where a person's PIN is kept.

use super::desk::Desk;
use holdpoint_journal::{JournalEngine, JournalError};
use serde_json::Value;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::sync::OnceCell;

/// Where a person's PIN, and the tries to guess it, are recorded.
///
/// ```
/// # async fn open() -> Result<(), holdpoint::journal::JournalError> {
/// use holdpoint::{Desk, PinPlace, journal};
///
/// let own = PinPlace::File("/home/ann/.local/state/holdpoint/journal.db".into());
/// let journal = journal::open("sqlite:/srv/team.db").await?;
/// let desk = Desk::builder(journal).pin_place(own).build().await?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinPlace {
    /// With the desk's own journal: for a server that stands alone, and for tests.
    #[default]
    Journal,
    /// With the journal in this file, whatever journal the desk has: the person's own. It is made when
    /// a PIN is set.
    File(PathBuf),
}

impl PinPlace {
    /// Where the PIN of the person is who has this journal in their account, for a desk over the journal
    /// at this address: in theirs, whatever journal the desk has.
    ///
    /// ```
    /// use holdpoint::PinPlace;
    ///
    /// let own = "/home/ada/.local/state/holdpoint/journal.db";
    /// let place = |journal: &str| PinPlace::of_person(Some(own.into()), journal);
    /// assert_eq!(place("memory:"), PinPlace::File(own.into()));
    /// assert_eq!(place(&format!("sqlite:{own}")), PinPlace::Journal);
    /// ```
    pub fn of_person(account_journal: Option<PathBuf>, journal: &str) -> Self {
        let in_use = journal.strip_prefix("sqlite:").map(PathBuf::from);
        match account_journal {
            Some(account) if in_use.as_ref() != Some(&account) => Self::File(account),
            _ => Self::Journal,
        }
    }
}

/// A place, and its journal once it was opened.
#[derive(Debug, Default)]
pub(crate) struct PinJournal {
    place: PinPlace,
    opened: OnceCell<Arc<dyn JournalEngine>>,
}

/// A journal in which a PIN is.
#[derive(Debug, Clone)]
pub(crate) struct Keeper {
    pub journal: Arc<dyn JournalEngine>,
    /// Whether it is the desk's own, which has its asks.
    pub is_own: bool,
    /// Whose PIN it is; none where it is of whoever has no own.
    pub person: Option<String>,
}

impl Keeper {
    /// The same journal, for the PIN of this person.
    pub fn of(&self, person: &str) -> Self {
        Self {
            person: Some(person.to_owned()),
            ..self.clone()
        }
    }

    /// What is recorded about this PIN, with whose it is.
    pub fn named(&self, mut body: Value) -> Value {
        if let Some(person) = &self.person {
            body["person"] = person.as_str().into();
        }
        body
    }
}

impl Desk {
    /// The desk's own journal as a place of a PIN.
    pub(crate) fn own_keeper(&self) -> Keeper {
        Keeper {
            journal: self.journal().clone(),
            is_own: true,
            person: None,
        }
    }
}

impl PinJournal {
    pub fn new(place: PinPlace) -> Self {
        Self {
            place,
            opened: OnceCell::new(),
        }
    }

    /// Where a PIN can be, the place that counts first.
    pub async fn find(&self, desk: &Desk) -> Result<Vec<Keeper>, JournalError> {
        let own = desk.own_keeper();
        match &self.place {
            PinPlace::File(path) if self.opened.initialized() || was_used(path) => {
                Ok(vec![self.open(path).await?, own])
            }
            _ => Ok(vec![own]),
        }
    }

    /// Where a PIN is set.
    pub async fn make(&self, desk: &Desk) -> Result<Keeper, JournalError> {
        match &self.place {
            PinPlace::Journal => Ok(desk.own_keeper()),
            PinPlace::File(path) => self.open(path).await,
        }
    }

    async fn open(&self, path: &Path) -> Result<Keeper, JournalError> {
        let journal = self.opened.get_or_try_init(|| open_file(path)).await?;
        Ok(Keeper {
            journal: journal.clone(),
            is_own: false,
            person: None,
        })
    }
}

#[cfg(feature = "sqlite")]
async fn open_file(path: &Path) -> Result<Arc<dyn JournalEngine>, JournalError> {
    holdpoint_journal::open(&format!("sqlite:{}", path.display())).await
}

#[cfg(not(feature = "sqlite"))]
async fn open_file(path: &Path) -> Result<Arc<dyn JournalEngine>, JournalError> {
    let what =
        "the PIN is in a SQLite file, and this program was built without the feature `sqlite`";
    Err(JournalError::open(path.display().to_string(), what))
}

/// Whether anything is left of a journal in which a PIN may have been set. Without its file, what lies
/// beside it tells that one is missing.
fn was_used(path: &Path) -> bool {
    let mut beside = OsString::from(path);
    beside.push("-kept");
    [path, Path::new(&beside)].iter().any(|path| path.exists())
}
