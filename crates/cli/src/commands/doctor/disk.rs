//! The space that is left beside the journal: without it nothing can be recorded, and so nobody is asked.

use super::Check;
use holdpoint::journal::shown_address;
use std::path::Path;

const NAME: &str = "disk";
const MIB: u64 = 1024 * 1024;
/// A record of some asks, with its log and its search index, takes this.
const LEAST: u64 = 64 * MIB;
/// With less than this a disk is full soon, whoever fills it.
const LITTLE: u64 = 1024 * MIB;

/// What a file system says of itself.
#[derive(Debug, Clone, Copy)]
struct Space {
    free: u64,
    is_read_only: bool,
    /// Whether a new file can be made, of however few bytes.
    has_files: bool,
}

/// One check, where the journal is a file and the system tells.
pub fn check(url: &str) -> Option<Check> {
    let path = Path::new(url.strip_prefix("sqlite:")?);
    let path = std::path::absolute(path).ok()?;
    let folder = path.ancestors().skip(1).find(|folder| folder.exists())?;
    Some(describe(folder, url, space(folder)?))
}

#[cfg(unix)]
fn space(folder: &Path) -> Option<Space> {
    use rustix::fs::{StatVfsMountFlags, statvfs};
    let told = statvfs(folder).ok()?;
    Some(Space {
        free: told.f_bavail.saturating_mul(told.f_frsize),
        is_read_only: told.f_flag.contains(StatVfsMountFlags::RDONLY),
        // Some file systems have no such number.
        has_files: told.f_files == 0 || told.f_favail > 0,
    })
}

#[cfg(not(unix))]
fn space(_: &Path) -> Option<Space> {
    None
}

fn describe(folder: &Path, url: &str, space: Space) -> Check {
    let shown = folder.display();
    let free = size(space.free);
    let what = format!("{free} free in {shown}, beside the journal");
    let prune = "free some space there; `holdpoint journal prune` removes the text of what is old";
    match space {
        Space {
            is_read_only: true, ..
        } => Check::problem(
            NAME,
            format!("{shown} is mounted read-only: nothing can be recorded"),
        )
        .fix(format!(
            "mount it for writing, or set `journal` to a place that can be written, instead of {}",
            shown_address(url)
        )),
        Space {
            has_files: false, ..
        } => Check::problem(
            NAME,
            format!("no more files can be made in {shown}: its inodes are used up"),
        )
        .fix("remove files there that nobody needs: many small ones, as caches have"),
        Space { free: 0..LEAST, .. } => Check::problem(
            NAME,
            format!("{what}: too little, and without a record nobody is asked"),
        )
        .fix(prune),
        Space {
            free: LEAST..LITTLE,
            ..
        } => Check::hint(NAME, what).fix(prune),
        _ => Check::ok(NAME, what),
    }
}

fn size(bytes: u64) -> String {
    match bytes / MIB {
        mib @ 0..1024 => format!("{mib} MiB"),
        mib => format!("{:.1} GiB", mib as f64 / 1024.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::doctor::State;

    #[test]
    fn how_full_it_may_be() {
        let check = |free, is_read_only, has_files, state, part: &str| {
            let space = Space {
                free,
                is_read_only,
                has_files,
            };
            let found = describe(Path::new("/state"), "sqlite:/state/journal.db", space);
            assert_eq!(found.state, state, "{found:?}");
            let said = format!("{} {}", found.what, found.fix.unwrap_or_default());
            assert!(said.contains(part), "{said}");
        };
        check(
            20 * LITTLE,
            false,
            true,
            State::Ok,
            "20.0 GiB free in /state",
        );
        check(500 * MIB, false, true, State::Hint, "500 MiB");
        check(MIB, false, true, State::Problem, "journal prune");
        check(0, false, true, State::Problem, "0 MiB");
        check(20 * LITTLE, true, true, State::Problem, "for writing");
        check(20 * LITTLE, false, false, State::Problem, "many small ones");
    }
}
