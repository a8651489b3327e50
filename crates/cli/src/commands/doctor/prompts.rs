//! The hook by which clients' prompts come here: is it there once, can it be started, does it have the time
//! that a person needs, and what happens when it fails.

use super::{Check, client_settings::toml, clients::find};
use crate::{
    commands::init::{
        Client,
        client::Machine,
        prompts::{
            self, CLIENTS, Call,
            found::{Found, Runs},
            hooks::{Registration, Role},
        },
        user_file::Scope,
    },
    config::Environment,
};
use holdpoint_ask::visible;
use std::{fs, path::Path};

const NAME: &str = "prompts";
/// Less is no time for a person.
const LEAST: u64 = 60;
/// How long the hook takes where the entry does not say.
const USUAL: u64 = 25;

/// One check for each registration, and one for each client that would ask twice.
pub fn checks(
    found: &[Found],
    workspace: &Path,
    machine: &Machine,
    environment: &Environment,
) -> Vec<Check> {
    let each = found
        .iter()
        .map(|found| Registered::new(found, workspace, machine).check(environment));
    let twice = CLIENTS.into_iter().filter_map(|client| {
        let run = |found: &&Found| found.run_by(client, machine) != Runs::No;
        let run: Vec<_> = found.iter().filter(run).collect();
        twice(client, &run, workspace, machine)
    });
    each.chain(twice).collect()
}

/// A registration, in words.
struct Registered<'a> {
    found: &'a Found,
    file: String,
    title: &'static str,
    /// What registers it.
    init: String,
    machine: &'a Machine,
}

impl<'a> Registered<'a> {
    fn new(found: &'a Found, workspace: &Path, machine: &'a Machine) -> Self {
        let (word, scope) = (found.client.word(), found.scope.flag());
        Self {
            found,
            file: shown(found, workspace),
            title: found.client.title(),
            init: format!("holdpoint init {word}{scope} --prompts"),
            machine,
        }
    }

    /// The first thing that is wrong with it, the worst first.
    fn check(&self, environment: &Environment) -> Check {
        self.missing(environment)
            .or_else(|| self.short())
            .or_else(|| self.open())
            .or_else(|| self.untrusted())
            .or_else(|| self.old())
            .unwrap_or_else(|| {
                let (file, title) = (&self.file, self.title);
                Check::ok(NAME, format!("{file}: {title}'s prompts come here"))
            })
    }

    /// What is called on events that wait for the hook.
    fn waiting(&self) -> impl Iterator<Item = (&str, &Call, Role)> {
        let calls = self.found.calls.iter().map(|(event, call)| {
            let role = role(self.found.client, event).unwrap_or(Role::Decides);
            (event.as_str(), call, role)
        });
        calls.filter(|(_, _, role)| *role != Role::Hears)
    }

    fn problem(&self, what: &str) -> Check {
        Check::problem(NAME, format!("{}: {what}", self.file))
    }

    fn missing(&self, environment: &Environment) -> Option<Check> {
        let mut programs = self.found.calls.iter().map(|(_, call)| &call.program);
        let missing = programs.find(|program| find(Path::new(program), environment).is_none())?;
        let what = format!(
            "the program {} was not found, and {} calls it before every tool",
            visible(missing),
            self.title
        );
        let fix = format!(
            "install it on your PATH, or take the hook out with `{} --remove`",
            self.init
        );
        Some(self.problem(&what).fix(fix))
    }

    fn short(&self) -> Option<Check> {
        let title = self.title;
        let what = self.waiting().find_map(|(event, call, _)| {
            let within = call.within.unwrap_or(USUAL);
            let waits = call.timeout.or(usual_timeout(self.found.client));
            match waits {
                Some(waits) if waits <= within => Some(format!(
                    "{title} waits {waits} s for the hook on {event}, which may take {within} s: what nobody answered by then is not held back"
                )),
                _ if within < LEAST => Some(format!(
                    "the hook on {event} gives you {within} s to answer, and then says no"
                )),
                _ => None,
            }
        })?;
        let fix = format!("run `{}`, which sets both times", self.init);
        Some(self.problem(&what).fix(fix))
    }

