//! Who calls, and what their client can show.

use crate::{Desk, Settings};
use holdpoint_ask::{Ask, AskId, ClientProfile, Kind, Lowered, Revision, visible};

/// The client behind a call: who it is, what it declared, what it really renders.
#[derive(Debug, Clone, PartialEq)]
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
    /// It declared that it shows forms.
    pub form: bool,
    /// It declared that it opens addresses.
    pub url: bool,
    /// It declared that it samples.
    pub sampling: bool,
    /// It declared that it lists its roots.
    pub roots: bool,
    /// What it really renders.
    pub profile: ClientProfile,
}

/// How a client can show an ask.
#[derive(Debug)]
pub(crate) enum Surface {
    Form(Lowered),
    Url(String),
}

impl Session {
    /// Whether the client declared that it can ask its person anything.
    pub fn supports_elicitation(&self) -> bool {
        self.form || self.url
    }

    /// How this client shows this ask; none where it cannot, or must not.
    pub(crate) fn surface(&self, desk: &Desk, id: AskId, ask: &Ask) -> Option<Surface> {
        if ask.dangerous && desk.dangerous_by_inbox_only() {
            return None;
        }
        self.surface_as_before(desk, id, ask)
    }

    /// As [`Self::surface`], for an ask that was let through to the client before. Where a PIN was set
    /// meanwhile, the client's reply is refused, and that takes the ask from it.
    pub(crate) fn surface_as_before(&self, desk: &Desk, id: AskId, ask: &Ask) -> Option<Surface> {
        let revision = self.revision?;
        if self.form
            && !ask.in_person
            && self.fits(ask)
            && let Ok(lowered) = ask.form.lower(&self.profile, revision)
        {
            return Some(Surface::Form(lowered));
        }
        let address = link(ask).or_else(|| desk.page_of(id));
        address.filter(|_| self.url).map(Surface::Url)
    }

    /// Whether the client shows the whole text. Only a dangerous ask must not be cut.
    fn fits(&self, ask: &Ask) -> bool {
        match self.profile.max_message {
            Some(most) if ask.dangerous => visible(&ask.shown()).chars().count() <= most,
            _ => true,
        }
    }
}

/// The address that an ask wants visited, where that is all it wants.
fn link(ask: &Ask) -> Option<String> {
    match ask.form.fields.as_slice() {
        [field] => match &field.kind {
            Kind::Link(link) => Some(link.url.clone()),
            _ => None,
        },
        _ => None,
    }
}

/// How long an ask waits.
pub(crate) fn time_for(
    ask: &Ask,
    by_client: bool,
    settings: &Settings,
) -> Option<std::time::Duration> {
    use crate::settings::{LONGEST, SHORTEST};
    match ask.timeout {
        Some(time) => Some(time.clamp(SHORTEST, LONGEST)),
        None if by_client => settings.timeout,
        None => settings.inbox_timeout,
    }
}
