//! The page's address for a phone, with a key in it, as a code that its camera reads.

use super::web;
use crate::{
    commands::serve::{page, shutdown},
    config::{Config, Environment},
    page_reach,
    shell::Shell,
};
use anyhow::{Context, bail};
use holdpoint_inbox::{Keys, page_host, qr_code};
use std::{
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};
use tokio::{net::TcpStream, time::timeout};

/// Something on this machine takes a connection sooner.
const PATIENCE: Duration = Duration::from_secs(2);

/// Where the page is for a phone.
#[derive(Debug, PartialEq, Eq)]
enum Place {
    /// At a proxy of the person's.
    Public(String),
    /// At this address of the network, by TLS.
    Network(SocketAddr),
    /// Nowhere, for this reason.
    Nowhere(String),
}

/// Shows the address, and serves the page where nobody does.
///
/// The key lets its holder answer, so it is shown to people only: not where an agent runs us.
pub async fn run(shell: Shell, scripts: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    shell
        .refuse_agents("inbox --phone", "The page's key is for people")
        .await?;
    let served = page_host::find(shell.journal.as_ref()).await?;
    let served = match served {
        Some(address) if shell.config.inbox_url.is_none() && !is_listening(&address).await => None,
        served => served,
    };
    let Some(wanted) = page::wanted(&shell.config)? else {
        bail!(
            "the inbox is off in your configuration, so there is no page: set `inbox` to an address"
        );
    };
    match place(&shell.config, wanted.address, served.as_deref()) {
        Place::Nowhere(why) => {
            eprintln!("holdpoint: {}", missing(&why, wanted.address.port()));
            Ok(ExitCode::FAILURE)
        }
        Place::Public(address) => {
            let keys = Keys::open(shell.journal.as_ref()).await?;
            let stop = match served {
                Some(_) => None,
                None => Some(web::serve(shell, wanted, scripts).await?),
            };
            if let Err(fault) = page_reach::ask(&address).await {
                eprintln!(
                    "From this machine {address} does not work now: {}. {}",
                    fault.what,
                    holdpoint_ask::describe::sentence(&fault.fix)
                );
            }
            show(&address, &keys)?;
            wait(stop).await
        }
        Place::Network(address) => {
            let keys = Keys::open(shell.journal.as_ref()).await?;
            let stop = match &served {
                Some(_) => None,
                None => Some(web::serve(shell, wanted, scripts).await?),
            };
            let address = match &stop {
                // Its port may be the next free one.
                Some(hosted) => with_port(address, &hosted.address),
                None => address,
            };
            if !takes_connections(address).await {
                eprintln!(
                    "holdpoint: the page does not listen at {address}, as your configuration says. Whatever serves \
                     it was started before that was set: end the clients and commands that run Holdpoint, and \
                     run this again."
                );
                return Ok(ExitCode::FAILURE);
            }
            show(&format!("https://{address}"), &keys)?;
            eprintln!(
                "The phone has to be in the same network, and to trust the page's certificate for {}.",
                address.ip()
            );
            wait(stop).await
        }
    }
}

/// Where a phone finds the page that is configured so, and that is served there now.
fn place(config: &Config, wanted: SocketAddr, served: Option<&str>) -> Place {
    if let Some(public) = &config.inbox_url {
        let public = public.to_string();
        return if is_this_machine(&public) {
            Place::Nowhere(format!(
                "`inbox_url` is {public}, which names this machine itself"
            ))
        } else {
            Place::Public(public)
        };
    }
    if let Some(served) = served
        && !served.starts_with("https://")
    {
        let older = if wanted.ip().is_loopback() {
            ""
        } else {
            ". Your configuration says otherwise by now: end the clients and commands that run Holdpoint, and run \
             this again"
        };
        return Place::Nowhere(format!(
            "it is at {served}, which only this machine reaches{older}"
        ));
    }
    if wanted.ip().is_loopback() {
        return Place::Nowhere(match served {
            Some(served) => format!("it is at {served}, which only this machine reaches"),
            None => format!(
                "it would be at {}, which only this machine reaches",
                wanted.ip()
            ),
        });
    }
    let seen = qr_code::lan_address(wanted);
    if seen.ip().is_unspecified() {
        return Place::Nowhere("this machine has no address in a network".to_owned());
    }
    Place::Network(served.map_or(seen, |served| with_port(seen, served)))
}

