//! Who calls, read from a request.

use super::{message_reader::StrictlyRead, outgoing::Outgoing};
use crate::{Desk, Session};
use holdpoint_ask::{ClientProfile, ClientSigns, Digest, Revision};
use rmcp::{
    ErrorData, RoleServer,
    model::{Extensions, ProtocolVersion},
    service::RequestContext,
};
use serde_json::Value;

/// The principal of a request: by its `Authorization` over HTTP, otherwise the machine's user.
pub(crate) fn principal(desk: &Desk, known: &Extensions) -> String {
    match authorization(known) {
        Some(value) => {
            let keyed = [&desk.inner.keys.principal, value].concat();
            format!("bearer:{:.16}", Digest::hash_bytes(&keyed).to_string())
        }
        None => holdpoint_ask::Origin::LOCAL.to_owned(),
    }
}

/// The `Authorization` of a request over HTTP.
#[cfg(feature = "http")]
fn authorization(known: &Extensions) -> Option<&[u8]> {
    let parts = known.get::<http::request::Parts>()?;
    let header = parts.headers.get(http::header::AUTHORIZATION)?;
    Some(header.as_bytes())
}

#[cfg(not(feature = "http"))]
fn authorization(_: &Extensions) -> Option<&[u8]> {
    None
}

/// What was noted when a request over HTTP was read.
#[cfg(feature = "http")]
fn read_over_http(known: &Extensions) -> Option<&StrictlyRead> {
    let parts = known.get::<http::request::Parts>()?;
    parts.extensions.get::<StrictlyRead>()
}

#[cfg(not(feature = "http"))]
fn read_over_http(_: &Extensions) -> Option<&StrictlyRead> {
    None
}

/// Reads the session from the request's own metadata first, then from the handshake.
pub(crate) fn session(
    desk: &Desk,
    context: &RequestContext<RoleServer>,
    principal: String,
) -> Session {
    let version = context.protocol_version();
    let modern = version
        .as_ref()
        .is_some_and(|version| *version >= ProtocolVersion::V_2026_07_28);
    let info = context.client_info();
    let profile = desk.profile(info.as_ref().map_or("", |info| &info.name));
    let unattended = is_unattended(&profile, context);
    let capabilities = context.client_capabilities().unwrap_or_default();
    let (form, url) = match &capabilities.elicitation {
        Some(modes) => (
            modes.form.is_some() || modes.url.is_none(),
            modes.url.is_some(),
        ),
        None => (false, false),
    };
    Session {
        principal,
        client: info
            .as_ref()
            .map(|info| format!("{} {}", info.name, info.version)),
        client_name: info.map(|info| info.name),
        revision: version.and_then(|version| version.as_str().parse::<Revision>().ok()),
        modern,
        unattended,
        form: form && profile.form && !unattended,
        url: url && profile.url && !unattended,
        sampling: capabilities.sampling.is_some(),
        roots: capabilities.roots.is_some(),
        profile,
    }
}

/// Whether this request came over HTTP.
pub(crate) fn is_over_http(context: &RequestContext<RoleServer>) -> bool {
    read_over_http(&context.extensions).is_some()
}

/// Whether nobody can be at this client. Over stdio it has started this process, and our environment is
/// what it gave us.
fn is_unattended(profile: &ClientProfile, context: &RequestContext<RoleServer>) -> bool {
    if profile.unattended.is_empty() {
        return false;
    }
    let over_http = is_over_http(context);
    let variable = |name: &str| std::env::var(name).ok().filter(|_| !over_http);
    profile.is_unattended(ClientSigns {
        variable: &variable,
        meta: &serde_json::to_value(&context.meta).unwrap_or(Value::Null),
    })
}

/// What goes out through this client's transport, where what it sends is read strictly before rmcp
/// sees it.
pub(crate) fn outgoing(context: &RequestContext<RoleServer>) -> Option<&Outgoing> {
    let over_http = read_over_http(&context.extensions);
    let read = over_http.or(context.extensions.get::<StrictlyRead>());
    read.map(|StrictlyRead(outgoing)| outgoing)
}

/// Refuses a request over a transport that does not read what its client sends strictly.
pub(crate) fn check_transport(context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
    match outgoing(context) {
        Some(_) => Ok(()),
        None => Err(ErrorData::internal_error(NOT_STRICT, None)),
    }
}

const NOT_STRICT: &str = "This server asks people, and what a client replies must be read strictly: serve it \
    with holdpoint::serve_stdio, holdpoint::stdio, holdpoint::over or holdpoint::HttpService, not over a \
    transport of rmcp's own.";

/// Whether requests of the server's own can reach this client: it has a connection that outlives
/// one request, and its protocol allows them.
pub(crate) fn takes_requests(context: &RequestContext<RoleServer>) -> bool {
    // A request that names an old version in its own metadata is on its own: its answers to our
    // requests would have nowhere to go.
    let on_its_own = context.meta.protocol_version().is_some();
    !on_its_own && context.peer.peer_info().is_some()
}
