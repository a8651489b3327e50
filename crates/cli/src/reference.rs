//! The reference pages, made from the table of keys and from the command line. The test fails when
//! a page is stale; `UPDATE_DOCS=1 cargo test -p holdpoint-cli reference` writes it anew.

use crate::{
    cli::Cli,
    config::{
        key::{Default, Key, Kind},
        keys::KEYS,
    },
};
use clap::{Command, CommandFactory};
use std::{env, fmt::Write, fs, path::Path};

#[test]
fn the_reference_of_the_configuration_is_up_to_date() {
    check("config.md", &config_page());
}

#[test]
fn the_reference_of_the_command_line_is_up_to_date() {
    check("cli.md", &cli_page());
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
            (true, Kind::ToolSets | Kind::Deadline(_)) => key.allowed(),
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
is an error, as is an unknown key: nothing is ignored.

A name with a dot is a key in a section: `trust.dangerous` is `dangerous` under `[trust]`. In a \
variable or a flag a list is written with commas. An empty variable says nothing. `HOLDPOINT_LOG` sets \
how much is logged, such as `debug`; it is not a key.
";

const CLIENTS: &str = "
## `[clients.NAME]`

What a client really shows, where that differs from what is known of it. `NAME` is the name that the \
client gives at `initialize`. Only your own file may have it.
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
