//! A realm and the calls that wait for it. What waits is run in a row on one thread and told at once: to
//! wake a thread for each costs more than most scripts compute.

use super::{At, Failed, Limits, ScriptError, Turn, realm::Realm};
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    runtime::{Handle, Id},
    sync::oneshot,
    task::{spawn_blocking, yield_now},
    time::timeout,
};

/// For how long stretches are run in a row until what came of them is told.
const ROW: Duration = Duration::from_millis(1);
/// How long those that are done wait for one that takes longer.
const TELL: Duration = Duration::from_millis(5);
/// A stretch that takes longer than this holds up no new call.
pub(super) const SOON: Duration = Duration::from_millis(50);

/// What comes of a stretch; its call has a seat while it waits at a yield.
pub(super) type Ended = Result<(Option<Seat>, Turn), Failed>;
type Work = Box<dyn FnOnce(&Realm) -> Ended + Send>;

/// A realm's line.
pub(super) struct Line {
    file: Arc<str>,
    limits: Limits,
    /// Made for the first stretch; held by whoever runs them.
    realm: Mutex<Option<Realm>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Stretch>,
    runs: Option<Runs>,
    done: Vec<(oneshot::Sender<Ended>, Ended)>,
    /// Calls that are over and still hold memory.
    gone: Vec<u32>,
    /// On this runtime a task runs what waits.
    served: Option<Id>,
    /// How long a stretch takes, by the last ones.
    usual: Duration,
    full: bool,
    broken: bool,
}

struct Stretch {
    since: Instant,
    work: Work,
    /// Its call has a seat here.
    seated: bool,
    /// It stands for so many, run one after the other.
    stretches: u32,
    tell: oneshot::Sender<Ended>,
}

/// What runs now.
struct Runs {
    since: Instant,
    stretches: u32,
    /// Whom to tell, until they were told that it takes too long.
    tell: Option<oneshot::Sender<Ended>>,
}

impl Line {
    /// A line for calls of this file.
    pub fn new(file: &str, limits: Limits) -> Self {
        Self {
            file: file.into(),
            limits,
            realm: Mutex::new(None),
            state: Mutex::default(),
        }
    }

    /// Whether it takes new calls.
    pub fn open(&self) -> bool {
        let state = self.lock();
        !state.full && !state.broken
    }

    /// How many wait, and how long a new call would: as long as the first has waited, what runs has run,
    /// or what the others are likely to take.
    pub fn load(&self) -> (usize, Duration) {
        let state = self.lock();
        let runs = state.runs.as_ref().map(|it| it.since);
        let first = state.waiting.front().map(|it| it.since);
        let since = runs.into_iter().chain(first).min();
        let time = since.map_or(Duration::ZERO, |since| since.elapsed());
        let length = state.waiting.len();
        (length, time.max(state.usual * length as u32))
    }

    /// Puts work in the line: so many stretches of a call that has a seat here, or of one that begins.
    /// If nothing is told, it was not run: the realm was broken by a neighbour, or is held up by one.
    pub fn queue(
        self: &Arc<Self>,
        seated: bool,
        stretches: u32,
        work: Work,
    ) -> oneshot::Receiver<Ended> {
        let (tell, told) = oneshot::channel();
        self.lock().waiting.push_back(Stretch {
            since: Instant::now(),
            work,
            seated,
            stretches,
            tell,
        });
        self.serve(&Handle::current());
        told
    }

    fn forget(self: &Arc<Self>, call: u32) {
        self.lock().gone.push(call);
        // Without a runtime it is freed with the next stretch.
        if let Ok(runtime) = Handle::try_current() {
            self.serve(&runtime);
        }
    }

    /// Has a task run what waits, on the runtime of whoever waits.
    fn serve(self: &Arc<Self>, runtime: &Handle) {
        let on = runtime.id();
        let served = self.lock().served.replace(on);
        if served != Some(on) {
            let serving = Serving {
                line: Arc::clone(self),
                on,
                rests: false,
            };
            runtime.spawn(serving.run());
        }
    }

    /// Whether nothing is left to do for a task on this runtime, or another one does it.
    fn rests(&self, on: Id) -> bool {
        let mut state = self.lock();
        if state.served != Some(on) {
            return true;
        }
        let idle = state.waiting.is_empty() && state.gone.is_empty() && state.done.is_empty();
        if idle {
            state.served = None;
        }
        idle
    }

