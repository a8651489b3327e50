//! One call of a script.

use super::{
    At, Failed, Limits, LogLine, ScriptError, What,
    job::{Fail, Job, Step},
    pool::Place,
    realm::Realm,
};
use crate::program::Program;
use jiff::Timestamp;
use serde_json::{Map, Value};
use std::{sync::Arc, time::Duration};
use tokio::{runtime::Handle, sync::OwnedMutexGuard, task::spawn_blocking, time::timeout};

/// How long a stretch is waited for beyond its limit, which counts only what it computes. Some functions
/// of the language cannot be interrupted: a text of megabytes searched in another.
const PATIENCE: Duration = Duration::from_secs(20);

/// A call that has more in use is not freed on the spot.
const LARGE: usize = 1 << 20;

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

/// What came of a stretch.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What was logged in it.
    pub logs: Vec<LogLine>,
    /// How it ended.
    pub said: Said,
}

/// How a stretch ended.
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
    seat: Option<Seat>,
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
            seat: None,
        };
        let turn = running.go_on(None).await?;
        Ok((running, turn))
    }

    /// Answers the yield at which the script waits, and runs it until the next one or its end.
    ///
    /// # Errors
    /// When the script fails or passes a limit, or when it was over.
    pub async fn resume(&mut self, with: Resume, now: Timestamp) -> Result<Turn, Failed> {
        let at = || At::file(self.call.program.file());
        let Some(seat) = self.seat.take() else {
            return Err(ScriptError::Ended { at: at() }.into());
        };
        let limits = self.call.program.limits();
        self.given.push(Given::new(with, now, limits, at)?);
        self.go_on(Some(seat)).await
    }

    async fn go_on(&mut self, seat: Option<Seat>) -> Result<Turn, Failed> {
        let patience = self.call.program.limits().segment + PATIENCE;
        let seat = match seat {
            Some(seat) => seat.turn(patience).await,
            None => None,
        };
        // In its own realm only the newest is news.
        let known = seat.as_ref().map_or(0, |_| self.given.len() - 1);
        let given = self.given[known..].to_vec();
        let stretches = given.len() as u32 + u32::from(seat.is_none());
        let call = Arc::clone(&self.call);
        let place = match seat {
            Some(seat) => Ok(seat),
            None => Err(call.program.pool().place().await),
        };
        let work = spawn_blocking(move || call.run(place, &given));
        let at = || At::file(self.call.program.file());
        let (seat, turn) = match timeout(patience * stretches, work).await {
            Ok(Ok(ended)) => ended?,
            Ok(Err(panicked)) => {
                let message = panicked.to_string();
                return Err(ScriptError::Broken { at: at(), message }.into());
            }
            Err(_) => {
                let limit = self.call.program.limits().segment;
                return Err(ScriptError::TooLong { at: at(), limit }.into());
            }
        };
        if let Said::Yielded(_) = turn.said {
            self.seat = Some(seat);
        }
        Ok(turn)
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

    /// Runs the next stretch; without a seat, all of them from the start.
    fn run(
        &self,
        seat: Result<(Seat, OwnedMutexGuard<()>), Place>,
        given: &[Given],
    ) -> Result<(Seat, Turn), Failed> {
        let (mut seat, held, mut turn) = match seat {
            Ok((seat, held)) => (seat, held, None),
            Err(place) => {
                let program = &self.program;
                let (realm, held) = match place {
                    Place::Free(held) => held,
                    Place::New(_making) => {
                        program.pool().make(program.file(), *program.limits())?
                    }
                };
                let mut seat = Seat::new(realm);
                let turn = seat.run(self, self.now, self.first());
                (seat, held, Some(turn))
            }
        };
        for given in given {
            match turn.take() {
                Some(Err(failed)) => return Err(failed),
                Some(Ok(turn)) if matches!(turn.said, Said::Returned(_)) => {
                    let message = "run again with the same answers, it took another way";
                    let (at, message) = (At::file(self.program.file()), message.to_owned());
                    return Err(ScriptError::Broken { at, message }.into());
                }
                _ => turn = Some(seat.run(self, given.now, given.step())),
            }
        }
        // Before the seat may be freed.
        drop(held);
        match turn {
            Some(turn) => Ok((seat, turn?)),
            None => unreachable!("a seat is taken with something to give"),
        }
    }

    fn first(&self) -> Step<'_> {
        Step::Start {
            code: self.program.code(),
            method: &self.program.methods()[self.method].place,
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

/// A call's place in a realm.
#[derive(Debug)]
struct Seat {
    realm: Arc<Realm>,
    number: u32,
    memory: usize,
}

impl Seat {
    fn new(realm: Arc<Realm>) -> Self {
        let number = realm.admit();
        Self {
            realm,
            number,
            memory: 0,
        }
    }

    /// Waits until no other call runs in the realm; nothing if it is lost.
    async fn turn(self, patience: Duration) -> Option<(Self, OwnedMutexGuard<()>)> {
        let turn = Arc::clone(&self.realm.turn).lock_owned();
        match timeout(patience, turn).await {
            Ok(turn) if !self.realm.broken() => Some((self, turn)),
            _ => None,
        }
    }

    fn run(&mut self, call: &Call, now: Timestamp, step: Step<'_>) -> Result<Turn, Failed> {
        let mut job = Job {
            call: self.number,
            memory: self.memory,
            now,
            arguments: &call.arguments,
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

impl Drop for Seat {
    fn drop(&mut self) {
        self.realm.forget(self.number);
        match Handle::try_current() {
            // To free that much takes a while.
            Ok(here) if self.memory > LARGE => {
                let realm = Arc::clone(&self.realm);
                here.spawn_blocking(move || realm.tidy());
            }
            _ => self.realm.tidy(),
        }
    }
}
