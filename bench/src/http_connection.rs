//! One connection to an HTTP server that is kept, and read no further than needed: the client is never what
//! is measured.

use anyhow::{Context, bail, ensure};
use std::{net::SocketAddr, time::Duration};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// A server that says nothing for so long hangs.
const LONGEST: Duration = Duration::from_secs(120);

/// A connection.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    /// What came and is not yet read.
    buffer: Vec<u8>,
    /// What is left of the answer.
    rest: Rest,
    /// The body as far as it came, of an answer that comes in chunks.
    body: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Rest {
    Nothing,
    Bytes {
        length: usize,
        events: bool,
    },
    Chunks {
        events: bool,
    },
    /// All of the body is here.
    Events,
}

/// How an answer begins.
#[derive(Debug)]
pub struct Head {
    /// The status.
    pub status: u16,
    /// The session that began.
    pub session: Option<String>,
}

impl Connection {
    /// Opens one.
    ///
    /// # Errors
    /// When nobody listens.
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let stream = TcpStream::connect(address).await?;
        stream.set_nodelay(true)?;
        Ok(Self {
            stream,
            buffer: Vec::with_capacity(4096),
            rest: Rest::Nothing,
            body: Vec::new(),
        })
    }

    /// Sends a request, its head without the length and the empty line, and reads how the answer begins.
    ///
    /// # Errors
    /// When the connection is gone, or the last answer was not read to its end.
    pub async fn post(&mut self, head: &str, body: &str) -> anyhow::Result<Head> {
        ensure!(self.rest == Rest::Nothing, "an answer is still being read");
        let request = format!("{head}Content-Length: {}\r\n\r\n{body}", body.len());
        self.stream.write_all(request.as_bytes()).await?;
        self.head().await
    }

    /// The next message of the answer: the body, or one of its events. None at the end.
    ///
    /// # Errors
    /// When the connection is gone or says something else than HTTP.
    pub async fn message(&mut self) -> anyhow::Result<Option<String>> {
        loop {
            match self.rest {
                Rest::Nothing => return Ok(None),
                Rest::Bytes { length, events } => {
                    while self.buffer.len() < length {
                        self.fill().await?;
                    }
                    self.take(0, length);
                    if events {
                        self.rest = Rest::Events;
                        continue;
                    }
                    return self.whole();
                }
                Rest::Events => {
                    let event = self.event()?;
                    if event.is_none() {
                        self.rest = Rest::Nothing;
                    }
                    return Ok(event);
                }
                Rest::Chunks { events } => {
                    if events && let Some(data) = self.event()? {
                        return Ok(Some(data));
                    }
                    if self.chunk().await? {
                        continue;
                    }
                    if events {
                        self.rest = Rest::Events;
                        continue;
                    }
                    return self.whole();
                }
            }
        }
    }

    /// Reads the answer to its end.
    ///
    /// # Errors
    /// As [`Connection::message`].
    pub async fn finish(&mut self) -> anyhow::Result<()> {
        while self.message().await?.is_some() {}
        Ok(())
    }

    async fn head(&mut self) -> anyhow::Result<Head> {
        let length = loop {
            match find(&self.buffer, b"\r\n\r\n") {
                Some(at) => break at + 4,
                None => self.fill().await?,
            }
        };
        let text: Vec<u8> = self.buffer.drain(..length).collect();
        let text = std::str::from_utf8(&text)?;
        let mut lines = text.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status.context("no status")?.parse()?;
        let (mut session, mut length, mut chunked, mut events) = (None, None, false, false);
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = Some(value.parse()?),
                "transfer-encoding" => chunked = value.eq_ignore_ascii_case("chunked"),
                "content-type" => events = value.starts_with("text/event-stream"),
                "mcp-session-id" => session = Some(value.to_owned()),
                _ => {}
            }
        }
        self.rest = match length {
            _ if chunked => Rest::Chunks { events },
            Some(length) => Rest::Bytes { length, events },
            None => Rest::Nothing,
        };
        self.body.clear();
        Ok(Head { status, session })
    }

    /// The data of the next event that is whole; comments and events without data are left out.
    fn event(&mut self) -> anyhow::Result<Option<String>> {
        while let Some(end) = find(&self.body, b"\n\n") {
            let event: Vec<u8> = self.body.drain(..end + 2).collect();
            let lines = std::str::from_utf8(&event)?.lines();
            let data: String = lines
                .filter_map(|line| line.strip_prefix("data:"))
                .collect();
            if !data.trim().is_empty() {
                return Ok(Some(data));
            }
        }
        Ok(None)
    }

    /// Takes the next chunk to the body; false at the last one.
    async fn chunk(&mut self) -> anyhow::Result<bool> {
        let (start, length) = loop {
            match find(&self.buffer, b"\r\n") {
                Some(at) => {
                    let size = std::str::from_utf8(&self.buffer[..at])?;
                    let size = size.split(';').next().unwrap_or_default().trim();
                    break (at + 2, usize::from_str_radix(size, 16)?);
                }
                None => self.fill().await?,
            }
        };
        while self.buffer.len() < start + length + 2 {
            self.fill().await?;
        }
        self.take(start, length);
        self.buffer.drain(..2);
        Ok(length > 0)
    }

    /// Takes so many bytes to the body, and throws away what is before them.
    fn take(&mut self, start: usize, length: usize) {
        // Some servers end lines as HTTP does. In JSON a carriage return is always escaped.
        let data = self.buffer[start..start + length].iter();
        self.body.extend(data.filter(|byte| **byte != b'\r'));
        self.buffer.drain(..start + length);
    }

    /// The body, all of which is here; none where it is empty.
    fn whole(&mut self) -> anyhow::Result<Option<String>> {
        self.rest = Rest::Nothing;
        let body = String::from_utf8(std::mem::take(&mut self.body))?;
        Ok(Some(body).filter(|body| !body.is_empty()))
    }

    async fn fill(&mut self) -> anyhow::Result<()> {
        let reading = self.stream.read_buf(&mut self.buffer);
        match timeout(LONGEST, reading).await {
            Ok(Ok(0)) => bail!("the server closed the connection"),
            Ok(read) => drop(read?),
            Err(_) => bail!("the server said nothing for {LONGEST:?}"),
        }
        Ok(())
    }
}

