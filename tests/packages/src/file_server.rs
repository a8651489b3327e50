//! A server for the files of a folder, as a release page has them.

use std::{
    fs,
    io::{self, BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

/// Serves a folder on this machine, until the test ends.
pub struct FileServer {
    /// Where it serves.
    pub url: String,
}

impl FileServer {
    /// Serves the files of this folder.
    ///
    /// # Panics
    /// When it cannot listen.
    pub fn start(folder: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it listens");
        let folder = folder.to_owned();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let folder = folder.clone();
                thread::spawn(move || answer(&folder, stream));
            }
        });
        Self {
            url: format!("http://{address}"),
        }
    }
}

fn answer(folder: &Path, mut stream: TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut lines = BufReader::new(&stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    while lines
        .next()
        .transpose()?
        .is_some_and(|line| !line.is_empty())
    {}
    let (status, body) = match file(folder, &request).map(fs::read) {
        Some(Ok(body)) => ("200 OK", body),
        _ => ("404 Not Found", Vec::new()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// The file that a request is for; one of this folder, and not of one below it.
fn file(folder: &Path, request: &str) -> Option<PathBuf> {
    let name = request.strip_prefix("GET /")?.split(' ').next()?;
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains('/');
    is_plain.then(|| folder.join(name))
}
