use std::{
    ffi::{OsStr, OsString},
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
};

/// A server under test that serves HTTP and prints its URL as its first line of standard output.
///
/// It is killed when dropped.
pub struct Server {
    /// Where it serves MCP.
    pub url: String,
    program: OsString,
    args: Vec<OsString>,
    process: Child,
}

impl Server {
    /// Starts a program on a free port, which is its first argument: `127.0.0.1:0`.
    pub fn start<S: AsRef<OsStr>>(
        program: impl AsRef<OsStr>,
        args: impl IntoIterator<Item = S>,
    ) -> Self {
        let program = program.as_ref().to_owned();
        let args: Vec<_> = args
            .into_iter()
            .map(|arg| arg.as_ref().to_owned())
            .collect();
        let (process, url) = spawn(&program, "127.0.0.1:0", &args);
        Self {
            url,
            program,
            args,
            process,
        }
    }

    /// Kills it (`kill -9`) and starts it again at the same address.
    pub fn restart(&mut self) {
        self.kill();
        let address = self.url.trim_start_matches("http://");
        let address = address.split('/').next().expect("a URL has an address");
        let (process, url) = spawn(&self.program, address, &self.args);
        assert_eq!(url, self.url, "the server came back elsewhere");
        self.process = process;
    }

    /// Kills it (`kill -9`).
    pub fn kill(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(program: &OsStr, address: &str, args: &[OsString]) -> (Child, String) {
    let mut process = Command::new(program)
        .arg(address)
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {}: {error}", program.display()));
    let mut url = String::new();
    let stdout = process.stdout.take().expect("stdout is piped");
    BufReader::new(stdout)
        .read_line(&mut url)
        .expect("the server says where it listens");
    assert!(!url.is_empty(), "the server ended at once");
    (process, url.trim_end().to_owned())
}
