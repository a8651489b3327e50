//! `holdpoint demo`, the real binary: without a person, and at a terminal.
#![cfg(unix)]

mod support;

use portable_pty::{CommandBuilder, ExitStatus, PtySize, native_pty_system};
use serde_json::Value;
use std::{
    io::{Read, Write},
    sync::mpsc,
    thread,
    time::Instant,
};
use support::*;

/// The part under a title.
fn part<'a>(page: &'a str, title: &str) -> &'a str {
    let (_, rest) = page.split_once(title).expect(title);
    let (_, rest) = rest.split_once('\n').unwrap();
    rest.split("\n── ").next().unwrap()
}

/// The result that the agent got.
fn told(page: &str) -> Value {
    serde_json::from_str(part(page, "3. What the agent was told")).unwrap()
}

#[test]
fn without_a_person() {
    let check = |answer: &str, proceed: bool| {
        let home = Home::new();
        let output = home.run(&["demo", "--answer", answer]);
        let page = stdout(&output);
        assert!(output.status.success(), "{}", stderr(&output));
        assert!(!page.contains('\u{1b}'), "no styles in a pipe");
        assert!(part(&page, "1. The agent asks").contains("request_plan_approval"));
        assert!(part(&page, "2. The person decides").contains("Phases: 3"));
        let told = told(&page);
        assert_eq!(told["status"], "accepted");
        assert_eq!(told["decision"], answer);
        assert_eq!(told["proceed"], proceed);
        let record = part(&page, "4. What is on the record");
        for word in ["asked", "decided", "hash", "the chain holds"] {
            assert!(record.contains(word), "{word}: {record}");
        }
        assert!(page.contains("holdpoint init vscode"));
        assert!(!home.journal().exists(), "the journal is a temporary one");
    };
    check("approve", true);
    check("request_changes", false);
    check("cancel", false);
}

#[test]
fn without_a_terminal_nobody_is_asked() {
    let home = Home::new();
    let output = home.run(&["demo"]);
    assert_eq!(output.status.code(), Some(5));
    assert_eq!(stdout(&output), "");
    let said = stderr(&output);
    assert!(said.contains("--answer approve"), "{said}");
    let wrong = home.run(&["demo", "--answer", "perhaps"]);
    assert_eq!(wrong.status.code(), Some(2));
}

const DOWN: &str = "\u{1b}[B";
const ENTER: &str = "\r";
const ESCAPE: &str = "\u{1b}";
const CTRL_C: &str = "\u{3}";

/// A person at a terminal.
struct Person {
    shown: mpsc::Receiver<Vec<u8>>,
    keys: Box<dyn Write + Send>,
    program: Box<dyn portable_pty::Child + Send + Sync>,
    /// All that was shown, with its styles.
    seen: Vec<u8>,
    /// How much of it, without them, was waited for.
    read: usize,
    start: Instant,
}

impl Person {
    fn at_demo(variables: &[(&str, &str)]) -> Self {
        let size = PtySize {
            rows: 60,
            cols: 100,
            ..PtySize::default()
        };
        let terminal = native_pty_system().openpty(size).unwrap();
        let home = Home::new();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_holdpoint"));
        command.arg("demo");
        command.cwd(home.workspace());
        command.env_remove("NO_COLOR");
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
        thread::spawn(move || {
            // The home and the terminal stay as long as something is read.
            let _kept = (home, terminal);
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
            program,
            seen: Vec::new(),
            read: 0,
            start: Instant::now(),
        }
    }

    /// Waits until this is shown, behind what was waited for before.
    fn sees(&mut self, text: &str) -> &mut Self {
        loop {
            let plain = self.plain();
            if let Some(at) = plain[self.read..].find(text) {
                self.read += at + text.len();
                return self;
            }
            let left = PATIENCE.saturating_sub(self.start.elapsed());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("{text:?} is not shown:\n{plain}"),
            }
        }
    }

    fn types(&mut self, keys: &str) -> &mut Self {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
        self
    }

    /// The whole page without its styles, once the program has ended.
    fn page(mut self) -> (String, ExitStatus) {
        self.sees("holdpoint init vscode");
        let status = self.program.wait().unwrap();
        (self.plain().replace("\r\n", "\n"), status)
    }

    /// What was shown, without its styles.
    fn plain(&self) -> String {
        anstream::adapter::strip_str(&String::from_utf8_lossy(&self.seen)).to_string()
    }
}

#[test]
fn a_person_chooses_with_the_arrow_keys() {
    let mut person = Person::at_demo(&[]);
    person
        .sees("Approve the plan")
        .sees("Plan Approval Decision")
        .sees("Approve - Start Implementation")
        .sees("to dismiss");
    // The cursor is on no option: this decides nothing, and the question comes again.
    person
        .types(ENTER)
        .sees("Plan Approval Decision")
        .sees("to dismiss");
    person
        .types(DOWN)
        .sees("> ✅ Approve")
        .types(DOWN)
        .sees("> 📝 Request Changes");
    person
        .types(ENTER)
        .sees("Feedback (Optional)")
        .sees("to dismiss");
    person.types("per key, please").types(ENTER);
    person
        .sees("What should count as one client?")
        .sees("to dismiss");
    person.types(ENTER);
    let (page, status) = person.page();
    assert!(status.success());
    let told = told(&page);
    assert_eq!(told["decision"], "request_changes", "{page}");
    assert_eq!(told["feedback"], "per key, please");
    assert_eq!(told["proceed"], false);
}

#[test]
fn a_dismissed_form_is_no_yes() {
    for key in [ESCAPE, CTRL_C] {
        let mut person = Person::at_demo(&[]);
        person.sees("Plan Approval Decision").sees("to dismiss");
        person.types(key).sees("dismissed");
        let (page, status) = person.page();
        assert!(status.success());
        let told = told(&page);
        assert_eq!(told["status"], "cancelled", "{page}");
        assert_eq!(told["proceed"], false);
        assert!(part(&page, "4. What is on the record").contains("cancelled"));
    }
}

#[test]
fn no_color_is_honoured() {
    let colours = |variables: &[(&str, &str)]| {
        let mut person = Person::at_demo(variables);
        person.sees("Plan Approval Decision").sees("to dismiss");
        person.types(ESCAPE).sees("holdpoint init vscode");
        // Colours are 3x and 9x; moving the cursor is none.
        let seen = String::from_utf8_lossy(&person.seen);
        let sequences = seen.split("\u{1b}[").skip(1);
        let mut codes = sequences
            .filter_map(|it| it.split_once('m'))
            .map(|(code, _)| code);
        codes.any(|code| code.starts_with('3') || code.starts_with('9'))
    };
    assert!(colours(&[]));
    assert!(!colours(&[("NO_COLOR", "1")]));
}
