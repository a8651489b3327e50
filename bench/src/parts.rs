//! The parts of the benchmark. Each is a program of this package that keeps its figures by `--json FILE`.

/// One of them.
#[derive(Debug)]
pub struct Part {
    /// By which it is chosen; the program has the same name.
    pub name: &'static str,
    /// What it measures.
    pub about: &'static str,
    /// It is told by `--holdpoint PROGRAM` which one to measure.
    pub of_binary: bool,
    /// What else it gets in a quick run.
    pub quick: &'static [&'static str],
}

/// All of them, in the order in which they run.
pub const PARTS: &[Part] = &[
    Part {
        name: "stdio",
        about: "calls over stdio beside plain rmcp, TypeScript and FastMCP; start-up; memory of open asks",
        of_binary: true,
        quick: &["--rounds=2", "--seconds=1", "--starts=3", "--parked=2000"],
    },
    Part {
        name: "http",
        about: "calls over HTTP in both eras beside the same; sessions with open asks",
        of_binary: true,
        quick: &["--rounds=2", "--seconds=1", "--sessions=200"],
    },
    Part {
        name: "waiting",
        about: "open asks of many clients in one HTTP server, answered in random order",
        of_binary: true,
        quick: &["--asks=10000", "--clients=100"],
    },
    Part {
        name: "scripts",
        about: "a script's ask beside elicit_input; scripts that wait; loading a folder",
        of_binary: true,
        quick: &["--rounds=3", "--seconds=1", "--parked=300"],
    },
    Part {
        name: "inbox",
        about: "the page with many open asks",
        of_binary: true,
        quick: &["--open=2000", "--times=10", "--idle=3"],
    },
    Part {
        name: "idle",
        about: "what servers use while nothing happens",
        of_binary: true,
        quick: &["--seconds=3", "--asks=3", "--sessions=200"],
    },
    Part {
        name: "hook",
        about: "a rule's decision for a harness, beside the start of Node and Python; many rules",
        of_binary: true,
        quick: &["--starts=10"],
    },
    Part {
        name: "builds",
        about: "building: time from an empty folder, crates, and how large the program is",
        of_binary: false,
        quick: &["--only=look"],
    },
    Part {
        name: "growth",
        about: "a journal with many decided asks beside an empty one",
        of_binary: false,
        quick: &["--asks=20000"],
    },
    Part {
        name: "journal",
        about: "the journal alone: durable asks, verifying, searching",
        of_binary: false,
        quick: &["--asks=5000", "--events=50000"],
    },
    Part {
        name: "journal_cost",
        about: "what an ask costs the journal: bytes on disk and in the log, pages, the thread's time",
        of_binary: false,
        quick: &["--asks=2000"],
    },
    Part {
        name: "in_process",
        about: "asks in one process, without a client",
        of_binary: false,
        quick: &["--rounds=2", "--seconds=1"],
    },
    Part {
        name: "postgres",
        about: "several servers on one PostgreSQL beside SQLite",
        of_binary: false,
        quick: &["--asks=3000", "--rounds=1"],
    },
];

/// The part of this name.
pub fn find(name: &str) -> Option<&'static Part> {
    PARTS.iter().find(|part| part.name == name)
}
