//! The realms of one file that take new calls.

use super::{Limits, ScriptError, realm::Realm};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// How many realms wait for new calls.
const OPEN: usize = 4;

/// The realms of one file.
#[derive(Default)]
pub(crate) struct Pool(Mutex<Vec<Arc<Realm>>>);

impl Pool {
    /// A realm for a new call, and its turn; a new one where the others are at work.
    pub(super) fn take(
        &self,
        file: &str,
        limits: Limits,
    ) -> Result<(Arc<Realm>, OwnedMutexGuard<()>), ScriptError> {
        if let Some(found) = self.free() {
            return Ok(found);
        }
        let realm = Arc::new(Realm::new(file, limits)?);
        let turn = Arc::clone(&realm.turn).blocking_lock_owned();
        let mut open = self.lock();
        if open.len() < OPEN {
            open.push(Arc::clone(&realm));
        }
        Ok((realm, turn))
    }

    fn free(&self) -> Option<(Arc<Realm>, OwnedMutexGuard<()>)> {
        let mut open = self.lock();
        open.retain(|realm| realm.roomy());
        open.iter().find_map(|realm| {
            let turn = Arc::clone(&realm.turn).try_lock_owned().ok()?;
            Some((Arc::clone(realm), turn))
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Realm>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for Pool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pool({} open)", self.lock().len())
    }
}
