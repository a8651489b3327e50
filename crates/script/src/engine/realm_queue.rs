//! A queue of the segments that wait for one realm. What waits is run in batches on one thread and
//! reported together: to wake a thread for each segment costs more than most scripts compute.

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

/// For how long segments are run in a batch until their results are sent.
const BATCH_TIME: Duration = Duration::from_millis(1);
/// How long finished segments wait for one that takes longer.
const REPORT_INTERVAL: Duration = Duration::from_millis(5);
/// A segment that takes longer than this delays no new call.
pub(super) const SLOW_SEGMENT: Duration = Duration::from_millis(50);

/// The result of a segment; its call keeps a slot while it waits at a yield.
pub(super) type SegmentResult = Result<(Option<CallSlot>, Turn), Failed>;
type Work = Box<dyn FnOnce(&Realm) -> SegmentResult + Send>;

/// A realm, and the segments that wait for it.
///
/// Lock order: `realm`, then `state`. `realm` is held for as long as a batch runs; `state` only for
/// a moment, and never while a segment runs or a result is sent.
pub(super) struct RealmQueue {
    file: Arc<str>,
    limits: Limits,
    /// Made for the first segment; held by the thread that runs a batch.
    realm: Mutex<Option<Realm>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Segment>,
    running: Option<RunningSegment>,
    finished: Vec<(oneshot::Sender<SegmentResult>, SegmentResult)>,
    /// Calls that have ended and still hold memory.
    released: Vec<u32>,
    /// The runtime on which a worker runs what waits.
    worker_on: Option<Id>,
    /// How long a segment takes, averaged over the last ones.
    average: Duration,
    /// More than one was run in the last batch.
    busy: bool,
    full: bool,
    broken: bool,
}

/// What waits: the part of a call from one yield to the next.
struct Segment {
    since: Instant,
    work: Work,
    /// Whether its call has a slot here.
    has_slot: bool,
    /// A call that is run again from its start runs so many segments, one after the other.
    count: u32,
    result: oneshot::Sender<SegmentResult>,
}

/// What runs now.
struct RunningSegment {
    since: Instant,
    count: u32,
    /// Where its result goes; taken once it was reported as taking too long.
    result: Option<oneshot::Sender<SegmentResult>>,
}

impl RealmQueue {
    /// A queue for calls of this file.
    pub fn new(file: &str, limits: Limits) -> Self {
        Self {
            file: file.into(),
            limits,
            realm: Mutex::new(None),
            state: Mutex::default(),
        }
    }

    /// Whether it takes new calls.
    pub fn is_open(&self) -> bool {
        let state = self.lock();
        !state.full && !state.broken
    }

    /// How many segments wait, and how long a new call would: as long as the first has waited, as the
    /// running one has run, or as the others are likely to take.
    pub fn load(&self) -> (usize, Duration) {
        let state = self.lock();
        let running = state.running.as_ref().map(|running| running.since);
        let first = state.waiting.front().map(|segment| segment.since);
        let since = running.into_iter().chain(first).min();
        let time = since.map_or(Duration::ZERO, |since| since.elapsed());
        let length = state.waiting.len();
        (length, time.max(state.average * length as u32))
    }

    /// Queues work: so many segments of a call that has a slot here, or of one that begins. Where the
    /// sender is dropped without a result, nothing was run: the realm was broken, or is held up, by
    /// another call.
    pub fn push(
        self: &Arc<Self>,
        has_slot: bool,
        count: u32,
        work: Work,
    ) -> oneshot::Receiver<SegmentResult> {
        let (result, receiver) = oneshot::channel();
        self.lock().waiting.push_back(Segment {
            since: Instant::now(),
            work,
            has_slot,
            count,
            result,
        });
        self.ensure_worker(&Handle::current());
        receiver
    }

    fn release(self: &Arc<Self>, call: u32) {
        self.lock().released.push(call);
        // Without a runtime it is freed with the next segment.
        if let Ok(runtime) = Handle::try_current() {
            self.ensure_worker(&runtime);
        }
    }

    /// Spawns a worker on this runtime, unless one is there.
    fn ensure_worker(self: &Arc<Self>, runtime: &Handle) {
        let on = runtime.id();
        let before = self.lock().worker_on.replace(on);
        if before != Some(on) {
            let worker = Worker {
                queue: Arc::clone(self),
                on,
                finished: false,
            };
            runtime.spawn(worker.run());
        }
    }

    /// Whether nothing is left for a worker on this runtime, or another one took over.
    fn is_idle(&self, on: Id) -> bool {
        let mut state = self.lock();
        if state.worker_on != Some(on) {
            return true;
        }
        let idle =
            state.waiting.is_empty() && state.released.is_empty() && state.finished.is_empty();
        if idle {
            state.worker_on = None;
        }
        idle
    }

