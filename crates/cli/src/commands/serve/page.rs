//! The inbox page of this process, or the one that it shares.

use crate::{
    config::{Config, Inbox as Place},
    terminal::person,
};
use anyhow::{Context, bail};
use holdpoint::Desk;
use holdpoint_inbox::{
    Inbox, Keys,
    page_host::{self, DEFAULT_ADDRESS, PageConfig},
    qr_code,
    server::Site,
    tls::Tls,
};
use std::net::SocketAddr;
use tokio_util::sync::CancellationToken;

/// Where the page is to be, as the configuration says; none where it is off.
///
/// # Errors
/// When other machines would reach it without TLS, or its certificate cannot be used.
pub fn wanted(config: &Config) -> anyhow::Result<Option<PageConfig>> {
    let wanted = described(config)?;
    if let Some(PageConfig {
        address,
        tls: None,
        only_from,
        ..
    }) = &wanted
        && !address.ip().is_loopback()
        && only_from.is_empty()
    {
        bail!(
            "the inbox at {address} can be reached from other machines: give it a certificate with \
             --inbox-cert and --inbox-key, or name your TLS proxy with `behind_proxy` and the page's \
             address there with `inbox_url` in your own file"
        );
    }
    Ok(wanted)
}

/// Where the page is to be, whether or not it may be there; none where it is off.
///
/// # Errors
/// When its certificate cannot be used.
pub fn described(config: &Config) -> anyhow::Result<Option<PageConfig>> {
    let address = match config.inbox {
        Place::Off => return Ok(None),
        Place::Usual => DEFAULT_ADDRESS,
        Place::At(address) => address,
    };
    Ok(Some(PageConfig {
        address,
        tls: tls(config)?,
        public: config.inbox_url.clone(),
        // A proxy is named for the page only where the page has an address of its own before it.
        only_from: match config.inbox_url {
            Some(_) => config.behind_proxy.clone(),
            None => Vec::new(),
        },
        scripts: None,
    }))
}

/// The certificate with its key, where there is one.
///
/// # Errors
/// When it cannot be used, or one of the two is missing.
pub fn tls(config: &Config) -> anyhow::Result<Option<Tls>> {
    match (&config.inbox_cert, &config.inbox_key) {
        (Some(cert), Some(key)) => Ok(Some(Tls::load(cert, key)?)),
        (None, None) => Ok(None),
        _ => bail!("`inbox_cert` and `inbox_key` go together: set both or neither"),
    }
}

/// The inbox as a channel, before its page is there.
pub fn channel(wanted: &PageConfig) -> Inbox {
    let site = Site {
        address: wanted.address,
        tls: wanted.tls.is_some(),
        public: wanted.public.clone(),
    };
    Inbox::new(Some(person::user()), site.url())
}

/// Serves the page or shares it. Where nobody said where it should be and it cannot be anywhere,
/// the inbox is still there in the terminal.
///
/// # Errors
/// When the page cannot be where somebody wanted it.
pub async fn keep(
    config: &Config,
    desk: &Desk,
    inbox: &Inbox,
    wanted: PageConfig,
    stop: CancellationToken,
) -> anyhow::Result<()> {
    let address = wanted.address;
    let kept = page_host::host(desk.clone(), inbox.clone(), wanted, stop).await;
    match (kept, config.inbox) {
        (Ok(()), _) => {}
        (Err(error), Place::At(_)) => return Err(error).context("the inbox page cannot be served"),
        (Err(error), _) => {
            let error = anyhow::Error::from(error);
            tracing::warn!(
                "the inbox page cannot be served, so asks wait in `holdpoint inbox` only: {error:#}"
            );
        }
    }
    if !address.ip().is_loopback() && config.inbox_url.is_none() {
        show_to_phones(desk, inbox, address).await?;
    }
    Ok(())
}

/// A QR code for a phone, for a person's eyes only: where standard error is a file or a client's
/// log, or an agent runs us in a terminal that it has, it would read the key.
async fn show_to_phones(desk: &Desk, inbox: &Inbox, wanted: SocketAddr) -> anyhow::Result<()> {
    if !person::is_here_alone() {
        tracing::info!(
            "`holdpoint inbox --web` shows the page's address with its key, and `--phone` as a code"
        );
        return Ok(());
    }
    let keys = Keys::open(desk.journal().as_ref()).await?;
    let address = for_phones(&inbox.address(), wanted, &keys)?;
    if let Some(code) = qr_code::draw(&address) {
        eprintln!("{code}\n{address}");
    }
    Ok(())
}

/// The page's address with a key, as another machine has to write it.
fn for_phones(address: &str, wanted: SocketAddr, keys: &Keys) -> anyhow::Result<String> {
    let (scheme, own) = address.split_once("://").unwrap_or(("http", address));
    let own: Option<SocketAddr> = own.parse().ok();
    let port = own.map_or(wanted.port(), |own| own.port());
    let seen = qr_code::lan_address(SocketAddr::new(wanted.ip(), port));
    Ok(format!("{scheme}://{seen}/#key={}", keys.opening_key()?))
}
