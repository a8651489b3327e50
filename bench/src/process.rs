//! What the kernel knows of a process, and of the disk.

use anyhow::Context;
use std::{
    fs::{self, File},
    io::{Seek, Write},
    path::Path,
    thread::sleep,
    time::{Duration, Instant},
};

/// The kernel counts in hundredths of a second, whatever the machine.
const TICK: Duration = Duration::from_millis(10);

/// Processor time of all threads, user and system.
pub fn cpu(pid: u32) -> anyhow::Result<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat"))?;
    // The name, in parentheses, may hold anything.
    let (_, fields) = stat.rsplit_once(')').context("no process name")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u32 = fields[11].parse::<u32>()? + fields[12].parse::<u32>()?;
    Ok(TICK * ticks)
}

/// Resident memory, in bytes.
pub fn resident(pid: u32) -> anyhow::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next());
    Ok(kib.context("no VmRSS")?.parse::<u64>()? * 1024)
}

/// Resident memory once it no longer changes: what lets go of memory after a while has done so.
pub fn settled_resident(pid: u32) -> anyhow::Result<u64> {
    const STEADY: Duration = Duration::from_secs(8);
    const LONGEST: Duration = Duration::from_secs(60);
    let began = Instant::now();
    let (mut least, mut since) = (resident(pid)?, Instant::now());
    while since.elapsed() < STEADY && began.elapsed() < LONGEST {
        sleep(Duration::from_millis(250));
        let now = resident(pid)?;
        // A hundredth less is a change.
        if now < least - least / 100 {
            (least, since) = (now, Instant::now());
        }
    }
    resident(pid)
}

/// Bytes that a process has caused to be written to a disk.
pub fn written(pid: u32) -> anyhow::Result<u64> {
    let io = fs::read_to_string(format!("/proc/{pid}/io"))?;
    let line = io
        .lines()
        .find_map(|line| line.strip_prefix("write_bytes:"));
    Ok(line.context("no write_bytes")?.trim().parse()?)
}

/// The middle time of making a small write durable in this folder.
pub fn sync(folder: &Path) -> anyhow::Result<Duration> {
    sync_of(folder, 4096)
}

/// The middle time of making a write of so many bytes durable in this folder, in a file that has its length
/// already: as a log does that is written from its start again and again.
pub fn sync_of(folder: &Path, bytes: usize) -> anyhow::Result<Duration> {
    const TIMES: usize = 200;
    let path = folder.join("sync");
    let mut file = File::create(&path)?;
    let bytes = vec![7; bytes];
    for _ in 0..TIMES {
        file.write_all(&bytes)?;
    }
    file.sync_all()?;
    file.rewind()?;
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let began = Instant::now();
        file.write_all(&bytes)?;
        file.sync_data()?;
        times.push(began.elapsed());
    }
    fs::remove_file(path)?;
    times.sort();
    Ok(times[times.len() / 2])
}

/// What the file system of this folder is called.
pub fn file_system(folder: &Path) -> anyhow::Result<String> {
    let folder = folder.canonicalize()?;
    let mounts = fs::read_to_string("/proc/mounts")?;
    let mut best = (0, "unknown");
    for line in mounts.lines() {
        let mut words = line.split_whitespace().skip(1);
        if let (Some(at), Some(kind)) = (words.next(), words.next())
            && folder.starts_with(at)
            && at.len() >= best.0
        {
            best = (at.len(), kind);
        }
    }
    Ok(best.1.to_owned())
}

/// How many processors there are, and of which make.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    format!("{cores} cores, {}", model.as_deref().unwrap_or("unknown"))
}