    /// Runs what waits, for a while.
    fn run_batch(&self) {
        let mut realm = self.realm.lock().unwrap_or_else(PoisonError::into_inner);
        let began = Instant::now();
        for ran in 0.. {
            if began.elapsed() >= BATCH_TIME {
                return;
            }
            let mut state = self.lock();
            state.busy = ran > 1;
            let released = std::mem::take(&mut state.released);
            let next = state.waiting.pop_front();
            let broken = state.broken;
            drop(state);
            if let Some(realm) = realm.as_ref().filter(|_| !broken) {
                realm.free(&released);
            }
            let Some(next) = next else {
                return;
            };
            // One that nobody waits for is dropped like one that cannot be run.
            if broken || next.result.is_closed() {
                continue;
            }
            let result = self.run(&mut realm, next);
            let mut state = self.lock();
            let sender = state.running.take().and_then(|running| {
                state.average = (state.average * 3 + running.since.elapsed()) / 4;
                running.result
            });
            state.full = realm.as_ref().is_some_and(|realm| !realm.has_room());
            state.broken = realm.as_ref().is_none_or(Realm::is_broken);
            if let Some(sender) = sender {
                state.finished.push((sender, result));
            }
            if state.broken {
                drop(state);
                // No call continues in it, and its calls may wait for long.
                *realm = None;
            }
        }
    }

    fn run(&self, realm: &mut Option<Realm>, next: Segment) -> SegmentResult {
        let Segment { work, count, .. } = next;
        let made = match realm.take() {
            Some(realm) => Ok(realm),
            None => Realm::new(&self.file, self.limits),
        };
        self.lock().running = Some(RunningSegment {
            since: Instant::now(),
            count,
            result: Some(next.result),
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

    fn send_results(&self) {
        let finished = std::mem::take(&mut self.lock().finished);
        for (sender, result) in finished {
            // The receiver may be gone.
            let _ = sender.send(result);
        }
    }

    /// Makes sure that nobody waits too long for what runs.
    fn give_up_waiting(&self) {
        let limit = self.limits.segment;
        let patience = limit + self.limits.patience;
        let mut state = self.lock();
        let Some(running) = &mut state.running else {
            return;
        };
        let time = running.since.elapsed();
        if time > patience * running.count
            && let Some(sender) = running.result.take()
        {
            let at = At::file(&self.file);
            let _ = sender.send(Err(ScriptError::TooLong { at, limit }.into()));
        }
        // To begin again elsewhere costs a call that has a slot more than to wait for a while.
        let leaves = |segment: &Segment| {
            if segment.has_slot {
                time > patience
            } else {
                time > SLOW_SEGMENT
            }
        };
        let (leave, stay) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition::<Vec<_>, _>(leaves);
        state.waiting = stay.into();
        drop(state);
        drop(leave);
    }

    /// Pretends that segments have taken this long.
    #[cfg(test)]
    pub fn set_average(&self, average: Duration) {
        self.lock().average = average;
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RealmQueue {
    fn drop(&mut self) {
        let realm = self.realm.get_mut().unwrap_or_else(PoisonError::into_inner);
        // To free it takes a while.
        if let (Some(realm), Ok(runtime)) = (realm.take(), Handle::try_current()) {
            runtime.spawn_blocking(move || drop(realm));
        }
    }
}

impl std::fmt::Debug for RealmQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RealmQueue({})", self.file)
    }
}

/// The task that has the segments of a queue run.
struct Worker {
    queue: Arc<RealmQueue>,
    on: Id,
    finished: bool,
}

impl Worker {
    async fn run(mut self) {
        loop {
            // Those that come in the same moment are run in the same batch. Where none do, to let them go first would
            // wake a thread for nothing.
            if self.queue.lock().busy {
                yield_now().await;
            }
            self.queue.send_results();
            self.finished = self.queue.is_idle(self.on);
            if self.finished {
                return;
            }
            let queue = Arc::clone(&self.queue);
            let on = self.on;
            let mut batch = spawn_blocking(move || {
                queue.run_batch();
                // The worker may be gone, and nobody else would send them.
                if queue.lock().worker_on != Some(on) {
                    queue.send_results();
                }
            });
            while timeout(REPORT_INTERVAL, &mut batch).await.is_err() {
                self.queue.send_results();
                self.queue.give_up_waiting();
            }
            self.queue.send_results();
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if self.finished {
            return;
        }
        // The runtime ends: whoever waits on another one gets a result, or begins again.
        let mut state = self.queue.lock();
        let mut left = VecDeque::new();
        if state.worker_on == Some(self.on) {
            state.worker_on = None;
            std::mem::swap(&mut left, &mut state.waiting);
        }
        drop(state);
        drop(left);
        self.queue.send_results();
    }
}

/// A call's place in a realm, while it waits at a yield.
#[derive(Debug)]
pub(super) struct CallSlot {
    pub queue: Arc<RealmQueue>,
    call: Option<u32>,
    /// How much memory the call uses.
    pub memory: usize,
}

impl CallSlot {
    /// A slot for this call.
    pub fn new(queue: Arc<RealmQueue>, call: u32, memory: usize) -> Self {
        let call = Some(call);
        Self {
            queue,
            call,
            memory,
        }
    }

    /// Takes the call out of the slot, to continue it.
    pub fn take_call(&mut self) -> Option<u32> {
        self.call.take()
    }
}

impl Drop for CallSlot {
    fn drop(&mut self) {
        if let Some(call) = self.call {
            self.queue.release(call);
        }
    }
}
