//! Serves one page for each journal: the first process hosts it, the others share it, and when its
//! process ends, for whatever reason, another takes over within seconds.
//!
//! Where the journal has one seat for the host, whoever has it hosts the page; the page's address is stored in the
//! vault. Elsewhere every process serves the page of its journal, unless one of the same journal has its port.

use crate::{
    Inbox, Keys, Page, health, http_server::HttpServer, public_address::PublicAddress,
    scripts::Scripts, server::Site, tls::Tls,
};
use holdpoint::{
    Desk,
    journal::{JournalError, PageSeat, Seat, Vault, Watcher},
    store_page_address, stored_page_address,
};
use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Duration,
};
use tokio::{
    net::TcpListener,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

/// Where the page listens by default.
pub const DEFAULT_ADDRESS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 4653);

/// How often a process that does not host the page checks whether it should, while nothing happens.
const CHECK_INTERVAL: Duration = Duration::from_secs(10);
/// How long after anything was committed, or another process has ended, it does so: by then who ended has let
/// go of all that it had, and while much is committed this is how often it checks.
const CHECK_AFTER: Duration = Duration::from_secs(1);
/// How many ports after the configured one are tried.
const NEXT_PORTS: u16 = 20;

/// How the page is to be served.
#[derive(Debug, Clone)]
pub struct PageConfig {
    /// Where it listens; on the next free port where another program has this one.
    pub address: SocketAddr,
    /// The certificate and key for TLS.
    pub tls: Option<Tls>,
    /// The one address under which people know it, where a proxy stands before it.
    pub public: Option<PublicAddress>,
    /// Connections are taken from these only; from everybody where there are none.
    pub only_from: Vec<IpAddr>,
    /// The scripts that people can run on it.
    pub scripts: Option<Arc<dyn Scripts>>,
}

impl PageConfig {
    /// A page at this address, without TLS or scripts.
    pub fn at(address: SocketAddr) -> Self {
        Self {
            address,
            tls: None,
            public: None,
            only_from: Vec::new(),
            scripts: None,
        }
    }
}

/// Why the page can be neither hosted nor shared.
#[derive(Debug, thiserror::Error)]
pub enum PageHostError {
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// No port is free.
    #[error(
        "the page cannot listen on {address} or on one of the next ports: choose another address with --inbox, or use `--inbox off`"
    )]
    Listen {
        /// The configured address.
        address: SocketAddr,
        /// What is wrong.
        source: io::Error,
    },
}

/// Hosts the page over this desk, or finds out who does, and goes on doing so in the background
/// until `stop` fires. When it returns, the inbox knows where the page is.
///
/// # Errors
/// When the page can be neither hosted nor shared.
pub async fn host(
    desk: Desk,
    inbox: Inbox,
    config: PageConfig,
    stop: CancellationToken,
) -> Result<(), PageHostError> {
    let scripts = config.scripts.clone();
    let page = Page::with_scripts(desk.clone(), inbox.clone(), scripts, stop.clone()).await?;
    let mut host = PageHost {
        keys: page.keys().clone(),
        desk,
        inbox,
        page,
        config,
        stop,
    };
    let hosted = host.host_or_share().await?;
    tokio::spawn(async move { host.run(hosted).await });
    Ok(())
}

/// Finds the address of the page over this journal, if somebody hosts it now.
///
/// # Errors
/// When what is stored beside the journal cannot be read.
pub async fn find(journal: &dyn Vault) -> Result<Option<String>, JournalError> {
    let keys = Keys::open(journal).await?;
    let Some(address) = stored_page_address(journal).await? else {
        return Ok(None);
    };
    let is_alive = match parse_site(&address) {
        // A page with TLS is not asked: its certificate may be for another name.
        Some(site) if site.tls => true,
        Some(site) => health::is_ours(site.address, &keys).await,
        // A public address: a proxy is there, whether or not anybody is behind it.
        None => address.parse::<PublicAddress>().is_ok(),
    };
    Ok(is_alive.then_some(address))
}

struct PageHost {
    desk: Desk,
    inbox: Inbox,
    page: Arc<Page>,
    keys: Keys,
    config: PageConfig,
    stop: CancellationToken,
}

