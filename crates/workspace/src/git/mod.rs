//! What git says: the branch, what a commit would be, and the commits.
//!
//! Looking runs nothing of the repository's. Git is run on a stand-in of ours, which has nothing of the
//! repository but its objects, and of its config what says how lines end; on the repository itself only
//! to ask where HEAD is and what is configured.
//!
//! - [`branch`]: the branch of a folder, read from git's own files
//! - [`Git`]: a repository, found by us
//! - [`Staged`]: what a commit would be
//! - [`Found`]: what was committed, beside what was shown
//! - [`Performed`]: what became of a commit that was approved

#[cfg(feature = "git")]
mod added;
mod branch;
#[cfg(feature = "git")]
mod change;
#[cfg(feature = "git")]
mod command;
#[cfg(feature = "git")]
mod commit;
#[cfg(feature = "git")]
mod error;
#[cfg(feature = "git")]
mod evidence;
mod locate;
#[cfg(feature = "git")]
mod message;
#[cfg(feature = "git")]
mod objects;
#[cfg(feature = "git")]
mod patch;
#[cfg(feature = "git")]
mod repository;
#[cfg(feature = "git")]
mod settings;
#[cfg(feature = "git")]
mod staged;
#[cfg(feature = "git")]
mod stand_in;

#[cfg(feature = "git")]
pub use added::FilteredFile;
pub use branch::branch;
#[cfg(feature = "git")]
pub use change::{BinaryChange, Blob, Change, Side, listed};
#[cfg(feature = "git")]
pub use commit::Performed;
#[cfg(feature = "git")]
pub use error::GitError;
#[cfg(feature = "git")]
pub use evidence::Found;
#[cfg(feature = "git")]
pub use message::{MessageDifference, subject};
#[cfg(feature = "git")]
pub use objects::Commit;
#[cfg(feature = "git")]
pub use patch::{ShownFile, share};
#[cfg(feature = "git")]
pub use repository::Git;
#[cfg(feature = "git")]
pub use staged::Staged;
