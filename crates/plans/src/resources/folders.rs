//! Folders whose changes are heard of, whoever makes them.

use notify::{Config, Event, EventKind, PollWatcher, RecursiveMode, Watcher, event::ModifyKind};
use std::{collections::BTreeSet, path::PathBuf, time::Duration};
use tokio::sync::mpsc::UnboundedSender;

/// How often folders are looked at where the system does not tell.
const LOOK: Duration = Duration::from_millis(100);

/// Something may have changed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hint {
    /// A name came or went: the folders that were watched may be others now.
    pub names: bool,
}

/// The folders that are watched.
pub(super) struct Folders {
    watcher: Option<Box<dyn Watcher + Send>>,
    polls: bool,
    watched: BTreeSet<PathBuf>,
    hints: UnboundedSender<Hint>,
}

impl Folders {
    pub fn new(hints: UnboundedSender<Hint>) -> Self {
        let told = hints.clone();
        let watcher = notify::recommended_watcher(move |event| tell(&told, event));
        let watcher = watcher.map(|watcher| Box::new(watcher) as Box<dyn Watcher + Send>);
        let mut folders = Self {
            watcher: watcher.ok(),
            polls: false,
            watched: BTreeSet::new(),
            hints,
        };
        if folders.watcher.is_none() {
            folders.poll();
        }
        folders
    }

    /// Watches these folders, as far as they are there; `anew` also those that were watched before,
    /// since another folder may have that name now.
    pub fn watch(&mut self, wanted: &BTreeSet<PathBuf>, anew: bool) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        for folder in &self.watched {
            if anew || !wanted.contains(folder) {
                let _ = watcher.unwatch(folder);
            }
        }
        if anew {
            self.watched.clear();
        }
        self.watched.retain(|folder| wanted.contains(folder));
        let mut failed = false;
        for folder in wanted {
            if self.watched.contains(folder) || !folder.is_dir() {
                continue;
            }
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(folder.clone())),
                Err(error) => {
                    tracing::warn!(%error, folder = %folder.display(), "cannot watch; looking at it instead");
                    failed = true;
                }
            }
        }
        // The system's watches can run out: an editor may hold thousands.
        if failed && !self.polls {
            self.poll();
            self.watch(wanted, false);
        }
    }

    fn poll(&mut self) {
        let told = self.hints.clone();
        let config = Config::default().with_poll_interval(LOOK);
        let watcher = PollWatcher::new(move |event| tell(&told, event), config);
        self.watcher = watcher.ok().map(|watcher| Box::new(watcher) as _);
        (self.polls, self.watched) = (true, BTreeSet::new());
    }
}

fn tell(hints: &UnboundedSender<Hint>, event: notify::Result<Event>) {
    let names = match event.map(|event| event.kind) {
        // Only looked at.
        Ok(EventKind::Access(_)) => return,
        Ok(EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))) => false,
        Ok(_) | Err(_) => true,
    };
    let _ = hints.send(Hint { names });
}
