//! Crashes in this process: a server dies at one of its commits, and another one takes over the same
//! journal. Every commit is tried, lost and made, in the first life of a server, then in the second one
//! after each of those, and so on. `ATTACK_CRASHES` says how many crashes there are.

use crate::{
    dying_journal::{Death, DyingJournal},
    random,
    shop::{Next, Order, shop},
};
use holdpoint::{Desk, Holdpoint, Settings};
use holdpoint_testkit::{Client, Connect, ERAS, Era, form_capabilities};
use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio::{runtime::Builder, time::timeout};

/// How many crashes there are where nothing else is said.
const USUAL: u64 = 150;
/// What takes longer hangs.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn no_crash_repeats_an_effect_loses_a_decision_or_makes_up_a_yes() {
    let wanted = random::count("ATTACK_CRASHES", USUAL);
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    let (next, crashes) = (AtomicU64::new(0), AtomicU64::new(0));
    // How many commits an order takes that nothing interrupts.
    let commits = ERAS.map(|era| Trial::new(2, era).live(None).commits);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while crashes.load(Ordering::SeqCst) < wanted {
                    let number = next.fetch_add(1, Ordering::SeqCst);
                    let era = (number % 2) as usize;
                    let deaths = deaths(number / 2, commits[era]);
                    let survived = Trial::new(number, ERAS[era]).crash(&deaths);
                    crashes.fetch_add(survived, Ordering::SeqCst);
                }
            });
        }
    });
    let (crashes, orders) = (crashes.into_inner(), next.into_inner());
    println!("{crashes} crashes, {orders} orders, {commits:?} commits in an order without one");
}

/// The deaths of a row's servers: all ways of one death come first, then all of two.
fn deaths(row: u64, commits: u64) -> Vec<Death> {
    let ways = commits * 2;
    let (mut rest, mut lives, mut rows) = (row, 1, ways);
    while rest >= rows {
        rest -= rows;
        lives += 1;
        rows *= ways;
    }
    let mut deaths = Vec::new();
    for _ in 0..lives {
        let way = rest % ways;
        rest /= ways;
        deaths.push(Death {
            commit: way / 2,
            is_made: way % 2 == 1,
        });
    }
    deaths
}

/// One order, and all that outlives the servers that it is brought to.
struct Trial {
    folder: TempDir,
    effects: Arc<Mutex<Vec<String>>>,
    order: Order,
    era: Era,
}

/// What became of a server.
struct Life {
    commits: u64,
    /// What the order ended with; none where the server died.
    ended: Option<String>,
}

impl Trial {
    fn new(number: u64, era: Era) -> Self {
        Self {
            folder: new_folder(),
            effects: Arc::default(),
            order: Order::new(number, era),
            era,
        }
    }

    /// Brings the order to its end through these deaths, as far as they come. How many there were.
    fn crash(mut self, deaths: &[Death]) -> u64 {
        let deaths = deaths.iter().copied().map(Some).chain([None]);
        for (crashes, death) in (0..).zip(deaths) {
            if let Some(ended) = self.live(death).ended {
                self.check(&ended);
                return crashes;
            }
        }
        unreachable!("the last life has no end");
    }

    /// A server's life, until the order is at its end or the server dies.
    fn live(&mut self, death: Option<Death>) -> Life {
        let runtime = new_runtime();
        let url = self.journal();
        let effects = self.effects.clone();
        let flows = shop(Arc::new(move |effect| {
            effects.lock().unwrap().push(effect.to_owned());
        }));
        let (order, era) = (&mut self.order, self.era);
        let (journal, ended) = runtime.block_on(async {
            let opened = holdpoint::journal::open(&url).await.unwrap();
            let journal = DyingJournal::new(opened, death);
            let settings = Settings::default().fast_reply(Duration::ZERO);
            let life = async {
                let desk = Desk::builder(journal.clone()).settings(settings).build();
                let server = Holdpoint::new(desk.await.unwrap(), flows).unwrap();
                talk(order, era, server).await
            };
            let ended = tokio::select! {
                ended = timeout(LONG, life) => Some(ended.expect("an end")),
                () = journal.died() => None,
            };
            (journal, ended)
        });
        if ended.is_none() {
            order.hang_up();
        }
        drop(runtime);
        let commits = journal.commits();
        close(journal);
        Life { commits, ended }
    }

    fn journal(&self) -> String {
        let path = self.folder.path().join("journal.db");
        format!("sqlite:{}", path.display())
    }

    fn check(&self, ended: &str) {
        let effects = self.effects.lock().unwrap();
        new_runtime().block_on(async {
            let journal = holdpoint::journal::open(&self.journal()).await.unwrap();
            self.order.check(journal.as_ref(), &effects, ended).await;
            let flaws = journal.verify().await.unwrap().flaws;
            assert!(flaws.is_empty(), "{flaws:?}");
        });
    }
}

/// A client and its person, until the order is at its end.
async fn talk(order: &mut Order, era: Era, server: impl Connect) -> String {
    let mut client = match era {
        Era::Legacy => Client::legacy(server, form_capabilities()).await,
        Era::Modern => Client::modern(server, form_capabilities()),
    };
    client.request("tools/call", order.params()).await;
    loop {
        let message = client.next().await;
        match order.hear(&message) {
            Next::Wait => {}
            Next::Reply(reply) => client.send(reply).await,
            Next::Call => drop(client.request("tools/call", order.params()).await),
            Next::End(ended) => return ended,
        }
    }
}

/// Closes the journal: the next server may take over only what a dead one had.
fn close(journal: Arc<DyingJournal>) {
    let journal = {
        let watched = Arc::downgrade(&journal);
        drop(journal);
        watched
    };
    let began = Instant::now();
    while journal.strong_count() > 0 {
        assert!(began.elapsed() < LONG, "the journal stays open");
        thread::yield_now();
    }
}

/// In memory where that can be had: what a disk loses is not what is tried here.
fn new_folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    match tempfile::tempdir_in(memory) {
        Ok(folder) => folder,
        Err(_) => tempfile::tempdir().unwrap(),
    }
}

fn new_runtime() -> tokio::runtime::Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}
