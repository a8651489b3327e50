//! Changes of a folder of scripts, whoever makes them.

use super::Loaded;
use holdpoint_workspace::FolderWatcher;
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::{
    sync::watch,
    task::{JoinHandle, spawn_blocking},
    time::sleep,
};

/// How long the folder must be quiet: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(60);

/// How often the folder is looked at where the system does not tell, or where it is not there yet.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Loads the folder and keeps what was loaded up to date.
pub(super) async fn keep(folder: PathBuf) -> (watch::Receiver<Arc<Loaded>>, JoinHandle<()>) {
    // Watched before it is read, so that nothing is missed in between.
    let mut watcher = FolderWatcher::new(POLL_INTERVAL);
    watcher.watch(&[folder.clone()].into(), true);
    let first = load(&folder, Arc::default()).await;
    let (sender, receiver) = watch::channel(first);
    (receiver, tokio::spawn(follow(folder, watcher, sender)))
}

async fn follow(folder: PathBuf, mut watcher: FolderWatcher, loaded: watch::Sender<Arc<Loaded>>) {
    loop {
        if watcher.is_watching() {
            watcher.changed(QUIET).await;
        } else {
            sleep(POLL_INTERVAL).await;
        }
        // Another folder may have the name now.
        watcher.watch(&[folder.clone()].into(), true);
        let before = Arc::clone(&loaded.borrow());
        let after = load(&folder, Arc::clone(&before)).await;
        if !after.same(&before) {
            loaded.send_replace(after);
        }
    }
}

async fn load(folder: &Path, before: Arc<Loaded>) -> Arc<Loaded> {
    let folder = folder.to_owned();
    let unchanged = Arc::clone(&before);
    let loaded = spawn_blocking(move || Arc::new(Loaded::read(&folder, &before))).await;
    loaded.unwrap_or(unchanged)
}
