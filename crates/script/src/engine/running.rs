//! One call of a script.

use super::{
    At, Failed, Limits, LogLine, ScriptError, What,
    job::{Fail, Job, Step},
    realm::Realm,
    realm_queue::{CallSlot, RealmQueue},
};
use crate::program::Program;
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::sync::Arc;

/// How often a segment is queued until a realm runs it.
const MOST_TRIES: usize = 1000;

/// How a method is started.
#[derive(Debug, Clone)]
pub struct Start {
    /// The method's name.
    pub method: String,
    /// Its one argument.
    pub arguments: Map<String, Value>,
    /// What `Math.random` follows from.
    pub seed: u64,
    /// What the clock says until the first yield.
    pub now: Timestamp,
}

/// What a yield is answered with.
#[derive(Debug, Clone)]
pub enum Resume {
    /// The yield's value.
    Value(Value),
    /// An error that the script can catch.
    Throw(Thrown),
}

/// An error that is thrown at a yield: in the script it is an `AskError`.
#[derive(Debug, Clone, Default)]
pub struct Thrown {
    /// `e.message`.
    pub message: String,
    /// `e.outcome`.
    pub outcome: Option<String>,
    /// Its other fields.
    pub fields: Map<String, Value>,
}

/// The result of a segment.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What was logged in it.
    pub logs: Vec<LogLine>,
    /// How it ended.
    pub said: Said,
}

/// How a segment ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The script yielded this and waits.
    Yielded(Value),
    /// The script returned this and is over.
    Returned(Value),
}

/// A started generator. Dropping it frees it.
#[derive(Debug)]
pub struct Running {
    call: Arc<Call>,
    /// All that it was given so far, to do it again elsewhere.
    given: Vec<Given>,
    /// Where it waits, until it is over.
    slot: Option<CallSlot>,
}

impl Running {
    /// Starts a method, and runs it until its first yield or its end.
    ///
    /// # Errors
    /// When the script fails or passes a limit.
    pub async fn start(program: &Arc<Program>, start: Start) -> Result<(Self, Turn), Failed> {
        let mut running = Self {
            call: Arc::new(Call::new(program, start)?),
            given: Vec::new(),
            slot: None,
        };
        let turn = running.advance(None).await?;
        Ok((running, turn))
    }

    /// Answers the yield at which the script waits, and runs it until the next one or its end.
    ///
    /// # Errors
    /// When the script fails or passes a limit, or when it was over.
    pub async fn resume(&mut self, with: Resume, now: Timestamp) -> Result<Turn, Failed> {
        let at = || At::file(self.call.program.file());
        let Some(slot) = self.slot.take() else {
            return Err(ScriptError::Ended { at: at() }.into());
        };
        let limits = self.call.program.limits();
        self.given.push(Given::new(with, now, limits, at)?);
        self.advance(Some(slot)).await
    }

    async fn advance(&mut self, mut slot: Option<CallSlot>) -> Result<Turn, Failed> {
        let program = &self.call.program;
        for _ in 0..MOST_TRIES {
            // In its own realm only the newest is news.
            let resumed = slot.is_some();
            let given = if resumed {
                self.given[self.given.len() - 1..].to_vec()
            } else {
                self.given.clone()
            };
            let count = given.len() as u32 + u32::from(!resumed);
            let queue = match &slot {
                Some(slot) => Arc::clone(&slot.queue),
                None => program.pool().pick(program.file(), *program.limits()),
            };
            let (call, here, slot) = (Arc::clone(&self.call), Arc::clone(&queue), slot.take());
            let work = move |realm: &Realm| call.run(realm, here, slot, &given);
            if let Ok(ended) = queue.push(resumed, count, Box::new(work)).await {
                let (slot, turn) = ended?;
                self.slot = slot;
                return Ok(turn);
            }
        }
        let at = At::file(program.file());
        let message = "no thread came to run it".to_owned();
        Err(ScriptError::Broken { at, message }.into())
    }
}

/// What a call follows from, besides what it is given.
#[derive(Debug)]
struct Call {
    program: Arc<Program>,
    method: usize,
    arguments: String,
    seed: u64,
    now: Timestamp,
}

impl Call {
    fn new(program: &Arc<Program>, start: Start) -> Result<Self, ScriptError> {
        let at = || At::file(program.file());
        let mut methods = program.methods().iter();
        let method = methods.position(|method| method.name == start.method);
        let Some(method) = method else {
            let method = start.method;
            return Err(ScriptError::NoMethod { at: at(), method });
        };
        let limits = program.limits();
        let arguments = Value::Object(start.arguments);
        let arguments = text(&arguments, What::Arguments, limits.value, limits.depth, at)?;
        Ok(Self {
            program: Arc::clone(program),
            method,
            arguments,
            seed: start.seed,
            now: start.now,
        })
    }

