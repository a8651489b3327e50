//! A client whose prompts come to Holdpoint, and the person who has the page open.

use super::{
    Browser,
    catalog::Prompting,
    leftovers::kill_all,
    page::opened,
    station::Station,
    statuses,
    support::{Process, eventually_blocking, person::Person, stderr, stdout},
    terminal::Terminal,
};
use serde_json::{Value, json};
use std::{fs, io::Read};

/// What the client's shell makes.
const MADE: &str = "made-by-agent";

pub struct Desk {
    // Before the station, which ends all that runs.
    person: Person,
    pub page: Browser,
    pub station: Station,
    pub of: &'static Prompting,
}

/// The client at one task.
pub struct Run {
    // It ends with this.
    process: Process,
    /// How many tasks were done before.
    before: usize,
}

impl Desk {
    /// Sets the client up as a person does, with the hook.
    pub fn new(of: &'static Prompting) -> Self {
        Self::with_config(of, "")
    }

    /// The same, where the person has this configuration of Holdpoint.
    pub fn with_config(of: &'static Prompting, config: &'static str) -> Self {
        let desk = Self::without_hook(of, config);
        let (code, said) = Person::ran(&desk.station.home, &["init", of.word, "--prompts"]);
        assert_eq!(code, 0, "{said}");
        if !of.rules.is_empty() {
            desk.rules(of.rules);
        }
        desk
    }

    /// The client as it is without the hook.
    pub fn without_hook(of: &'static Prompting, config: &'static str) -> Self {
        let station = Station::new(of.client, config);
        station.put_binary_on_path();
        let (person, page) = page(&station);
        Self {
            person,
            page,
            station,
            of,
        }
    }

    /// The person's own rules.
    pub fn rules(&self, rules: &str) {
        let folder = self.station.home.root().join(".config/holdpoint");
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("rules.toml"), rules).unwrap();
    }

    /// The hook that is registered, changed.
    pub fn change_hook(&self, change: impl FnOnce(String) -> String) {
        let path = self.station.home.workspace().join(self.of.hook);
        let before = fs::read_to_string(&path).unwrap();
        let after = change(before.clone());
        assert_ne!(before, after, "{before}");
        fs::write(path, after).unwrap();
    }

    /// The hook waits this long for a person, and no longer.
    pub fn waits_only(&self, seconds: u32) {
        self.change_hook(|hook| hook.replace("3590", &seconds.to_string()));
    }

    /// The client is given its task: to make a folder.
    pub fn starts(&self) -> Run {
        self.runs(self.of.task)
    }

    /// The same once more, in the same session.
    pub fn starts_again(&self) -> Run {
        self.runs(self.of.again)
    }

    fn runs(&self, args: &[&str]) -> Run {
        self.does(args, "folder")
    }

    /// The client with these arguments; in them `TASK` stands for a scenario.
    pub fn does(&self, args: &[&str], scenario: &str) -> Run {
        Run {
            before: self.station.model.ended(),
            process: self.station.one_task(args, scenario),
        }
    }

    /// The client at a terminal is given a task.
    pub fn at_terminal(&self, scenario: &str) -> Terminal {
        let client = self.of.client;
        self.typed_at(client.interactive, client.ready, scenario)
    }

    /// The client at a terminal with these arguments is given a task once its screen shows this.
    pub fn typed_at(&self, args: &[&str], ready: &str, scenario: &str) -> Terminal {
        let terminal = Terminal::open(&self.station.home, &self.station.command(args));
        self.types(&terminal, ready, scenario);
        terminal
    }

    /// The client's user gives it a task once its screen shows this.
    pub fn types(&self, terminal: &Terminal, ready: &str, scenario: &str) {
        terminal.sees(ready);
        let task = format!("SCENARIO {scenario}");
        let shown = || terminal.screen().matches(&task).count();
        let before = shown();
        terminal.types(&task);
        eventually_blocking("what was typed", || (shown() > before).then_some(()));
        terminal.press("Enter");
    }

    /// Waits until something is asked; gives what is there to read.
    pub fn asked(&self) -> Value {
        self.page.asked()
    }

    /// A person answers what is asked on the page, after reading it.
    pub fn answer(&self, content: Value) -> Value {
        let asked = self.asked();
        let answered = self.page.accept(&asked, content);
        assert_eq!(answered["result"], "settled", "{answered}");
        asked
    }

    /// A yes for this once.
    pub fn allow(&self) -> Value {
        self.answer(json!({ "decision": "allow" }))
    }

    /// A no.
    pub fn deny(&self, reason: &str) -> Value {
        self.answer(json!({ "decision": "deny", "reason": reason }))
    }

    /// The client, its hooks, its servers and the page are killed. The person opens the page again.
    pub fn is_killed(&mut self) {
        kill_all(&self.station.home);
        (self.person, self.page) = page(&self.station);
    }

    /// Waits until nothing is asked any more; why the last ask is over, as the record has it.
    pub fn withdrawn(&self) -> Value {
        eventually_blocking("that nothing is asked", || {
            let asks = self.page.get("/api/asks");
            asks["asks"].as_array()?.is_empty().then_some(())
        });
        let exported = stdout(&self.station.home.run(&["log", "export"]));
        let events = exported
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut ended = events.filter(|event| event["kind"] == "decided");
        ended.next_back().unwrap_or_else(|| panic!("{exported}"))
    }

    /// How what was asked ended.
    pub fn asks(&self) -> Vec<String> {
        let journal = self.station.journal();
        statuses(&journal).into_iter().map(str::to_owned).collect()
    }

    /// Whether the client's shell did what it was told.
    pub fn is_made(&self) -> bool {
        self.station.home.workspace().join(MADE).exists()
    }

    /// The record holds together.
    pub fn verifies(&self) {
        let verified = self.station.home.run(&["log", "verify"]);
        let (out, err) = (stdout(&verified), stderr(&verified));
        assert!(verified.status.success(), "{out}{err}");
    }
}

impl Run {
    /// All that the client prints until it ends.
    pub fn said(&mut self) -> String {
        let mut said = String::new();
        let mut out = self.process.child().stdout.take().unwrap();
        out.read_to_string(&mut said).unwrap();
        self.process.ended();
        said
    }

    /// Waits for the end of the task, and of the client; what the model got last.
    pub fn told(mut self, desk: &Desk) -> String {
        let got = desk.station.model.got_after(self.before);
        self.process.ended();
        got.last().expect("a result").clone()
    }
}

/// The page, as a person has it open.
fn page(station: &Station) -> (Person, Browser) {
    let mut person = Person::runs(&station.home, &["inbox", "--web"], &[]);
    let page = opened(&mut person);
    (person, page)
}
