//! Crashes in this process: a server is dropped at a random moment and another one takes over, again and
//! again. `ATTACK_CRASHES` says how many crash points are tried.

use crate::{
    random::Random,
    shop::{Order, shop},
};
use holdpoint::{Desk, Holdpoint, Settings, journal::JournalEngine};
use holdpoint_testkit::{Client, form_capabilities};
use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};
use tokio::{runtime::Builder, task::yield_now, time::timeout};

/// How many crash points are tried where nothing else is said.
const USUAL: u64 = 150;
/// How often one order's server crashes, at most.
const LIVES: u64 = 4;

#[test]
fn no_crash_repeats_an_effect_loses_a_decision_or_makes_up_a_yes() {
    let crashes = crate::random::count("ATTACK_CRASHES", USUAL);
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    thread::scope(|scope| {
        for part in 0..threads {
            scope.spawn(move || crash_again_and_again(crashes.div_ceil(threads), part));
        }
    });
}

fn crash_again_and_again(wanted: u64, part: u64) {
    let mut random = Random::new(part);
    let (mut crashes, mut number) = (0, part * 1_000_000_000);
    // How many steps of the runtime an order takes; learnt from those that were not ended.
    let mut steps = 2_000;
    while crashes < wanted {
        number += 1;
        let (lives, taken) = one_order(number, &mut random, steps);
        crashes += lives;
        steps = (steps * 7 + taken) / 8;
    }
}

/// Brings one order to its end through crashes. How many there were, and how many steps the last life took.
fn one_order(number: u64, random: &mut Random, steps: u64) -> (u64, u64) {
    let effects = Arc::new(Mutex::new(Vec::new()));
    let journal =
        new_runtime().block_on(async { holdpoint::journal::open("memory:").await.unwrap() });
    let mut order = Order::new(number);
    let lives = random.below(LIVES);
    for life in 0..=lives {
        let end = (life < lives).then(|| random.below(steps + steps / 4));
        let (ended, taken) = live(&journal, &effects, &mut order, end);
        let Some(ended) = ended else { continue };
        let effects = effects.lock().unwrap().clone();
        new_runtime().block_on(order.check(journal.as_ref(), &effects, &ended));
        return (life, taken);
    }
    unreachable!("the last life has no end");
}

fn new_runtime() -> tokio::runtime::Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

/// A server's life, until the order is at its end or so many steps are over.
fn live(
    journal: &Arc<dyn JournalEngine>,
    effects: &Arc<Mutex<Vec<String>>>,
    order: &mut Order,
    end: Option<u64>,
) -> (Option<String>, u64) {
    let runtime = new_runtime();
    let effects = effects.clone();
    let flows = shop(Arc::new(move |effect| {
        effects.lock().unwrap().push(effect.to_owned())
    }));
    let mut steps = 0;
    let ended = runtime.block_on(async {
        let talk = async {
            let settings = Settings {
                fast_reply: Duration::ZERO,
                ..Settings::default()
            };
            let desk = Desk::builder(journal.clone()).settings(settings).build();
            let server = Holdpoint::new(desk.await.unwrap(), flows).unwrap();
            let mut client = Client::modern(server, form_capabilities());
            loop {
                let call = client.request("tools/call", order.params()).await;
                let answer = client.answer(call).await;
                if let Some(ended) = order.heard(&answer) {
                    return ended;
                }
            }
        };
        let count = async {
            while end.is_none_or(|end| steps < end) {
                steps += 1;
                yield_now().await;
            }
        };
        tokio::select! {
            biased;
            ended = timeout(Duration::from_secs(60), talk) => Some(ended.expect("an end")),
            () = count => None,
        }
    });
    runtime.shutdown_background();
    (ended, steps)
}
