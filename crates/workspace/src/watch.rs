//! Folders whose changes are heard of, whoever makes them.

use notify::{Config, Event, EventKind, PollWatcher, RecursiveMode, Watcher, event::ModifyKind};
use std::{collections::BTreeSet, path::PathBuf, time::Duration};
use tokio::{
    sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
    time::{Instant, sleep_until},
};

/// Something may have changed in a folder. It is only a hint: who wants to know looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Change {
    /// A name came or went: what is watched may be another folder now.
    pub names: bool,
}

/// Watches folders, but not those in them. The system tells of changes; where it cannot, the folders
/// are looked at from time to time. While no folder is watched it costs nothing.
pub struct FolderWatcher {
    watcher: Option<Box<dyn Watcher + Send>>,
    poll_interval: Duration,
    polls: bool,
    watched: BTreeSet<PathBuf>,
    changes: UnboundedSender<Change>,
    changed: UnboundedReceiver<Change>,
    pending: Option<Pending>,
}

/// A change that is told of once the folders are quiet.
struct Pending {
    change: Change,
    until: Instant,
    pauses: u32,
}

/// A folder that never comes to rest is told of after so many pauses.
const MOST_PAUSES: u32 = 10;

impl FolderWatcher {
    /// Watches no folder yet. `poll_interval` is how often folders are looked at where the system
    /// does not tell.
    pub fn new(poll_interval: Duration) -> Self {
        let (changes, changed) = unbounded_channel();
        Self {
            watcher: None,
            poll_interval,
            polls: false,
            watched: BTreeSet::new(),
            changes,
            changed,
            pending: None,
        }
    }

    /// Watches these folders and no others, as far as they are there; `anew` also those that were
    /// watched before, since another folder may have that name now.
    pub fn watch(&mut self, wanted: &BTreeSet<PathBuf>, anew: bool) {
        self.watch_those_there(wanted, anew);
        // Nothing told of one that came before the folder that it is in was watched. Each time it is one more at least.
        for _ in wanted {
            let missed = |folder: &PathBuf| !self.watched.contains(folder) && folder.is_dir();
            if !wanted.iter().any(missed) {
                break;
            }
            self.watch_those_there(wanted, false);
        }
    }

    fn watch_those_there(&mut self, wanted: &BTreeSet<PathBuf>, anew: bool) {
        let there: BTreeSet<_> = wanted.iter().filter(|folder| folder.is_dir()).collect();
        if there.is_empty() {
            (self.watcher, self.watched) = (None, BTreeSet::new());
            return;
        }
        if self.watcher.is_none() {
            self.watcher = self.start();
        }
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        for folder in &self.watched {
            if anew || !there.contains(folder) {
                let _ = watcher.unwatch(folder);
            }
        }
        self.watched
            .retain(|folder| !anew && there.contains(folder));
        let mut failed = false;
        for folder in there {
            if self.watched.contains(folder) {
                continue;
            }
            match watcher.watch(folder, RecursiveMode::NonRecursive) {
                Ok(()) => drop(self.watched.insert(folder.clone())),
                Err(error) => {
                    tracing::warn!(%error, folder = %folder.display(), "cannot watch this folder; looking at it from time to time instead");
                    failed = true;
                }
            }
        }
        // The system's watches can run out: an editor may hold thousands.
        if failed && !self.polls {
            (self.polls, self.watcher, self.watched) = (true, None, BTreeSet::new());
            self.watch_those_there(wanted, false);
        }
    }

    /// Whether any folder is watched now.
    pub fn is_watching(&self) -> bool {
        self.watched.iter().any(|folder| folder.is_dir())
    }

