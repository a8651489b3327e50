//! One connection through the proxy.

use super::{
    CommitPoint, Direction, Shared,
    messages::{
        Commits, is_commit_done, is_encrypted, is_notification, read_message, read_startup,
    },
};
use std::{io, sync::Arc};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
};

/// Carries a client's connection to the server until either end closes it, or the proxy does.
pub async fn serve(client: TcpStream, shared: Arc<Shared>) -> io::Result<()> {
    if !shared.lets_through(Direction::ToServer).await {
        // Nothing comes back, and nothing is closed.
        std::future::pending::<()>().await;
    }
    let target = *shared.target.lock().unwrap();
    let server = TcpStream::connect(target).await?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let (mut from_client, mut to_client) = client.into_split();
    let (mut from_server, mut to_server) = server.into_split();
    let is_opaque = loop {
        let (startup, asks_encryption) = read_startup(&mut from_client).await?;
        pass(&shared, Direction::ToServer, &startup, &mut to_server).await?;
        if !asks_encryption {
            break false;
        }
        let answer = from_server.read_u8().await?;
        pass(&shared, Direction::ToClient, &[answer], &mut to_client).await?;
        if is_encrypted(answer) {
            break true;
        }
    };
    let (ended, direction) = if is_opaque {
        either(
            carry(&shared, Direction::ToServer, from_client, to_server),
            carry(&shared, Direction::ToClient, from_server, to_client),
        )
        .await
    } else {
        either(
            requests(&shared, from_client, to_server),
            answers(&shared, from_server, to_client),
        )
        .await
    };
    // That an end was closed arrives as little as anything else.
    if !shared.lets_through(direction).await {
        std::future::pending::<()>().await;
    }
    ended
}

async fn either(
    to_server: impl Future<Output = io::Result<()>>,
    to_client: impl Future<Output = io::Result<()>>,
) -> (io::Result<()>, Direction) {
    tokio::select! {
        ended = to_server => (ended, Direction::ToServer),
        ended = to_client => (ended, Direction::ToClient),
    }
}

async fn requests(
    shared: &Shared,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut commits = Commits::default();
    loop {
        let message = read_message(&mut from).await?;
        if commits.sees(&message) {
            shared.stops.at(CommitPoint::Unsent).await?;
        }
        pass(shared, Direction::ToServer, &message, &mut to).await?;
    }
}

async fn answers(
    shared: &Shared,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    loop {
        let message = read_message(&mut from).await?;
        if is_commit_done(&message) {
            shared.stops.at(CommitPoint::Unanswered).await?;
        }
        if is_notification(&message) && shared.weather.borrow().loses_notifications {
            continue;
        }
        pass(shared, Direction::ToClient, &message, &mut to).await?;
    }
}

/// Carries what cannot be read.
async fn carry(
    shared: &Shared,
    direction: Direction,
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let length = from.read(&mut bytes).await?;
        if length == 0 {
            return Ok(());
        }
        pass(shared, direction, &bytes[..length], &mut to).await?;
    }
}

async fn pass(
    shared: &Shared,
    direction: Direction,
    bytes: &[u8],
    to: &mut (impl AsyncWrite + Unpin),
) -> io::Result<()> {
    if shared.lets_through(direction).await {
        to.write_all(bytes).await?;
    }
    Ok(())
}
