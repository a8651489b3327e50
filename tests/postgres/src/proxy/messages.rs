//! As much of PostgreSQL's protocol as it takes to see a COMMIT and its answer.

use std::{collections::HashSet, io};
use tokio::io::{AsyncRead, AsyncReadExt};

/// What a client sends before anything else to ask for TLS, and for GSSAPI.
const ENCRYPTION_REQUESTS: [u32; 2] = [80_877_103, 80_877_104];

/// Reads a message of the beginning, which has no type, and says whether it asks for encryption.
pub async fn read_startup(from: &mut (impl AsyncRead + Unpin)) -> io::Result<(Vec<u8>, bool)> {
    let mut message = vec![0; 4];
    from.read_exact(&mut message).await?;
    read_rest(&mut message, from).await?;
    let code = message.get(4..8).and_then(|code| code.try_into().ok());
    let code = u32::from_be_bytes(code.unwrap_or_default());
    Ok((message, ENCRYPTION_REQUESTS.contains(&code)))
}

/// Whether a server's answer to that says yes: nothing after it can be read.
pub fn is_encrypted(answer: u8) -> bool {
    matches!(answer, b'S' | b'G')
}

/// Reads a message: its type, its length and the rest.
pub async fn read_message(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Vec<u8>> {
    let mut message = vec![0; 5];
    from.read_exact(&mut message).await?;
    read_rest(&mut message, from).await?;
    Ok(message)
}

/// Reads the rest of a message whose length, which counts itself, is its last four bytes so far.
async fn read_rest(message: &mut Vec<u8>, from: &mut (impl AsyncRead + Unpin)) -> io::Result<()> {
    let start = message.len();
    let length: [u8; 4] = message[start - 4..].try_into().unwrap();
    let length = u32::from_be_bytes(length) as usize;
    let rest = length.checked_sub(4).ok_or(io::ErrorKind::InvalidData)?;
    message.resize(start + rest, 0);
    from.read_exact(&mut message[start..]).await?;
    Ok(())
}

/// Whether a server's message says that a transaction is committed.
pub fn is_commit_done(message: &[u8]) -> bool {
    message[0] == b'C' && &message[5..] == b"COMMIT\0"
}

/// Whether a server's message is what another session has notified.
pub fn is_notification(message: &[u8]) -> bool {
    message[0] == b'A'
}

/// What a client has prepared that commits.
#[derive(Default)]
pub struct Commits {
    statements: HashSet<Vec<u8>>,
    portals: HashSet<Vec<u8>>,
}

impl Commits {
    /// Takes note of a client's message, and says whether it makes the server commit.
    pub fn sees(&mut self, message: &[u8]) -> bool {
        let mut texts = message[5..].split(|byte| *byte == 0);
        let mut text = || texts.next().unwrap_or_default().to_vec();
        match message[0] {
            b'Q' => commits(&text()),
            b'P' => {
                let (name, sql) = (text(), text());
                remember(&mut self.statements, name, commits(&sql));
                false
            }
            b'B' => {
                let (portal, statement) = (text(), text());
                let commits = self.statements.contains(&statement);
                remember(&mut self.portals, portal, commits);
                false
            }
            b'E' => self.portals.contains(&text()),
            _ => false,
        }
    }
}

fn remember(names: &mut HashSet<Vec<u8>>, name: Vec<u8>, commits: bool) {
    if commits {
        names.insert(name);
    } else {
        names.remove(&name);
    }
}

/// Whether one of these statements is a COMMIT.
fn commits(sql: &[u8]) -> bool {
    let mut statements = sql.split(|byte| *byte == b';');
    statements.any(|statement| statement.trim_ascii().eq_ignore_ascii_case(b"commit"))
}
