//! Which asks can be answered at once: what one answer means for each of them must be the same.

use holdpoint::{Digest, Kind, journal::AskRecord};

/// Why an ask is answered on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Alone {
    /// A yes to it cannot be taken back.
    #[error("Dangerous asks are answered one by one.")]
    Dangerous,
    /// What it asks for belongs to it alone.
    #[error("Asks for a secret, a file or a visit are answered one by one.")]
    Own,
    /// It comes from a shell, or from no tool.
    #[error("Asks that come from no agent's tool are answered one by one.")]
    NoTool,
}

/// What asks have in common that can be answered at once: the server, the agent (its principal,
/// client and workspace), the tool and the form.
pub(crate) fn alike(record: &AskRecord) -> Result<Digest, Alone> {
    let own = |kind: &Kind| matches!(kind, Kind::Secret | Kind::File(_) | Kind::Link(_));
    if record.ask.dangerous {
        return Err(Alone::Dangerous);
    }
    if record.ask.form.fields.iter().any(|field| own(&field.kind)) {
        return Err(Alone::Own);
    }
    if record.call.is_none() || record.origin.tool.is_none() {
        return Err(Alone::NoTool);
    }
    // What has no digest is like nothing else.
    Digest::hash_json(&(&record.origin, &record.ask.form)).map_err(|_| Alone::Own)
}