    /// Waits for a change and then until the folders were quiet for so long: an editor makes several
    /// changes to save once. Who stops waiting and waits again misses nothing.
    pub async fn changed(&mut self, quiet: Duration) -> Change {
        if self.pending.is_none() {
            // It holds a sender itself, so there is always one to wait for.
            let change = self.changed.recv().await;
            self.pending = change.map(|change| Pending {
                change,
                until: Instant::now() + quiet,
                pauses: 1,
            });
        }
        while let Some(pending) = &mut self.pending {
            sleep_until(pending.until).await;
            let mut is_quiet = true;
            while let Ok(more) = self.changed.try_recv() {
                pending.change.names |= more.names;
                is_quiet = false;
            }
            if is_quiet || pending.pauses == MOST_PAUSES {
                let change = pending.change;
                self.pending = None;
                return change;
            }
            (pending.until, pending.pauses) = (Instant::now() + quiet, pending.pauses + 1);
        }
        std::future::pending().await
    }

    fn start(&self) -> Option<Box<dyn Watcher + Send>> {
        let heard = self.changes.clone();
        if !self.polls
            && let Ok(watcher) = notify::recommended_watcher(move |event| hear(&heard, event))
        {
            return Some(Box::new(watcher));
        }
        let heard = self.changes.clone();
        let config = Config::default().with_poll_interval(self.poll_interval);
        let watcher = PollWatcher::new(move |event| hear(&heard, event), config).ok()?;
        Some(Box::new(watcher))
    }
}

fn hear(changes: &UnboundedSender<Change>, event: notify::Result<Event>) {
    let names = match event.map(|event| event.kind) {
        // Only looked at.
        Ok(EventKind::Access(_)) => return,
        Ok(EventKind::Modify(ModifyKind::Data(_) | ModifyKind::Metadata(_))) => false,
        Ok(_) | Err(_) => true,
    };
    let _ = changes.send(Change { names });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use tokio::time::timeout;

    const QUIET: Duration = Duration::from_millis(20);

    async fn next(watcher: &mut FolderWatcher) -> Change {
        let changed = timeout(Duration::from_secs(20), watcher.changed(QUIET));
        changed.await.expect("a change is heard of")
    }

    async fn hears(mut watcher: FolderWatcher) {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        watcher.watch(&[folder.clone()].into(), false);
        assert!(!watcher.is_watching());
        fs::create_dir(&folder).unwrap();
        watcher.watch(&[folder.clone()].into(), true);
        assert!(watcher.is_watching());
        fs::write(folder.join("file"), "one").unwrap();
        assert!(next(&mut watcher).await.names);
        // Another folder of that name.
        fs::rename(&folder, root.path().join("old")).unwrap();
        fs::create_dir(&folder).unwrap();
        watcher.watch(&[folder.clone()].into(), true);
        fs::write(folder.join("file"), "two").unwrap();
        assert!(next(&mut watcher).await.names);
        watcher.watch(&BTreeSet::new(), false);
        assert!(!watcher.is_watching());
    }

    #[tokio::test]
    async fn the_system_tells_of_changes() {
        hears(FolderWatcher::new(QUIET)).await;
    }

    #[tokio::test]
    async fn folders_that_come_while_others_begin_to_be_watched_are_not_missed() {
        for _ in 0..200 {
            let root = tempfile::tempdir().unwrap();
            let inner = root.path().join("outer/inner");
            let wanted: BTreeSet<_> = inner.ancestors().take(3).map(PathBuf::from).collect();
            let mut watcher = FolderWatcher::new(QUIET);
            watcher.watch(&wanted, false);
            let path = inner.clone();
            let made = std::thread::spawn(move || fs::create_dir_all(path).unwrap());
            watcher.watch(&wanted, true);
            made.join().unwrap();
            let quiet = Duration::from_millis(1);
            while !watcher.watched.contains(&inner) {
                let heard = timeout(Duration::from_secs(20), watcher.changed(quiet)).await;
                heard.expect("the inner one is heard of");
                watcher.watch(&wanted, true);
            }
        }
    }

    #[tokio::test]
    async fn folders_are_looked_at_where_it_does_not() {
        let mut watcher = FolderWatcher::new(QUIET);
        watcher.polls = true;
        hears(watcher).await;
    }
}
