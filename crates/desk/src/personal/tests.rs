//! Who may set what for the library; that the binary agrees is a test of its own.

use super::*;
use std::fs;

/// What is said, and by whom.
#[derive(Default)]
struct Given<'a> {
    own: &'a str,
    pointed: Option<&'a str>,
    variables: &'a [(&'a str, &'a str)],
}

impl Given<'_> {
    fn find(&self) -> Result<Personal, PersonalError> {
        let folder = tempfile::tempdir().unwrap();
        let (account, config) = (folder.path().join("home"), folder.path().join("config"));
        let write = |file: PathBuf, text: &str| {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write(account.join(".config/holdpoint/config.toml"), self.own);
        let mut variables = self.variables.to_vec();
        let config_home = config.to_str().unwrap().to_owned();
        if let Some(pointed) = self.pointed {
            write(config.join("holdpoint/config.toml"), pointed);
            variables.push(("XDG_CONFIG_HOME", &config_home));
        }
        Personal::find_in(&Environment::new(&account, variables))
    }

    #[track_caller]
    fn fine(&self) -> Personal {
        self.find().unwrap()
    }

    #[track_caller]
    fn refused(&self, part: &str) {
        let error = self.find().expect_err("it is refused").to_string();
        assert!(error.contains(part), "{part:?} is not in: {error}");
    }
}

fn own(own: &str) -> Given<'_> {
    Given {
        own,
        ..Given::default()
    }
}

#[test]
fn nothing_said_is_the_persons_own_journal_with_the_defaults() {
    let personal = own("").fine();
    assert!(personal.journal.starts_with("sqlite:/"));
    assert!(
        personal
            .journal
            .ends_with("/home/.local/state/holdpoint/journal.db")
    );
    assert_eq!(personal.inbox, InboxPlace::Usual);
    assert!(!personal.dangerous_by_inbox_only);
    assert_eq!(personal.fast_reply, Settings::default().fast_reply);
    let state = [("XDG_STATE_HOME", "/state")];
    let elsewhere = Given {
        variables: &state,
        ..Given::default()
    };
    let journal = elsewhere.fine().journal;
    assert_eq!(journal, "sqlite:/state/holdpoint/journal.db");
    let none = Personal::find_in(&Environment::default());
    assert!(matches!(none, Err(PersonalError::NoHome)), "{none:?}");
}

#[test]
fn the_persons_own_file_may_say_anything() {
    let personal = own(concat!(
        "journal = \"sqlite:/j.db\"\ninbox = \"off\"\nfast_reply_ms = 0\n",
        "tools = [\"elicit\"]\nsomething_newer = 3\n[trust]\ndangerous = \"inbox\"\n",
    ))
    .fine();
    assert_eq!(personal.journal, "sqlite:/j.db");
    assert_eq!(personal.inbox, InboxPlace::Off);
    assert!(personal.dangerous_by_inbox_only);
    assert_eq!(personal.fast_reply, Duration::ZERO);
}

#[test]
fn a_database_is_named_whole_and_its_password_is_not_shown() {
    let address = "postgres://ada:geheim@db/team?sslmode=require";
    let personal = own(&format!("journal = {address:?}")).fine();
    assert_eq!(personal.journal, address);
    let shown = format!("{personal:?}");
    assert!(
        shown.contains("postgres://ada@db/team") && !shown.contains("geheim"),
        "{shown}"
    );
    for fine in [
        "postgresql://a,b:5433/team",
        "postgres:///?host=/run/postgresql&dbname=team",
        "postgres://%2Frun%2Fpostgresql/team",
        "postgres://[::1]:5432/team",
    ] {
        own(&format!("journal = {fine:?}")).fine();
    }
    // What it leaves out would come from the variables of whoever starts the program.
    for left_out in [
        "postgres://",
        "postgres://db",
        "postgres://db/",
        "postgres:///team",
        "postgres://ada:geheim@/team",
        "postgres://:5433/team",
        "postgres://a,/team",
        "postgres://db/?user=ada",
        "postgres:///team?host=",
        "postgres:db/team",
    ] {
        let error = own(&format!("journal = {left_out:?}"))
            .find()
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("a host and a database"),
            "{left_out}: {error}"
        );
        assert!(!error.contains("geheim"), "{error}");
    }
    let error = own("inbox = \"off\"\njournal = \"postgres://ada:geheim@db/team\n")
        .find()
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("not valid TOML") && error.contains("line 2"),
        "{error}"
    );
    assert!(!error.contains("geheim"), "{error}");
}

