//! What an agent's client is let do with an ask.

/// What an agent's client is let do with an ask, from nothing to all.
///
/// ```
/// use holdpoint_journal::InClient;
///
/// // A client that was let do less before a restart is let do no more after it.
/// assert_eq!(InClient::Opens.min(InClient::Decides), InClient::Opens);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum InClient {
    /// It is not shown there.
    #[default]
    NotShown,
    /// The client sends its person to where it is answered.
    Opens,
    /// It is shown as a form, and answered there.
    Decides,
}
