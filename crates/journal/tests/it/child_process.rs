//! Other processes: this test binary, started again with a task.
//!
//! A child waits for a line on standard input where its task says so, and reports what it did on
//! standard output, one line each, behind `> ` (the test harness writes there too).

use std::{
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

/// The task of this process, and the journal's path; none in the process that runs the tests.
pub fn task() -> Option<(String, String)> {
    Some((env::var("CHILD_TASK").ok()?, env::var("CHILD_PATH").ok()?))
}

/// Reports something to the parent.
pub fn report(words: &str) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "> {words}")
        .and_then(|()| out.flush())
        .unwrap();
}

/// Waits until the parent says to go on.
pub fn wait() {
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).unwrap();
}

/// Gives a command that starts this test binary a task, with the journal at this path.
pub fn with_task(mut command: Command, task: &str, path: &Path) -> Command {
    command
        .args([
            "--exact",
            "processes::child",
            "--nocapture",
            "--test-threads=1",
        ])
        .env("CHILD_TASK", task)
        .env("CHILD_PATH", path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// A process with a task.
pub struct ChildProcess {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl ChildProcess {
    pub fn start(task: &str, path: &Path) -> Self {
        let program = Command::new(env::current_exe().unwrap());
        Self::run(with_task(program, task, path))
    }

    pub fn run(mut command: Command) -> Self {
        let mut process = command.spawn().unwrap();
        Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()),
            process,
        }
    }

    /// Reads its next report; none once it has ended.
    pub fn next_report(&mut self) -> Option<String> {
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

    /// Checks that its next report is this.
    pub fn expect(&mut self, words: &str) {
        assert_eq!(self.next_report().as_deref(), Some(words));
    }

    /// Lets it go on.
    pub fn go_on(&mut self) {
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

    /// Reads all further reports, and checks that it ended well.
    pub fn finish(mut self) -> Vec<String> {
        let mut reports = Vec::new();
        while let Some(words) = self.next_report() {
            reports.push(words);
        }
        let status = self.process.wait().unwrap();
        assert!(status.success(), "{status}: {reports:?}");
        reports
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
