//! Work that cannot be stopped, on a thread of its own: after a while nobody waits for it any longer.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering::SeqCst},
        mpsc,
    },
    thread,
    time::Duration,
};

/// Why there is no result.
#[derive(Debug)]
pub(super) enum Gone {
    /// As many as are allowed go on that nobody waits for.
    Busy,
    TooLong,
    Failed,
    NoThread(io::Error),
}

/// How long to wait, and how many may go on that nobody waits for.
#[derive(Debug)]
pub(super) struct Patience {
    pub time: Duration,
    pub most: usize,
    /// How many go on that nobody waits for.
    pub given_up: AtomicUsize,
}

impl Patience {
    /// Does this on a thread with this stack.
    pub fn wait_for<T: Send + 'static>(
        &'static self,
        stack: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Gone> {
        if self.given_up.load(SeqCst) >= self.most {
            return Err(Gone::Busy);
        }
        let (sender, result) = mpsc::channel();
        let job = Arc::new(Job::new(&self.given_up));
        let ends = Ends(job.clone());
        thread::Builder::new()
            .name("script-parser".into())
            .stack_size(stack)
            .spawn(move || {
                let _ends = ends;
                let _ = sender.send(work());
            })
            .map_err(Gone::NoThread)?;
        match result.recv_timeout(self.time) {
            Ok(result) => Ok(result),
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(Gone::Failed),
            Err(mpsc::RecvTimeoutError::Timeout) if job.give_up() => Err(Gone::TooLong),
            // It has ended since.
            Err(mpsc::RecvTimeoutError::Timeout) => result.try_recv().map_err(|_| Gone::Failed),
        }
    }
}

const RUNNING: u8 = 0;
const DONE: u8 = 1;
const GIVEN_UP: u8 = 2;

/// Whether the work ended first, or the patience; whoever comes first decides.
#[derive(Debug)]
struct Job {
    state: AtomicU8,
    given_up: &'static AtomicUsize,
}

impl Job {
    fn new(given_up: &'static AtomicUsize) -> Self {
        Self {
            state: AtomicU8::new(RUNNING),
            given_up,
        }
    }

    /// Nobody waits for it any longer; false where it has ended.
    fn give_up(&self) -> bool {
        // Counted before the work can take itself off the count.
        self.given_up.fetch_add(1, SeqCst);
        let swapped = self
            .state
            .compare_exchange(RUNNING, GIVEN_UP, SeqCst, SeqCst);
        if swapped.is_err() {
            self.given_up.fetch_sub(1, SeqCst);
        }
        swapped.is_ok()
    }

    fn end(&self) {
        if self.state.swap(DONE, SeqCst) == GIVEN_UP {
            self.given_up.fetch_sub(1, SeqCst);
        }
    }
}

/// Ends the job with its thread, also where that panics.
struct Ends(Arc<Job>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn patience(time: Duration) -> &'static Patience {
        Box::leak(Box::new(Patience {
            time,
            most: 1,
            given_up: AtomicUsize::new(0),
        }))
    }

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_given_up_counts_until_it_ends_however_it_ends() {
        for panics in [false, true] {
            let patience = patience(Duration::from_millis(1));
            let (go, wait) = mpsc::channel::<()>();
            let work = move || {
                let _ = wait.recv();
                assert!(!panics, "as the parser may");
            };
            assert!(matches!(
                patience.wait_for(1 << 20, work),
                Err(Gone::TooLong)
            ));
            assert!(matches!(patience.wait_for(1 << 20, || 1), Err(Gone::Busy)));
            drop(go);
            let begun = Instant::now();
            while patience.given_up.load(SeqCst) > 0 {
                assert!(begun.elapsed() < LONG, "it is counted for ever");
                thread::yield_now();
            }
        }
    }

    /// It ends between the end of the patience and the moment at which it would be given up.
    #[test]
    fn what_ended_first_is_not_given_up() {
        let patience = patience(LONG);
        let job = Arc::new(Job::new(&patience.given_up));
        drop(Ends(job.clone()));
        assert!(!job.give_up());
        assert_eq!(patience.given_up.load(SeqCst), 0);
        let job = Job::new(&patience.given_up);
        assert!(job.give_up());
        assert_eq!(patience.given_up.load(SeqCst), 1);
        job.end();
        assert_eq!(patience.given_up.load(SeqCst), 0);
    }

    #[test]
    fn what_ends_in_time_has_its_result() {
        let patience = patience(LONG);
        assert_eq!(patience.wait_for(1 << 20, || 5).unwrap(), 5);
        let panics = || -> u8 { panic!("as the parser may") };
        assert!(matches!(
            patience.wait_for(1 << 20, panics),
            Err(Gone::Failed)
        ));
        assert_eq!(patience.given_up.load(SeqCst), 0);
    }
}
