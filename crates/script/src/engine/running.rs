//! One call of a script.

use super::{
    At, Failed, Limits, Resume, ScriptError, Start, Turn, TurnEnd, What,
    job::{Fail, Job, Step},
    module::Module,
    realm::Realm,
    realm_queue::{CallSlot, RealmQueue},
};
use jiff::Timestamp;
use serde_json::Value;
use std::sync::Arc;

/// How often a segment is queued until a realm runs it.
const MOST_TRIES: usize = 1000;

/// A started generator. Dropping it frees it.
#[derive(Debug)]
pub struct Running {
    call: Arc<Call>,
    /// All that it was given so far, to run it again in another realm.
    given: Vec<Given>,
    /// Where it waits, until it is over.
    slot: Option<CallSlot>,
}

impl Running {
    /// Starts the method with this index, and runs it until its first yield or its end.
    pub(crate) async fn start(
        module: &Arc<Module>,
        method: usize,
        start: Start,
    ) -> Result<(Self, Turn), Failed> {
        let mut running = Self {
            call: Arc::new(Call::new(module, method, start)?),
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
        let at = || At::file(&self.call.module.file);
        let Some(slot) = self.slot.take() else {
            return Err(ScriptError::Ended { at: at() }.into());
        };
        let limits = &self.call.module.limits;
        self.given.push(Given::new(with, now, limits, at)?);
        self.advance(Some(slot)).await
    }

    async fn advance(&mut self, mut slot: Option<CallSlot>) -> Result<Turn, Failed> {
        let module = &self.call.module;
        for _ in 0..MOST_TRIES {
            // In its own realm only the newest answer is needed.
            let resumed = slot.is_some();
            let given = if resumed {
                self.given[self.given.len() - 1..].to_vec()
            } else {
                self.given.clone()
            };
            let count = given.len() as u32 + u32::from(!resumed);
            let queue = match &slot {
                Some(slot) => Arc::clone(&slot.queue),
                None => module.pool.pick(&module.file, module.limits),
            };
            let (call, here, slot) = (Arc::clone(&self.call), Arc::clone(&queue), slot.take());
            let work = move |realm: &Realm| call.run(realm, here, slot, &given);
            if let Ok(ended) = queue.push(resumed, count, Box::new(work)).await {
                let (slot, turn) = ended?;
                self.slot = slot;
                return Ok(turn);
            }
        }
        let at = At::file(&module.file);
        let message = "no thread came to run it".to_owned();
        Err(ScriptError::Broken { at, message }.into())
    }
}

/// What determines a call, besides what it is given.
#[derive(Debug)]
struct Call {
    module: Arc<Module>,
    method: usize,
    arguments: String,
    seed: u64,
    now: Timestamp,
}

impl Call {
    fn new(module: &Arc<Module>, method: usize, start: Start) -> Result<Self, ScriptError> {
        let at = || At::file(&module.file);
        let limits = &module.limits;
        let arguments = Value::Object(start.arguments);
        let arguments = text(&arguments, What::Arguments, limits.value, limits.depth, at)?;
        Ok(Self {
            module: Arc::clone(module),
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
                end: TurnEnd::Yielded(_),
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
            code: &self.module.code,
            method: &self.module.methods[self.method],
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
    fn run(&mut self, from_start: bool, given: &[Given]) -> Result<Turn, Failed> {
        let mut turn = if from_start {
            Some(self.step(self.of.now, self.of.first())?)
        } else {
            None
        };
        for given in given {
            if let Some(Turn {
                end: TurnEnd::Returned(_),
                ..
            }) = turn
            {
                let message = "run again with the same answers, it took another way";
                let at = At::file(&self.of.module.file);
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
        let (logs, end) = self.realm.run(&mut job);
        self.memory = job.memory;
        match end {
            Ok(end) => Ok(Turn { logs, end }),
            Err(error) => Err(Failed { error, logs }),
        }
    }
}
