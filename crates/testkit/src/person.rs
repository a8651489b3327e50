//! A person at a terminal.

use crate::{Home, PATIENCE, home::kept_variables, process::signal};
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::{
    io::{Read, Write},
    num::NonZero,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Instant,
};

/// The arrow down.
pub const DOWN: &str = "\u{1b}[B";
/// The key that ends a line.
pub const ENTER: &str = "\r";
/// The key that ends several lines.
pub const ALT_ENTER: &str = "\u{1b}\r";
/// The key that dismisses.
pub const ESCAPE: &str = "\u{1b}";
/// The keys that interrupt.
pub const CTRL_C: &str = "\u{3}";

/// A person at a terminal, with a program of theirs.
pub struct Person {
    shown: mpsc::Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    terminal: Arc<Mutex<Box<dyn MasterPty + Send>>>,
    /// What the terminal shows of it.
    screen: vt100::Parser,
    /// How much of what was shown is on that screen.
    drawn: usize,
    program: Box<dyn portable_pty::Child + Send + Sync>,
    /// All that was shown, with its styles.
    seen: Vec<u8>,
    /// How much of it, without them, was waited for.
    read: usize,
}

impl Person {
    /// Starts `holdpoint` at a terminal of its own.
    pub fn runs(home: &Home, args: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new(home.binary());
        command.args(args);
        Self::starts(home, command, variables)
    }

    /// Starts a line of shell, in which `$holdpoint` is the binary.
    pub fn shell(home: &Home, line: &str, variables: &[(&str, &str)]) -> Self {
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", line]);
        command.env("holdpoint", home.binary());
        Self::starts(home, command, variables)
    }

    /// Runs `holdpoint` at a terminal to its end: its exit code, and all that was shown.
    pub fn ran(home: &Home, args: &[&str]) -> (u32, String) {
        let (page, status) = Self::runs(home, args, &[]).ends();
        (status.exit_code(), page)
    }

    fn starts(home: &Home, mut command: CommandBuilder, variables: &[(&str, &str)]) -> Self {
        let (rows, cols) = (60, 100);
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        let terminal = native_pty_system().openpty(size).unwrap();
        command.cwd(home.workspace());
        // The one who runs the tests may be an agent; the person here is none, and at a terminal
        // that leads a session of its own.
        let line = command.get_env("holdpoint").map(ToOwned::to_owned);
        command.env_clear();
        for (name, value) in kept_variables() {
            command.env(name, value);
        }
        if let Some(binary) = line {
            command.env("holdpoint", binary);
        }
        command.env("TERM", "xterm-256color");
        for (name, value) in home.variables() {
            command.env(name, value);
        }
        for (name, value) in variables {
            command.env(name, value);
        }
        let program = terminal.slave.spawn_command(command).unwrap();
        let mut reader = terminal.master.try_clone_reader().unwrap();
        let keys = terminal.master.take_writer().unwrap();
        let (sender, shown) = mpsc::channel();
        let home = home.clone();
        let master = Arc::new(Mutex::new(terminal.master));
        let held = master.clone();
        thread::spawn(move || {
            // The home and the terminal stay as long as something is read.
            let _kept = (home, held);
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            shown,
            keys,
            terminal: master,
            screen: vt100::Parser::new(nonzero(rows), nonzero(cols), 0),
            drawn: 0,
            program,
            seen: Vec::new(),
            read: 0,
        }
    }

    /// Waits until this is shown, behind what was waited for before.
    #[track_caller]
    pub fn sees(&mut self, text: &str) -> &mut Self {
        let start = Instant::now();
        loop {
            let plain = self.plain();
            if let Some(at) = plain[self.read..].find(text) {
                self.read += at + text.len();
                return self;
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("{text:?} is not shown:\n{plain}"),
            }
        }
    }

    /// Waits until the screen shows this, wherever on it.
    #[track_caller]
    pub fn shows(&mut self, text: &str) -> &mut Self {
        self.screen_until(text, |screen| screen.contains(text))
    }

    /// Waits until the screen does not show this any more.
    #[track_caller]
    pub fn shows_no(&mut self, text: &str) -> &mut Self {
        self.screen_until(text, |screen| !screen.contains(text))
    }

    #[track_caller]
    fn screen_until(&mut self, what: &str, is_there: impl Fn(&str) -> bool) -> &mut Self {
        let start = Instant::now();
        loop {
            self.screen.process(&self.seen[self.drawn..]);
            self.drawn = self.seen.len();
            let screen = self.screen.screen().contents();
            if is_there(&screen) {
                return self;
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("waited for {what:?}; the screen shows:\n{screen}"),
            }
        }
    }

    /// What the screen shows now, as far as it was waited for.
    pub fn screen(&self) -> &vt100::Screen {
        self.screen.screen()
    }

    /// Gives the terminal another size, and forgets what was on it: what is shown from now on was drawn for this one.
    pub fn resizes(&mut self, cols: u16, rows: u16) -> &mut Self {
        let size = PtySize {
            rows,
            cols,
            ..PtySize::default()
        };
        self.terminal.lock().unwrap().resize(size).unwrap();
        self.screen = vt100::Parser::new(nonzero(rows), nonzero(cols), 0);
        self
    }

    /// The rest of the line behind what was waited for, once it is whole.
    #[track_caller]
    pub fn reads_line(&mut self) -> String {
        let from = self.read;
        self.sees("\n");
        self.plain()[from..self.read].trim().to_owned()
    }

    /// Presses these keys.
    pub fn types(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// All that was shown without its styles, once the program has ended, and how it ended.
    pub fn ends(mut self) -> (String, ExitStatus) {
        let start = Instant::now();
        loop {
            let left = PATIENCE.saturating_sub(start.elapsed());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let _ = self.program.kill();
                    panic!("it does not end:\n{}", self.plain());
                }
            }
        }
        let status = self.program.wait().unwrap();
        (self.plain().replace("\r\n", "\n"), status)
    }

    /// Kills the program where it is.
    pub fn killed(mut self) {
        signal("-KILL", self.program.process_id().unwrap());
        self.program.wait().unwrap();
    }

    /// The code with which it ended.
    pub fn code(self) -> u32 {
        self.ends().1.exit_code()
    }

    /// What was shown, without its styles.
    pub fn plain(&self) -> String {
        anstream::adapter::strip_str(&self.raw()).to_string()
    }

    /// What was shown, with its styles.
    pub fn raw(&self) -> String {
        String::from_utf8_lossy(&self.seen).into_owned()
    }
}

fn nonzero(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

impl Drop for Person {
    fn drop(&mut self) {
        let _ = self.program.kill();
    }
}
