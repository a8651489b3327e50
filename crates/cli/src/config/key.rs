//! The keys that can be set, and where each may be.

/// Something that can be set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Key {
    /// The tool sets that agents get.
    Tools,
    /// Where the record is.
    Journal,
    /// Where the page listens, or `off`.
    Inbox,
    /// The page's certificate.
    InboxCert,
    /// The certificate's private key.
    InboxKey,
    /// How long an ask waits.
    TimeoutSeconds,
    /// How long a call is held open while only the inbox shows its asks.
    HoldSeconds,
    /// How often a waiting client gets a sign of life.
    KeepAliveSeconds,
    /// Whether commits are checked only, or made.
    Commit,
    /// Where plans are, below the workspace.
    PlansDir,
    /// A client's reply that comes faster was not a person's.
    FastReplyMs,
    /// How many asks one client may have open.
    MaxOpenAsks,
    /// How long an ask waits that only the inbox shows.
    InboxTimeoutSeconds,
    /// Who may answer dangerous asks.
    TrustDangerous,
    /// What to run when an ask is opened.
    NotifyCommand,
    /// What to call when an ask is opened.
    NotifyUrl,
    /// What those calls are signed with.
    NotifySecret,
    /// Whether the desktop shows a notification.
    NotifyDesktop,
    /// When nobody is to be disturbed.
    NotifyQuiet,
    /// Where scripts are.
    ScriptsDir,
}

impl Key {
    /// All of them; `[clients.NAME]` is beside them.
    pub const ALL: [Self; 20] = [
        Self::Tools,
        Self::Journal,
        Self::Inbox,
        Self::InboxCert,
        Self::InboxKey,
        Self::TimeoutSeconds,
        Self::HoldSeconds,
        Self::KeepAliveSeconds,
        Self::Commit,
        Self::PlansDir,
        Self::FastReplyMs,
        Self::MaxOpenAsks,
        Self::InboxTimeoutSeconds,
        Self::TrustDangerous,
        Self::NotifyCommand,
        Self::NotifyUrl,
        Self::NotifySecret,
        Self::NotifyDesktop,
        Self::NotifyQuiet,
        Self::ScriptsDir,
    ];

    /// Its name in a file, with its section before a dot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Journal => "journal",
            Self::Inbox => "inbox",
            Self::InboxCert => "inbox_cert",
            Self::InboxKey => "inbox_key",
            Self::TimeoutSeconds => "timeout_seconds",
            Self::HoldSeconds => "hold_seconds",
            Self::KeepAliveSeconds => "keep_alive_seconds",
            Self::Commit => "commit",
            Self::PlansDir => "plans_dir",
            Self::FastReplyMs => "fast_reply_ms",
            Self::MaxOpenAsks => "max_open_asks",
            Self::InboxTimeoutSeconds => "inbox_timeout_seconds",
            Self::TrustDangerous => "trust.dangerous",
            Self::NotifyCommand => "notify.command",
            Self::NotifyUrl => "notify.url",
            Self::NotifySecret => "notify.secret",
            Self::NotifyDesktop => "notify.desktop",
            Self::NotifyQuiet => "notify.quiet",
            Self::ScriptsDir => "scripts.dir",
        }
    }

    /// The key of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.name() == name)
    }

    /// Its name as a variable.
    pub fn variable(self) -> String {
        format!("{PREFIX}{}", self.name().replace('.', "_").to_uppercase())
    }

    /// Whether a workspace's file may have it.
    pub fn in_workspace(self) -> bool {
        matches!(
            self,
            Self::Tools | Self::PlansDir | Self::TimeoutSeconds | Self::HoldSeconds
        )
    }
}

/// How every variable of Holdpoint's begins.
pub const PREFIX: &str = "HOLDPOINT_";

/// The sections of a file. `clients` has tables of its own, one for each client.
pub const SECTIONS: [&str; 4] = ["trust", "notify", "scripts", "clients"];

/// The one of `known` that is most like `name`.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> String {
    let likeness = |it: &String| strsim::jaro_winkler(it, name);
    known
        .into_iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_key() {
        let check = |name: &str, wanted: &str| {
            let known = Key::ALL.map(|key| key.name().to_owned());
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
        assert_eq!(Key::HoldSeconds.variable(), "HOLDPOINT_HOLD_SECONDS");
        assert_eq!(Key::TrustDangerous.variable(), "HOLDPOINT_TRUST_DANGEROUS");
    }
}
