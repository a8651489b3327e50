//! What an agent's client is let do with an ask.

/// What an agent's client is let do with an ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InClient {
    /// It is not shown there.
    NotShown,
    /// The client sends its person to where it is answered.
    Opens,
    /// It is shown as a form, and answered there.
    Decides,
}
