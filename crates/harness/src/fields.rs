//! The names of fields and values in the asks that are made here, and in their answers.

/// The field that decides.
pub(crate) const DECISION: &str = "decision";
/// The value of it that allows a tool.
pub(crate) const ALLOW: &str = "allow";
/// The value of it that does not.
pub(crate) const DENY: &str = "deny";
/// The field for what the agent is told with a no.
pub(crate) const REASON: &str = "reason";
/// The field for the scope that is given with a yes.
pub const REMEMBER: &str = "remember";
/// The value of the decision that approves a plan.
pub(crate) const APPROVE: &str = "approve";
/// The value of the decision that wants another plan.
pub(crate) const REQUEST_CHANGES: &str = "request_changes";
/// The field for what the agent is told about its plan.
pub(crate) const FEEDBACK: &str = "feedback";

/// The field of the question at this place.
pub(crate) fn answer_to(place: usize) -> String {
    format!("answer_{}", place + 1)
}
