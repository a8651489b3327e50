//! Who calls, and what their client can show.

use crate::Settings;
use holdpoint_ask::{Ask, ClientProfile, Revision};

/// The client behind a call: who it is, what it declared, what it really renders.
///
/// ```
/// use holdpoint::{ToolContext, testing::{Says, Script}};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// let shows_forms = |cx: ToolContext| async move { cx.session().supports_elicitation() };
/// let played = Script::new([] as [Says; 0]).run(shows_forms).await;
/// assert!(!played.value); // A script has no client.
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Session {
    /// In whose name it calls.
    pub principal: String,
    /// Its name and version, where it gave them.
    pub client: Option<String>,
    /// Its name alone: what binds its calls, also after an update of it.
    pub client_name: Option<String>,
    /// The protocol's revision; none where the client knows no elicitation.
    pub revision: Option<Revision>,
    /// It calls again with the answers, and takes no requests of the server's own.
    pub modern: bool,
    /// Nobody can be at it: it is shown nothing, whatever it declared.
    pub unattended: bool,
    /// It declared that it shows forms, and really does.
    pub form: bool,
    /// It declared that it opens addresses, and really does.
    pub url: bool,
    /// It declared that it samples.
    pub sampling: bool,
    /// It declared that it lists its roots.
    pub roots: bool,
    /// What it really renders.
    pub profile: ClientProfile,
}

impl Session {
    /// Whether the client declared that it can ask its person anything.
    pub fn supports_elicitation(&self) -> bool {
        self.form || self.url
    }
}

/// How long an ask waits. One that a call is held open for has less time; a dialog of a client that calls
/// again shows no deadline, and nothing is held for it.
pub(crate) fn time_for(
    ask: &Ask,
    held_by_client: bool,
    settings: &Settings,
) -> Option<std::time::Duration> {
    use crate::settings::{LONGEST, SHORTEST};
    match ask.timeout {
        Some(time) => Some(time.clamp(SHORTEST, LONGEST)),
        None if held_by_client => settings.timeout,
        None => settings.inbox_timeout,
    }
}
