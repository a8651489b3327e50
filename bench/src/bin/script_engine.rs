//! Figures of the engine: what a call costs, what a parked one holds, how long a folder takes to load.
//!
//! `cargo run --release -p bench --bin script_engine`

use holdpoint_script::{Loaded, Program, Resume, Running, Start, TurnEnd};
use jiff::Timestamp;
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, json};
use std::{fs, path::Path, sync::Arc, time::Instant};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const ASKS: &str = r#"
/** A script with one ask. */
export default class Greeter {
  /**
   * Asks for a name.
   * @param {string} [greeting=Hello] - How to greet
   */
  async *askUserName({ greeting = 'Hello' }) {
    const name = yield { ask: 'text', id: 'name', message: 'Your name?', default: 'nobody' };
    return { message: `${greeting} ${name}` };
  }
}
"#;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let program = program("greeter.js", ASKS);
    for round in ["cold", "warm", "warm"] {
        let calls = 5_000;
        let (cpu, wall) = (cpu_now(), Instant::now());
        for _ in 0..calls {
            let mut running = parked(&program).await;
            let turn = running.resume(Resume::Value("Ann".into()), Timestamp::UNIX_EPOCH);
            assert!(matches!(turn.await.unwrap().end, TurnEnd::Returned(_)));
        }
        let each = |microseconds: f64| microseconds / f64::from(calls);
        println!(
            "one ask, {round}: {:.1} µs of CPU, {:.1} µs in all, a call",
            each(cpu_now() - cpu),
            each(wall.elapsed().as_secs_f64() * 1e6),
        );
    }
    let before = resident();
    let mut waiting = Vec::new();
    for _ in 0..1_000 {
        waiting.push(parked(&program).await);
    }
    println!(
        "1,000 parked: {:.1} KB each",
        (resident() - before) / 1_000.0
    );
    drop(waiting);
    folder();
    for (name, body) in [
        (
            "a loop of 1e6",
            "let n = 0; for (let i = 0; i < 1e6; i++) n += i; return n;",
        ),
        (
            "a map of 1e5",
            "const m = new Map(); for (let i = 0; i < 1e5; i++) m.set(i, [i]); return m.size;",
        ),
    ] {
        let program = self::program(
            "work.js",
            &format!("export function* askUserName() {{ {body} }}"),
        );
        let cpu = cpu_now();
        drop(program.start(begin()).await.unwrap());
        println!("{name}: {:.1} ms of CPU", (cpu_now() - cpu) / 1e3);
    }
}

fn folder() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..100 {
        let source = format!(
            "{ASKS}\n// {n}\n{}",
            "// a line of a script that is not very short\n".repeat(100)
        );
        fs::write(folder.path().join(format!("file-{n:03}.js")), source).unwrap();
    }
    let (cpu, wall) = (cpu_now(), Instant::now());
    let loaded = Loaded::read(folder.path(), &Loaded::default());
    assert_eq!(loaded.programs().count(), 100);
    let cpu = (cpu_now() - cpu) / 1e3;
    println!(
        "100 files loaded: {cpu:.0} ms of CPU, {:?} in all",
        wall.elapsed()
    );
    let began = Instant::now();
    Loaded::read(folder.path(), &loaded);
    println!("100 files, none changed: {:?}", began.elapsed());
}

fn program(file: &str, source: &str) -> Arc<Program> {
    Arc::new(Program::from_source("greeter", Path::new(file), source).unwrap())
}

fn begin() -> Start {
    let mut arguments = Map::new();
    arguments.insert("greeting".into(), json!("Good day"));
    Start {
        method: "askUserName".into(),
        arguments,
        seed: 1,
        now: Timestamp::UNIX_EPOCH,
    }
}

async fn parked(program: &Arc<Program>) -> Running {
    let (running, turn) = program.start(begin()).await.unwrap();
    assert!(matches!(turn.end, TurnEnd::Yielded(_)));
    running
}

/// The CPU that the process has used, in microseconds.
fn cpu_now() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// The memory that the process holds, in KB.
fn resident() -> f64 {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    let pages: f64 = pages.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4.0
}
