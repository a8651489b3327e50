//! A realm: a JavaScript runtime in which nothing can be changed, for several calls of one file. Each
//! call has a fresh instance of the module.

use super::{
    At, Limits, LogLine, ScriptError, TurnEnd, Uncaught, What, builtin,
    bytecode::{Bytecode, Code},
    driver::{Answer, Driver, Offered, settled},
    interrupt::Interrupt,
    job::{Job, MethodLocation, Step},
    logs::Logs,
    memory::{Counted, Meter},
    thrown,
    value::{NoJson, json},
};
use crate::source::Instance;
use rquickjs::{
    Context, Ctx, Error, Object, Promise, Runtime, Value, context::intrinsic, promise::PromiseState,
};
use std::sync::{
    Arc, LazyLock,
    atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed},
};

/// All that a script is given of the language: no `eval`, nothing that tells time or depends on when
/// garbage is collected.
type Language = (
    intrinsic::Date,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::TypedArrays,
    intrinsic::Promise,
);

/// How deep the engine's stack may get; threads have 2 MB.
const STACK: usize = 512 << 10;

/// Below this much memory the engine does not look for cycles to free.
const COLLECT: usize = 4 << 20;

/// How much calls may leave behind or hold until a realm takes no new ones: modules are freed only with
/// their realm.
const LARGE: usize = 2 << 20;

static PRELUDE: LazyLock<Result<Bytecode, String>> = LazyLock::new(|| {
    let source = concat!(
        include_str!("prelude.js"),
        include_str!("bounds.js"),
        include_str!("waiting.js"),
        include_str!("photon.js"),
    );
    let compiled = compile("holdpoint", source, None);
    compiled
        .map(|(prelude, _)| prelude)
        .map_err(|error| error.message)
});

/// Compiles a module's source, or says where it is wrong; and its function, where it has one.
pub(crate) fn compile(
    file: &str,
    source: &str,
    instance: Option<&Instance>,
) -> Result<(Bytecode, Option<Code>), Box<Uncaught>> {
    let broken = |error: Error| Uncaught::from_engine_error(&error);
    let runtime = Runtime::new().map_err(broken)?;
    runtime.set_max_stack_size(STACK);
    builtin::install(&runtime);
    let context = Context::full(&runtime).map_err(broken)?;
    context.with(|cx| {
        let module = Bytecode::compile(&cx, file, source);
        let module = module.map_err(|error| thrown::wrong(&cx, file, 0, &error))?;
        let function = instance.and_then(|instance| {
            Some(Code::Function {
                code: Bytecode::compile(&cx, file, &instance.text).ok()?,
                indent: instance.indent,
            })
        });
        Ok((module, function))
    })
}

/// A realm of one file; while files are loaded, of several.
pub(crate) struct Realm {
    file: Arc<str>,
    limits: Limits,
    /// How much memory it used when it was new.
    initial_memory: usize,
    /// How much it used when garbage was last looked for.
    collected_at: AtomicUsize,
    /// How many columns there are in the first line before the source's own, once a function was loaded.
    indent: AtomicU32,
    context: Context,
    interrupt: Arc<Interrupt>,
    logs: Arc<Logs>,
    /// No call may continue here.
    broken: AtomicBool,
    next: AtomicU32,
}

impl std::fmt::Debug for Realm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Realm({})", self.file)
    }
}

impl Realm {
    /// A new realm for this file.
    pub fn new(file: &str, limits: Limits) -> Result<Self, ScriptError> {
        let broken = |message: String| ScriptError::Broken {
            at: At::file(file),
            message,
        };
        let memory = Arc::new(Meter::default());
        let runtime = Runtime::new_with_alloc(Counted(Arc::clone(&memory)))
            .map_err(|error| broken(error.to_string()))?;
        runtime.set_max_stack_size(STACK);
        runtime.set_gc_threshold(COLLECT);
        builtin::install(&runtime);
        let context =
            Context::custom::<Language>(&runtime).map_err(|error| broken(error.to_string()))?;
        let interrupt = Arc::new(Interrupt::new(memory));
        let watched = Arc::clone(&interrupt);
        runtime.set_interrupt_handler(Some(Box::new(move || watched.should_stop())));
        let logs = Arc::new(Logs::default());
        let prelude = PRELUDE.as_ref().map_err(|error| broken(error.clone()))?;
        context
            .with(|cx| Driver::install(&cx, prelude, &logs))
            .map_err(|error| broken(error.to_string()))?;
        Ok(Self {
            file: file.into(),
            limits,
            initial_memory: interrupt.memory.used(),
            collected_at: AtomicUsize::new(0),
            indent: AtomicU32::new(0),
            context,
            interrupt,
            logs,
            broken: AtomicBool::new(false),
            next: AtomicU32::new(0),
        })
    }

