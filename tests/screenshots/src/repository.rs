//! A repository in which an agent has done a phase of its work.

use std::{fs, path::Path, process::Command};

/// What is committed.
const BEFORE: &[(&str, &str)] = &[
    ("src/session.rs", SESSION_BEFORE),
    ("src/login.rs", "pub mod page;\n"),
    ("web/login.ts", LOGIN_BEFORE),
    ("web/style.css", "form { display: grid; }\n"),
    (
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"shop\"\nversion = \"0.3.0\"\n",
    ),
    (
        "notes/old-name.md",
        "# Sessions\n\nHow long a session is good, and where it lives.\n",
    ),
];

/// What the agent made of it.
const AFTER: &[(&str, &str)] = &[
    ("src/session.rs", SESSION_AFTER),
    ("src/token.rs", TOKEN),
    ("web/login.ts", LOGIN_AFTER),
    ("web/style.css", "form { display: grid; gap: 1rem; }\n"),
    (
        "Cargo.lock",
        "version = 4\n\n[[package]]\nname = \"rand\"\nversion = \"0.9.2\"\n\n[[package]]\nname = \"shop\"\nversion = \"0.4.0\"\n",
    ),
];

/// The files that the agent names.
pub const FILES: [&str; 7] = [
    "src/session.rs",
    "src/token.rs",
    "web/login.ts",
    "web/style.css",
    "Cargo.lock",
    "notes/old-name.md",
    "notes/sessions.md",
];

/// Makes the repository in this folder.
pub fn make(folder: &Path) {
    fs::create_dir_all(folder).expect("a folder");
    let write = |(file, text): &(&str, &str)| {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder above")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    BEFORE.iter().for_each(write);
    git(folder, &["init", "-q", "-b", "login"]);
    git(folder, &["config", "user.name", "Ann"]);
    git(folder, &["config", "user.email", "ann@example.org"]);
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "-m", "feat: begin the shop"]);
    AFTER.iter().for_each(write);
    let moved = |name: &str| folder.join("notes").join(name);
    fs::rename(moved("old-name.md"), moved("sessions.md")).expect("a moved file");
    fs::write(folder.join("plan.md"), crate::texts::PLAN_FIRST).expect("the plan");
}

fn git(folder: &Path, arguments: &[&str]) {
    let ran = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .status();
    assert!(ran.expect("git").success(), "git {arguments:?}");
}

const SESSION_BEFORE: &str = "\
use std::{collections::HashMap, time::Duration};

/// Who is logged in, in memory.
pub struct Sessions {
    all: HashMap<String, Session>,
}

pub struct Session {
    pub user: u64,
    pub expires: Duration,
}

impl Sessions {
    pub fn find(&self, key: &str) -> Option<&Session> {
        self.all.get(key)
    }

    pub fn start(&mut self, user: u64) -> String {
        let key = user.to_string();
        let session = Session { user, expires: Duration::from_secs(3600) };
        self.all.insert(key.clone(), session);
        key
    }
}
";

const SESSION_AFTER: &str = "\
use crate::token::Token;
use std::{collections::HashMap, time::{Duration, Instant}};

/// How long a session is good.
const GOOD_FOR: Duration = Duration::from_secs(24 * 3600);

/// Who is logged in, in memory.
pub struct Sessions {
    all: HashMap<Token, Session>,
}

pub struct Session {
    pub user: u64,
    pub expires: Instant,
}

impl Sessions {
    /// The session of this token, unless it has run out.
    pub fn find(&self, token: &Token) -> Option<&Session> {
        self.all.get(token).filter(|session| session.expires > Instant::now())
    }

    pub fn start(&mut self, user: u64) -> Token {
        let token = Token::random();
        let session = Session { user, expires: Instant::now() + GOOD_FOR };
        self.all.insert(token.clone(), session);
        token
    }
}
";

const TOKEN: &str = "\
use rand::{TryRngCore, rngs::OsRng};

/// What a browser shows to be known again. Nobody can guess one.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Token([u8; 32]);

impl Token {
    pub fn random() -> Self {
        let mut bytes = [0; 32];
        OsRng.try_fill_bytes(&mut bytes).expect(\"the system has randomness\");
        Self(bytes)
    }
}
";

const LOGIN_BEFORE: &str = "\
export async function login(name: string, password: string) {
  const reply = await fetch('/login', { method: 'POST', body: JSON.stringify({ name, password }) });
  document.cookie = `session=${await reply.text()}`;
}
";

const LOGIN_AFTER: &str = "\
/** Logs in; the server sets the cookie, which no script can read. */
export async function login(name: string, password: string): Promise<boolean> {
  const reply = await fetch('/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name, password }),
  });
  return reply.ok;
}
";
