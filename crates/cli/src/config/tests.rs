//! Who may set what, as data.

use super::*;
use crate::tool_set::ToolSet;
use holdpoint::PinPlace;

/// What is said, and by whom.
#[derive(Default)]
struct Said<'a> {
    user: &'a str,
    workspace: &'a str,
    variables: &'a [(&'a str, &'a str)],
    flags: Flags,
}

impl Said<'_> {
    fn load(&self) -> Result<Config, ConfigError> {
        self.read(Config::load)
    }

    /// What is made of it, by a way of loading.
    fn read<T>(&self, load: impl Fn(&Environment, &Path, &Flags) -> T) -> T {
        let folder = tempfile::tempdir().unwrap();
        let (home, workspace) = (folder.path().join("home"), folder.path().join("work"));
        for (file, text) in [
            (home.join(".config/holdpoint/config.toml"), self.user),
            (workspace.join(WORKSPACE_FILE), self.workspace),
        ] {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        }
        let environment = Environment::new(&home, self.variables.iter().copied());
        load(&environment, &workspace, &self.flags)
    }

    fn fine(&self) -> Config {
        self.load().unwrap()
    }

    #[track_caller]
    fn refused(&self, parts: &[&str]) {
        let error = self.load().expect_err("it is refused").to_string();
        for part in parts {
            assert!(error.contains(part), "{part:?} is not in: {error}");
        }
    }
}

fn user(user: &str) -> Said<'_> {
    Said {
        user,
        ..Said::default()
    }
}

fn workspace(workspace: &str) -> Said<'_> {
    Said {
        workspace,
        ..Said::default()
    }
}

fn variable<'a>(pair: &'a [(&'a str, &'a str)]) -> Said<'a> {
    Said {
        variables: pair,
        ..Said::default()
    }
}

/// All of a configuration, to compare with.
fn all(config: &Config) -> String {
    format!("{config:#?}")
}

#[test]
fn nothing_said_is_the_documented_default() {
    let config = Said::default().fine();
    assert_eq!(config.tools, ToolSelection::all());
    assert_eq!(config.timeout, Some(Duration::from_secs(300)));
    assert_eq!(config.hold, Duration::from_secs(45));
    assert_eq!(config.keep_alive, Duration::from_secs(10));
    assert_eq!(config.commit, Commit::Verify);
    assert_eq!(config.plans_dir, "plans");
    assert_eq!(config.fast_reply, Duration::from_millis(400));
    assert_eq!(config.max_open_asks, 1_000);
    assert_eq!(config.inbox_timeout, Some(Duration::from_secs(86_400)));
    assert!(!config.dangerous_by_inbox_only);
    let home = Environment::new(Path::new("/home/ada"), []);
    let journal = "sqlite:/home/ada/.local/state/holdpoint/journal.db";
    assert_eq!(config.journal(&home).unwrap(), journal);
    let xdg = [
        ("XDG_STATE_HOME", "/state"),
        ("XDG_CONFIG_HOME", "not/absolute"),
    ];
    let xdg = Environment::new(Path::new("/home/ada"), xdg);
    let journal = "sqlite:/state/holdpoint/journal.db";
    assert_eq!(config.journal(&xdg).unwrap(), journal);
    let file = Path::new("/home/ada/.config/holdpoint/config.toml");
    assert_eq!(xdg.config_file().as_deref(), Some(file));
}

#[test]
fn the_table_says_the_defaults() {
    for key in &keys::KEYS {
        if let key::Default::Value(value) = key.default {
            let text = format!("{} = {value}", key.name);
            assert_eq!(all(&user(&text).fine()), all(&Config::default()), "{text}");
        }
    }
}

#[test]
fn the_table_has_every_key_once() {
    let mut names: Vec<_> = keys::KEYS.iter().map(|key| key.name).collect();
    let mut tried: Vec<_> = EVERY.map(|(key, _)| key).to_vec();
    names.sort();
    tried.sort();
    assert_eq!(names, tried);
}