fn find(text: &[u8], mark: &[u8]) -> Option<usize> {
    text.windows(mark.len()).position(|part| part == mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::{io::AsyncWriteExt, net::TcpListener};

    /// What is read of these answers, which come byte by byte.
    async fn check(answers: &'static str, wanted: &[(u16, &[&str])]) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut connection = Connection::open(listener.local_addr().unwrap())
            .await
            .unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        let sending = tokio::spawn(async move {
            for byte in answers.bytes() {
                server.write_all(&[byte]).await.unwrap();
            }
            server
        });
        for (status, messages) in wanted {
            let head = connection.post("POST / HTTP/1.1\r\n", "{}").await.unwrap();
            assert_eq!(head.status, *status);
            for message in *messages {
                let said = connection.message().await.unwrap();
                assert_eq!(said.as_deref(), Some(*message));
            }
            assert_eq!(connection.message().await.unwrap(), None);
        }
        drop(sending.await.unwrap());
    }

    #[tokio::test]
    async fn bodies_events_and_nothing_are_read_one_after_the_other() {
        let answers = "\
            HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: application/json\r\n\r\n{}\
            HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n\
            HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n\
            7\r\n: hello\r\n3\r\n\r\n\n\r\n\
            9\r\ndata: 1\n\n\r\n\
            5\r\ndata:\r\n7\r\n 2\r\n\r\n\n\r\n0\r\n\r\n\
            HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 14\r\n\r\nid: 7\ndata:3\n\n\
            HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nnone\r\n0\r\n\r\n";
        let wanted: &[(u16, &[&str])] = &[
            (200, &["{}"]),
            (202, &[]),
            (200, &[" 1", " 2"]),
            (200, &["3"]),
            (404, &["none"]),
        ];
        check(answers, wanted).await;
    }
}