    /// Whether it takes another call. What calls have left behind is freed first, where that may help.
    pub fn has_room(&self) -> bool {
        if self.is_broken() {
            return false;
        }
        let most = self.initial_memory + LARGE;
        if self.memory() >= most && self.memory() >= self.collected_at.load(Relaxed) + LARGE / 2 {
            self.context.runtime().run_gc();
            self.collected_at.store(self.memory(), Relaxed);
        }
        self.memory() < most
    }

    fn memory(&self) -> usize {
        self.interrupt.memory.used()
    }

    /// Whether no call may continue here.
    pub fn is_broken(&self) -> bool {
        self.broken.load(Relaxed)
    }

    /// Marks that no call may continue here.
    pub fn mark_broken(&self) {
        self.broken.store(true, Relaxed);
    }

    /// Gives a number to a new call.
    pub fn new_call(&self) -> u32 {
        self.next.fetch_add(1, Relaxed)
    }

    /// Frees what calls held that are over.
    pub fn free(&self, calls: &[u32]) {
        if calls.is_empty() || self.is_broken() {
            return;
        }
        self.interrupt.memory.set_limit(0);
        self.interrupt.set_limit(None);
        self.context.with(|cx| {
            for call in calls {
                let _ = Driver::from_context(&cx).and_then(|driver| driver.run("forget", (*call,)));
            }
        });
    }

    /// Runs a script until it yields, returns or fails.
    pub(super) fn run(&self, job: &mut Job<'_>) -> (Vec<LogLine>, Result<TurnEnd, ScriptError>) {
        let before = self.memory();
        let others = before.saturating_sub(job.memory);
        self.interrupt.memory.set_limit(others + self.limits.memory);
        self.interrupt.set_limit(Some(self.limits.segment));
        let end = self.segment(job);
        let over = self.interrupt.memory.is_over();
        let end = match end {
            Ok(_) if over => Err(self.too_much_memory(At::file(&self.file))),
            end => end,
        };
        self.interrupt.memory.set_limit(0);
        self.check_pending();
        job.memory = self.memory().saturating_sub(others);
        (self.logs.take(), end)
    }

    /// What is still promised would run in the time of other calls, and in their name.
    fn check_pending(&self) {
        if self.context.runtime().is_job_pending() {
            self.mark_broken();
        }
    }

    fn segment(&self, job: &Job<'_>) -> Result<TurnEnd, ScriptError> {
        let started = self.context.with(|cx| {
            let resumed = self.resume(&cx, job);
            resumed.map_err(|error| self.fault(&cx, What::Yielded, error.into()))
        })?;
        let mut drained = self.drain();
        if let (false, Step::Start { method, .. }, Ok(())) = (started, &job.step, &drained) {
            self.context.with(|cx| {
                let started = Driver::from_context(&cx).and_then(|driver| {
                    driver.loaded(job.call)?;
                    self.warn_of_unset(method);
                    driver.start(job, method, None)
                });
                started.map_err(|error| self.fault(&cx, What::Yielded, error.into()))
            })?;
            drained = self.drain();
        }
        loop {
            let end = self.context.with(|cx| {
                let answer = Driver::from_context(&cx)
                    .and_then(|driver| driver.answer(job.call))
                    .map_err(|error| self.fault(&cx, What::Yielded, error.into()));
                match (drained, answer) {
                    (Ok(()), Ok((Answer::TimerRan, _))) => Ok(None),
                    (Ok(()), Ok((what, value))) => self.turn_end(&cx, what, value).map(Some),
                    // The error of a generator that was stopped knows where.
                    (Err(stopped), Err(fault)) if stopped.at().line.is_none() => Err(fault),
                    (Err(fault), _) | (Ok(()), Err(fault)) => Err(fault),
                }
            })?;
            if let Some(end) = end {
                return Ok(end);
            }
            drained = self.drain();
        }
    }

