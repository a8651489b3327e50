//! What a process keeps and does while nothing happens, as the kernel knows it.

use anyhow::Context;
use std::{collections::HashMap, ffi::OsString, fs, time::Duration};

/// How long a server has to come to rest.
pub const REST: Duration = Duration::from_secs(5);

/// What a process keeps, in bytes.
pub struct Memory {
    /// All of its pages that are in memory.
    pub resident: u64,
    /// Those of its own, and its share in those that others have too.
    pub proportional: u64,
    /// Those that are no file's.
    pub anonymous: u64,
}

/// What a process keeps in memory now.
pub fn memory(pid: u32) -> anyhow::Result<Memory> {
    let all = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))?;
    let kib = |name: &str| -> anyhow::Result<u64> {
        let line = all.lines().find_map(|line| line.strip_prefix(name));
        let kib = line.and_then(|rest| rest.split_whitespace().next());
        Ok(kib.with_context(|| format!("no {name}"))?.parse::<u64>()? * 1024)
    };
    Ok(Memory {
        resident: kib("Rss:")?,
        proportional: kib("Pss:")?,
        anonymous: kib("Anonymous:")?,
    })
}

/// How often each thread of a process was woken, by its number.
pub fn times_woken(pid: u32) -> anyhow::Result<HashMap<OsString, u64>> {
    let mut woken = HashMap::new();
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        let thread = thread?;
        let status = fs::read_to_string(thread.path().join("status"))?;
        let count = status
            .lines()
            .find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        let count = count.context("no switches")?.trim().parse()?;
        woken.insert(thread.file_name(), count);
    }
    Ok(woken)
}
