//! What clients read in this repository to install Holdpoint: plugins, marketplaces, the extension and the install links.
//! Whether the clients take them is a test of the real ones (`crates/cli/tests/it/real/plugins.rs`).

use base64::{Engine, prelude::BASE64_STANDARD};
use docs::{Link, Page, root};
use serde_json::{Value, json};
use std::{collections::BTreeSet, fs, process::Command};
use url::Url;

const NAME: &str = "holdpoint";

/// A marketplace, and where it says that the plugin is.
const MARKETPLACES: [(&str, &str); 3] = [
    (".claude-plugin/marketplace.json", "/source"),
    (".agents/plugins/marketplace.json", "/source/path"),
    (".cursor-plugin/marketplace.json", "/source"),
];
const PLUGINS: [&str; 3] = [
    "plugins/claude/.claude-plugin/plugin.json",
    "plugins/codex/.codex-plugin/plugin.json",
    "plugins/cursor/.cursor-plugin/plugin.json",
];
const EXTENSION: &str = "gemini-extension.json";

#[test]
fn all_is_as_the_script_writes_it() {
    let script = root().join("tools/plugins");
    let said = Command::new(script).arg("--check").output();
    let said = said.expect("Python 3.11 or newer is there");
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stderr)
    );
}

#[test]
fn a_marketplace_leads_to_its_plugin() {
    for ((file, place), plugin) in MARKETPLACES.into_iter().zip(PLUGINS) {
        let marketplace = read(file);
        assert_eq!(marketplace["name"], NAME, "{file}");
        let [entry] = marketplace["plugins"].as_array().unwrap().as_slice() else {
            panic!("{file} has one plugin");
        };
        let folder = entry.pointer(place).and_then(Value::as_str).unwrap();
        let manifest = root().join(folder).join(below_the_folder(plugin));
        assert!(manifest.is_file(), "{file}: {}", manifest.display());
        assert_eq!(entry["name"], read(plugin)["name"], "{file}");
    }
}

#[test]
fn versions_are_those_of_the_program() {
    let version = env!("CARGO_PKG_VERSION");
    for file in PLUGINS.into_iter().chain([EXTENSION]) {
        assert_eq!(read(file)["version"], version, "{file}");
    }
    assert_eq!(read(MARKETPLACES[0].0)["plugins"][0]["version"], version);
}

/// A server and nothing else: no hook, no permission, no variable with a value, nothing that answers for a person.
#[test]
fn a_plugin_brings_the_server_alone() {
    let described = [
        "name",
        "displayName",
        "version",
        "description",
        "author",
        "homepage",
        "repository",
        "license",
        "keywords",
        "category",
        "mcpServers",
        "interface",
    ];
    for plugin in PLUGINS {
        let manifest = read(plugin);
        only(&manifest, &described, plugin);
        let servers = manifest["mcpServers"].as_str().unwrap();
        let folder = plugin.strip_suffix(below_the_folder(plugin)).unwrap();
        let file = format!("{folder}{}", servers.trim_start_matches("./"));
        check_servers(&read(&file), &file);
        let entries = fs::read_dir(root().join(folder)).unwrap();
        assert_eq!(
            entries.count(),
            3,
            "{folder} has a manifest, a server and a README"
        );
    }
    let extension = read(EXTENSION);
    only(
        &extension,
        &["name", "version", "description", "mcpServers"],
        EXTENSION,
    );
    check_servers(&extension, EXTENSION);
}

#[track_caller]
fn check_servers(file: &Value, name: &str) {
    let servers = file["mcpServers"].as_object().unwrap();
    assert_eq!(servers.keys().collect::<Vec<_>>(), [NAME], "{name}");
    let server = &servers[NAME];
    let harmless = [
        "command",
        "args",
        "env_vars",
        "startup_timeout_sec",
        "tool_timeout_sec",
    ];
    only(server, &harmless, name);
    assert_eq!(command(server), the_command(), "{name}");
}

#[test]
fn install_links_start_the_same_command() {
    let link = |page: &str, begins: &str| {
        let links = Page::read(&root().join(page)).links().into_iter();
        let mut found = links.filter(|link| link.target.starts_with(begins));
        let Link { target, .. } = found
            .next()
            .unwrap_or_else(|| panic!("{page}: {begins} is not linked"));
        let url = Url::parse(&target).unwrap();
        let mut query = url.query_pairs();
        let (_, name) = query.next().unwrap();
        assert_eq!(name, NAME);
        let (key, config) = query.next().unwrap();
        assert_eq!((&*key, query.next()), ("config", None));
        config.into_owned()
    };
    for page in ["README.md", "docs/getting-started.md"] {
        let config = link(page, "https://insiders.vscode.dev/redirect/mcp/install?");
        assert_eq!(
            serde_json::from_str::<Value>(&config).unwrap(),
            the_command()
        );
        let config = link(page, "https://cursor.com/en/install-mcp?");
        let config = BASE64_STANDARD.decode(config).unwrap();
        assert_eq!(
            serde_json::from_slice::<Value>(&config).unwrap(),
            the_command()
        );
    }
}

/// `holdpoint init --help` lists them too, on the page of the command line.
#[test]
fn the_first_page_has_a_line_and_a_button_for_every_client() {
    let readme = Page::read(&root().join("README.md"));
    let listed: BTreeSet<_> = readme
        .text
        .lines()
        .filter(|line| line.starts_with('|') && line.ends_with(") |"))
        .filter_map(|line| line.split("`holdpoint init ").nth(1)?.split('`').next())
        .map(ToOwned::to_owned)
        .collect();
    let reference = fs::read_to_string(root().join("docs/reference/cli.md")).unwrap();
    let init = reference.split("# `holdpoint init`").nth(1).unwrap();
    let known: BTreeSet<_> = init
        .lines()
        .skip_while(|line| !line.contains("Possible values:"))
        .skip(1)
        .map_while(|line| line.trim().strip_prefix("- ")?.split(':').next())
        .map(ToOwned::to_owned)
        .collect();
    assert!(known.len() > 10, "{known:?}");
    assert_eq!(
        listed, known,
        "README.md, and what `holdpoint init` sets up"
    );
}

/// A plugin is copied away from the repository, so its links are addresses.
#[test]
fn the_links_of_a_plugin_lead_to_the_repository() {
    let repository = env!("CARGO_PKG_REPOSITORY");
    for client in ["claude", "codex", "cursor"] {
        let page = Page::read(&root().join(format!("plugins/{client}/README.md")));
        assert!(!page.text.contains("{{"), "{}", page.name);
        for Link { line, target } in page.links() {
            let at = format!("{}:{line}: {target}", page.name);
            let rest = target.strip_prefix(repository).expect(&at);
            let (path, place) = rest.split_once('#').unwrap_or((rest, ""));
            let path = path.strip_prefix("/blob/main/").unwrap_or("README.md");
            let linked = Page::read(&root().join(path));
            assert!(place.is_empty() || linked.places().contains(place), "{at}");
        }
    }
}

fn read(file: &str) -> Value {
    let text =
        fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The path of a plugin's manifest in the plugin.
fn below_the_folder(manifest: &str) -> &str {
    manifest.splitn(3, '/').nth(2).unwrap()
}

#[track_caller]
fn only(object: &Value, keys: &[&str], file: &str) {
    for key in object.as_object().unwrap().keys() {
        assert!(keys.contains(&key.as_str()), "{file} has `{key}`");
    }
}

fn command(server: &Value) -> Value {
    json!({ "command": server["command"], "args": server["args"] })
}

fn the_command() -> Value {
    json!({ "command": "npx", "args": ["-y", NAME, "serve"] })
}
