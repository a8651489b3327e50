//! What SQLite's log holds, counted from outside: its format is documented and stays.

use std::{collections::BTreeMap, fs, io, path::Path};

const HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// What was written to a log since it was last emptied.
#[derive(Debug, Default)]
pub struct Log {
    /// How many transactions.
    pub commits: usize,
    /// How many bytes.
    pub bytes: usize,
    /// How often each page was written.
    pub pages: BTreeMap<u32, usize>,
}

impl Log {
    /// How many pages were written.
    pub fn frames(&self) -> usize {
        self.pages.values().sum()
    }

    /// Reads the log of this journal. Frames that an earlier round left behind have other salts.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(journal: &Path) -> io::Result<Self> {
        let mut path = journal.as_os_str().to_owned();
        path.push("-wal");
        let bytes = fs::read(path)?;
        let mut log = Self::default();
        if bytes.len() < HEADER {
            return Ok(log);
        }
        let number = |at: usize| {
            let word = bytes[at..at + 4].try_into().unwrap_or_default();
            u32::from_be_bytes(word)
        };
        let frame = FRAME_HEADER + number(8) as usize;
        let salts = &bytes[16..24];
        let mut at = HEADER;
        while at + frame <= bytes.len() && &bytes[at + 8..at + 16] == salts {
            *log.pages.entry(number(at)).or_default() += 1;
            log.commits += usize::from(number(at + 4) != 0);
            log.bytes += frame;
            at += frame;
        }
        Ok(log)
    }
}