/// Every key, with a value that is not the default.
const EVERY: [(&str, &str); 26] = [
    ("http_key", "false"),
    ("behind_proxy", r#"["10.0.0.2"]"#),
    ("inbox_url", r#""https://ask.example.com""#),
    ("auth.issuer", r#""https://id.example.com""#),
    ("auth.audience", r#""https://ask.example.com/mcp""#),
    ("tools", r#"["elicit"]"#),
    ("journal", r#""sqlite:/tmp/other.db""#),
    ("inbox", r#""127.0.0.1:9""#),
    ("inbox_cert", r#""/home/ada/cert.pem""#),
    ("inbox_key", r#""/home/ada/key.pem""#),
    ("timeout_seconds", "60"),
    ("hold_seconds", "20"),
    ("keep_alive_seconds", "3"),
    ("commit", r#""perform""#),
    ("git_filters", r#"["lfs"]"#),
    ("plans_dir", r#""docs/plans""#),
    ("fast_reply_ms", "0"),
    ("max_open_asks", "5000"),
    ("inbox_timeout_seconds", "100"),
    ("trust.dangerous", r#""inbox""#),
    ("notify.command", r#"["notify-send", "Holdpoint"]"#),
    ("notify.url", r#""https://example.org/hook""#),
    ("notify.secret", r#""hush""#),
    ("notify.desktop", "true"),
    ("notify.quiet", r#""22:00-07:00""#),
    ("scripts.dir", r#""/home/ada/scripts""#),
];

#[test]
fn the_users_own_file_may_say_everything() {
    let default = all(&Config::default());
    for (key, value) in EVERY {
        let text = format!("{key} = {value}");
        assert_ne!(all(&user(&text).fine()), default, "{text}");
    }
    let config = user(concat!(
        "timeout_seconds = 0\ninbox_timeout_seconds = 0\n",
        "[clients.codex-mcp-client]\nnumbers = \"native\"\n",
        "[notify]\nsecret = \"hush\"\ncommand = \"bell\"\n",
    ))
    .fine();
    assert_eq!((config.timeout, config.inbox_timeout), (None, None));
    assert_eq!(config.notify.command, Some(vec!["bell".to_owned()]));
    let codex = &config.clients["codex-mcp-client"];
    let mut wanted = ClientProfile::for_client("codex-mcp-client");
    wanted.numbers = ClientProfile::default().numbers;
    assert_eq!(*codex, wanted);
    assert!(!all(&config).contains("hush"), "a secret is never shown");
}

#[test]
fn a_hostile_workspace_changes_four_keys_and_nothing_else() {
    let allowed = ["tools", "timeout_seconds", "hold_seconds", "plans_dir"];
    let mut everything = String::new();
    for (key, value) in EVERY {
        let text = format!("{key} = {value}\n");
        everything.push_str(&text);
        if allowed.contains(&key) {
            assert_ne!(all(&workspace(&text).fine()), all(&Config::default()));
        } else {
            let line = "config.toml, line 1";
            workspace(&text).refused(&[key, "may not set", line]);
        }
    }
    workspace(&everything).refused(&["may not set"]);
    workspace("[clients.cursor]\nform = true").refused(&["[clients.NAME]", "line 1"]);
    workspace("trust = { dangerous = \"client\" }").refused(&["trust.dangerous"]);

    let mut four = String::new();
    for (key, value) in EVERY.iter().filter(|(key, _)| allowed.contains(key)) {
        four.push_str(&format!("{key} = {value}\n"));
    }
    let wanted = Config {
        tools: "elicit".parse().unwrap(),
        timeout: Some(Duration::from_secs(60)),
        hold: Duration::from_secs(20),
        plans_dir: "docs/plans".into(),
        ..Config::default()
    };
    assert_eq!(all(&workspace(&four).fine()), all(&wanted));
}

#[test]
fn a_workspace_file_cannot_point_plans_dir_at_what_is_not_its_own() {
    for folder in [
        "/etc",
        "../plans",
        "plans/../..",
        "",
        ".git",
        ".git/hooks",
        "docs/.vscode",
        ".github",
        ".claude/commands",
        ".holdpoint",
    ] {
        workspace(&format!("plans_dir = {folder:?}")).refused(&["inside the workspace"]);
    }
}

#[test]
fn a_workspace_stays_inside_its_four_keys() {
    workspace("timeout_seconds = 0").refused(&["timeout_seconds", "your own file only"]);
    workspace("timeout_seconds = 4").refused(&["5 to 86400"]);
    workspace("hold_seconds = 100000").refused(&["hold_seconds"]);
    let config = Said {
        user: "tools = [\"elicit\", \"orchestra\"]",
        workspace: "tools = [\"orchestra\", \"plans\"]",
        ..Said::default()
    }
    .fine();
    assert_eq!(config.tools, "orchestra".parse().unwrap());
    assert!(
        config
            .warnings
            .iter()
            .any(|warning| warning.contains("`plans`"))
    );
}

#[test]
fn tools_are_named_by_set_preset_or_name_and_none_is_added() {
    let check = |user: &'static str, workspace: &'static str, wanted: &[&str], warned: &[&str]| {
        let said = Said {
            user,
            workspace,
            ..Said::default()
        };
        let config = said.fine();
        assert_eq!(config.tools.names(), wanted, "{user} {workspace}");
        for words in warned {
            let told = config
                .warnings
                .iter()
                .any(|warning| warning.contains(words));
            assert!(told, "{words}: {:?}", config.warnings);
        }
        assert_eq!(
            config.warnings.is_empty(),
            warned.is_empty(),
            "{:?}",
            config.warnings
        );
    };
    let few = ["elicit_choice", "await_answer", "plan_list"];
    check("tools = [\"elicit_choice\", \"plan_list\"]", "", &few, &[]);
    check("", "tools = [\"plan_list\", \"elicit_choice\"]", &few, &[]);
    let ask = [
        "elicit_choice",
        "elicit_input",
        "elicit_confirm",
        "await_answer",
    ];
    check("tools = [\"ask\"]", "tools = [\"ask\"]", &ask, &[]);
    check(
        "tools = [\"ask\"]",
        "tools = [\"all\"]",
        &ask,
        &["leaves out elicit_number, elicit_rating", "of `all`"],
    );
    check(
        "tools = [\"ask\"]",
        "tools = [\"approvals\", \"plan_list\"]",
        &["elicit_confirm", "await_answer"],
        &[
            "request_review_decision of `approvals`",
            "leaves out `plan_list`",
        ],
    );
    workspace("tools = [\"aprovals\"]").refused(&["did you mean \"approvals\"?"]);
}

#[test]
fn later_words_count() {
    let mut said = Said {
        user: "hold_seconds = 10\ntimeout_seconds = 10\nkeep_alive_seconds = 5",
        workspace: "timeout_seconds = 20\nhold_seconds = 20\ntools = [\"elicit\"]",
        variables: &[
            ("HOLDPOINT_TIMEOUT_SECONDS", "30"),
            ("HOLDPOINT_TOOLS", "elicit, orchestra"),
            ("HOLDPOINT_JOURNAL", "memory:"),
            ("HOLDPOINT_PLANS_DIR", ""),
            ("HOLDPOINT_LOG", "debug"),
            ("HOLDPOINT_SECRET_FILE", "/run/secrets/holdpoint"),
        ],
        ..Said::default()
    };
    let config = said.fine();
    assert_eq!(config.timeout, Some(Duration::from_secs(30)));
    assert_eq!(config.hold, Duration::from_secs(20));
    assert_eq!(config.keep_alive, Duration::from_secs(5));
    let both = [ToolSet::Elicit, ToolSet::Orchestra];
    for set in ToolSet::ALL {
        assert_eq!(
            config.tools.has_some_of(set),
            both.contains(&set),
            "{set:?}"
        );
    }
    assert_eq!(config.journal.as_deref(), Some("memory:"));
    said.flags = Flags::new([
        ("tools", "orchestra".into()),
        ("journal", "sqlite:here.db".into()),
    ]);
    let config = said.fine();
    assert_eq!(config.tools, "orchestra".parse().unwrap());
    assert_eq!(config.journal.as_deref(), Some("sqlite:here.db"));
}

/// A key, what the user's own file says of it, and what a variable may and may not say.
const TIGHTENING: [(&str, &str, &[&str], &[&str]); 23] = [
    ("http_key", "", &["true"], &["false"]),
    ("http_key", "http_key = false", &["true", "false"], &[]),
    ("behind_proxy", "", &[], &["10.0.0.2"]),
    ("inbox_url", "", &[], &["https://ask.example.com"]),
    ("auth.issuer", "", &[], &["https://id.example.com"]),
    ("auth.audience", "", &[], &["https://ask.example.com/mcp"]),
    ("fast_reply_ms", "", &["400", "900"], &["399", "0"]),
    ("fast_reply_ms", "fast_reply_ms = 0", &["0", "9"], &[]),
    ("max_open_asks", "", &["1", "1000"], &["1001"]),
    ("max_open_asks", "max_open_asks = 9", &["9"], &["10"]),
    ("commit", "", &["verify"], &["perform"]),
    (
        "commit",
        "commit = \"perform\"",
        &["verify", "perform"],
        &[],
    ),
    ("git_filters", "", &[], &["lfs"]),
    (
        "git_filters",
        "git_filters = [\"lfs\"]",
        &["lfs"],
        &["lfs,other", "other"],
    ),
    ("trust.dangerous", "", &["client", "inbox"], &[]),
    (
        "trust.dangerous",
        "trust.dangerous = \"inbox\"",
        &["inbox"],
        &["client"],
    ),
    (
        "inbox",
        "",
        &["off", "[::1]:80", "localhost:80", "0.0.0.0:80"],
        &[],
    ),
    (
        "inbox",
        "inbox = \"127.0.0.1:9\"",
        &["off", "127.0.0.1:80"],
        &["0.0.0.0:80", "192.168.1.5:9"],
    ),
    (
        "inbox_key",
        "inbox_key = \"/k.pem\"",
        &["/k.pem"],
        &["/other.pem"],
    ),
    ("inbox", "inbox = \"off\"", &["off"], &["127.0.0.1:80"]),
    (
        "journal",
        "journal = \"sqlite:/j.db\"",
        &["sqlite:/j.db"],
        &["memory:", "sqlite:forged.db", "postgres://db/holdpoint"],
    ),
    (
        "notify.command",
        "notify.command = [\"bell\"]",
        &["bell", "[\"bell\"]"],
        &["curl", "[\"bell\", \"-v\"]"],
    ),
    (
        "scripts.dir",
        "scripts.dir = \"/s\"",
        &["/s"],
        &["/work/scripts"],
    ),
];

#[test]
fn variables_tighten_and_never_loosen() {
    for (key, user, fine, refused) in TIGHTENING {
        let name = keys::find(key).unwrap().variable();
        for value in fine {
            let variables = &[(name.as_str(), *value)];
            Said {
                user,
                variables,
                ..Said::default()
            }
            .fine();
        }
        for value in refused {
            let variables = &[(name.as_str(), *value)];
            let said = Said {
                user,
                variables,
                ..Said::default()
            };
            said.refused(&[key, &name, "only be tightened"]);
        }
    }
}

#[test]
fn flags_are_held_to_the_same() {
    let tools = ("tools", "elicit,plans".to_owned());
    let flags = Flags::new([tools.clone(), ("journal", "memory:".into())]);
    let user = "tools = [\"elicit\"]\njournal = \"sqlite:/j.db\"";
    let mut said = Said {
        user,
        flags,
        ..Said::default()
    };
    said.refused(&["--journal", "only be tightened"]);
    said.flags = Flags::new([tools]);
    assert_eq!(said.fine().tools, "elicit".parse().unwrap());
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    user("\n\ntimeout_second = 5").refused(&["line 3", "`timeout_second`", "`timeout_seconds`"]);
    user("[trust]\ndangeros = 1").refused(&["line 2", "`trust.dangerous`"]);
    user("[trsut]\ndangerous = 1").refused(&["line 1", "`[trust]`"]);
    user("trust = 3").refused(&["line 1", "a section"]);
    user("tools = [\"elicit\", \"orchestar\"]").refused(&["line 1", "orchestra"]);
    user("tools = \"elicit\"").refused(&["a list of tools"]);
    user("tools = []").refused(&["a list of tools"]);
    user("hold_seconds = \"45\"").refused(&["hold_seconds", "number of seconds"]);
    user("hold_seconds = -1").refused(&["hold_seconds"]);
    user("journal = \"sqlite:j.db\"").refused(&["absolute path"]);
    user("journal = \"postgres:///team\"").refused(&["a host and a database"]);
    user("inbox = \"0.0.0.0\"").refused(&["an address with its port"]);
    user("notify.url = \"ftp://x\"").refused(&["https://"]);
    user("commit = \"yes\"").refused(&["`verify` or `perform`"]);
    user("[clients.x]\n\ncolour = 1").refused(&["`colour`", "did you mean"]);
    user("[clients.x]\nnumbers = \"roman\"").refused(&["clients.x", "roman"]);
    user("clients.x = 3").refused(&["[clients.x]"]);
    user("hold_seconds = 1\nhold_seconds = 2").refused(&["config.toml", "line 2", "duplicate"]);
    user("a\u{202e} = 1").refused(&["not valid TOML"]);
    user("\"a\u{202e}\" = 1").refused(&["⟨U+202E⟩"]);
    variable(&[("HOLDPOINT_TIMEOUT", "5")]).refused(&["HOLDPOINT_TIMEOUT_SECONDS"]);
    variable(&[("HOLDPOINT_HOLD_SECONDS", "soon")]).refused(&["HOLDPOINT_HOLD_SECONDS"]);
    variable(&[("HOLDPOINT_TIMEOUT_SECONDS", "0")]).refused(&["your own file only"]);
    variable(&[("HOLDPOINT_CLIENTS_X_FORM", "true")]).refused(&["in your own file only"]);
}

#[test]
fn only_an_ordinary_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join(WORKSPACE_FILE)).unwrap();
    let environment = Environment::new(folder.path(), []);
    let error = Config::load(&environment, folder.path(), &Flags::default()).unwrap_err();
    let cause = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(cause, "it is a folder");
}

/// What holds where the account's own file says this, and a variable names a file that says that.
fn pointed(own: &str, pointed: &str, variables: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (file, text) in [
        ("account/.config/holdpoint/config.toml", own),
        ("elsewhere/.config/holdpoint/config.toml", pointed),
    ] {
        std::fs::create_dir_all(at(file).parent().unwrap()).unwrap();
        std::fs::write(at(file), text).unwrap();
    }
    let (account, elsewhere) = (at("account"), at("elsewhere"));
    let by_home = Environment::new(&elsewhere, variables.iter().copied());
    let by_home = by_home.with_account(&account);
    let config = at("elsewhere/.config");
    let by_xdg = [("XDG_CONFIG_HOME", config.to_str().unwrap())];
    let by_xdg = Environment::new(&account, by_xdg.iter().chain(variables).copied());
    let load = |environment| Config::load(&environment, &at("work"), &Flags::default());
    let loaded = load(by_home);
    match (&loaded, load(by_xdg)) {
        (Ok(one), Ok(other)) => assert_eq!(all(one), all(&other)),
        (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
        (one, other) => panic!("{one:?}, {other:?}"),
    }
    loaded
}

#[test]
fn a_settings_file_that_variables_name_counts_and_can_only_tighten_the_accounts_own() {
    let own = "fast_reply_ms = 2000\nmax_open_asks = 7\n[trust]\ndangerous = \"inbox\"";
    // An empty file, or none, escapes nothing.
    let config = pointed(own, "", &[]).unwrap();
    assert!(config.dangerous_by_inbox_only);
    assert_eq!(config.fast_reply, Duration::from_secs(2));
    assert_eq!(config.max_open_asks, 7);
    // It counts.
    let config = pointed(own, "fast_reply_ms = 3000\nhold_seconds = 20", &[]).unwrap();
    assert_eq!(config.fast_reply, Duration::from_secs(3));
    assert_eq!(config.hold, Duration::from_secs(20));
    let config = pointed("", "[trust]\ndangerous = \"inbox\"", &[]).unwrap();
    assert!(config.dangerous_by_inbox_only);
    // What loosens is refused, with the file to change.
    for (own, other, key) in [
        (own, "fast_reply_ms = 1000", "fast_reply_ms"),
        (own, "max_open_asks = 8", "max_open_asks"),
        (own, "[trust]\ndangerous = \"client\"", "trust.dangerous"),
        ("", "fast_reply_ms = 0", "fast_reply_ms"),
        ("", "commit = \"perform\"", "commit"),
        ("", "timeout_seconds = 0", "timeout_seconds"),
        ("", "[clients.codex]\n", "[clients.NAME]"),
        ("inbox = \"off\"", "inbox = \"127.0.0.1:9\"", "inbox"),
    ] {
        let error = pointed(own, other, &[]).unwrap_err().to_string();
        assert!(error.contains(key), "{other}: {error}");
        assert!(
            error.contains("account/.config/holdpoint/config.toml"),
            "{error}"
        );
    }
    // What it tightened, variables do not loosen again.
    let tightened = "[trust]\ndangerous = \"inbox\"";
    let loosened = [("HOLDPOINT_TRUST_DANGEROUS", "client")];
    assert!(pointed("", tightened, &loosened).is_err());
    // What the account's own file says wrong is not passed over.
    assert!(pointed("tool = []", "", &[]).is_err());
}

#[test]
fn a_link_to_settings_elsewhere_is_the_accounts_own_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for file in ["account/.config", "dotfiles/holdpoint"] {
        std::fs::create_dir_all(at(file)).unwrap();
    }
    std::fs::write(at("dotfiles/holdpoint/config.toml"), "commit = \"perform\"").unwrap();
    let dotfiles = at("dotfiles");
    let variables = [("XDG_CONFIG_HOME", dotfiles.to_str().unwrap())];
    let environment = Environment::new(&at("account"), variables);
    let load = || Config::load(&environment, &at("work"), &Flags::default());
    assert!(load().is_err());
    std::os::unix::fs::symlink(at("dotfiles/holdpoint"), at("account/.config/holdpoint")).unwrap();
    assert_eq!(load().unwrap().commit, Commit::Perform);
}

#[test]
fn the_variable_for_tests_is_not_in_a_build_that_ships() {
    let manifest = include_str!("../../Cargo.toml");
    let features = manifest.split("[features]").nth(1).unwrap();
    let features = features.split("\n[").next().unwrap();
    let with_it: Vec<_> = features
        .lines()
        .filter(|line| line.contains("testing"))
        .collect();
    assert_eq!(
        with_it,
        ["testing = [\"holdpoint-workspace/testing\"]"],
        "no other feature turns it on"
    );
    for manifest in [
        manifest,
        include_str!("../../../desk/Cargo.toml"),
        include_str!("../../../workspace/Cargo.toml"),
    ] {
        let turned_on = manifest.matches("\"testing\"").count();
        let by_tests = manifest.split("[dev-dependencies]").nth(1).unwrap();
        assert_eq!(turned_on, by_tests.matches("\"testing\"").count());
    }
}

/// What a file may say of what the library knows too, right and wrong.
const FILES: [&str; 25] = [
    "",
    "journal = \"sqlite:/j.db\"",
    "journal = \"sqlite:/other.db\"",
    "journal = \"sqlite:j.db\"",
    "journal = \"postgres://db/holdpoint\"",
    "journal = \"memory:\"",
    "journal = 3",
    "inbox = \"off\"",
    "inbox = \"127.0.0.1:9\"",
    "inbox = \"0.0.0.0:9\"",
    "inbox = \"localhost:9\"",
    "inbox = \"nowhere\"",
    "[trust]\ndangerous = \"inbox\"",
    "trust.dangerous = \"client\"",
    "trust = { dangerous = \"inbox\" }",
    "\"trust.dangerous\" = \"inbox\"",
    "trust = 1",
    "[[trust]]\ndangerous = \"inbox\"",
    "[trust]\ndangeros = \"inbox\"",
    "[trsut]\ndangerous = \"inbox\"",
    "fast_reply_ms = 0",
    "fast_reply_ms = 1000",
    "fast_reply_ms = 400.0",
    "fast_reply_ms = \"400\"",
    "journal = [",
];

/// What a variable may say of it.
const VARIABLES: [(&str, &str); 24] = [
    ("HOLDPOINT_LOG", "info"),
    ("XDG_STATE_HOME", "/state"),
    ("XDG_STATE_HOME", "not/absolute"),
    ("HOLDPOINT_JOURNAL", ""),
    ("HOLDPOINT_JOURNAL", "sqlite:/j.db"),
    ("HOLDPOINT_JOURNAL", "sqlite:j.db"),
    ("HOLDPOINT_JOURNAL", "sqlite:"),
    ("HOLDPOINT_JOURNAL", "memory:"),
    ("HOLDPOINT_JOURNAL", "postgres://db/holdpoint"),
    ("HOLDPOINT_INBOX", "off"),
    ("HOLDPOINT_INBOX", " off "),
    ("HOLDPOINT_INBOX", "127.0.0.1:9"),
    ("HOLDPOINT_INBOX", "0.0.0.0:9"),
    ("HOLDPOINT_INBOX", "0.0.0.0:10"),
    ("HOLDPOINT_INBOX", "on"),
    ("HOLDPOINT_TRUST_DANGEROUS", "inbox"),
    ("HOLDPOINT_TRUST_DANGEROUS", "client"),
    ("HOLDPOINT_TRUST_DANGEROUS", " inbox"),
    ("HOLDPOINT_FAST_REPLY_MS", "0"),
    ("HOLDPOINT_FAST_REPLY_MS", "399"),
    ("HOLDPOINT_FAST_REPLY_MS", " 1500 "),
    ("HOLDPOINT_FAST_REPLY_MS", "60001"),
    ("HOLDPOINT_FAST_REPLY_MS", "-1"),
    ("HOLDPOINT_FAST_REPLY_MS", "soon"),
];

#[test]
fn the_library_finds_what_the_binary_finds_and_refuses_what_it_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (own, pointed) = (
        at("account/.config/holdpoint/config.toml"),
        at("elsewhere/holdpoint/config.toml"),
    );
    for file in [&own, &pointed] {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    }
    let elsewhere = at("elsewhere");
    let (mut found, mut refused) = (0, 0);
    for own_text in FILES {
        std::fs::write(&own, own_text).unwrap();
        for pointed_text in FILES {
            std::fs::write(&pointed, pointed_text).unwrap();
            for variable in VARIABLES {
                let variables = [("XDG_CONFIG_HOME", elsewhere.to_str().unwrap()), variable];
                let environment = Environment::new(&at("account"), variables);
                let said = format!("{own_text:?}, {pointed_text:?}, {variable:?}");
                let config = Config::load(&environment, &at("work"), &Flags::default());
                match (config, holdpoint::Personal::find_in(&environment)) {
                    (Ok(config), Ok(personal)) => {
                        found += 1;
                        let journal = config.journal(&environment).unwrap();
                        assert_eq!(journal, personal.journal, "{said}");
                        assert_eq!(config.inbox, personal.inbox, "{said}");
                        assert_eq!(config.fast_reply, personal.fast_reply, "{said}");
                        let dangerous = config.dangerous_by_inbox_only;
                        assert_eq!(dangerous, personal.dangerous_by_inbox_only, "{said}");
                        assert_eq!(
                            crate::commands::serve::build::pin_place(&environment, &journal),
                            PinPlace::of_person(personal.account_journal, &personal.journal),
                        );
                    }
                    (Err(_), Err(_)) => refused += 1,
                    (config, personal) => {
                        panic!("{said}: {:?}, {personal:?}", config.map(|_| "the binary"))
                    }
                }
            }
        }
    }
    assert!(found > 1_000 && refused > 1_000, "{found}, {refused}");
}

#[test]
fn a_password_on_the_command_line_is_warned_of_and_no_message_repeats_one() {
    let warnings = |address: &str| {
        let flags = Flags::new([("journal", address.to_owned())]);
        let said = Said {
            flags,
            ..Said::default()
        };
        said.fine().warnings
    };
    let warned = warnings("postgres://ada:geheim@db/team");
    assert!(warned[0].contains("`password_file=`"), "{warned:?}");
    assert!(!warned[0].contains("geheim"), "{warned:?}");
    assert_eq!(warnings("postgres://ada@db/team"), [""; 0]);
    assert_eq!(warnings("sqlite:/j.db"), [""; 0]);
    let broken = user("inbox = \"off\"\njournal = \"postgres://ada:geheim@db/team\n");
    let error = broken.load().unwrap_err().to_string();
    assert!(
        error.contains("not valid TOML") && error.contains("line 2"),
        "{error}"
    );
    assert!(!error.contains("geheim"), "{error}");
}

#[test]
fn a_relative_path_of_a_flag_or_a_variable_is_below_the_current_folder() {
    let home = Environment::new(Path::new("/home/ada"), []);
    let journal = |flags: Flags, variables: &[(&str, &str)]| {
        let said = Said {
            flags,
            variables,
            ..Said::default()
        };
        said.fine().journal(&home).unwrap()
    };
    let here = std::env::current_dir().unwrap().join("here.db");
    let whole = format!("sqlite:{}", here.display());
    let flag = Flags::new([("journal", "sqlite:here.db".to_owned())]);
    assert_eq!(journal(flag, &[]), whole);
    let variable = [("HOLDPOINT_JOURNAL", "sqlite:here.db")];
    assert_eq!(journal(Flags::default(), &variable), whole);
}

#[test]
fn a_workspace_file_with_a_mistake_counts_for_nothing() {
    let own = "fast_reply_ms = 900\nmax_open_asks = 7\n[trust]\ndangerous = \"inbox\"\n";
    let without = user(own).fine();
    for wrong in [
        "tools = [\"elicit\"]\ntimeout_seconds = 0\n",
        "timeout_seconds = 60\nhold_seconds = \n",
        "plans_dir = \"docs\"\ntool = 1\n",
        "tools = [\"elicit\"]\n[trust]\ndangerous = \"client\"\n",
        "hold_seconds = 5\ninbox = \"off\"\n",
    ] {
        let said = Said {
            user: own,
            workspace: wrong,
            ..Said::default()
        };
        // Where agents are served it is an error.
        said.refused(&[".holdpoint/config.toml, line "]);
        let (config, fault) = said.read(Config::load_around_workspace).unwrap();
        assert!(fault.is_some(), "{wrong}");
        assert_eq!(
            all(&config),
            all(&without),
            "not a part of it either: {wrong}"
        );
        // What comes after it is held to the user's own file all the same.
        let loosening = Said {
            variables: &[("HOLDPOINT_FAST_REPLY_MS", "0")],
            ..said
        };
        assert!(
            loosening.read(Config::load_around_workspace).is_err(),
            "{wrong}"
        );
    }
}

/// To leave the file out must loosen nothing that a person relies on where nobody is served: whatever it
/// says, it says it of these four.
#[test]
fn a_workspace_file_says_nothing_of_trust() {
    let text =
        "tools = [\"elicit\"]\nplans_dir = \"docs\"\ntimeout_seconds = 60\nhold_seconds = 5\n";
    let (with, without) = (workspace(text).fine(), Said::default().fine());
    let four = Config {
        tools: with.tools.clone(),
        plans_dir: with.plans_dir.clone(),
        timeout: with.timeout,
        hold: with.hold,
        ..without.clone()
    };
    assert_eq!(all(&with), all(&four));
    assert_ne!(all(&with), all(&without));
    let named: Vec<_> = keys::KEYS
        .iter()
        .filter(|key| key.in_workspace())
        .map(|key| key.name)
        .collect();
    assert_eq!(
        named,
        ["tools", "timeout_seconds", "hold_seconds", "plans_dir"]
    );
    // And a valid one counts in the same way for both.
    let said = workspace(text);
    let (around, fault) = said.read(Config::load_around_workspace).unwrap();
    assert!(fault.is_none());
    assert_eq!(all(&around), all(&with));
}
