//! Keys, private values and parcels: in folders beside the file, or in memory.

use super::{SqliteJournal, Storage, file, only_looked_at, query};
use crate::{JournalError, Vault, key_file, rules::check_name, sidecar_files::SidecarFiles};
use futures::future::{BoxFuture, FutureExt, ready};
use holdpoint_ask::AskId;
use std::path::PathBuf;

impl Vault for SqliteJournal {
    fn key(&self, name: &str) -> BoxFuture<'_, Result<[u8; 32], JournalError>> {
        match &self.storage {
            Storage::Memory(memory) => ready(memory.key(name)).boxed(),
            Storage::ReadOnly(looked) => {
                let keys = file::beside(looked.journal.path(), "keys");
                ready(key_file::read_existing(&keys, name)).boxed()
            }
            Storage::File(file) => {
                let (folder, name) = (file::beside(&file.path, "keys"), name.to_owned());
                self.read(move |_| key_file::read_or_make(&folder, &name))
            }
        }
    }

    fn load(&self, name: &str) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        let name = name.to_owned();
        match &self.storage {
            Storage::Memory(memory) => ready(memory.load(&name)).boxed(),
            Storage::ReadOnly(looked) => {
                ready(SidecarFiles::new(looked.journal.path()).read(&name)).boxed()
            }
            Storage::File(file) => {
                let files = SidecarFiles::new(&file.path);
                self.read(move |_| files.read(&name))
            }
        }
    }

    fn store(&self, name: &str, value: Option<Vec<u8>>) -> BoxFuture<'_, Result<(), JournalError>> {
        match &self.storage {
            Storage::Memory(memory) => ready(memory.store(name, value)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
            Storage::File(file) => {
                let (files, name) = (SidecarFiles::new(&file.path), name.to_owned());
                self.read(move |_| files.write(&name, value.as_deref()))
            }
        }
    }

    fn create(&self, name: &str, value: Vec<u8>) -> BoxFuture<'_, Result<bool, JournalError>> {
        match &self.storage {
            Storage::Memory(memory) => ready(memory.create(name, value)).boxed(),
            Storage::ReadOnly(_) => ready(Err(only_looked_at())).boxed(),
            Storage::File(file) => {
                let (files, name) = (SidecarFiles::new(&file.path), name.to_owned());
                self.read(move |_| files.create(&name, &value))
            }
        }
    }

    fn names(&self, below: &str) -> BoxFuture<'_, Result<Vec<String>, JournalError>> {
        let below = below.to_owned();
        match &self.storage {
            Storage::Memory(memory) => ready(memory.names(&below)).boxed(),
            Storage::ReadOnly(looked) => {
                ready(SidecarFiles::new(looked.journal.path()).names(&below)).boxed()
            }
            Storage::File(file) => {
                let files = SidecarFiles::new(&file.path);
                self.read(move |_| files.names(&below))
            }
        }
    }

    fn file(&self, name: &str) -> BoxFuture<'_, Result<Option<PathBuf>, JournalError>> {
        let path = match self.path() {
            Some(path) => SidecarFiles::new(&path).path(name).map(Some),
            None => check_name(name).map(|()| None),
        };
        ready(path).boxed()
    }

    fn parcel(&self, ask: AskId) -> BoxFuture<'_, Result<Option<Vec<u8>>, JournalError>> {
        self.read(move |conn| query::parcel(conn, ask))
    }
}