/// What a person can do so that a phone reaches it.
fn missing(why: &str, port: u16) -> String {
    let own = Environment::from_process().own_config_file();
    let own = own.map_or_else(
        || "your own configuration".to_owned(),
        |path| path.display().to_string(),
    );
    let seen = qr_code::lan_address(SocketAddr::from(([0, 0, 0, 0], port))).ip();
    let seen = if seen.is_unspecified() {
        "this machine's address".to_owned()
    } else {
        seen.to_string()
    };
    format!(
        "a phone cannot open the page: {why}.\n\
         One of these is missing in {own}:\n\
         - the page in your network, with TLS:\n    \
           inbox = \"0.0.0.0:{port}\"\n    \
           inbox_cert = \"/PATH/cert.pem\"   # for {seen}, from an authority that the phone trusts\n    \
           inbox_key = \"/PATH/key.pem\"\n\
         - or a TLS proxy or tunnel of your own on this machine, which forwards to 127.0.0.1:{port}:\n    \
           inbox_url = \"https://ask.example.com\"   # its address\n\
         Then end the clients and commands that run Holdpoint, and run this again."
    )
}

/// Prints the code and the address, each good for one browser.
fn show(address: &str, keys: &Keys) -> anyhow::Result<()> {
    let address = format!("{address}/#key={}", keys.opening_key()?);
    let code = qr_code::draw(&address).context("the address is too long for a code")?;
    println!("{code}\n{address}");
    eprintln!(
        "It opens the page once, within a day. Show it to your phone's camera, and to nobody else."
    );
    Ok(())
}

/// Stays until it is told to stop, where this command serves the page.
async fn wait(hosted: Option<web::Hosted>) -> anyhow::Result<ExitCode> {
    if let Some(hosted) = hosted {
        let told = shutdown::requested()?;
        eprintln!("This command serves the page until you stop it with Ctrl-C.");
        told.await;
        hosted.stop.cancel();
    }
    Ok(ExitCode::SUCCESS)
}

/// A page with TLS is not asked whether it is there; a process that was killed leaves its address behind.
async fn is_listening(address: &str) -> bool {
    match address
        .split_once("://")
        .and_then(|(_, place)| place.parse().ok())
    {
        Some(place) => takes_connections(place).await,
        None => true,
    }
}

async fn takes_connections(address: SocketAddr) -> bool {
    let connected = timeout(PATIENCE, TcpStream::connect(address)).await;
    connected.is_ok_and(|connected| connected.is_ok())
}

fn with_port(address: SocketAddr, served: &str) -> SocketAddr {
    let served = served.split_once("://").map_or(served, |(_, place)| place);
    let port = served.parse().map(|served: SocketAddr| served.port());
    SocketAddr::new(address.ip(), port.unwrap_or(address.port()))
}

/// Whether an address names the machine on which it is read.
fn is_this_machine(address: &str) -> bool {
    let authority = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    };
    let ip = host.trim_matches(['[', ']']).parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || ip.is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_phone_finds_the_page() {
        let check = |public: Option<&str>, wanted: &str, served: Option<&str>, found: &str| {
            let config = Config {
                inbox_url: public.map(|public| public.parse().unwrap()),
                ..Config::default()
            };
            let said = match place(&config, wanted.parse().unwrap(), served) {
                Place::Public(address) => address,
                Place::Network(address) => address.to_string(),
                Place::Nowhere(why) => format!("nowhere: {why}"),
            };
            assert!(said.starts_with(found), "{said}");
        };
        let (own, lan) = ("127.0.0.1:4653", "192.0.2.7:4653");
        check(None, own, None, "nowhere: it would be at 127.0.0.1");
        check(
            None,
            own,
            Some("http://127.0.0.1:4653"),
            "nowhere: it is at http://127.0.0.1:4653",
        );
        check(
            None,
            own,
            Some("https://127.0.0.1:4653"),
            "nowhere: it is at https",
        );
        check(None, lan, None, lan);
        check(None, lan, Some("https://192.0.2.7:4655"), "192.0.2.7:4655");
        let older = "nowhere: it is at http://127.0.0.1:4653, which only this machine reaches. Your configuration";
        check(None, lan, Some("http://127.0.0.1:4653"), older);
        let public = Some("https://ask.example.com");
        check(
            public,
            own,
            Some("https://ask.example.com"),
            "https://ask.example.com",
        );
        check(
            Some("http://localhost:8080"),
            own,
            None,
            "nowhere: `inbox_url` is http://localhost:8080",
        );
        check(
            Some("https://[::1]:8443"),
            own,
            None,
            "nowhere: `inbox_url`",
        );
        check(Some("https://127.0.0.1"), own, None, "nowhere: `inbox_url`");
    }
}
