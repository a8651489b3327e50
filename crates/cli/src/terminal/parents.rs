//! The processes that run us, up to the leader of the session, and their variables.
//!
//! A command that takes an agent's marks off its own environment still runs below a shell that has
//! them. Beyond the leader of the session nothing is looked at: a person's terminal may have been
//! opened by anything.

use std::ffi::OsString;

/// A process that runs us.
#[derive(Debug)]
pub struct Parent {
    /// Its id.
    pub id: i32,
    /// What it was started with; empty where another user's process keeps it to itself.
    pub variables: Vec<(OsString, OsString)>,
}

/// The processes that run us.
#[derive(Debug, Default)]
pub struct Parents {
    /// The nearest first.
    pub parents: Vec<Parent>,
    /// Whether they lead up to the leader of our session. They do not where one of them has ended
    /// and left us behind, or where the leader is outside of what we can see.
    pub complete: bool,
}

/// More than this many lead to no terminal.
const MOST: usize = 1_000;

/// Walks from this process up to the leader of its session. The leader is looked at in any case.
#[cfg(unix)]
pub fn walk() -> Parents {
    let mut walked = Parents::default();
    let own = std::process::id().cast_signed();
    let Some(mut place) = place(own) else {
        return walked;
    };
    let leader = place.session;
    let mut at = own;
    while at != leader && walked.parents.len() < MOST {
        at = place.parent;
        match self::place(at) {
            Some(above) if above.session == leader => place = above,
            _ => break,
        }
        walked.parents.push(Parent {
            id: at,
            variables: variables(at),
        });
    }
    let reached = walked.parents.last().map_or(own, |parent| parent.id);
    walked.complete = reached == leader;
    if !walked.complete {
        walked.parents.push(Parent {
            id: leader,
            variables: variables(leader),
        });
    }
    walked
}

#[cfg(not(unix))]
pub fn walk() -> Parents {
    Parents {
        complete: true,
        ..Parents::default()
    }
}

/// Where a process stands among the others.
#[cfg(unix)]
#[derive(Debug, PartialEq, Eq)]
struct Place {
    parent: i32,
    /// The id of the session, which is that of its leader; 0 where that is out of sight.
    session: i32,
}

#[cfg(target_os = "linux")]
fn place(id: i32) -> Option<Place> {
    parse_stat(&std::fs::read(format!("/proc/{id}/stat")).ok()?)
}

/// Where a process stands, by its `/proc/ID/stat`. The program's name in brackets may hold anything,
/// brackets too; what comes behind it are words.
#[cfg(target_os = "linux")]
fn parse_stat(stat: &[u8]) -> Option<Place> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = std::str::from_utf8(&stat[end + 1..]).ok()?;
    let mut words = rest.split_whitespace();
    Some(Place {
        parent: words.nth(1)?.parse().ok()?,
        session: words.nth(1)?.parse().ok()?,
    })
}

/// What a process was started with.
#[cfg(target_os = "linux")]
fn variables(id: i32) -> Vec<(OsString, OsString)> {
    use std::os::unix::ffi::OsStringExt as _;

    let bytes = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
    let pair = |line: &[u8]| {
        let at = line.iter().position(|byte| *byte == b'=')?;
        let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Some((text(&line[..at]), text(&line[at + 1..])))
    };
    bytes.split(|byte| *byte == 0).filter_map(pair).collect()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn place(id: i32) -> Option<Place> {
    let session = rustix::process::getsid(rustix::process::Pid::from_raw(id)).ok()?;
    Some(Place {
        parent: ps(id, "ppid=").trim().parse().ok()?,
        session: session.as_raw_nonzero().get(),
    })
}

/// What a process was started with: `ps` shows it as words behind the command.
#[cfg(all(unix, not(target_os = "linux")))]
fn variables(id: i32) -> Vec<(OsString, OsString)> {
    let pair = |word: &str| {
        let (name, value) = word.split_once('=')?;
        Some((name.into(), value.into()))
    };
    ps(id, "command=")
        .split_whitespace()
        .filter_map(pair)
        .collect()
}

#[cfg(all(unix, not(target_os = "linux")))]
fn ps(id: i32, column: &str) -> String {
    let told = std::process::Command::new("/bin/ps")
        .args(["-E", "-ww", "-o", column, "-p", &id.to_string()])
        .output();
    told.map(|told| String::from_utf8_lossy(&told.stdout).into_owned())
        .unwrap_or_default()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_have_any_name() {
        let check = |stat: &str, wanted: Option<(i32, i32)>| {
            let wanted = wanted.map(|(parent, session)| Place { parent, session });
            assert_eq!(parse_stat(stat.as_bytes()), wanted, "{stat}");
        };
        check("12 (sh) S 7 12 5 0", Some((7, 5)));
        check("12 (a) S 99 98 97 (b) R 7 12 5 0", Some((7, 5)));
        check("12 (sh", None);
        check("12 (sh) S 7", None);
        check("", None);
    }

    #[test]
    fn the_walk_ends_at_the_leader_of_the_session() {
        let session = place(std::process::id().cast_signed()).unwrap().session;
        let walked = walk();
        let last = walked.parents.last().map(|parent| parent.id);
        assert!(last.is_none_or(|last| last == session), "{last:?}");
    }
}
