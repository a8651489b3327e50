//! What lies where.

use crate::{
    commands::init::{client::Machine, prompts::found, removable, user_file::Scope},
    config::{Config, Environment, Inbox, JournalArgs, WORKSPACE_FILE},
    known_workspaces::known_workspaces,
    own_command::{own_command, shell_word},
    prompts::rules_files,
    service_units,
};
use anyhow::Context;
use holdpoint::journal::{self, JournalEngine, shown_address};
use holdpoint_inbox::page_host;
use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Things of one kind.
pub struct Part {
    pub title: &'static str,
    pub items: Vec<Item>,
}

/// Something that is there.
pub struct Item {
    /// What and where.
    pub what: String,
    /// What removes it.
    pub commands: Vec<String>,
}

impl Item {
    fn new(what: impl Into<String>, commands: impl IntoIterator<Item = String>) -> Self {
        Self {
            what: what.into(),
            commands: commands.into_iter().collect(),
        }
    }
}

/// All of it, in the order in which it should go: the program is needed for the clients' files.
///
/// # Errors
/// When the current folder cannot be found.
pub async fn all(args: JournalArgs) -> anyhow::Result<Vec<Part>> {
    let here = env::current_dir().context("cannot find the current folder")?;
    let environment = Environment::from_process();
    let (config, fault) = match Config::load_around_workspace(&environment, &here, &args.flags()) {
        Ok((config, _)) => (config, None),
        Err(error) => (Config::default(), Some(error)),
    };
    let url = config.journal(&environment).ok();
    let record = match &url {
        Some(url) if url != "memory:" && crate::commands::log::missing_file(url).is_none() => {
            journal::open_read_only(url).await.ok()
        }
        _ => None,
    };
    let folders = folders(&here, record.as_ref()).await;
    let mut settings = settings(&environment);
    if let Some(fault) = fault {
        let what = format!("they cannot be read, so what they name is not listed here: {fault}");
        settings.insert(0, Item::new(what, []));
    }
    let parts = vec![
        part(
            "What keeps the page running",
            running(&environment, &config, record.as_ref()).await,
        ),
        part(
            "Clients' files, with what `holdpoint init` put in",
            clients(&folders, &here),
        ),
        part("In the folders that agents work in", workspaces(&folders)),
        part("Your settings and rules", settings),
        part(
            "Your record, with its keys, PIN, tokens and files",
            records(&environment, url.as_deref()),
        ),
        part("Left by its other commands", left_by_commands(&environment)),
        part("The program", vec![program()]),
    ];
    Ok(parts)
}

fn part(title: &'static str, mut items: Vec<Item>) -> Part {
    if items.is_empty() {
        items.push(Item::new("nothing was found", []));
    }
    Part { title, items }
}

/// The current folder, and those on record that are still there.
async fn folders(here: &Path, record: Option<&Arc<dyn JournalEngine>>) -> Vec<PathBuf> {
    let known = match record {
        Some(record) => known_workspaces(record.as_ref(), here).await.ok(),
        None => None,
    };
    known.unwrap_or_else(|| vec![here.to_owned()])
}

async fn running(
    environment: &Environment,
    config: &Config,
    record: Option<&Arc<dyn JournalEngine>>,
) -> Vec<Item> {
    let mut items: Vec<_> = service_units::find(environment)
        .into_iter()
        .map(|unit| {
            let name = shell_word(&unit.name);
            let what = format!("the unit {} of systemd: {}", unit.name, unit.path.display());
            let stop = format!("systemctl --user disable --now {name}");
            Item::new(what, [stop, rm(&[unit.path])])
        })
        .collect();
    let served = match record {
        Some(record) => page_host::find(record.as_ref()).await.ok().flatten(),
        None => None,
    };
    if let Some(served) = served {
        let what = format!(
            "the page is served at {served} now: end the clients that started it, or the command that serves it"
        );
        items.push(Item::new(what, []));
    }
    if config.inbox != Inbox::Off {
        let what = "browsers that were let in keep a token: clear the site data of the page's address there";
        items.push(Item::new(what, []));
    }
    items
}

