//! What git says: the branch, what a commit would be, and the commits.
//!
//! - [`branch`]: the branch of a folder, read from git's own files
//! - [`command`](self): the one way in which the program is run
//! - [`Staged`]: what a commit would be
//! - [`Commit`] and [`Performed`]: what was committed

mod branch;
#[cfg(feature = "git")]
mod command;
#[cfg(feature = "git")]
mod commit;
#[cfg(feature = "git")]
mod staged;

pub use branch::branch;
#[cfg(feature = "git")]
pub use command::{Git, GitError};
#[cfg(feature = "git")]
pub use commit::{Commit, Performed, subject};
#[cfg(feature = "git")]
pub use staged::Staged;
