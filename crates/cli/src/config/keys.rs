//! The table of everything that can be set.

use super::{
    Inbox, Secret,
    key::{
        Default::{Value, Words},
        Flag, Key, Kind, Layer, Rule,
    },
    value::Written,
};
use holdpoint::personal::rules;
use holdpoint_ask::nearest::closest;
use holdpoint_tools::Commit;
use holdpoint_workspace::is_hidden;
use std::{
    path::{Component, Path, PathBuf},
    time::Duration,
};

/// The sections of a file. `clients` has tables of its own, one for each client.
pub const SECTIONS: [&str; 5] = ["trust", "auth", "notify", "scripts", "clients"];

/// A key that sends text out, runs code or says which record is believed: what the user's own file
/// sets stays.
macro_rules! unless_set {
    ($($field:ident).+) => {
        Rule::Tightens {
            allowed: "yes, unless your own file sets it",
            loosens: |new, own| {
                let other = own.$($field).+.is_some() && own.$($field).+ != new.$($field).+;
                other.then(|| "your own file sets another one".to_owned())
            },
        }
    };
}

/// A key that says who is believed to be whom: only the user's own file does.
macro_rules! own_file_only {
    ($field:ident) => {
        Rule::Tightens {
            allowed: "no: only your own file",
            loosens: |new, own| {
                (new.$field != own.$field).then(|| "only your own file may set it".to_owned())
            },
        }
    };
}