    /// Starts or resumes the script; false if its module awaits something before it can start.
    fn resume(&self, cx: &Ctx<'_>, job: &Job<'_>) -> rquickjs::Result<bool> {
        let driver = Driver::from_context(cx)?;
        match &job.step {
            Step::Start { code, seed, method } => {
                let start = (job.call, *seed, job.now());
                let code = match code {
                    Code::Module(code) => code,
                    Code::Function { code, indent } => {
                        let space = self.instance(cx, &driver, code, *indent, start)?;
                        self.warn_of_unset(method);
                        driver.start(job, method, Some(space))?;
                        return Ok(true);
                    }
                };
                let (space, loaded) = self.load(cx, &driver, code, start)?;
                if loaded.state() == PromiseState::Pending {
                    driver.run("hold", (job.call, space, loaded))?;
                    return Ok(false);
                }
                settled(&loaded)?;
                self.warn_of_unset(method);
                driver.start(job, method, Some(space))?;
            }
            Step::Give(value) => {
                let value = cx.json_parse(*value)?;
                driver.run("give", (job.call, value, job.now()))?;
            }
            Step::Fail(thrown) => {
                let fields = cx.json_parse(thrown.fields.as_str())?;
                let thrown = (
                    job.call,
                    thrown.message.as_str(),
                    thrown.outcome.as_deref(),
                    fields,
                    job.now(),
                );
                driver.run("fail", thrown)?;
            }
        }
        Ok(true)
    }

    /// A script has no environment from which its constructor could be given anything.
    fn warn_of_unset(&self, method: &MethodLocation) {
        if !method.unset.is_empty() {
            let names = method.unset.join(", ");
            let text = format!("the constructor is called without arguments: {names} is undefined");
            self.logs.push("warn", text);
        }
    }

