//! A server of the test's own.

use crate::{
    Options, Tls,
    keeper::Keeper,
    processes::{children, is_running, signal, until},
    programs::{close_to_others, program},
    template,
};
use rustix::process::Signal;
use std::{
    fs::{self, File},
    net::{Ipv4Addr, SocketAddr, TcpListener},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    sync::{Mutex, OnceLock},
    thread,
    time::Duration,
};
use tempfile::TempDir;

/// A PostgreSQL server with a cluster of its own, which ends with it.
///
/// What starts and ends it blocks: a test in which others go on meanwhile runs on several threads.
pub struct Server {
    /// Dropped, and so ended, before its keeper looks for it.
    running: Running,
    folder: PathBuf,
    port: Mutex<u16>,
    password: String,
    options: Options,
    _keeper: Keeper,
}

impl Server {
    /// Starts a server with the default options.
    pub fn start() -> Self {
        Self::with(Options::new())
    }

    /// The server that the tests of this process share. None of them may stop it.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Server> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts a server with these options.
    pub fn with(options: Options) -> Self {
        Self::from_folder(options, template::copy_to)
    }

    /// Starts a server in a folder that is filled by the given function.
    pub(crate) fn from_folder(options: Options, fill: impl FnOnce(&Path)) -> Self {
        let folder = TempDir::with_prefix("holdpoint-postgres-").unwrap().keep();
        close_to_others(&folder);
        let keeper = Keeper::of(&folder);
        fill(&folder);
        if options.tls == Tls::Required {
            let file = folder.join("data/pg_hba.conf");
            let lines = fs::read_to_string(&file).unwrap();
            fs::write(file, lines.replace("host ", "hostssl ")).unwrap();
        }
        let server = Self {
            running: Running(Mutex::new(None)),
            port: Mutex::new(free_port()),
            password: template::password(&folder),
            options,
            _keeper: keeper,
            folder,
        };
        // Another process may have taken the port in the meantime.
        for _ in 0..5 {
            if server.try_launch() {
                return server;
            }
            *server.port.lock().unwrap() = free_port();
        }
        server.does_not_start()
    }

    /// Starts it again, at the same port, after it was stopped or killed.
    pub fn launch(&self) {
        // A connection of another process may have the port for a while.
        for _ in 0..50 {
            if self.try_launch() {
                return;
            }
            thread::sleep(Duration::from_millis(100));
        }
        self.does_not_start()
    }

    /// Ends it in order; its clients are disconnected.
    pub fn stop(&self) {
        self.running.end(Signal::INT);
    }

    /// Stops it and starts it again.
    pub fn restart(&self) {
        self.stop();
        self.launch();
    }

    /// Kills all of its processes at once, as if the machine had lost its power.
    pub fn kill(&self) {
        let Some(process) = self.running.process() else {
            return;
        };
        // Stopped first, so that it starts no other process meanwhile.
        signal(process, Signal::STOP);
        let children = children(process);
        self.running.end(Signal::KILL);
        for child in &children {
            signal(*child, Signal::KILL);
        }
        until("PostgreSQL's processes end", || {
            let still_there = children.iter().any(|child| is_running(*child));
            (!still_there).then_some(())
        });
    }

    /// Stops all of its processes where they are, until it is resumed: its clients get no answer.
    pub fn pause(&self) {
        self.signal_all(Signal::STOP);
    }

    /// Lets it go on after a pause.
    pub fn resume(&self) {
        self.signal_all(Signal::CONT);
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, *self.port.lock().unwrap()).into()
    }

    /// The folder of its Unix socket.
    pub fn socket_folder(&self) -> &Path {
        &self.folder
    }

    /// The certificate of the authority that signed its own.
    pub fn authority(&self) -> PathBuf {
        self.folder.join("ca.pem")
    }

    /// The address of its administrative database, as the administrator.
    pub fn admin_url(&self) -> String {
        format!(
            "postgres://postgres:{}@{}/postgres",
            self.password,
            self.address()
        )
    }

    /// What it has written to its log.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    /// How the administrator gets in by the socket, whatever is asked for over TCP.
    pub(crate) fn admin_parameters(&self) -> String {
        let (folder, port) = (self.folder.display(), self.address().port());
        format!("host={folder} port={port} user=postgres")
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    fn does_not_start(&self) -> ! {
        panic!("PostgreSQL does not start: {}", self.log())
    }

    fn signal_all(&self, to_send: Signal) {
        let process = self.running.process().expect("the server runs");
        signal(process, to_send);
        for child in children(process) {
            signal(child, to_send);
        }
    }

    /// Starts it, and says whether it takes connections; if not, it has ended.
    fn try_launch(&self) -> bool {
        let data = self.folder.join("data");
        let log = self.folder.join("log");
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut command = program("postgres");
        command
            .arg("-D")
            .arg(&data)
            .args(["-p", &self.address().port().to_string()])
            .arg("-k")
            .arg(&self.folder)
            .args(["-c", "listen_addresses=127.0.0.1"])
            .args(self.options.settings().iter().flat_map(|set| ["-c", set]))
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            // What a terminal sends to the tests is not for it.
            .process_group(0);
        self.running.begin(command.spawn().unwrap());
        until("PostgreSQL starts", || {
            let process = self.running.process();
            let status = fs::read_to_string(data.join("postmaster.pid")).unwrap_or_default();
            let lines: Vec<_> = status.lines().map(str::trim_end).collect();
            let is_ready = match lines[..] {
                [first, _, _, _, _, _, _, "ready" | "standby", ..] => first.parse().ok() == process,
                _ => false,
            };
            (is_ready || process.is_none()).then_some(is_ready)
        })
    }
}

/// The server's first process, while it runs.
struct Running(Mutex<Option<Child>>);

impl Running {
    fn begin(&self, child: Child) {
        let before = self.0.lock().unwrap().replace(child);
        assert!(before.is_none(), "the server runs already");
    }

    fn process(&self) -> Option<u32> {
        let mut running = self.0.lock().unwrap();
        let has_ended = running.as_mut()?.try_wait().unwrap().is_some();
        if has_ended {
            *running = None;
        }
        Some(running.as_ref()?.id())
    }

    fn end(&self, how: Signal) {
        if let Some(mut child) = self.0.lock().unwrap().take() {
            signal(child.id(), how);
            child.wait().unwrap();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(process) = self.process() {
            signal(process, Signal::QUIT);
            // It may be paused.
            signal(process, Signal::CONT);
            children(process)
                .into_iter()
                .for_each(|child| signal(child, Signal::CONT));
            self.end(Signal::QUIT);
        }
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    listener.local_addr().unwrap().port()
}
