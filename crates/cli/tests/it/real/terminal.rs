//! A terminal for a client's own screen: tmux, which answers what such programs ask a terminal.

use super::support::{Home, eventually_blocking};
use std::{
    path::PathBuf,
    process::Command,
    time::{Duration, Instant},
};

/// How long a screen may take to show that a key was read.
const REDRAW: Duration = Duration::from_millis(1500);

pub struct Terminal {
    socket: PathBuf,
}

impl Terminal {
    /// Opens a terminal of 160 columns and 50 lines in which this runs, in the home's workspace.
    pub fn open(home: &Home, command: &[String]) -> Self {
        let terminal = Self {
            socket: home.root().join("tmux.socket"),
        };
        let started = terminal
            .tmux(&["new-session", "-d", "-x", "160", "-y", "50"])
            .args(command)
            // What it said when it ended can still be read.
            .args([";", "set-option", "-g", "remain-on-exit", "on"])
            .env_clear()
            .env("HOME", home.root())
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("TERM", "xterm-256color")
            .env("LANG", "C.UTF-8")
            .current_dir(home.workspace())
            .status();
        assert!(
            started
                .expect("tmux: `dev/setup --clients` installs it")
                .success()
        );
        terminal
    }

    fn tmux(&self, args: &[&str]) -> Command {
        let mut command = Command::new("tmux");
        command
            .arg("-S")
            .arg(&self.socket)
            .args(["-f", "/dev/null"])
            .args(args);
        command
    }

    /// What is on the screen.
    pub fn screen(&self) -> String {
        let captured = self.tmux(&["capture-pane", "-p"]).output().unwrap();
        String::from_utf8_lossy(&captured.stdout).into_owned()
    }

    /// What is on the screen as one line of words: a text stays the same wherever a client breaks it.
    fn words(&self) -> String {
        let screen = self.screen();
        let words = screen
            .split_whitespace()
            .filter(|word| !word.chars().all(|letter| "│┃|▌".contains(letter)));
        words.collect::<Vec<_>>().join(" ")
    }

    /// Waits until these words are on the screen, one after the other.
    #[track_caller]
    pub fn sees_words(&self, words: &str) {
        self.waits_for(words, || self.words());
    }

    /// Waits until this is on the screen.
    #[track_caller]
    pub fn sees(&self, text: &str) {
        self.waits_for(text, || self.screen());
    }

    #[track_caller]
    fn waits_for(&self, text: &str, screen: impl Fn() -> String) {
        let start = Instant::now();
        eventually_blocking(&format!("{text:?} on the screen"), || {
            let screen = screen();
            assert!(
                start.elapsed() < Duration::from_secs(45),
                "{text:?} is not shown:\n{screen}"
            );
            screen.contains(text).then_some(())
        });
    }

    /// Types a text.
    pub fn types(&self, text: &str) {
        assert!(
            self.tmux(&["send-keys", "-l", text])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Presses keys, by the names that tmux has for them, and waits for the screen to change.
    pub fn press(&self, keys: &str) {
        let before = self.screen();
        let keys: Vec<&str> = keys.split(' ').collect();
        assert!(
            self.tmux(&["send-keys"])
                .args(keys)
                .status()
                .unwrap()
                .success()
        );
        // Some keys change nothing; that cannot be told from a slow screen.
        let start = Instant::now();
        while self.screen() == before && start.elapsed() < REDRAW {
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// The last line that has the mark of the cursor.
    pub fn cursor_line(&self, mark: &str) -> String {
        let screen = self.screen();
        let line = screen.lines().rev().find(|line| line.contains(mark));
        line.unwrap_or_default().to_owned()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.screen());
        }
        let _ = self.tmux(&["kill-server"]).status();
    }
}
