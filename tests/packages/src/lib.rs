//! What the tests of the packages share: the packages themselves, made once for each run of the tests; programs that are
//! run to their end; a server for files on this machine.
//!
//! The packages are made of the binary that these tests were built with. It is a build for tests, with the feature
//! `testing`, and lies in the target folder: nothing of it is ever published.

mod file_server;
mod made;
mod program;

pub use file_server::FileServer;
pub use made::{binary, once, package_script, packages, root};
pub use program::{finished, succeeded};
