//! One page for each journal: the first process serves it, the others share it, and when its
//! process ends, however it does, another takes over within seconds.
//!
//! An operating-system lock in a folder beside the journal says who serves. The address lies there
//! too. A journal in no folder is nobody else's, and has a page of its own.

use crate::{
    Inbox, Keys, Page,
    health::health,
    scripts::Scripts,
    server::Site,
    tls::{Tls, TlsListener},
};
use holdpoint::{
    Desk,
    journal::{JournalError, Vault},
};
use holdpoint_workspace::{Access, FileLock, Folder};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Where the page is, unless something else is said.
pub const USUAL: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4653);

/// How often a process that does not serve the page looks whether it should.
const LOOK: Duration = Duration::from_secs(1);
/// How many ports behind the wanted one are tried.
const NEXT_PORTS: u16 = 20;
/// The file whose lock says who serves the page.
const LOCK: &str = "lock";
/// The name under which the page's address is kept beside the journal.
const ADDRESS: &str = "page-address";

/// How the page is to be served.
#[derive(Debug, Clone)]
pub struct Wanted {
    /// Where it is to listen; the next free port where another program has this one.
    pub address: SocketAddr,
    /// What it speaks TLS with.
    pub tls: Option<Tls>,
    /// The scripts that people can run on it.
    pub scripts: Option<Arc<dyn Scripts>>,
}

/// Why there can be no page.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The lock cannot be used.
    #[error("cannot use the page's lock at {place}")]
    Lock {
        /// Where it is.
        place: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// No port is free.
    #[error(
        "the page cannot listen on {address} or a port behind it: say another with --inbox, or `--inbox off`"
    )]
    Listen {
        /// What was wanted.
        address: SocketAddr,
        /// What is wrong.
        source: io::Error,
    },
}

/// Serves the page over this desk, or finds out who does, and goes on so until told to stop. When
/// it returns, the inbox knows where the page is.
///
/// # Errors
/// When the page can neither be served nor shared.
pub async fn keep(
    desk: Desk,
    inbox: Inbox,
    wanted: Wanted,
    stop: CancellationToken,
) -> Result<(), KeepError> {
    let folder = desk.journal().folder("page").await?;
    let scripts = wanted.scripts.clone();
    let page = Page::with_scripts(desk.clone(), inbox.clone(), scripts, stop.clone()).await?;
    let mut keeper = Keeper {
        keys: page.keys().clone(),
        folder,
        desk,
        inbox,
        page,
        wanted,
        stop,
    };
    let served = keeper.turn().await?;
    tokio::spawn(async move { keeper.run(served).await });
    Ok(())
}

/// Where the page over this journal is served now, if it is.
///
/// # Errors
/// When what is kept beside the journal cannot be read.
pub async fn find(journal: &dyn Vault) -> Result<Option<String>, JournalError> {
    let keys = Keys::of(journal).await?;
    let Some(address) = kept_address(journal).await? else {
        return Ok(None);
    };
    let lives = match site_of(&address) {
        // Whoever serves TLS is not asked: its certificate may be for another name.
        Some(site) if site.tls => true,
        Some(site) => health(site.address)
            .await
            .is_some_and(|it| it.journal == keys.journal()),
        None => false,
    };
    Ok(lives.then_some(address))
}

struct Keeper {
    desk: Desk,
    inbox: Inbox,
    page: Arc<Page>,
    keys: Keys,
    wanted: Wanted,
    /// Where the lock is; none where the journal is nobody else's.
    folder: Option<PathBuf>,
    stop: CancellationToken,
}

/// A page that is being served, and the lock that says so.
struct Serving {
    task: tokio::task::JoinHandle<io::Result<()>>,
    _lock: Option<FileLock>,
}