#[test]
fn what_is_wrong_is_refused() {
    own("journal = \"sqlite:here.db\"").refused("absolute path");
    own("journal = 3").refused("`journal` must be");
    own("inbox = \"on\"").refused("`inbox` must be");
    own("fast_reply_ms = -1").refused("from 0 to 60000");
    own("fast_reply_ms = 60001").refused("from 0 to 60000");
    own("trust = \"inbox\"").refused("a section");
    own("[trust]\ndangerous = \"never\"").refused("`client` or `inbox`");
    own("[trust]\ndangeros = \"inbox\"").refused("unknown key `trust.dangeros`");
    own("[trsut]\ndangerous = \"inbox\"").refused("did you mean `trust`?");
    own("fast_reply_m = 900").refused("did you mean `fast_reply_ms`?");
    own("inbix = \"off\"").refused("did you mean `inbox`?");
    own("journal = ").refused("not valid TOML");
}

#[test]
fn others_may_tighten_and_never_loosen() {
    let tight = "inbox = \"off\"\nfast_reply_ms = 900\njournal = \"sqlite:/j.db\"\n\
                 [trust]\ndangerous = \"inbox\"\n";
    let cases = [
        ("inbox", "HOLDPOINT_INBOX", "\"off\"", "127.0.0.1:9"),
        ("fast_reply_ms", "HOLDPOINT_FAST_REPLY_MS", "1000", "899"),
        (
            "journal",
            "HOLDPOINT_JOURNAL",
            "\"sqlite:/j.db\"",
            "sqlite:/other.db",
        ),
        (
            "trust.dangerous",
            "HOLDPOINT_TRUST_DANGEROUS",
            "\"inbox\"",
            "client",
        ),
    ];
    for (key, variable, tighter, looser) in cases {
        let said = |value: &str| {
            let text = value.trim_matches('"').to_owned();
            let by_variable = [(variable, text.as_str())];
            let quoted = match value.parse::<u64>() {
                Ok(_) => value.to_owned(),
                Err(_) => format!("\"{text}\""),
            };
            let by_file = format!("{key} = {quoted}");
            let variable = Given {
                own: tight,
                variables: &by_variable,
                ..Given::default()
            };
            let pointed = Given {
                own: tight,
                pointed: Some(&by_file),
                ..Given::default()
            };
            [variable.find(), pointed.find()]
        };
        for found in said(tighter) {
            let found = found.unwrap_or_else(|error| panic!("{key}: {error}"));
            assert!(found.dangerous_by_inbox_only && found.inbox == InboxPlace::Off);
        }
        for found in said(looser) {
            let error = found.expect_err(key);
            assert!(matches!(error, PersonalError::Loosens { .. }), "{error}");
        }
    }
}

#[test]
fn a_relative_path_in_a_variable_is_below_the_current_folder() {
    let variables = [("HOLDPOINT_JOURNAL", "sqlite:here.db")];
    let given = Given {
        variables: &variables,
        ..Given::default()
    };
    let here = std::env::current_dir().unwrap().join("here.db");
    let whole = format!("sqlite:{}", here.display());
    assert_eq!(given.fine().journal, whole);
}

#[test]
fn settings_of_an_author_never_trust_more_than_the_person() {
    let personal = own("fast_reply_ms = 900\n[trust]\ndangerous = \"inbox\"").fine();
    let loose = Settings {
        fast_reply: Duration::ZERO,
        hold: Duration::from_secs(3),
        ..Settings::default()
    };
    let settings = personal.tighten(loose);
    assert_eq!(settings.fast_reply, Duration::from_millis(900));
    assert!(settings.dangerous_by_inbox_only);
    assert_eq!(settings.hold, Duration::from_secs(3));
    let strict = Settings {
        fast_reply: Duration::from_secs(2),
        ..Settings::default()
    };
    assert_eq!(personal.tighten(strict).fast_reply, Duration::from_secs(2));
}