    /// Runs what waits, for a while.
    fn work(&self) {
        let mut realm = self.realm.lock().unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        while began.elapsed() < ROW {
            let mut state = self.lock();
            let gone = std::mem::take(&mut state.gone);
            let next = state.waiting.pop_front();
            let broken = state.broken;
            drop(state);
            if let Some(realm) = realm.as_ref().filter(|_| !broken) {
                realm.free(&gone);
            }
            let Some(next) = next else {
                return;
            };
            // One that nobody waits for is dropped like one that cannot be run.
            if broken || next.tell.is_closed() {
                continue;
            }
            let ended = self.run(&mut realm, next);
            let mut state = self.lock();
            let tell = state.runs.take().and_then(|it| {
                state.usual = (state.usual * 3 + it.since.elapsed()) / 4;
                it.tell
            });
            state.full = realm.as_ref().is_some_and(|realm| !realm.roomy());
            state.broken = realm.as_ref().is_none_or(Realm::broken);
            if let Some(tell) = tell {
                state.done.push((tell, ended));
            }
            if state.broken {
                drop(state);
                // Nothing goes on in it, and its calls may wait for long.
                *realm = None;
            }
        }
    }

    fn run(&self, realm: &mut Option<Realm>, next: Stretch) -> Ended {
        let Stretch {
            work, stretches, ..
        } = next;
        let made = match realm.take() {
            Some(realm) => Ok(realm),
            None => Realm::new(&self.file, self.limits),
        };
        self.lock().runs = Some(Runs {
            since: Instant::now(),
            stretches,
            tell: Some(next.tell),
        });
        let here = realm.insert(made?);
        catch_unwind(AssertUnwindSafe(|| work(here))).unwrap_or_else(|_| {
            // The engine's own lock is lost.
            here.mark_broken();
            let at = At::file(&self.file);
            let message = "the engine panicked".to_owned();
            Err(ScriptError::Broken { at, message }.into())
        })
    }

    fn tell(&self) {
        let done = std::mem::take(&mut self.lock().done);
        for (tell, ended) in done {
            // Whoever lost interest need not be told.
            let _ = tell.send(ended);
        }
    }

    /// Sees to it that nobody waits too long for what runs.
    fn look(&self) {
        let limit = self.limits.segment;
        let patience = limit + self.limits.patience;
        let mut state = self.lock();
        let Some(runs) = &mut state.runs else {
            return;
        };
        let time = runs.since.elapsed();
        if time > patience * runs.stretches
            && let Some(tell) = runs.tell.take()
        {
            let at = At::file(&self.file);
            let _ = tell.send(Err(ScriptError::TooLong { at, limit }.into()));
        }
        // To begin again elsewhere costs a call that has a seat more than to wait for a while.
        let leaves = |it: &Stretch| {
            if it.seated {
                time > patience
            } else {
                time > SOON
            }
        };
        let (leave, stay) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition::<Vec<_>, _>(leaves);
        state.waiting = stay.into();
        drop(state);
        drop(leave);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let realm = self.realm.get_mut().unwrap_or_else(PoisonError::into_inner);
        // To free it takes a while.
        if let (Some(realm), Ok(runtime)) = (realm.take(), Handle::try_current()) {
            runtime.spawn_blocking(move || drop(realm));
        }
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Line({})", self.file)
    }
}

/// The task that has what waits in a line run.
struct Serving {
    line: Arc<Line>,
    on: Id,
    rests: bool,
}

impl Serving {
    async fn run(mut self) {
        loop {
            // Those that come in the same moment are run in the same row.
            yield_now().await;
            self.line.tell();
            self.rests = self.line.rests(self.on);
            if self.rests {
                return;
            }
            let line = Arc::clone(&self.line);
            let on = self.on;
            let mut work = spawn_blocking(move || {
                line.work();
                // Nobody else might come to tell.
                if line.lock().served != Some(on) {
                    line.tell();
                }
            });
            while timeout(TELL, &mut work).await.is_err() {
                self.line.tell();
                self.line.look();
            }
            self.line.tell();
        }
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        if self.rests {
            return;
        }
        // The runtime ends: whoever waits on another one is told, or begins anew.
        let mut state = self.line.lock();
        let mut left = VecDeque::new();
        if state.served == Some(self.on) {
            state.served = None;
            std::mem::swap(&mut left, &mut state.waiting);
        }
        drop(state);
        drop(left);
        self.line.tell();
    }
}

/// A call's place in a realm, while it waits at a yield.
#[derive(Debug)]
pub(super) struct Seat {
    pub line: Arc<Line>,
    call: Option<u32>,
    /// What the call has in use.
    pub memory: usize,
}

impl Seat {
    /// A place for this call.
    pub fn new(line: Arc<Line>, call: u32, memory: usize) -> Self {
        let call = Some(call);
        Self { line, call, memory }
    }

    /// The call, which goes on.
    pub fn call(&mut self) -> Option<u32> {
        self.call.take()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        if let Some(call) = self.call {
            self.line.forget(call);
        }
    }
}
