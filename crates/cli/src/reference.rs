//! The reference pages, made from the table of keys, the command line, the tools' schemas, the description of
//! the HTTP API and the journal's events. The test fails when a page is stale;
//! `UPDATE_DOCS=1 cargo test -p holdpoint-cli reference` writes it anew.

mod events_page;
mod http_api_page;
mod schema_table;
mod set_up;
mod tools_page;

use crate::{
    cli::Cli,
    commands::init::{
        Client,
        client::Machine,
        prompts::{
            self,
            hooks::{Registration, Role},
        },
        user_file::Scope,
    },
    config::{
        key::{Default, Key, Kind},
        keys::KEYS,
    },
};
use clap::{Command, CommandFactory, ValueEnum};
use holdpoint::ClientProfile;
use holdpoint_ask::known_clients;
use serde_json::Value;
use std::{env, fmt::Write, fs, path::Path};

#[test]
fn the_reference_of_the_configuration_is_up_to_date() {
    check("config.md", &config_page());
}

#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    check("cli.md", &cli_page());
}

#[test]
fn the_reference_of_the_tools_is_up_to_date() {
    check("tools.md", &tools_page::page());
}

#[test]
fn the_reference_of_the_http_api_is_up_to_date() {
    check("http-api.md", &http_api_page::page());
}

#[test]
fn the_reference_of_the_events_is_up_to_date() {
    check("events.md", &events_page::page());
}

#[test]
fn the_page_about_clients_is_up_to_date() {
    check("../clients.md", &clients_page());
}

#[test]
fn every_key_of_a_profile_is_explained() {
    let keys = serde_json::to_value(ClientProfile::default()).unwrap();
    let keys: Vec<_> = keys.as_object().unwrap().keys().collect();
    let explained: Vec<_> = PROFILE_KEYS.iter().map(|(key, _)| key).collect();
    assert_eq!(keys, explained);
}

#[track_caller]
fn check(name: &str, wanted: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference");
    let path = folder.join(name);
    if env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(&folder).unwrap();
        fs::write(&path, wanted).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "docs/reference/{name} is stale: run UPDATE_DOCS=1 cargo test -p holdpoint-cli reference"
    );
}

fn clients_page() -> String {
    let mut page = CLIENTS_INTRODUCTION.to_owned();
    for client in known_clients() {
        let tried = client.tried.as_deref().unwrap_or("not tried");
        let init = client.init.as_deref();
        let init = init.map_or("by hand".to_owned(), |name| {
            format!("`holdpoint init {name}`")
        });
        let _ = writeln!(
            page,
            "| **{}** | {tried} | {init} | {} | {} |",
            client.title, client.sees, client.agent_gets
        );
    }
    page.push_str(CLIENTS_DETAILS);
    for client in known_clients() {
        let names = client.names.iter().map(|name| format!("`{name}`"));
        let names: Vec<_> = names.collect();
        let _ = write!(
            page,
            "\n### {}\n\nIt calls itself {}.\n",
            client.title,
            names.join(", ")
        );
        page.push_str(&set_up::of(client.init.as_deref()).unwrap_or_default());
        for note in &client.notes {
            let _ = write!(page, "\n- {note}");
        }
        page.push_str(if client.notes.is_empty() { "" } else { "\n" });
        page.push_str(&prompts_of(client.init.as_deref()).unwrap_or_default());
        let default = serde_json::to_value(ClientProfile::default()).unwrap_or_default();
        let own = serde_json::to_value(&client.profile).unwrap_or_default();
        let own = own.as_object().into_iter().flatten();
        let differs: Vec<_> = own
            .filter(|(key, value)| default[*key] != **value)
            .collect();
        if !differs.is_empty() {
            page.push_str("\n```toml\n");
            for (key, value) in differs {
                let _ = writeln!(page, "{key} = {}", in_toml(value));
            }
            page.push_str("```\n");
        }
    }
    page.push_str(CLIENTS_OVERRIDE);
    for (key, meaning) in PROFILE_KEYS {
        let _ = writeln!(page, "| `{key}` | {meaning} |");
    }
    page
}

/// Where a client's own prompts are brought here, and on which of its events.
fn prompts_of(word: Option<&str>) -> Option<String> {
    let client = Client::from_str(word?, false).ok()?;
    let (folder, machine) = (Path::new(""), Machine::current());
    let file = prompts::file(client, Scope::Project, folder, &machine).ok()?;
    let file = file.display();
    let word = client.word();
    let Some(ours) = Registration::new(client, "linux") else {
        return Some(format!(
            "\n`holdpoint init {word} --prompts` writes the plugin `{file}`, which lets no tool run before it is decided.\n"
        ));
    };
    let events = |hears: bool| {
        let events = ours.events.iter();
        let events = events.filter(|event| (event.role == Role::Hears) == hears);
        let names: Vec<_> = events.map(|event| format!("`{}`", event.name)).collect();
        names.join(", ")
    };
    let told = match events(true) {
        told if told.is_empty() => String::new(),
        told => format!(" It is told of {told}."),
    };
    let decided = events(false);
    Some(format!(
        "\n`holdpoint init {word} --prompts` writes its hook to `{file}`. It decides on {decided}.{told}\n"
    ))
}