/// A page that this process hosts, the seat for it, and that it watches the journal.
struct Hosted {
    task: tokio::task::JoinHandle<()>,
    _watcher: Watcher,
    _seat: Option<Seat>,
}

impl PageHost {
    async fn run(&mut self, mut hosted: Option<Hosted>) {
        let mut commits = self.desk.journal().commits();
        loop {
            let ended = async {
                match &mut hosted {
                    Some(hosted) => drop((&mut hosted.task).await),
                    None => {
                        if timeout(CHECK_INTERVAL, commits.changed()).await.is_ok() {
                            sleep(CHECK_AFTER).await;
                            commits.mark_unchanged();
                        }
                    }
                }
            };
            tokio::select! {
                () = self.stop.cancelled() => break,
                () = ended => {}
            }
            hosted = match self.host_or_share().await {
                Ok(hosted) => hosted,
                Err(error) => {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the page cannot be served"
                    );
                    sleep(CHECK_AFTER).await;
                    None
                }
            };
        }
        // The seat is held until the last request is answered.
        if let Some(hosted) = hosted {
            let _ = hosted.task.await;
        }
    }

    /// Hosts the page if nobody else does; otherwise learns where it is.
    async fn host_or_share(&mut self) -> Result<Option<Hosted>, PageHostError> {
        let journal = self.desk.journal();
        let seat = match journal.page_seat().await? {
            PageSeat::Ours(seat) => Some(seat),
            PageSeat::Free => None,
            PageSeat::Taken => {
                if let Some(address) = stored_page_address(journal.as_ref()).await? {
                    self.inbox.set_address(address);
                }
                return Ok(None);
            }
        };
        let before = stored_page_address(journal.as_ref()).await?;
        let before = before.as_deref().and_then(parse_site);
        let Some(listener) = self.listen(before).await? else {
            return Ok(None);
        };
        let site = Site {
            address: listener
                .local_addr()
                .map_err(|source| self.refused(source))?,
            tls: self.config.tls.is_some(),
            public: self.config.public.clone(),
        };
        let address = site.url();
        store_page_address(journal.as_ref(), &address).await?;
        let watcher = journal.watch().await?;
        tracing::info!(address, "the inbox page is served");
        self.inbox.set_address(address);
        let page = self.page.clone();
        let server = HttpServer {
            tls: self.config.tls.clone(),
            only_from: self.config.only_from.clone(),
            ..HttpServer::default()
        };
        let task = tokio::spawn(page.serve(server, listener, site));
        Ok(Some(Hosted {
            task,
            _watcher: watcher,
            _seat: seat,
        }))
    }

    /// Listens where the page was before, so that open tabs find it again; else at the configured
    /// address; else on the next free port. None where Holdpoint hosts this journal there already.
    async fn listen(&self, before: Option<Site>) -> Result<Option<TcpListener>, PageHostError> {
        let wanted = self.config.address;
        let near = |port: u16| {
            let (first, last) = (wanted.port(), wanted.port().saturating_add(NEXT_PORTS));
            first == 0 || (first..=last).contains(&port)
        };
        let before = before
            .map(|site| site.address)
            .filter(|address| address.ip() == wanted.ip() && near(address.port()));
        let next = (1..=NEXT_PORTS).filter_map(|more| wanted.port().checked_add(more));
        let next = next.filter(|_| wanted.port() != 0);
        let next = next.map(|port| SocketAddr::new(wanted.ip(), port));
        let mut refused = None;
        for address in before.into_iter().chain([wanted]).chain(next) {
            match TcpListener::bind(address).await {
                Ok(listener) => return Ok(Some(listener)),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                    if health::is_ours(address, &self.keys).await {
                        let site = Site {
                            address,
                            tls: self.config.tls.is_some(),
                            public: self.config.public.clone(),
                        };
                        self.inbox.set_address(site.url());
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

    fn refused(&self, source: io::Error) -> PageHostError {
        let address = self.config.address;
        PageHostError::Listen { address, source }
    }
}

fn parse_site(address: &str) -> Option<Site> {
    let (scheme, address) = address.split_once("://")?;
    Some(Site {
        address: address.parse().ok()?,
        tls: scheme == "https",
        public: None,
    })
}
