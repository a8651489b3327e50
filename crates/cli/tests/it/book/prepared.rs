//! A home in which somebody has used Holdpoint before: with the files, the asks and the page that a block of the book
//! takes for granted.

use super::how;
use crate::support::{
    Home, Process, eventually_blocking, new_home,
    person::{CTRL_C, Person},
    stdout,
};
use docs::Block;
use serde_json::Value;
use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
};

/// The home, and what runs in it while a block is typed.
pub struct Prepared {
    home: Home,
    /// An ask that somebody can answer, or read.
    ask: Option<String>,
    /// What waits for its answer.
    _asking: Option<Process>,
    /// The page, and its address.
    page: Option<(Person, String)>,
    token: String,
}

const HELLO: &str = "export default class Hello {
  /**
   * Greets somebody.
   * @param {string} [greeting=Hello] - the word before the name
   */
  *greet({ greeting }) {
    const name = yield { ask: 'text', message: 'What is your name?' };
    return `${greeting}, ${name}!`;
  }
}
";

impl Prepared {
    /// One that has what this block needs.
    pub fn for_block(block: &Block) -> Self {
        let home = new_home();
        // Nobody reads here.
        home.config("fast_reply_ms = 0\n");
        home.work_file("hello.js", HELLO);
        home.work_file("hello.photon.ts", HELLO);
        home.work_file(
            "user.json",
            r#"[{ "name": "name", "kind": "text", "title": "The name" }]"#,
        );
        home.work_file("deploy", "#!/bin/sh\n");
        let deploy = home.workspace().join("deploy");
        fs::set_permissions(deploy, PermissionsExt::from_mode(0o755)).unwrap();
        home.work_file(
            ".claude/settings.json",
            r#"{ "permissions": { "allow": ["Bash(cargo test *)"], "deny": ["Read(.env)"] } }"#,
        );
        // Continue is left alone until somebody has set it up.
        let models = "models:\n  - name: own\n";
        let continues = home.root().join(".continue");
        fs::create_dir(&continues).unwrap();
        fs::write(continues.join("config.yaml"), models).unwrap();
        let programs = home.root().join("bin");
        fs::create_dir(&programs).unwrap();
        symlink(home.binary(), programs.join("holdpoint")).unwrap();
        let mut prepared = Self {
            home,
            ask: None,
            _asking: None,
            page: None,
            token: String::new(),
        };
        if block.text.contains("journal.db") {
            let journal = ["serve", "--journal", "sqlite:journal.db"];
            assert!(prepared.home.run(&journal).status.success());
        }
        if block.text.contains(".local/state/holdpoint/journal.db") {
            assert!(prepared.home.run(&["serve"]).status.success());
        }
        let needs_ask = ["holdpoint answer", "holdpoint log show"];
        if needs_ask.iter().any(|needs| block.text.contains(needs)) {
            prepared.open_ask();
        }
        if block.text.contains("127.0.0.1:4653") {
            prepared.serve_page();
        }
        prepared
    }

    /// Types a command as the book has it, and what a person then presses; it has to end well.
    #[track_caller]
    pub fn types(&mut self, command: &str) {
        let how = how::of(command);
        let mut line = self.in_this_home(command);
        if how.is_some_and(|how| how.no_input) {
            line.push_str(" </dev/null");
        }
        let path = format!(
            "{}:{}",
            self.home.root().join("bin").display(),
            env::var("PATH").unwrap()
        );
        let variables = [("PATH", path.as_str()), ("TOKEN", &self.token)];
        let mut person = Person::shell(&self.home, &line, &variables);
        for (seen, keys) in how.map_or(&[][..], |how| how.keys) {
            person.sees(seen).types(keys);
        }
        let (shown, status) = person.ends();
        let any_code = how.is_some_and(|how| how.any_code);
        assert!(any_code || status.success(), "{line}\n{status:?}\n{shown}");
        // What was asked by this command is what the next one speaks of.
        if let Some((_, rest)) = shown.split_once("\"askId\":\"") {
            self.ask = rest.split('"').next().map(ToOwned::to_owned);
        }
    }

    /// Every event that the block led to has the fields that the book says it has, and no others.
    #[track_caller]
    pub fn check_events(&self) {
        let documented = documented_events();
        let exported = stdout(&self.home.run(&["log", "export"]));
        for line in exported.lines() {
            let event: Value = serde_json::from_str(line).unwrap();
            let kind = event["kind"].as_str().unwrap();
            let known = documented
                .get(kind)
                .unwrap_or_else(|| panic!("no event {kind}"));
            for field in event["body"].as_object().into_iter().flatten() {
                assert!(known.contains(field.0), "{kind}: `{}`", field.0);
            }
        }
    }

    /// A command with what the book's own home has in the place of ours.
    fn in_this_home(&self, command: &str) -> String {
        let root = self.home.root().display().to_string();
        let mut line = command
            .replace("/etc/holdpoint/", &format!("{root}/"))
            .replace("/backup/", &format!("{root}/backup/"))
            .replace("127.0.0.1:8080", "127.0.0.1:0")
            .replace("?wait=60", "?wait=0");
        if let Some((_, address)) = &self.page {
            line = line.replace("http://127.0.0.1:4653", address);
        }
        if let Some(ask) = &self.ask {
            line = line.replace("019a…", ask);
            for command in ["answer ", "show "] {
                let Some((before, after)) = line.split_once(command) else {
                    continue;
                };
                let id = after.split_whitespace().next().unwrap_or_default();
                line = format!("{before}{command}{ask}{}", &after[id.len()..]);
            }
        }
        line
    }

    /// Has somebody ask something, without a terminal: it waits in the inbox.
    fn open_ask(&mut self) {
        let mut asking = self
            .home
            .command(&["ask", "confirm", "Deploy to production?"]);
        self._asking = Some(Process::start(&mut asking));
        self.ask = Some(eventually_blocking("the ask is open", || {
            let listed = stdout(&self.home.run(&["inbox", "--json"]));
            let listed: Value = serde_json::from_str(&listed).ok()?;
            Some(listed["asks"][0]["id"].as_str()?.to_owned())
        }));
    }

    /// Has somebody serve the page, and a program that may ask.
    fn serve_page(&mut self) {
        let mut page = Person::runs(&self.home, &["inbox", "--web"], &[]);
        page.sees("http://");
        let address = page.reads_line();
        let address = address.split('/').next().unwrap();
        self.page = Some((page, format!("http://{address}")));
        let (code, shown) = Person::ran(&self.home, &["token", "create", "docs", "--may", "ask"]);
        assert_eq!(code, 0, "{shown}");
        let token = shown
            .split_whitespace()
            .find(|word| word.starts_with("holdpoint_"));
        self.token = token.unwrap().to_owned();
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some((mut page, _)) = self.page.take() {
            page.types(CTRL_C);
        }
    }
}

/// The fields of the body of each kind of event, as the reference lists them.
fn documented_events() -> BTreeMap<String, BTreeSet<String>> {
    let page = include_str!("../../../../../docs/reference/events.md");
    let in_ticks = |text: &str| text.split('`').nth(1).map(ToOwned::to_owned);
    let mut events = BTreeMap::new();
    for section in page.split("\n### ").skip(1) {
        let rows = section.lines().filter(|line| line.starts_with("| `"));
        events.insert(
            in_ticks(section).unwrap(),
            rows.filter_map(in_ticks).collect(),
        );
    }
    events
}
