//! When a file is looked at for other processes' commits.
//!
//! The system tells when the log is written to; nothing tells when what was written counts, which is only
//! once it is durable. So after a write has been heard of, the file is looked at several times, with longer
//! and longer pauses. While nothing is heard it is looked at seldom, for file systems that do not tell.

use std::time::{Duration, Instant};

/// Between a write that was heard of and the first look.
const FIRST: Duration = Duration::from_millis(2);

/// Between the looks after it: a commit that takes up to a quarter of a second to become durable is seen
/// within half a second. A process that writes all the time is looked at after each of the first.
const PAUSES: [Duration; 5] = [
    Duration::from_millis(20),
    Duration::from_millis(40),
    Duration::from_millis(80),
    Duration::from_millis(160),
    Duration::from_millis(200),
];

/// After a commit of this process. It held the only place to write in, and saw all that others had
/// committed: only who began right after it can have been overheard, and is looked for as after a write.
const AFTER_OWN: Duration = Duration::from_millis(50);

/// How often to look while nothing is heard.
const SAFETY_NET: Duration = Duration::from_secs(5);

/// How often to look where the system does not tell.
const UNTOLD: Duration = Duration::from_millis(250);

/// See the module.
#[derive(Debug)]
pub(super) struct LookTimes {
    /// Whether the system tells of writes, as far as is known.
    told: bool,
    next: Instant,
    /// How many looks were taken since a write was last heard of; none where none is to come.
    looks: Option<usize>,
}

impl LookTimes {
    /// `told` says whether the log is watched.
    pub fn new(told: bool, now: Instant) -> Self {
        let mut times = Self {
            told,
            next: now,
            looks: None,
        };
        times.rest(now);
        times
    }

    /// When to look next.
    pub fn next(&self) -> Instant {
        self.next
    }

    /// Whether a write that is heard of changes when to look next: what comes between two looks is taken
    /// with the later one.
    pub fn minds_writes(&self) -> bool {
        self.looks.is_none()
    }

    /// A write was heard of, perhaps, while nobody looked.
    pub fn hear(&mut self, written: bool, now: Instant) {
        self.told |= written;
        if written && self.minds_writes() {
            (self.looks, self.next) = (Some(0), now + FIRST);
        }
    }

    /// This process has committed, which it may have heard.
    pub fn committed(&mut self, written: bool, now: Instant) {
        self.told |= written;
        (self.looks, self.next) = (Some(0), now + AFTER_OWN);
    }

    /// The file was looked at: whether a write was heard of since the last look, and whether there was
    /// a new commit.
    pub fn looked(&mut self, written: bool, new: bool, now: Instant) {
        self.told |= written;
        if written {
            self.looks = Some(0);
        } else if new && self.minds_writes() {
            // Nobody told of it.
            self.told = false;
        }
        // A new commit does not end the looks: another may have been written, and heard of, together with it.
        match self
            .looks
            .and_then(|looks| Some((looks, PAUSES.get(looks)?)))
        {
            Some((looks, pause)) => (self.looks, self.next) = (Some(looks + 1), now + *pause),
            None => self.rest(now),
        }
    }

    fn rest(&mut self, now: Instant) {
        let pause = if self.told { SAFETY_NET } else { UNTOLD };
        (self.looks, self.next) = (None, now + pause);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SILENCE: bool = false;
    const WRITTEN: bool = true;

    /// The looks, in milliseconds from the first moment, until it rests.
    fn looks(times: &mut LookTimes, began: Instant, written: impl Fn(u128) -> bool) -> Vec<u128> {
        let mut taken = Vec::new();
        while !times.minds_writes() {
            let now = times.next();
            let at = (now - began).as_millis();
            taken.push(at);
            times.looked(written(at), false, now);
        }
        taken
    }

    #[test]
    fn a_write_is_followed_until_it_must_have_come_to_count() {
        let now = Instant::now();
        let mut times = LookTimes::new(true, now);
        assert_eq!(times.next(), now + SAFETY_NET);
        times.hear(WRITTEN, now);
        assert!(!times.minds_writes(), "the looks to come will see it");
        assert_eq!(
            looks(&mut times, now, |_| SILENCE),
            [2, 22, 62, 142, 302, 502]
        );
        assert_eq!(times.next(), now + Duration::from_millis(502) + SAFETY_NET);
    }

    #[test]
    fn one_that_is_written_to_all_the_time_is_looked_at_fifty_times_a_second() {
        let now = Instant::now();
        let mut times = LookTimes::new(true, now);
        times.hear(WRITTEN, now);
        let busy = |at| at < 1000;
        let taken = looks(&mut times, now, busy);
        assert_eq!(taken[..3], [2, 22, 42]);
        assert_eq!(taken.iter().filter(|at| **at < 1000).count(), 50);
        assert_eq!(taken.last(), Some(&(982 + 500)));
    }

    #[test]
    fn a_commit_that_was_seen_does_not_hide_one_that_was_written_with_it() {
        let now = Instant::now();
        let mut times = LookTimes::new(true, now);
        // Two have written; the first one counts at the first look.
        times.hear(WRITTEN, now);
        times.looked(SILENCE, true, times.next());
        assert_eq!(looks(&mut times, now, |_| SILENCE), [22, 62, 142, 302, 502]);
    }

    #[test]
    fn where_the_system_does_not_tell_it_is_looked_at_often() {
        let now = Instant::now();
        let mut times = LookTimes::new(true, now);
        let net = times.next();
        times.looked(SILENCE, false, net);
        assert_eq!(times.next(), net + SAFETY_NET);
        times.looked(SILENCE, true, now);
        assert_eq!(times.next(), now + UNTOLD, "nobody told of that commit");
        times.looked(SILENCE, false, now);
        assert_eq!(times.next(), now + UNTOLD);
        times.looked(WRITTEN, false, now);
        looks(&mut times, now, |_| SILENCE);
        assert!(times.next() > now + SAFETY_NET, "it tells after all");
        assert_eq!(LookTimes::new(false, now).next(), now + UNTOLD);
    }

    #[test]
    fn commits_of_its_own_are_followed_once_however_many_there_were() {
        let now = Instant::now();
        let mut times = LookTimes::new(true, now);
        for _ in 0..100 {
            times.committed(WRITTEN, now);
        }
        let taken = looks(&mut times, now, |_| SILENCE);
        assert_eq!(taken, [50, 70, 110, 190, 350, 550]);
    }
}
