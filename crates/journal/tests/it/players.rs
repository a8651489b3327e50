//! Other processes: this test binary, run again with a part to play.
//!
//! A player reads its cues from standard input and tells what it did on standard output, one line
//! each, in words behind `> ` (the test harness writes there too).

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// The part that this process has to play; none in the one that runs the tests.
pub fn part() -> Option<(String, String)> {
    Some((env::var("PLAYER_PART").ok()?, env::var("PLAYER_PATH").ok()?))
}

/// Says something to the director.
pub fn tell(words: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "> {words}")
        .and_then(|()| out.flush())
        .unwrap();
}

/// Waits for a cue.
pub fn cue() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

/// A command that plays a part with the journal at this path.
pub fn command(part: &str, path: &Path) -> Command {
    cast(Command::new(env::current_exe().unwrap()), part, path)
}

/// The same, through a command that runs the program which its arguments name.
pub fn cast(mut command: Command, part: &str, path: &Path) -> Command {
    command
        .args([
            "--exact",
            "processes::player",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("PLAYER_PART", part)
        .env("PLAYER_PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// A process that plays a part.
pub struct Player {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    pub fn start(part: &str, path: &Path) -> Self {
        Self::run(command(part, path))
    }

    pub fn run(mut command: Command) -> Self {
        let mut process = command.spawn().unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    /// What it says next; none once it is gone.
    pub fn hear(&mut self) -> Option<String> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            // The harness may have begun the line; its end is missing where the process was killed.
            let words = line.split_once("> ").map(|(_, words)| words);
            if let Some(words) = words.and_then(|words| words.strip_suffix('\n')) {
                return Some(words.to_owned());
            }
        }
    }

    /// Waits until it says this.
    pub fn await_words(&mut self, words: &str) {
        assert_eq!(self.hear().as_deref(), Some(words));
    }

    /// Gives it a cue.
    pub fn cue(&mut self) {
        writeln!(self.input).unwrap();
    }

    /// Ends it as `kill -9` does.
    pub fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Hears it out, and checks that it ended well.
    pub fn finish(mut self) -> Vec<String> {
        let mut said = Vec::new();
        while let Some(words) = self.hear() {
            said.push(words);
        }
        let status = self.process.wait().unwrap();
        assert!(status.success(), "{status}: {said:?}");
        said
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
