//! Everything that Holdpoint does to the disk, in one place.
//!
//! - [`Workspace`] and [`InsidePath`]: paths that cannot leave their folder
//! - [`Folder`] and [`Draft`]: a folder that is held open, and files that appear whole or not at all
//! - [`private`]: what only its owner may read
//! - [`account`]: whose process this is, whatever its variables say
//! - [`Environment`]: its variables, and where its user's files are
//! - [`FileLock`] and [`ProcessLock`]: one process at a time, and which processes are alive
//! - [`FileAlarm`]: one thread's wait for files to change, or for somebody to ring
//! - [`FolderWatcher`]: changes, whoever makes them
//! - [`git`]: what git says, and the one way in which it is run
//!
//! Every change to the disk passes `crash::step`, where tests end the process.
// Standard output belongs to the protocol, and a library has no terminal of its own.
#![cfg_attr(
    not(test),
    deny(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used)
)]

pub mod account;
#[doc(hidden)]
pub mod crash;
mod draft;
mod environment;
mod file_alarm;
mod file_name;
mod find_program;
mod folder;
mod folder_change;
mod folder_draft;
mod folder_look;
pub mod git;
mod hidden;
mod io_message;
mod lock;
mod path;
pub mod private;
mod process_lock;
mod read;
#[cfg(feature = "watch")]
mod watch;
mod workspace;
mod write;

pub use draft::Draft;
pub use environment::Environment;
#[cfg(feature = "testing")]
pub use environment::TEST_ACCOUNT;
pub use file_alarm::{Bell, FileAlarm, Heard};
pub use file_name::{kebab_case, safe_file_name};
pub use find_program::find_program;
pub use folder::{Access, Folder};
pub use folder_look::FolderLook;
pub use hidden::is_hidden;
pub use io_message::describe;
pub use lock::FileLock;
pub use path::{InsidePath, PathError};
pub use process_lock::ProcessLock;
pub use read::{MOST_READ, ReadError, read_file, read_text_file};
#[cfg(feature = "watch")]
pub use watch::{Change, FolderWatcher};
pub use workspace::{Held, Links, Workspace};
pub use write::replace_file;
