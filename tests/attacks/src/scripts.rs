//! Scripts that would keep a core busy: functions of the language that the engine cannot interrupt.
#![cfg(unix)]

use holdpoint_script::{Limits, Program, Start};
use holdpoint_testkit::attack_cases;
use jiff::Timestamp;
use std::{
    path::Path,
    sync::{Arc, mpsc},
    time::Duration,
};

/// How long a thread that runs on is waited for.
const LONG: Duration = Duration::from_secs(30);
/// How much a stopped script may compute in all.
const MOST: Duration = Duration::from_secs(5);

#[test]
fn a_native_function_that_was_stopped_does_not_keep_a_core_busy() {
    let limits = Limits {
        segment: Duration::from_millis(50),
        patience: Duration::from_millis(100),
        ..Limits::default()
    };
    let mut slow = Vec::new();
    for case in attack_cases("scripts") {
        let before = computed();
        let source = format!(
            "export function* run() {{ {}; }}",
            case.text("body").unwrap()
        );
        let program = Program::with_limits("test", Path::new("test.js"), &source, limits);
        let program = Arc::new(program.unwrap_or_else(|error| panic!("{}: {error}", case.name)));
        let start = Start {
            method: "run".into(),
            arguments: Default::default(),
            seed: 7,
            now: Timestamp::UNIX_EPOCH,
        };
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _ended = runtime.block_on(program.start(start));
        // To drop the runtime is to wait for its threads.
        let (ended, is_ended) = mpsc::channel();
        std::thread::spawn(move || {
            drop(runtime);
            let _ = ended.send(());
        });
        if is_ended.recv_timeout(LONG).is_err() {
            slow.push(format!("{}: it runs on", case.name));
        } else if computed() - before > MOST {
            slow.push(format!("{}: {:?}", case.name, computed() - before));
        }
    }
    assert!(slow.is_empty(), "{}", slow.join("\n"));
}

/// What the whole process has computed. Other tests may run in it: with cargo-nextest none do.
fn computed() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
