//! One source over the other, and what each may change.

use super::{
    Config, Inbox, Secret,
    error::{ConfigError, Place},
    file::{Entry, What},
    key::{Key, nearest},
    raw::Raw,
};
use holdpoint::ClientProfile;
use holdpoint_flows::{Commit, ToolSet};
use serde_json::Value as Json;
use std::{
    collections::HashSet,
    path::{Component, Path, PathBuf},
    time::Duration,
};

/// Whose word an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// The user's own file: it may say anything.
    User,
    /// The workspace's file: four keys.
    Workspace,
    /// Variables and flags: they may tighten.
    Launch,
}

/// The sources so far.
#[derive(Default)]
pub struct Layers {
    config: Config,
    /// What the user's own file says, or the defaults.
    own: Config,
    /// The keys that it has.
    own_keys: HashSet<Key>,
}

impl Layers {
    /// Puts a source over those before it. The user's own file comes first.
    pub fn add(&mut self, layer: Layer, entries: Vec<Entry>) -> Result<(), ConfigError> {
        for Entry { what, value, place } in entries {
            let at = At { layer, place };
            match what {
                What::Key(key) => {
                    if layer == Layer::Workspace && !key.in_workspace() {
                        return Err(at.not_in_workspace(key.name()));
                    }
                    self.set(key, &value, &at)?;
                    if layer == Layer::User {
                        self.own_keys.insert(key);
                    }
                }
                What::Client(_) if layer != Layer::User => {
                    return Err(at.not_in_workspace("[clients.NAME]"));
                }
                What::Client(name) => {
                    let profile = profile(&name, &value, &at)?;
                    self.config.clients.insert(name, profile);
                }
            }
        }
        if layer == Layer::User {
            self.own = self.config.clone();
        }
        Ok(())
    }

    /// What all of them say together.
    pub fn done(self) -> Config {
        self.config
    }

