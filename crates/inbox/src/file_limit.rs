//! How many files and connections this process may have open.

/// More than this many are never used, and some programs that we start are slow with more.
#[cfg(unix)]
const ENOUGH: u64 = 16_384;

/// What is assumed where nothing can be known.
const USUAL: usize = 1024;

/// Raises the limit as far as the system lets this process: a shell's usual one is low, and whoever
/// uses it up takes away the page, the journal and git.
pub fn raise() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        let wanted = limit.maximum.unwrap_or(ENOUGH).min(ENOUGH);
        if limit.current.is_some_and(|current| current < wanted) {
            limit.current = Some(wanted);
            if let Err(error) = setrlimit(Resource::Nofile, limit) {
                tracing::warn!(%error, "the limit of open files could not be raised");
            }
        }
    }
}

/// How many may be open now.
pub fn current() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let current = getrlimit(Resource::Nofile).current.unwrap_or(ENOUGH);
        usize::try_from(current).unwrap_or(USUAL)
    }
    #[cfg(not(unix))]
    USUAL
}