/// Every key, in the order of the reference page.
pub static KEYS: [Key; 26] = [
    Key {
        name: "tools",
        flag: flag("tools", "LIST"),
        kind: Kind::Tools,
        default: Value(r#"["elicit", "orchestra", "plans", "onboarding", "record"]"#),
        rule: Rule::Workspace,
        help: "The tools that agents get, by name or in groups, separated by commas. Sets: elicit \
               (single questions), orchestra (plan approval, phase commits, reviews, their files), plans \
               (plan folders), onboarding (instruction files), record (earlier \
               decisions, found and counted). Presets for a small context: ask \
               (confirm, choice, input), approvals (what asks about plans and phases, and confirm), all. \
               await_answer comes along with what asks. What your own file leaves out stays out.",
    },
    Key {
        name: "journal",
        flag: flag("journal", "URL"),
        kind: Kind::Other {
            expected: rules::JOURNAL_EXPECTED,
            set: |config, value, layer| {
                let fits =
                    |url: &&str| layer == Layer::Launch || rules::means_the_same_everywhere(url);
                config.journal = Some(value.text().filter(fits)?.to_owned());
                Some(())
            },
        },
        default: Words("`journal.db` in `$XDG_STATE_HOME/holdpoint`"),
        rule: Rule::Tightens {
            allowed: "yes, unless your own file sets it",
            loosens: |new, own| {
                rules::journal_loosens(new.journal.as_deref(), own.journal.as_deref())
            },
        },
        help: "Where asks and decisions are recorded: sqlite:PATH, postgres://USER@HOST/DATABASE or \
               memory:. By default journal.db in $XDG_STATE_HOME/holdpoint. A relative PATH, which \
               only a flag or a variable may have, is one below the current folder. To the flag, a bare \
               path is one of SQLite's.",
    },
    Key {
        name: "inbox",
        flag: flag("inbox", "ADDR|off"),
        kind: Kind::Other {
            expected: rules::INBOX_EXPECTED,
            set: |config, value, _| {
                config.inbox = Inbox::parse(value.text()?)?;
                Some(())
            },
        },
        default: Words("`127.0.0.1:4653`, or the next free port"),
        rule: Rule::Tightens {
            allowed: "`off` always; an address of this machine unless your own file says `off`; an \
                      address that other machines reach unless your own file sets another one",
            loosens: |new, own| new.inbox.loosens(own.inbox),
        },
        help: "Where the inbox page listens, or `off`: then people are reached through their client \
               only. By default 127.0.0.1:4653, or the next free port; one page serves all agents \
               of the machine. `holdpoint inbox --web` opens it.",
    },
    Key {
        name: "inbox_cert",
        flag: flag("inbox-cert", "FILE"),
        kind: Kind::Other {
            expected: "a file",
            set: |config, value, _| {
                config.inbox_cert = Some(path(value)?);
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(inbox_cert),
        help: "The certificate of the inbox page, in PEM. An inbox that other machines reach needs \
               one.",
    },
    Key {
        name: "inbox_key",
        flag: flag("inbox-key", "FILE"),
        kind: Kind::Other {
            expected: "a file",
            set: |config, value, _| {
                config.inbox_key = Some(path(value)?);
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(inbox_key),
        help: "The private key of that certificate, in PEM.",
    },
    Key {
        name: "http_key",
        flag: None,
        kind: Kind::Other {
            expected: "true or false",
            set: |config, value, _| {
                config.http_key = value.truth()?;
                Some(())
            },
        },
        default: Value("true"),
        rule: Rule::Tightens {
            allowed: "`true` always; `false` only where your own file says so too",
            loosens: |new, own| {
                (own.http_key && !new.http_key)
                    .then(|| "every program of this machine could ask in your name".to_owned())
            },
        },
        help: "Whether callers of `serve --http` show the server's key, which lies beside the journal \
               and which `holdpoint token show` prints. Without it every program of this machine can \
               ask, and see and take over what others asked, unless `auth.issuer` is set.",
    },
    Key {
        name: "behind_proxy",
        flag: None,
        kind: Kind::Other {
            expected: "a list of IP addresses",
            set: |config, value, _| {
                let addresses = value.words()?;
                let addresses = addresses.iter().map(|address| address.parse().ok());
                config.behind_proxy = addresses.collect::<Option<_>>()?;
                Some(())
            },
        },
        default: Value("[]"),
        rule: own_file_only!(behind_proxy),
        help: "The addresses of a proxy that speaks TLS in front of `serve --http`. Connections are \
               then taken from these only, without TLS, at any address; callers still say who they \
               are. With `inbox_url` it stands in front of the page too.",
    },
    Key {
        name: "inbox_url",
        flag: None,
        kind: Kind::Other {
            expected: "the page's address at your proxy, such as https://ask.example.com",
            set: |config, value, _| {
                config.inbox_url = Some(value.text()?.parse().ok()?);
                Some(())
            },
        },
        default: Words("where the page listens"),
        rule: own_file_only!(inbox_url),
        help: "The one address under which people open the page, where a proxy stands before it. All \
               processes with this address and journal are one page: a browser that was let in by one \
               is let in by all.",
    },
    Key {
        name: "timeout_seconds",
        flag: None,
        kind: Kind::Deadline(|config, time| config.timeout = time),
        default: Value("300"),
        rule: Rule::Workspace,
        help: "How long an ask waits for its answer.",
    },
    Key {
        name: "inbox_timeout_seconds",
        flag: None,
        kind: Kind::Deadline(|config, time| config.inbox_timeout = time),
        default: Value("86400"),
        rule: Rule::Launch,
        help: "How long an ask waits that only the inbox shows.",
    },
    Key {
        name: "hold_seconds",
        flag: None,
        kind: Kind::Number {
            unit: " of seconds",
            range: (1, 3_600),
            set: |config, seconds| config.hold = Duration::from_secs(seconds),
        },
        default: Value("45"),
        rule: Rule::Workspace,
        help: "How long a call is held open while only the inbox shows its asks. After that it ends \
               `pending`, and the agent calls `await_answer`.",
    },
    Key {
        name: "keep_alive_seconds",
        flag: None,
        kind: Kind::Number {
            unit: " of seconds",
            range: (1, 300),
            set: |config, seconds| config.keep_alive = Duration::from_secs(seconds),
        },
        default: Value("10"),
        rule: Rule::Launch,
        help: "How often a waiting client gets a progress notification, so that it does not give up.",
    },
    Key {
        name: "max_open_asks",
        flag: None,
        kind: Kind::Number {
            unit: "",
            range: (1, 1_000_000),
            set: |config, most| config.max_open_asks = most as usize,
        },
        default: Value("1000"),
        rule: Rule::Tightens {
            allowed: "yes, but no higher than your own file or the default",
            loosens: |new, own| {
                let most = own.max_open_asks;
                (new.max_open_asks > most).then(|| format!("it may not go above {most}"))
            },
        },
        help: "How many asks one client may have open at once.",
    },
    Key {
        name: "fast_reply_ms",
        flag: None,
        kind: Kind::Number {
            unit: " of milliseconds",
            range: (*rules::FAST_REPLY_MS.start(), *rules::FAST_REPLY_MS.end()),
            set: |config, time| config.fast_reply = Duration::from_millis(time),
        },
        default: Value("400"),
        rule: Rule::Tightens {
            allowed: "yes, but no lower than your own file or the default",
            loosens: |new, own| rules::fast_reply_loosens(new.fast_reply, own.fast_reply),
        },
        help: "An answer that comes faster than this after the ask was shown, on whatever surface, \
               was not given by a person who read it, and settles nothing. For what is dangerous \
               it is two and a half times as long.",
    },
    Key {
        name: "commit",
        flag: None,
        kind: Kind::Word("verify", "perform", |config, perform| {
            config.commit = if perform {
                Commit::Perform
            } else {
                Commit::Verify
            };
        }),
        default: Value(r#""verify""#),
        rule: Rule::Tightens {
            allowed: "`verify` always; `perform` only where your own file says so too",
            loosens: |new, own| {
                (new.commit == Commit::Perform && own.commit == Commit::Verify)
                    .then(|| "`perform` lets Holdpoint commit".to_owned())
            },
        },
        help: "What happens to a commit that you approved: you make it and Holdpoint verifies that \
               it is there, or Holdpoint performs it.",
    },
    Key {
        name: "git_filters",
        flag: None,
        kind: Kind::Other {
            expected: "a list of names of git filters",
            set: |config, value, _| {
                config.git_filters = value.words()?;
                Some(())
            },
        },
        default: Value("[]"),
        rule: Rule::Tightens {
            allowed: "only filters that your own file names",
            loosens: |new, own| {
                let mut added = new.git_filters.iter();
                let added = added.find(|filter| !own.git_filters.contains(filter))?;
                Some(format!("your own file does not allow the filter `{added}`"))
            },
        },
        help: "The git filters that Holdpoint runs when it shows or checks a commit, such as `lfs`. What \
               a filter runs is taken from your own git config, never from the repository's. By default \
               none: looking at a repository runs nothing.",
    },
    Key {
        name: "plans_dir",
        flag: None,
        kind: Kind::Other {
            expected: "a folder inside the workspace, without `..`, not absolute and not hidden",
            set: |config, value, _| {
                let folder = value.text().filter(|text| is_inside(text))?;
                config.plans_dir = folder.to_owned();
                Some(())
            },
        },
        default: Value(r#""plans""#),
        rule: Rule::Workspace,
        help: "The folder of the plans, below the workspace.",
    },
    Key {
        name: "trust.dangerous",
        flag: None,
        kind: Kind::Word("client", "inbox", |config, inbox| {
            config.dangerous_by_inbox_only = inbox;
        }),
        default: Value(r#""client""#),
        rule: Rule::Tightens {
            allowed: "`inbox` always; `client` unless your own file says `inbox`",
            loosens: |new, own| {
                let (new, own) = (new.dangerous_by_inbox_only, own.dangerous_by_inbox_only);
                rules::dangerous_loosens(new, own)
            },
        },
        help: "Where dangerous asks are answered: in the client too, or in the inbox only.",
    },
    Key {
        name: "auth.issuer",
        flag: None,
        kind: Kind::Other {
            expected: "an address that begins with https://, or with http:// and this machine",
            set: |config, value, _| {
                config.issuer = Some(value.text()?.parse().ok()?);
                Some(())
            },
        },
        default: Words("none"),
        rule: own_file_only!(issuer),
        help: "The OpenID provider, or another authorization server, whose access tokens (JWTs) callers \
               of `serve --http` may show. They need the scope `holdpoint:ask`.",
    },
    Key {
        name: "auth.audience",
        flag: None,
        kind: Kind::Other {
            expected: "the server's own address, such as https://ask.example.com/mcp",
            set: |config, value, _| {
                let url: url::Url = value.text()?.parse().ok()?;
                let fits = matches!(url.scheme(), "http" | "https") && url.fragment().is_none();
                fits.then(|| config.audience = Some(value.text().unwrap_or_default().to_owned()))
            },
        },
        default: Words("the address that `serve --http` prints"),
        rule: own_file_only!(audience),
        help: "What those tokens must be meant for: the address under which callers know the server.",
    },
    Key {
        name: "notify.command",
        flag: None,
        kind: Kind::Other {
            expected: "a program, or a list of a program and its arguments",
            set: |config, value, _| {
                config.notify.command = Some(value.program()?);
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(notify.command),
        help: "A program to run when an ask waits for you. It gets the news as JSON on standard \
               input. A variable may hold the list as JSON.",
    },
    Key {
        name: "notify.url",
        flag: None,
        kind: Kind::Other {
            expected: "an address that begins with https:// or http://",
            set: |config, value, _| {
                let url: url::Url = value.text()?.parse().ok()?;
                matches!(url.scheme(), "http" | "https").then(|| config.notify.url = Some(url))
            },
        },
        default: Words("none"),
        rule: unless_set!(notify.url),
        help: "An address to which the same JSON is posted.",
    },
    Key {
        name: "notify.secret",
        flag: None,
        kind: Kind::Other {
            expected: "text, not empty",
            set: |config, value, _| {
                let secret = value.text().filter(|text| !text.is_empty())?;
                config.notify.secret = Some(Secret(secret.to_owned()));
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(notify.secret),
        help: "The key that signs what is posted to `notify.url`.",
    },
    Key {
        name: "notify.desktop",
        flag: None,
        kind: Kind::Other {
            expected: "true or false",
            set: |config, value, _| {
                config.notify.desktop = Some(value.truth()?);
                Some(())
            },
        },
        default: Words("`false`"),
        rule: unless_set!(notify.desktop),
        help: "Whether a notification is shown on the desktop. It needs a build with `--features \
               desktop`.",
    },
    Key {
        name: "notify.quiet",
        flag: None,
        kind: Kind::Other {
            expected: "hours of the day, such as 22:00-07:00",
            set: |config, value, _| {
                config.notify.quiet = Some(value.text()?.parse().ok()?);
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(notify.quiet),
        help: "The hours in which nobody is disturbed. Notifications wait until they are over.",
    },
    Key {
        name: "scripts.dir",
        flag: flag("scripts", "DIR"),
        kind: Kind::Other {
            expected: "a folder",
            set: |config, value, _| {
                config.scripts_dir = Some(path(value)?);
                Some(())
            },
        },
        default: Words("none"),
        rule: unless_set!(scripts_dir),
        help: "The folder of your scripts. Each `.js` and `.ts` file in it is loaded, and \
               each of its public methods is a tool. Changed files are picked up.",
    },
];

const fn flag(name: &'static str, value_name: &'static str) -> Option<Flag> {
    Some(Flag { name, value_name })
}

/// The key of this name.
pub fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| key.name == name)
}

/// The one of `known` that is most like `name`.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> String {
    let known: Vec<_> = known.into_iter().collect();
    let closest = closest(name, known.iter().map(String::as_str));
    closest.map_or_else(String::new, |(_, name)| name.to_owned())
}

fn path(value: &Written) -> Option<PathBuf> {
    let text = value.text().filter(|text| !text.is_empty());
    text.map(PathBuf::from)
}

fn is_inside(folder: &str) -> bool {
    let inside = |part: Component| match part {
        Component::Normal(name) => !is_hidden(&name.to_string_lossy()),
        Component::CurDir => true,
        _ => false,
    };
    !folder.trim().is_empty() && Path::new(folder).components().all(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key() {
        let check = |name: &str, wanted: &str| {
            let known = KEYS.iter().map(|key| key.name.to_owned());
            assert_eq!(nearest(name, known), wanted, "{name}");
        };
        check("tool", "tools");
        check("timeout_second", "timeout_seconds");
        check("timeoutSeconds", "timeout_seconds");
        check("trust.dangeros", "trust.dangerous");
        check("fast_replay_ms", "fast_reply_ms");
        check("timeout", "timeout_seconds");
        check("dangerous", "trust.dangerous");
    }

    #[test]
    fn variables() {
        let variable = |name| find(name).unwrap().variable();
        assert_eq!(variable("hold_seconds"), "HOLDPOINT_HOLD_SECONDS");
        assert_eq!(variable("trust.dangerous"), "HOLDPOINT_TRUST_DANGEROUS");
    }
}
