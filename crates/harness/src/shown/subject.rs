//! A tool that is about to be used, as people see it.

/// What is asked about.
pub(super) struct Subject {
    /// What lists call it.
    pub title: String,
    /// The question.
    pub question: String,
    /// What it is about, whole: a command, a diff, arguments.
    pub thing: String,
    /// What else is to be known of it.
    pub notes: Vec<String>,
    /// What the agent says of it.
    pub description: Option<String>,
}
