//! Changes of a folder of scripts, whoever makes them.

use super::Loaded;
use notify::{Config, Event, EventKind, PollWatcher, RecursiveMode, Watcher};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::{
    sync::{
        mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel},
        watch,
    },
    task::{JoinHandle, spawn_blocking},
    time::sleep,
};

/// How long the folder must be quiet: an editor writes a file in several steps.
const QUIET: Duration = Duration::from_millis(60);

/// How often the folder is looked at where the system does not tell, or where it is not there yet.
const LOOK: Duration = Duration::from_millis(500);

/// Loads the folder and keeps what was loaded up to date.
pub(super) async fn keep(folder: PathBuf) -> (watch::Receiver<Arc<Loaded>>, JoinHandle<()>) {
    let (hints, heard) = unbounded_channel();
    // Watched before it is read, so that nothing is missed in between.
    let mut watcher = FolderWatcher::new(folder.clone(), hints);
    watcher.listen();
    let first = load(&folder, Arc::default()).await;
    let (tell, told) = watch::channel(first);
    (told, tokio::spawn(follow(folder, watcher, heard, tell)))
}

async fn follow(
    folder: PathBuf,
    mut watcher: FolderWatcher,
    mut heard: UnboundedReceiver<()>,
    tell: watch::Sender<Arc<Loaded>>,
) {
    loop {
        match watcher.hears() {
            true if heard.recv().await.is_none() => return,
            true => {}
            false => sleep(LOOK).await,
        }
        loop {
            sleep(QUIET).await;
            if heard.try_recv().is_err() {
                break;
            }
            while heard.try_recv().is_ok() {}
        }
        // Another folder may have the name now.
        watcher.listen();
        let before = Arc::clone(&tell.borrow());
        let after = load(&folder, Arc::clone(&before)).await;
        if !after.same(&before) {
            tell.send_replace(after);
        }
    }
}

/// What hears of changes.
struct FolderWatcher {
    folder: PathBuf,
    hints: UnboundedSender<()>,
    watcher: Option<Box<dyn Watcher + Send>>,
}

impl FolderWatcher {
    fn new(folder: PathBuf, hints: UnboundedSender<()>) -> Self {
        Self {
            folder,
            hints,
            watcher: None,
        }
    }

    /// Whether changes are told; else the folder must be looked at.
    fn hears(&self) -> bool {
        self.watcher.is_some() && self.folder.is_dir()
    }

    fn listen(&mut self) {
        self.watcher = None;
        if self.folder.is_dir() {
            self.watcher =
                system(&self.folder, &self.hints).or_else(|| polls(&self.folder, &self.hints));
        }
    }
}

async fn load(folder: &Path, before: Arc<Loaded>) -> Arc<Loaded> {
    let folder = folder.to_owned();
    let kept = Arc::clone(&before);
    let loaded = spawn_blocking(move || Arc::new(Loaded::read(&folder, &before))).await;
    loaded.unwrap_or(kept)
}

/// The system's own watch.
fn system(folder: &Path, hints: &UnboundedSender<()>) -> Option<Box<dyn Watcher + Send>> {
    let told = hints.clone();
    let mut watcher = notify::recommended_watcher(move |event| hint(&told, event)).ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(Box::new(watcher))
}

/// The system's watches can run out: an editor may hold thousands.
fn polls(folder: &Path, hints: &UnboundedSender<()>) -> Option<Box<dyn Watcher + Send>> {
    let told = hints.clone();
    let config = Config::default().with_poll_interval(LOOK);
    let mut watcher = PollWatcher::new(move |event| hint(&told, event), config).ok()?;
    watcher.watch(folder, RecursiveMode::NonRecursive).ok()?;
    Some(Box::new(watcher))
}

fn hint(hints: &UnboundedSender<()>, event: notify::Result<Event>) {
    // Only looked at.
    if !matches!(event.map(|event| event.kind), Ok(EventKind::Access(_))) {
        let _ = hints.send(());
    }
}
