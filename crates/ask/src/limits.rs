//! How long an ask may be.

/// The most bytes of a message; also of one with its details that a client is sent.
pub const MAX_MESSAGE: usize = 64 * 1024;
/// The most bytes of the details.
pub const MAX_DETAILS: usize = 1024 * 1024;
/// The most bytes of a whole form, as JSON.
pub const MAX_FORM: usize = 256 * 1024;
/// The most fields of a form.
pub const MAX_FIELDS: usize = 20;
/// The most options of a field.
pub const MAX_OPTIONS: usize = 200;
/// The most characters of a field's name.
pub const MAX_NAME: usize = 128;
/// The most comments of one review.
pub const MAX_COMMENTS: usize = 500;
/// The most characters of what a person writes in a comment.
pub const MAX_COMMENT: usize = 10_000;
/// The most bytes of a text that can be edited.
pub const MAX_EDITED: usize = 512 * 1024;
