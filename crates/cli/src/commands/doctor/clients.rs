//! The clients' own files: is Holdpoint registered there, does what they start exist, and does it find the
//! person's journal.

use super::Check;
use crate::{
    commands::init::{
        Client, bare_environment,
        client::Machine,
        registered::{Entry, Registered},
    },
    config::{Config, Environment, Flags},
};
use clap::ValueEnum;
use holdpoint::journal::shown_address;
use holdpoint_ask::visible;
use std::path::{Path, PathBuf};

pub fn checks(
    registered: &[Registered],
    workspace: &Path,
    environment: &Environment,
) -> Vec<Check> {
    let mut checks: Vec<_> = registered
        .iter()
        .map(|found| check(found, environment))
        .collect();
    checks.extend(journals(registered, workspace, environment));
    if registered.is_empty() {
        checks.push(unregistered_clients(workspace, environment));
    }
    checks
}

/// No client knows of us: those that are on this machine are named.
fn unregistered_clients(workspace: &Path, environment: &Environment) -> Check {
    let here = workspace.display();
    let clients = Client::value_variants().iter();
    let installed: Vec<Client> = clients
        .copied()
        .filter(|client| {
            programs(*client)
                .iter()
                .any(|name| find(Path::new(name), environment).is_some())
        })
        .collect();
    let titles: Vec<_> = installed.iter().map(|client| client.title()).collect();
    let Some(first) = installed.first() else {
        let what =
            format!("no client is registered in {here}, and none that `init` knows was found");
        return Check::hint("clients", what)
            .fix("`holdpoint init --help` lists the clients that it can be registered with");
    };
    let what = format!(
        "no client is registered in {here}; {} is on this machine",
        titles.join(", ")
    );
    Check::hint("clients", what).fix(format!("holdpoint init {}", first.word()))
}

/// What a client is started with. By its word, since most are called like it.
fn programs(client: Client) -> Vec<String> {
    let word = client.word();
    let names: &[&str] = match &*word {
        "vscode" => &["code", "code-insiders"],
        "continue" => &["cn"],
        "zed" => &["zed", "zeditor"],
        // An app without a command.
        "claude-desktop" => &[],
        own => return vec![own.to_owned()],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn check(found: &Registered, environment: &Environment) -> Check {
    let name = &found.client.word();
    let file = &found.file;
    let register = format!("holdpoint init {name}{}", found.scope.flag());
    let entry = match &found.entry {
        Ok(Some(entry)) => entry,
        Ok(None) => {
            return Check::hint(name, format!("{file} has no server `holdpoint`")).fix(register);
        }
        Err(error) => {
            let fix = if error.starts_with("cannot read") {
                "give yourself the right to read it"
            } else {
                "correct the file; the client cannot read it either"
            };
            return Check::problem(name, format!("{file} cannot be read: {}", visible(error)))
                .fix(fix);
        }
    };
    if let Some(url) = &entry.url {
        return Check::ok(name, format!("{file}: a server at {}", visible(url)));
    }
    let Some(command) = &entry.command else {
        return Check::problem(name, format!("{file}: `holdpoint` has no command")).fix(register);
    };
    let shown = visible(command);
    if command.contains("${") {
        let what = format!("{file}: starts {shown}, which only the client can resolve");
        return Check::hint(name, what);
    }
    match find(Path::new(command), environment) {
        Some(_) if entry.is_other => {
            let args: Vec<_> = entry.args.iter().map(|arg| shown_argument(arg)).collect();
            let args = visible(&args.join(" ")).into_owned();
            let line = format!("{shown} {args}");
            let what = format!(
                "{file}: starts `{}`, not `holdpoint serve`",
                line.trim_end()
            );
            Check::hint(name, what).fix(register)
        }
        Some(path) => Check::ok(name, format!("{file}: starts {}", path.display())),
        None => Check::problem(name, format!("{file}: the program {shown} was not found"))
            .fix(program_tip(command, &register)),
    }
}

/// What to do about a program that is not there, by how the file names it.
fn program_tip(command: &str, register: &str) -> String {
    if Path::new(command).components().count() > 1 {
        return format!("correct the path there, or take the entry out and run `{register}`");
    }
    match std::env::current_exe() {
        Ok(own) if command == "holdpoint" => {
            format!(
                "put it on your PATH, or write this program's path there: {}",
                own.display()
            )
        }
        _ => "install it on your PATH, or write its full path there".to_owned(),
    }
}

/// Whether servers that are started with few variables find the journal that this shell uses.
fn journals(registered: &[Registered], workspace: &Path, shell: &Environment) -> Vec<Check> {
    let journal = |environment: &Environment| {
        let config = Config::load(environment, workspace, &Flags::default()).ok()?;
        config.journal(environment).ok()
    };
    let Some(own) = journal(shell) else {
        return Vec::new();
    };
    let entries = registered.iter().filter_map(|found| {
        let entry: &Entry = found.entry.as_ref().ok()?.as_ref()?;
        let theirs = entry.environment(shell)?;
        Some((found.client, journal(&theirs)))
    });
    let entries: Vec<_> = entries.collect();
    if entries.is_empty() {
        let bare = journal(&shell.bare([]));
        let differs = bare.filter(|bare| *bare != own);
        let hint = differs.map(|bare| unregistered(&bare, &own));
        return hint.into_iter().collect();
    }
    let differ = entries.into_iter().filter_map(|(client, theirs)| {
        let theirs = theirs.filter(|theirs| *theirs != own)?;
        Some(differing(client, &theirs, &own))
    });
    differ.collect()
}

/// An argument as it may be shown: it may be the address of a database, with a password.
fn shown_argument(arg: &str) -> String {
    let address = ["postgres://", "postgresql://"].iter();
    match address.filter_map(|scheme| arg.find(scheme)).min() {
        Some(at) => format!("{}{}", &arg[..at], shown_address(&arg[at..])),
        None => arg.to_owned(),
    }
}

fn differing(client: Client, theirs: &str, own: &str) -> Check {
    let (name, title) = (client.word(), client.title());
    let (theirs, own) = (shown_address(theirs), shown_address(own));
    let what = format!(
        "{title} starts the server with few variables, and it uses {theirs}, not {own} as this shell does: what it asks waits where `holdpoint inbox` does not look here"
    );
    Check::problem(&name, what).fix(format!(
        "run `holdpoint init {name}` in this shell, which hands on what is missing; or set `journal` in ~/.config/holdpoint/config.toml, which every server reads"
    ))
}

fn unregistered(bare: &str, own: &str) -> Check {
    let names = bare_environment::needed(&Machine::current()).join(", ");
    let (bare, own) = (shown_address(bare), shown_address(own));
    let what = format!(
        "a client that starts servers with few variables (Codex, fast-agent) would use {bare}, not {own} as this shell does, because of {names}"
    );
    Check::hint("environment", what).fix(
        "`holdpoint init` hands them on for clients that it knows; or set `journal` in ~/.config/holdpoint/config.toml, which every server reads",
    )
}

/// The program that this command starts.
pub fn find(command: &Path, environment: &Environment) -> Option<PathBuf> {
    if command.components().count() > 1 {
        return command.is_file().then(|| command.to_owned());
    }
    let name = if cfg!(windows) && command.extension().is_none() {
        command.with_extension("exe")
    } else {
        command.to_owned()
    };
    let mut places = environment.search_path().into_iter();
    places.find_map(|folder| Some(folder.join(&name)).filter(|path| path.is_file()))
}