    /// Runs the next segment; without a slot, all of them from the start.
    fn run(
        &self,
        realm: &Realm,
        queue: Arc<RealmQueue>,
        slot: Option<CallSlot>,
        given: &[Given],
    ) -> Result<(Option<CallSlot>, Turn), Failed> {
        let resumed = slot.and_then(|mut slot| Some((slot.take_call()?, slot.memory)));
        let mut running = RunningCall {
            call: resumed.map_or_else(|| realm.new_call(), |(call, _)| call),
            memory: resumed.map_or(0, |(_, memory)| memory),
            of: self,
            realm,
        };
        let turn = running.run(resumed.is_none(), given);
        match &turn {
            Ok(Turn {
                said: Said::Yielded(_),
                ..
            }) => turn.map(|turn| {
                (
                    Some(CallSlot::new(queue, running.call, running.memory)),
                    turn,
                )
            }),
            _ => {
                realm.free(&[running.call]);
                turn.map(|turn| (None, turn))
            }
        }
    }

    fn first(&self) -> Step<'_> {
        Step::Start {
            code: self.program.code(),
            method: &self.program.methods()[self.method].location,
            seed: self.seed,
        }
    }
}

/// What a yield was answered with, and when.
#[derive(Debug, Clone)]
struct Given {
    now: Timestamp,
    answer: Arc<Answered>,
}

#[derive(Debug)]
enum Answered {
    Value(String),
    Fail(Fail),
}

impl Given {
    fn new(
        with: Resume,
        now: Timestamp,
        limits: &Limits,
        at: impl Fn() -> At,
    ) -> Result<Self, ScriptError> {
        let text = |value: &Value| text(value, What::Given, limits.given, limits.depth, &at);
        let answer = match with {
            Resume::Value(value) => Answered::Value(text(&value)?),
            Resume::Throw(thrown) => Answered::Fail(Fail {
                fields: text(&Value::Object(thrown.fields))?,
                message: thrown.message,
                outcome: thrown.outcome,
            }),
        };
        let answer = Arc::new(answer);
        Ok(Self { now, answer })
    }

    fn step(&self) -> Step<'_> {
        match &*self.answer {
            Answered::Value(value) => Step::Give(value),
            Answered::Fail(fail) => Step::Fail(fail),
        }
    }
}

/// A value as JSON, if it is not too large or too deep.
fn text(
    value: &Value,
    what: What,
    limit: usize,
    depth: usize,
    at: impl Fn() -> At,
) -> Result<String, ScriptError> {
    if deeper(value, depth) {
        let limit = depth;
        let at = at();
        return Err(ScriptError::TooDeep { at, what, limit });
    }
    let text = value.to_string();
    if text.len() > limit {
        let at = at();
        return Err(ScriptError::TooLarge { at, what, limit });
    }
    Ok(text)
}

fn deeper(value: &Value, depth: usize) -> bool {
    let Some(below) = depth.checked_sub(1) else {
        return value.is_array() || value.is_object();
    };
    match value {
        Value::Array(items) => items.iter().any(|item| deeper(item, below)),
        Value::Object(fields) => fields.values().any(|field| deeper(field, below)),
        _ => false,
    }
}

/// A call while it runs.
struct RunningCall<'a> {
    call: u32,
    memory: usize,
    of: &'a Call,
    realm: &'a Realm,
}

impl RunningCall<'_> {
    fn run(&mut self, anew: bool, given: &[Given]) -> Result<Turn, Failed> {
        let mut turn = if anew {
            Some(self.step(self.of.now, self.of.first())?)
        } else {
            None
        };
        for given in given {
            if let Some(Turn {
                said: Said::Returned(_),
                ..
            }) = turn
            {
                let message = "run again with the same answers, it took another way";
                let at = At::file(self.of.program.file());
                let message = message.to_owned();
                return Err(ScriptError::Broken { at, message }.into());
            }
            turn = Some(self.step(given.now, given.step())?);
        }
        match turn {
            Some(turn) => Ok(turn),
            None => unreachable!("a call leaves its slot with something to give"),
        }
    }

    fn step(&mut self, now: Timestamp, step: Step<'_>) -> Result<Turn, Failed> {
        let mut job = Job {
            call: self.call,
            memory: self.memory,
            now,
            arguments: &self.of.arguments,
            step,
        };
        let (logs, said) = self.realm.run(&mut job);
        self.memory = job.memory;
        match said {
            Ok(said) => Ok(Turn { logs, said }),
            Err(error) => Err(Failed { error, logs }),
        }
    }
}