    fn set(&mut self, key: Key, value: &Raw, at: &At) -> Result<(), ConfigError> {
        let wrong = |expected: &str| at.wrong(key, expected);
        let seconds = Duration::from_secs;
        match key {
            Key::Tools => self.tools(value, at)?,
            Key::PlansDir => {
                let folder = value.text().filter(|text| is_inside(text));
                let folder = folder.ok_or_else(|| {
                    wrong("a folder inside the workspace, without `..` and not absolute")
                })?;
                self.config.plans_dir = folder.to_owned();
            }
            Key::TimeoutSeconds => self.config.timeout = time(key, value, at)?,
            Key::InboxTimeoutSeconds => self.config.inbox_timeout = time(key, value, at)?,
            Key::HoldSeconds => {
                let hold = value.number(1..=3_600);
                let hold = hold.ok_or_else(|| wrong("a number of seconds from 1 to 3600"))?;
                self.config.hold = seconds(hold);
            }
            Key::KeepAliveSeconds => {
                let each = value.number(1..=300);
                let each = each.ok_or_else(|| wrong("a number of seconds from 1 to 300"))?;
                self.config.keep_alive = seconds(each);
            }
            Key::FastReplyMs => {
                let fast = value.number(0..=60_000).map(Duration::from_millis);
                let fast = fast.ok_or_else(|| wrong("a number of milliseconds up to 60000"))?;
                let own = self.own.fast_reply;
                at.tightens(key, fast >= own, || {
                    format!("it may not go below {} ms", own.as_millis())
                })?;
                self.config.fast_reply = fast;
            }
            Key::MaxOpenAsks => {
                let most = value.number(1..=1_000_000).map(|most| most as usize);
                let most = most.ok_or_else(|| wrong("a number from 1 to 1000000"))?;
                let own = self.own.max_open_asks;
                at.tightens(key, most <= own, || format!("it may not go above {own}"))?;
                self.config.max_open_asks = most;
            }
            Key::Commit => {
                let commit = match value.text() {
                    Some("verify") => Commit::Verify,
                    Some("perform") => Commit::Perform,
                    _ => return Err(wrong("`verify` or `perform`")),
                };
                let fine =
                    matches!(commit, Commit::Verify) || matches!(self.own.commit, Commit::Perform);
                at.tightens(key, fine, || "`perform` lets Holdpoint commit".into())?;
                self.config.commit = commit;
            }
            Key::TrustDangerous => {
                let inbox = match value.text() {
                    Some("client") => false,
                    Some("inbox") => true,
                    _ => return Err(wrong("`client` or `inbox`")),
                };
                let fine = inbox || !self.own.dangerous_by_inbox_only;
                at.tightens(key, fine, || {
                    "dangerous asks are for the inbox only, because a client may answer them".into()
                })?;
                self.config.dangerous_by_inbox_only = inbox;
            }
            Key::Inbox => {
                let inbox = inbox(value);
                let inbox = inbox.ok_or_else(|| {
                    wrong("`off` or an address with its port, such as 127.0.0.1:4653")
                })?;
                let fine = inbox == Inbox::Off || self.own.inbox != Inbox::Off;
                at.tightens(key, fine, || "it is off".into())?;
                let wide = matches!(inbox, Inbox::At(at) if !at.ip().is_loopback());
                self.stays(key, at, !wide || inbox == self.own.inbox)?;
                self.config.inbox = inbox;
            }
            Key::InboxCert => {
                let file = file(value).ok_or_else(|| wrong("a file"))?;
                self.stays(key, at, self.own.inbox_cert.as_ref() == Some(&file))?;
                self.config.inbox_cert = Some(file);
            }
            Key::InboxKey => {
                let file = file(value).ok_or_else(|| wrong("a file"))?;
                self.stays(key, at, self.own.inbox_key.as_ref() == Some(&file))?;
                self.config.inbox_key = Some(file);
            }
            Key::Journal => {
                let fits = |url: &&str| at.layer != Layer::User || is_fixed(url);
                let url = value.text().filter(fits).ok_or_else(|| {
                    wrong("`sqlite:` with an absolute path, `postgres://…` or `memory:`")
                })?;
                let url = Some(url.to_owned());
                self.stays(key, at, self.own.journal == url)?;
                self.config.journal = url;
            }
            Key::NotifyCommand => {
                let command = value.program();
                if command.is_none() {
                    return Err(wrong("a program, or a list of a program and its arguments"));
                }
                self.stays(key, at, self.own.notify.command == command)?;
                self.config.notify.command = command;
            }
            Key::NotifyUrl => {
                let url = value.text().and_then(|text| text.parse::<url::Url>().ok());
                let url = url.filter(|url| matches!(url.scheme(), "http" | "https"));
                if url.is_none() {
                    return Err(wrong("an address that begins with https:// or http://"));
                }
                self.stays(key, at, self.own.notify.url == url)?;
                self.config.notify.url = url;
            }
            Key::NotifySecret => {
                let secret = value.text().filter(|text| !text.is_empty());
                let secret = Some(Secret(
                    secret.ok_or_else(|| wrong("text, not empty"))?.to_owned(),
                ));
                self.stays(key, at, self.own.notify.secret == secret)?;
                self.config.notify.secret = secret;
            }
            Key::NotifyDesktop => {
                let desktop = value.truth();
                if desktop.is_none() {
                    return Err(wrong("true or false"));
                }
                self.stays(key, at, self.own.notify.desktop == desktop)?;
                self.config.notify.desktop = desktop;
            }
            Key::NotifyQuiet => {
                let quiet = value.text().and_then(|text| text.parse().ok());
                if quiet.is_none() {
                    return Err(wrong("hours of the day, such as 22:00-07:00"));
                }
                self.stays(key, at, self.own.notify.quiet == quiet)?;
                self.config.notify.quiet = quiet;
            }
            Key::ScriptsDir => {
                let folder = value.text().filter(|text| !text.is_empty());
                let folder = Some(PathBuf::from(folder.ok_or_else(|| wrong("a folder"))?));
                self.stays(key, at, self.own.scripts_dir == folder)?;
                self.config.scripts_dir = folder;
            }
        }
        Ok(())
    }

    /// Tool sets can be taken away from what the user's own file leaves, not added to it.
    fn tools(&mut self, value: &Raw, at: &At) -> Result<(), ConfigError> {
        let wrong = |what: &str| at.wrong(Key::Tools, &format!("a list of tool sets{what}"));
        let words = value.words().filter(|words| !words.is_empty());
        let mut tools = Vec::new();
        for word in words.ok_or_else(|| wrong(""))? {
            let set: ToolSet = word.parse().map_err(|error| wrong(&format!(": {error}")))?;
            if !set.is_available() {
                let place = &at.place;
                let warning = format!("{place}: this version has no tools of the set `{set}` yet");
                self.config.warnings.push(warning);
            }
            if at.layer != Layer::User && !self.own.tools.contains(&set) {
                self.config.warnings.push(format!(
                    "{}: the tool set `{set}` is left out, because your own file leaves it out",
                    at.place
                ));
            } else if !tools.contains(&set) {
                tools.push(set);
            }
        }
        self.config.tools = tools;
        Ok(())
    }