    /// A fresh instance of the function's module. The realm is of one file, and keeps its function.
    fn instance<'js>(
        &self,
        cx: &Ctx<'js>,
        driver: &Driver<'js>,
        code: &Bytecode,
        indent: u32,
        start: (u32, u64, f64),
    ) -> rquickjs::Result<Object<'js>> {
        if self.indent.load(Relaxed) == 0 {
            let (module, loaded) = code.load(cx)?.eval()?;
            settled(&loaded)?;
            driver.keep_function(module.get("default")?)?;
            self.indent.store(indent, Relaxed);
        }
        driver.enter(start)?;
        driver.instance()
    }

    fn load<'js>(
        &self,
        cx: &Ctx<'js>,
        driver: &Driver<'js>,
        code: &Bytecode,
        start: (u32, u64, f64),
    ) -> rquickjs::Result<(Object<'js>, Promise<'js>)> {
        driver.enter(start)?;
        let (module, loaded) = code.load(cx)?.eval()?;
        if cx.has_exception() {
            // A module that was stopped never settles its promise.
            return Err(Error::Exception);
        }
        Ok((module.namespace()?, loaded))
    }

    /// Runs what was promised, until nothing is left of it.
    fn drain(&self) -> Result<(), ScriptError> {
        let mut wrong = None;
        for ran in 0_u64.. {
            // To read the clock takes longer than many a job.
            if ran % 64 == 63 && self.interrupt.should_stop() || self.interrupt.has_stopped() {
                // What is left would run in the time of other calls.
                self.mark_broken();
                return Err(wrong.unwrap_or_else(|| self.stopped(At::file(&self.file))));
            }
            match self.context.runtime().execute_pending_job() {
                Ok(true) => {}
                Ok(false) => return wrong.map_or(Ok(()), Err),
                Err(job) => {
                    let fault = job.0.with(|cx| {
                        let fault = self.fault(&cx, What::Yielded, Error::Exception.into());
                        self.interrupt.should_stop().then_some(fault)
                    });
                    wrong = wrong.or(fault);
                }
            }
        }
        Ok(())
    }

    fn turn_end<'js>(
        &self,
        cx: &Ctx<'js>,
        what: Answer,
        value: Value<'js>,
    ) -> Result<TurnEnd, ScriptError> {
        let at = || At::file(&self.file);
        let kind = match what {
            Answer::Yielded => What::Yielded,
            Answer::Returned => What::Returned,
            Answer::Nothing | Answer::TimerRan => return Err(ScriptError::Stuck { at: at() }),
        };
        let driver =
            Driver::from_context(cx).map_err(|error| self.fault(cx, kind, error.into()))?;
        let value = json(&driver, value, &self.limits, &self.interrupt)
            .map_err(|refused| self.fault(cx, kind, refused))?;
        match (what, value) {
            (Answer::Yielded, Some(value)) => Ok(TurnEnd::Yielded(value)),
            (Answer::Yielded, None) => Err(ScriptError::NotData {
                at: at(),
                what: kind,
                path: "it".into(),
                found: "undefined".into(),
            }),
            (_, value) => Ok(TurnEnd::Returned(value.unwrap_or_default())),
        }
    }

    fn fault(&self, cx: &Ctx<'_>, what: What, refused: NoJson) -> ScriptError {
        let at = At::file(&self.file);
        let limits = &self.limits;
        match refused {
            NoJson::Threw(error) => {
                let wrong = thrown::wrong(cx, &self.file, self.indent.load(Relaxed), &error);
                if self.interrupt.has_stopped() {
                    self.stopped(wrong.at)
                } else {
                    ScriptError::Threw(wrong)
                }
            }
            NoJson::Stopped => self.stopped(at),
            NoJson::TooLarge => ScriptError::TooLarge {
                at,
                what,
                limit: limits.value,
            },
            NoJson::TooDeep => ScriptError::TooDeep {
                at,
                what,
                limit: limits.depth,
            },
            NoJson::NotData { path, found } => ScriptError::NotData {
                at,
                what,
                path,
                found,
            },
        }
    }

    fn stopped(&self, at: At) -> ScriptError {
        if self.interrupt.memory.is_over() {
            return self.too_much_memory(at);
        }
        let limit = self.limits.segment;
        ScriptError::TooLong { at, limit }
    }

    /// What is left of memory may be in a state that nobody foresaw.
    fn too_much_memory(&self, at: At) -> ScriptError {
        self.mark_broken();
        let limit = self.limits.memory;
        ScriptError::TooMuchMemory { at, limit }
    }

    /// Loads a module and lists what it offers, under the limits of a call. Nobody else uses the realm.
    pub fn inspect(&mut self, file: &str, code: &Bytecode) -> Result<Offered, ScriptError> {
        self.file = file.into();
        let offered = self.offered(code);
        self.check_pending();
        offered
    }

    fn offered(&self, code: &Bytecode) -> Result<Offered, ScriptError> {
        let call = self.new_call();
        self.interrupt
            .memory
            .set_limit(self.memory() + self.limits.memory);
        self.interrupt.set_limit(Some(self.limits.segment));
        self.context.with(|cx| {
            let loaded = Driver::from_context(&cx).and_then(|driver| {
                let (space, loaded) = self.load(&cx, &driver, code, (call, 0, 0.0))?;
                driver.run("hold", (call, space, loaded))
            });
            loaded.map_err(|error| self.fault(&cx, What::Permissions, error.into()))
        })?;
        let drained = self.drain();
        self.context.with(|cx| {
            let fault = |refused| self.fault(&cx, What::Permissions, refused);
            let driver = Driver::from_context(&cx).map_err(|error| fault(error.into()))?;
            driver.loaded(call).map_err(|error| fault(error.into()))?;
            drained?;
            if driver.pending(call).map_err(|error| fault(error.into()))? {
                let at = At::file(&self.file);
                return Err(ScriptError::Stuck { at });
            }
            driver
                .offered(call, &self.limits, &self.interrupt)
                .map_err(fault)
        })
    }
}