    fn open(&self) -> Option<Check> {
        // It runs PowerShell there, and nothing that we could write stops it.
        if self.found.client == Client::Gemini && self.machine.os == "windows" {
            return None;
        }
        let mut open = self.waiting();
        let open = open.find(|(_, call, role)| *role == Role::Decides && !call.is_closed);
        let what = format!(
            "when the hook on {} cannot be started or dies, {} goes on as if it had said yes",
            open?.0, self.title
        );
        let fix = format!("run `{}`, which sets what stops it", self.init);
        Some(self.problem(&what).fix(fix))
    }

    /// Codex notes which hooks its user trusts; whether one has changed since, only Codex knows.
    fn untrusted(&self) -> Option<Check> {
        if self.found.client != Client::Codex {
            return None;
        }
        let config = self.machine.codex_folder().ok()?.join("config.toml");
        let config = toml(&config).unwrap_or_default();
        let noted = config["hooks"]["state"].as_object();
        let is_noted = |event: &str| {
            let start = format!("{}:{}:", self.found.path.display(), in_snake_case(event));
            let mut noted = noted.into_iter().flatten();
            noted.any(|(key, state)| key.starts_with(&start) && state["trusted_hash"].is_string())
        };
        let all = self.waiting().all(|(event, ..)| is_noted(event));
        let what = "Codex runs no hook that you have not trusted, and does not say so";
        let fix = "start `codex`, open `/hooks` and trust them";
        (!all).then(|| self.problem(what).fix(fix))
    }

    fn old(&self) -> Option<Check> {
        let text = fs::read_to_string(&self.found.path).unwrap_or_default();
        let text = text.trim_start_matches('\u{feff}');
        let what = format!(
            "{}: the hook is not registered as this version does it",
            self.file
        );
        (!prompts::is_up_to_date(self.found, text, self.machine))
            .then(|| Check::hint(NAME, what).fix(self.init.clone()))
    }
}

fn twice(client: Client, run: &[&Found], workspace: &Path, machine: &Machine) -> Option<Check> {
    // Claude Code runs the same command once, wherever it is.
    let (first, rest) = run.split_first()?;
    if rest.is_empty() || client == Client::Claude {
        return None;
    }
    let title = client.title();
    let files: Vec<_> = run.iter().map(|found| shown(found, workspace)).collect();
    let files = files.join(" and ");
    let own = run.iter().find(|found| found.client == client);
    let gone = own.unwrap_or(first);
    let claude = run.iter().find(|found| found.client == Client::Claude);
    let alike = |scope| run.iter().all(|found| found.scope == scope);
    let fix = match (client, claude) {
        // It makes room for itself.
        (Client::Vscode | Client::Copilot, Some(_)) if alike(Scope::Project) => {
            "holdpoint init claude --prompts".to_owned()
        }
        (Client::Vscode, Some(_)) => {
            "turn `chat.useClaudeHooks` off in VS Code's settings".to_owned()
        }
        (Client::Copilot, Some(_)) => "run `holdpoint init claude --prompts --remove` and `holdpoint init claude --user --prompts`: what is yours, Copilot CLI does not run".to_owned(),
        _ => format!(
            "holdpoint init {}{} --prompts --remove",
            gone.client.word(),
            gone.scope.flag()
        ),
    };
    let unsure = run
        .iter()
        .any(|found| found.run_by(client, machine) == Runs::Perhaps);
    Some(if unsure {
        let what = format!(
            "{title} asks twice where third-party configs are on in its settings: {files} have the hook"
        );
        Check::hint(NAME, what).fix(format!("if they are on, run `{fix}`"))
    } else {
        let what = format!("{title} asks everything twice: {files} have the hook");
        Check::problem(NAME, what).fix(fix)
    })
}

fn shown(found: &Found, workspace: &Path) -> String {
    let path = found.path.strip_prefix(workspace).unwrap_or(&found.path);
    path.display().to_string()
}

fn role(client: Client, event: &str) -> Option<Role> {
    let ours = Registration::new(client, "")?;
    let known = ours.events.iter().find(|known| known.name == event);
    known.map(|known| known.role)
}

/// How long a client waits where the entry does not say.
fn usual_timeout(client: Client) -> Option<u64> {
    match client {
        Client::Claude | Client::Codex => Some(600),
        Client::Vscode | Client::Copilot => Some(30),
        Client::Gemini => Some(60),
        _ => None,
    }
}

/// The name of an event as Codex notes it.
fn in_snake_case(event: &str) -> String {
    let mut name = String::new();
    for letter in event.chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.extend(letter.to_lowercase());
    }
    name
}
