//! The pages of the book, and the other texts of the repository, as tests read them: their blocks of code, the
//! commands in those, and their links.
//!
//! The links are checked by this package. The commands are run by `holdpoint-cli`'s tests (`tests/it/book`), which have
//! the binary.

mod commands;
mod pages;

pub use commands::{Command, commands, words};
pub use pages::{Block, Link, Page, chapters, root, texts};
