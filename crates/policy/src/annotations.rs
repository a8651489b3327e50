//! What an MCP server says of its tools, read with the pessimistic defaults of the protocol.

use crate::Annotations;

/// Whether a tool needs a person's yes, going by its hints alone: what destroys does, what only reads does not,
/// and otherwise what is not said is taken for the worse. The field reads them so (Codex's
/// `requires_mcp_tool_approval`). They are the server's word: ask only of a server that a person trusts.
///
/// ```
/// use holdpoint_policy::{Annotations, needs_approval};
///
/// assert!(needs_approval(&Annotations::default()));
/// let reads = Annotations { read_only: Some(true), ..Annotations::default() };
/// assert!(!needs_approval(&reads));
/// ```
pub fn needs_approval(hints: &Annotations) -> bool {
    if hints.destructive == Some(true) {
        return true;
    }
    if hints.read_only == Some(true) {
        return false;
    }
    hints.destructive.unwrap_or(true) || hints.open_world.unwrap_or(true)
}

/// Whether a tool says that it changes nothing, and does not say otherwise besides.
pub(crate) fn is_read_only(hints: &Annotations) -> bool {
    hints.read_only == Some(true) && hints.destructive != Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_taken_for_the_worse() {
        let check = |read_only, destructive, open_world, wanted| {
            let hints = Annotations {
                read_only,
                destructive,
                idempotent: None,
                open_world,
            };
            assert_eq!(needs_approval(&hints), wanted, "{hints:?}");
        };
        check(None, None, None, true);
        check(Some(true), None, None, false);
        check(Some(true), Some(true), None, true);
        check(Some(false), Some(false), None, true);
        check(Some(false), Some(false), Some(false), false);
        check(None, None, Some(false), true);
    }
}