fn clients(folders: &[PathBuf], here: &Path) -> Vec<Item> {
    let holdpoint = own_command();
    let machine = Machine::current();
    let mut items = Vec::new();
    let mut seen = BTreeSet::new();
    for folder in folders {
        let mut covered = BTreeSet::new();
        for found in removable::all(folder, &machine) {
            let client = found.client;
            covered.insert((client.word(), found.scope == Scope::User));
            let user = found.scope == Scope::User;
            // The person's own files are the same from every folder.
            if user && !seen.insert(client.word()) {
                continue;
            }
            let whose = if user {
                "for all of your projects".to_owned()
            } else {
                format!("in {}", folder.display())
            };
            let flag = if user && !client.is_in_home() {
                " --user"
            } else {
                ""
            };
            let command = format!("{holdpoint} init {}{flag} --remove", client.word());
            let command = if user || folder == here {
                command
            } else {
                format!(
                    "(cd {} && {command})",
                    shell_word(&folder.display().to_string())
                )
            };
            if !found.files.is_empty() {
                let files = found.files.join(", ");
                let what = format!("{} {whose}: {files}", client.title());
                match &found.fault {
                    Some(fault) => items.push(Item::new(
                        format!(
                            "{what}. The command leaves it as it is until this is fixed: {fault}"
                        ),
                        [command],
                    )),
                    None => items.push(Item::new(what, [command])),
                }
            }
            for file in found.kept {
                let what = format!(
                    "{} {whose}: the agent file {file}, which you changed",
                    client.title()
                );
                items.push(Item::new(what, [rm(&[folder.join(file)])]));
            }
        }
        for hook in found::all(folder, &machine) {
            let user = hook.scope == Scope::User;
            let path = hook.path.display().to_string();
            if !covered.contains(&(hook.client.word(), user)) && seen.insert(path.clone()) {
                let user = if user { " --user" } else { "" };
                let command = format!(
                    "{holdpoint} init {}{user} --prompts --remove",
                    hook.client.word()
                );
                let what = format!("the hook of {}: {path}", hook.client.title());
                items.push(Item::new(what, [command]));
            }
        }
    }
    items
}

/// What commands and tools wrote there that is no client's. Plans and completion files are the work itself.
fn workspaces(folders: &[PathBuf]) -> Vec<Item> {
    let kinds = [
        (
            WORKSPACE_FILE,
            "settings of the folder; they may belong to the repository",
        ),
        (
            rules_files::WORKSPACE_FILE,
            "rules of the folder; they may belong to the repository",
        ),
        (".copilot-state", "states, backups and traces of onboarding"),
    ];
    let there = folders.iter().flat_map(|folder| {
        kinds.iter().filter_map(|(name, what)| {
            let path = folder.join(name);
            path.exists()
                .then(|| Item::new(format!("{}: {what}", path.display()), [rm(&[path])]))
        })
    });
    there.collect()
}

fn settings(environment: &Environment) -> Vec<Item> {
    let configs = [environment.own_config_file(), environment.config_file()];
    let mut files: Vec<PathBuf> = Vec::new();
    for config in configs.into_iter().flatten() {
        for file in [config.clone(), config.with_file_name("rules.toml")] {
            if file.exists() && !files.contains(&file) {
                files.push(file);
            }
        }
    }
    let item = |file: PathBuf| Item::new(file.display().to_string(), [rm(&[file])]);
    files.into_iter().map(item).collect()
}

fn records(environment: &Environment, url: Option<&str>) -> Vec<Item> {
    let holdpoint = own_command();
    let mut items = Vec::new();
    let own = [
        environment.account_journal_file(),
        environment.journal_file(),
    ];
    let mut files: Vec<PathBuf> = own.into_iter().flatten().collect();
    match url {
        Some(url) if url.starts_with("postgres") => {
            let what = format!(
                "{}: the schema `holdpoint` of that database, which others may use too",
                shown_address(url)
            );
            items.push(Item::new(
                what,
                ["DROP SCHEMA holdpoint CASCADE;   -- in psql".to_owned()],
            ));
        }
        Some(url) => files.extend(url.strip_prefix("sqlite:").map(PathBuf::from)),
        None => {}
    }
    let mut listed = BTreeSet::new();
    for file in files {
        let file = std::path::absolute(&file).unwrap_or(file);
        let there = with_neighbours(&file);
        if there.is_empty() || !listed.insert(file.clone()) {
            continue;
        }
        let names = there.iter().filter_map(|path| path.file_name());
        let names: Vec<_> = names.map(|name| name.to_string_lossy()).collect();
        let folder = file.parent().unwrap_or(&file).display();
        let mut commands = Vec::new();
        if file.exists() {
            let from = shell_word(&format!("sqlite:{}", file.display()));
            commands.push(format!(
                "{holdpoint} journal copy {from} sqlite:COPY.db   # to keep it"
            ));
        }
        commands.push(rm(&there));
        items.push(Item::new(
            format!("{folder}: {}", names.join(", ")),
            commands,
        ));
    }
    items
}