impl Keeper {
    async fn run(&mut self, mut serving: Option<Serving>) {
        loop {
            let ended = async {
                match &mut serving {
                    Some(serving) => drop((&mut serving.task).await),
                    None => tokio::time::sleep(LOOK).await,
                }
            };
            tokio::select! {
                () = self.stop.cancelled() => break,
                () = ended => {}
            }
            serving = match self.turn().await {
                Ok(serving) => serving,
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the page cannot be served"
                    );
                    tokio::time::sleep(LOOK).await;
                    None
                }
            };
        }
        // The lock is held until the last request is answered.
        if let Some(serving) = serving {
            let _ = serving.task.await;
        }
    }

    /// Serves the page if nobody else does; otherwise learns where it is.
    async fn turn(&mut self) -> Result<Option<Serving>, KeepError> {
        let lock = match &self.folder {
            None => None,
            Some(folder) => match take_lock(folder) {
                Ok(Some(lock)) => Some(lock),
                Ok(None) => {
                    if let Some(address) = kept_address(self.desk.journal().as_ref()).await? {
                        self.inbox.moved(address);
                    }
                    return Ok(None);
                }
                Err(source) => {
                    let place = folder.join(LOCK);
                    return Err(KeepError::Lock { place, source });
                }
            },
        };
        let before = kept_address(self.desk.journal().as_ref()).await?;
        let before = before.as_deref().and_then(site_of);
        let Some(listener) = self.listen(before).await? else {
            return Ok(None);
        };
        let site = Site {
            address: listener
                .local_addr()
                .map_err(|source| self.refused(source))?,
            tls: self.wanted.tls.is_some(),
        };
        let address = site.url();
        if self.folder.is_some() {
            let kept = Some(address.clone().into_bytes());
            self.desk.journal().store(ADDRESS, kept).await?;
        }
        tracing::info!(address, "the inbox page is served");
        self.inbox.moved(address);
        let page = self.page.clone();
        let task = match self.wanted.tls.clone() {
            None => tokio::spawn(page.serve(listener, site)),
            Some(tls) => tokio::spawn(page.serve(TlsListener::new(listener, tls), site)),
        };
        Ok(Some(Serving { task, _lock: lock }))
    }

    /// Listens where the page was before, so that open tabs find it again; else where it is
    /// wanted; else on the next free port. None where Holdpoint serves this journal there already.
    async fn listen(&self, before: Option<Site>) -> Result<Option<TcpListener>, KeepError> {
        let wanted = self.wanted.address;
        let near = |port: u16| {
            let (first, last) = (wanted.port(), wanted.port().saturating_add(NEXT_PORTS));
            first == 0 || (first..=last).contains(&port)
        };
        let before = before
            .map(|site| site.address)
            .filter(|it| it.ip() == wanted.ip() && near(it.port()));
        let next = (1..=NEXT_PORTS).filter_map(|more| wanted.port().checked_add(more));
        let next = next.filter(|_| wanted.port() != 0);
        let next = next.map(|port| SocketAddr::new(wanted.ip(), port));
        let mut refused = None;
        for address in before.into_iter().chain([wanted]).chain(next) {
            match TcpListener::bind(address).await {
                Ok(listener) => return Ok(Some(listener)),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    let there = health(address).await;
                    if self.folder.is_some()
                        && there.is_some_and(|it| it.journal == self.keys.journal())
                    {
                        let tls = self.wanted.tls.is_some();
                        self.inbox.moved(Site { address, tls }.url());
                        return Ok(None);
                    }
                    refused.get_or_insert(error);
                }
                Err(error) => return Err(self.refused(error)),
            }
        }
        let error = refused.unwrap_or_else(|| io::ErrorKind::AddrNotAvailable.into());
        Err(self.refused(error))
    }

    fn refused(&self, source: io::Error) -> KeepError {
        let address = self.wanted.address;
        KeepError::Listen { address, source }
    }
}

/// The lock, if nobody has it.
fn take_lock(folder: &Path) -> io::Result<Option<FileLock>> {
    FileLock::try_take(&Folder::open(folder)?, LOCK, Access::Private)
}

async fn kept_address(journal: &dyn Vault) -> Result<Option<String>, JournalError> {
    let kept = journal.load(ADDRESS).await?;
    Ok(kept.and_then(|bytes| String::from_utf8(bytes).ok()))
}

fn site_of(address: &str) -> Option<Site> {
    let (scheme, address) = address.split_once("://")?;
    Some(Site {
        address: address.parse().ok()?,
        tls: scheme == "https",
    })
}