/// A value of a profile as a person writes it in their configuration.
fn in_toml(value: &Value) -> String {
    match value {
        Value::Array(values) => {
            let values: Vec<_> = values.iter().map(in_toml).collect();
            format!("[{}]", values.join(", "))
        }
        Value::Object(keys) => {
            let keys = keys
                .iter()
                .map(|(key, value)| format!("{key} = {}", in_toml(value)));
            format!("{{ {} }}", keys.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

const CLIENTS_INTRODUCTION: &str = "\
<!-- Made from crates/ask/src/clients.toml by a test; do not edit. -->
# What to expect in your client

Every question also waits in the inbox (`holdpoint inbox`, or `holdpoint inbox --web` for the page), \
whatever the client shows; the first answer counts. Where a client answers in your name, shows half of a question \
or has nobody at it, the question is left to the inbox alone.

| client | tried | set up | what you see of a question | what your agent gets |
|---|---|---|---|---|
";

const CLIENTS_DETAILS: &str = "
A client that is not listed here gets the forms that it declared. Since it may select something for you, \
every choice begins with “Not decided yet”, a yes or no is a choice too, and a yes to what is dangerous is typed.

## A client's own prompts

What a client asks you itself (may this command run, may this file be written) can come to Holdpoint too: your rules \
decide it, and what they leave open waits in the inbox. `holdpoint init CLIENT --prompts` registers the hook for it, \
`holdpoint init CLIENT --prompts --remove` takes it out again; both need you at a terminal. The client gives you an hour, \
and the hook says no ten seconds before that is over; the ask stays open, and the same call finds its answer later.

- **When the hook cannot run, nothing runs**: Claude Code (`onFailure`), Cursor (`failClosed`) and Copilot CLI have that built \
in; for Codex, VS Code and Gemini CLI the command ends with `exit 2` then, which they take for a no (not on Windows); \
opencode's plugin throws. A client that gives up waiting goes on, so leave the times as they are. Codex and Gemini CLI also go \
on when somebody kills the hook together with the shell that they run it in.
- **Nobody is asked twice.** VS Code and Copilot CLI share `.github/hooks`. Copilot CLI also runs the hooks in a project's \
`.claude/settings.json`, VS Code Claude Code's where `chat.useClaudeHooks` is on, and Cursor Claude Code's where third-party \
configs are on in its settings. `init` registers nothing where a client runs the hook already, and changes or takes out what \
a new registration makes the second; Cursor's own it leaves, because no file tells what Cursor does.
- **Codex** runs no hook that you have not trusted: open `/hooks` in it. Any change has to be trusted again. `codex exec` never \
prompts for its shell, so only what your rules say is decided there: `ask = [\"Bash\"]` puts its commands to you.
- **Gemini CLI** asks by itself after a yes. To be asked once, allow in `~/.gemini/policies` what your rules are to decide; \
then nothing is behind the hook.
- **Copilot's cloud agent** runs what `.github/hooks` has on the default branch. Holdpoint is not there, so it can use no tool: \
keep the file from that branch if you use it.
- **Forms of other MCP servers** come here from Claude Code as well; Holdpoint's own are left out by the hook's matcher.

`holdpoint doctor` finds a hook that runs twice, has too little time, fails open, is not trusted or cannot be started, and settings \
that answer in your place.

## Each client
";

const CLIENTS_OVERRIDE: &str = "
## What Holdpoint believes of a client, and how to change it

In your own configuration file a section `[clients.NAME]` changes single keys, where `NAME` is what the client \
calls itself, for example:

```toml
[clients.somebody]
aborts_after_seconds = 60
```

| key | meaning |
|---|---|
";

const PROFILE_KEYS: [(&str, &str); 20] = [
    ("form", "it shows forms, where it declares them"),
    ("url", "it opens addresses, where it declares that"),
    (
        "preselects_first",
        "it selects the first option, or yes, for the person",
    ),
    (
        "preselects_many",
        "it selects options of a choice of many too",
    ),
    (
        "titles",
        "how labels travel: `one_of`, `enum_names`, or `values` where it shows values first",
    ),
    (
        "multi_select",
        "how a choice of many travels: `native`, or `booleans` for a yes or no each",
    ),
    ("numbers", "how numbers travel: `native` or `text`"),
    ("optional_text", "a text can be left empty there"),
    ("sorts_fields", "it shows fields in alphabetical order"),
    (
        "markdown",
        "it renders Markdown; otherwise it gets plain text",
    ),
    (
        "max_message",
        "the most characters of a question that it shows",
    ),
    (
        "max_lines",
        "the most lines of a question that it shows; what has more is decided on the page",
    ),
    ("max_columns", "the most columns of a line that it shows"),
    (
        "accepts_empty_forms",
        "it may accept a form without fields by itself",
    ),
    (
        "answers_by_hook",
        "a hook in its settings may answer: what is dangerous is decided on the page",
    ),
    (
        "wants_elicitation_id",
        "it opens an address only with an `elicitationId`",
    ),
    (
        "aborts_after_seconds",
        "it gives up on a call after so long",
    ),
    ("progress_resets_clock", "progress starts that time again"),
    (
        "background_after_seconds",
        "it moves a call without a form to the background after so long",
    ),
    (
        "unattended",
        "what tells that nobody is at it: `{ variable, starts_with }`, `{ without, beside }` or `{ meta, is }`",
    ),
];

fn config_page() -> String {
    let mut page = CONFIG_INTRODUCTION.to_owned();
    for key in &KEYS {
        let (variable, default) = (key.variable(), default(key));
        let flag = key.flag.map(|flag| format!(", flag `--{}`", flag.name));
        let zero = match key.kind {
            Kind::Deadline(_) => ", or 0 for no deadline",
            _ => "",
        };
        let workspace = match (key.in_workspace(), &key.kind) {
            (false, _) => "no",
            (true, Kind::Tools | Kind::Deadline(_)) => key.allowed(),
            (true, _) => "yes",
        };
        let _ = write!(
            page,
            "\n## `{}`\n\n{}\n\n\
             - Value: {}{zero}. Default: {default}.\n\
             - Variable `{variable}`{}: {}.\n\
             - In a workspace's file: {workspace}.\n",
            key.name,
            key.help,
            key.kind,
            flag.unwrap_or_default(),
            key.allowed(),
        );
    }
    page + CLIENTS
}

fn default(key: &Key) -> String {
    match key.default {
        Default::Value(value) => format!("`{value}`"),
        Default::Words(words) => words.to_owned(),
    }
}

const CONFIG_INTRODUCTION: &str = "\
<!-- Made from the table of keys in crates/cli/src/config/keys.rs by a test; do not edit. -->
# Configuration

Settings come from six places; a later one goes over an earlier one:

1. the defaults;
2. your own file, `.config/holdpoint/config.toml` in the home that the system has for your account, \
whatever `HOME` says;
3. the file that variables name in its place, `$XDG_CONFIG_HOME/holdpoint/config.toml` or \
`$HOME/.config/holdpoint/config.toml`, where that is another one;
4. the workspace's file, `.holdpoint/config.toml`;
5. variables, `HOLDPOINT_…`;
6. flags of `holdpoint serve`.

Only your own file is trusted, and may set everything. Variables come with a client's configuration, so \
the file that they name may tighten what your own file says, or the default, and not loosen it. If you keep \
your settings elsewhere, make your own file a link to them. A workspace's file comes with the repository, \
and so, often, does the client's configuration that holds variables and flags. They may tighten what \
your own file says, or the default where it says nothing; they may not loosen it. What is not allowed \
is an error, as is an unknown key: nothing is ignored. A mistake in a workspace's file keeps agents from being \
served in that folder, and `ask` and `run` from asking there. What is about your own record (`log`, `inbox`, `answer`, \
`rules`, `token` and the like) leaves the whole file out, and says so: nothing that it may set matters to them.

A name with a dot is a key in a section: `trust.dangerous` is `dangerous` under `[trust]`. In a \
variable or a flag a list is written with commas. An empty variable says nothing. `HOLDPOINT_LOG` sets \
how much is logged, such as `debug`; `HOLDPOINT_SECRET_FILE` names the file with the secret that seals what \
is private in a PostgreSQL journal ([why](../trust.md#what-is-private-in-a-database)); `HOLDPOINT_BUILD_COMMIT` is the \
commit that a packager builds ([more](../internals/cli.md)). None of them is a key.
";

const CLIENTS: &str = "
## `[clients.NAME]`

What a client really shows, where that differs from what is known of it. `NAME` is the name that the \
client gives at `initialize`. Only your own file may have it. [What to expect in your client](../clients.md) \
has the keys.
";

fn cli_page() -> String {
    let mut page = "\
<!-- Made from `holdpoint --help` by a test; do not edit. -->
# The command line
"
    .to_owned();
    let mut cli = Cli::command().term_width(100);
    cli.build();
    add_command(&mut page, &mut cli, 2);
    page
}

fn add_command(page: &mut String, command: &mut Command, level: usize) {
    let name = command.get_bin_name().unwrap_or("holdpoint").to_owned();
    let help = command.render_long_help().to_string();
    let help: Vec<_> = help.lines().map(str::trim_end).collect();
    let help = help.join("\n");
    let marks = "#".repeat(level);
    let _ = write!(
        page,
        "\n{marks} `{name}`\n\n```text\n{}\n```\n",
        help.trim()
    );
    let commands = command.get_subcommands_mut();
    for command in commands.filter(|command| command.get_name() != "help") {
        add_command(page, command, level + 1);
    }
}