    /// What the user's own file names, nothing else may name otherwise.
    fn stays(&self, key: Key, at: &At, same: bool) -> Result<(), ConfigError> {
        let fine = same || !self.own_keys.contains(&key);
        at.tightens(key, fine, || "it names another one".into())
    }
}

/// Whose word it is, and where.
struct At {
    layer: Layer,
    place: Place,
}

impl At {
    fn wrong(&self, key: Key, expected: &str) -> ConfigError {
        ConfigError::Value {
            place: self.place.clone(),
            key: key.name().to_owned(),
            expected: expected.to_owned(),
        }
    }

    fn not_in_workspace(&self, key: &str) -> ConfigError {
        ConfigError::NotInWorkspace {
            place: self.place.clone(),
            key: key.to_owned(),
        }
    }

    fn tightens(
        &self,
        key: Key,
        fine: bool,
        why: impl FnOnce() -> String,
    ) -> Result<(), ConfigError> {
        if fine || self.layer == Layer::User {
            return Ok(());
        }
        Err(ConfigError::Loosens {
            place: self.place.clone(),
            key: key.name(),
            why: why(),
        })
    }
}

/// A time to wait; none, by 0, is for the user alone to say.
fn time(key: Key, value: &Raw, at: &At) -> Result<Option<Duration>, ConfigError> {
    match (value.number(0..=86_400), at.layer) {
        (Some(0), Layer::User) => Ok(None),
        (Some(seconds @ 5..), _) => Ok(Some(Duration::from_secs(seconds))),
        (_, Layer::User) => Err(at.wrong(
            key,
            "a number of seconds from 5 to 86400, or 0 for no deadline",
        )),
        _ => Err(at.wrong(
            key,
            "a number of seconds from 5 to 86400; 0, for no deadline, is for your own file only",
        )),
    }
}

fn inbox(value: &Raw) -> Option<Inbox> {
    match value.text()?.trim() {
        "off" => Some(Inbox::Off),
        address => {
            let port = address.strip_prefix("localhost:");
            let numeric = port.map(|port| format!("127.0.0.1:{port}"));
            let numeric = numeric.as_deref().unwrap_or(address);
            Some(Inbox::At(numeric.parse().ok()?))
        }
    }
}

fn file(value: &Raw) -> Option<PathBuf> {
    let path = value.text().filter(|text| !text.is_empty());
    path.map(PathBuf::from)
}

/// Whether this means the same in every folder.
fn is_fixed(url: &str) -> bool {
    match url.split_once(':') {
        Some(("sqlite", path)) => Path::new(path).is_absolute(),
        Some(("memory", "")) | Some(("postgres" | "postgresql", _)) => true,
        _ => false,
    }
}

fn is_inside(folder: &str) -> bool {
    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    !folder.trim().is_empty() && Path::new(folder).components().all(inside)
}

fn profile(name: &str, value: &Raw, at: &At) -> Result<ClientProfile, ConfigError> {
    let wrong = |expected: String| ConfigError::Value {
        place: at.place.clone(),
        key: format!("clients.{name}"),
        expected,
    };
    let changes = value.keys();
    let changes = changes.ok_or_else(|| wrong(format!("a section, `[clients.{name}]`")))?;
    let known = serde_json::to_value(ClientProfile::default()).unwrap_or_default();
    let known: Vec<String> = match known {
        Json::Object(keys) => keys.into_iter().map(|(key, _)| key).collect(),
        _ => Vec::new(),
    };
    if let Some(key) = changes.keys().find(|key| !known.contains(key)) {
        return Err(ConfigError::Unknown {
            place: at.place.clone(),
            nearest: nearest(key, known),
            key: key.clone(),
        });
    }
    let profile = ClientProfile::for_client(name, None);
    profile
        .with(changes)
        .map_err(|error| wrong(format!("a client profile: {error}")))
}