/// A journal's file, and what lies beside it under its name.
fn with_neighbours(file: &Path) -> Vec<PathBuf> {
    let Some(name) = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
    else {
        return Vec::new();
    };
    let entries = file.parent().and_then(|folder| fs::read_dir(folder).ok());
    let entries = entries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let is_ours = |path: &PathBuf| {
        let other = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        other.is_some_and(|other| {
            other
                .strip_prefix(&name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    };
    let mut there: Vec<_> = entries.filter(is_ours).collect();
    there.sort();
    there
}

/// Records of demonstrations, and what a person may have had `completions` and `man` write.
fn left_by_commands(environment: &Environment) -> Vec<Item> {
    let mut items = Vec::new();
    let temporary = fs::read_dir(env::temp_dir())
        .into_iter()
        .flatten()
        .flatten();
    let is_demo = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Others' folders are not ours to name.
        name.starts_with("holdpoint-demo-") && path.join("journal.db").is_file()
    };
    let demos: Vec<_> = temporary
        .map(|entry| entry.path())
        .filter(is_demo)
        .collect();
    for demo in demos {
        let what = format!("the record of a demonstration: {}", demo.display());
        items.push(Item::new(what, [rm(&[demo])]));
    }
    let Some(home) = environment.home() else {
        return items;
    };
    let mut files: Vec<_> = [
        ".zfunc/_holdpoint",
        ".config/fish/completions/holdpoint.fish",
        ".local/share/bash-completion/completions/holdpoint",
    ]
    .map(|name| home.join(name))
    .into();
    let pages = fs::read_dir(home.join(".local/share/man/man1"))
        .into_iter()
        .flatten()
        .flatten();
    files.extend(pages.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == "holdpoint.1" || (name.starts_with("holdpoint-") && name.ends_with(".1"))
    }));
    files.retain(|file| file.exists());
    files.sort();
    if !files.is_empty() {
        items.push(Item::new(
            "what a shell completes, and manual pages",
            [rm(&files)],
        ));
    }
    items
}

/// The program itself, by the way in which it was installed, as far as its place tells.
fn program() -> Item {
    let Ok(path) = env::current_exe() else {
        return Item::new("it is not known where it is", []);
    };
    let text = path.display().to_string();
    Item::new(text.clone(), [removal_of(&text)])
}

fn removal_of(path: &str) -> String {
    let has = |part: &str| path.replace('\\', "/").contains(part);
    if has("/_npx/") {
        "npm cache clean --force   # npx keeps it in its cache".to_owned()
    } else if has("/node_modules/") {
        "npm uninstall --global holdpoint   # without --global where a project has it".to_owned()
    } else if has("/site-packages/") || has("/pipx/") || has("/uv/tools/") {
        "pip uninstall holdpoint   # or: pipx uninstall holdpoint, uv tool uninstall holdpoint"
            .to_owned()
    } else if has("/Cellar/") || has("/homebrew/") || has("/linuxbrew/") {
        "brew uninstall holdpoint".to_owned()
    } else if has("/.cargo/bin/") {
        "cargo uninstall holdpoint-cli   # or, where an installer put it there: rm of that file"
            .to_owned()
    } else if path.starts_with("/usr/bin/") {
        "sudo apt purge holdpoint   # or what else manages packages there".to_owned()
    } else {
        rm(&[PathBuf::from(path)])
    }
}

fn rm(paths: &[PathBuf]) -> String {
    let words: Vec<_> = paths
        .iter()
        .map(|path| shell_word(&path.display().to_string()))
        .collect();
    format!("rm -r {}", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_goes_the_way_it_came() {
        let check = |path: &str, wanted: &str| {
            let said = removal_of(path);
            assert!(said.starts_with(wanted), "{path}: {said}");
        };
        check(
            "/home/ann/.npm/_npx/1/node_modules/@holdpoint/cli-linux-x64/holdpoint",
            "npm cache",
        );
        check(
            "/usr/lib/node_modules/holdpoint/bin/holdpoint",
            "npm uninstall",
        );
        check(
            "/home/ann/.local/share/uv/tools/holdpoint/bin/holdpoint",
            "pip uninstall",
        );
        check("/opt/homebrew/bin/holdpoint", "brew uninstall");
        check(
            "/home/ann/.cargo/bin/holdpoint",
            "cargo uninstall holdpoint-cli",
        );
        check("/usr/bin/holdpoint", "sudo apt purge");
        check(
            "/home/ann/my bin/holdpoint",
            "rm -r '/home/ann/my bin/holdpoint'",
        );
    }
}
