//! What the tests of scripts share.

use holdpoint_script::{Failed, Limits, LoadError, Program, Resume, Running, Start, Turn, TurnEnd};
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::{path::Path, sync::Arc, time::Duration};

/// Limits that tests pass in a moment.
pub const QUICK: Limits = Limits {
    memory: 64 << 20,
    segment: Duration::from_millis(50),
    patience: Duration::from_secs(20),
    value: 1 << 20,
    given: 16 << 20,
    depth: 64,
};

pub fn program(source: &str) -> Arc<Program> {
    within(source, Limits::default())
}

pub fn within(source: &str, limits: Limits) -> Arc<Program> {
    let program = Program::with_limits("test", Path::new("test.js"), source, limits);
    program.map_or_else(|error| panic!("{error}"), Arc::new)
}

pub fn load(source: &str) -> Result<Program, LoadError> {
    Program::with_limits("test", Path::new("test.js"), source, QUICK)
}

/// Loads a TypeScript source.
pub fn load_ts(source: &str) -> Result<Program, LoadError> {
    Program::with_limits("test", Path::new("test.ts"), source, QUICK)
}

pub fn begin(method: &str, arguments: Value) -> Start {
    let arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => Map::new(),
    };
    Start {
        method: method.into(),
        arguments,
        seed: 7,
        now: Timestamp::UNIX_EPOCH,
    }
}

pub async fn start(program: &Arc<Program>, method: &str) -> Result<(Running, Turn), Failed> {
    program.start(begin(method, Value::Null)).await
}

/// What a method returns that is given these arguments, answering each yield with `null`.
pub async fn call(program: &Arc<Program>, method: &str, arguments: Value) -> Result<Value, Failed> {
    let (running, turn) = program.start(begin(method, arguments)).await?;
    finished(running, turn).await
}

/// Runs a method to its end, answering each yield with `null`; a script that yields for ever is an
/// endless one.
pub async fn finish(program: &Arc<Program>, method: &str) -> Result<Value, Failed> {
    let (running, turn) = start(program, method).await?;
    finished(running, turn).await
}

async fn finished(mut running: Running, mut turn: Turn) -> Result<Value, Failed> {
    for _ in 0..10 {
        match turn.end {
            TurnEnd::Returned(value) => return Ok(value),
            TurnEnd::Yielded(_) => turn = resume(&mut running, Value::Null).await?,
        }
    }
    panic!("it yields for ever");
}

pub async fn resume(running: &mut Running, value: impl Into<Value>) -> Result<Turn, Failed> {
    let given = Resume::Value(value.into());
    running.resume(given, Timestamp::UNIX_EPOCH).await
}
