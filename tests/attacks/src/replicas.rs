//! Two replicas on one PostgreSQL: one is killed at a random moment, and its client goes on at either.
//! `ATTACK_REPLICA_ASKS` says over how many asks.
#![cfg(unix)]

use crate::{
    kills::{MESSAGES, Moment, Server, Talk, check},
    random::{Random, count},
    shop::Order,
};
use holdpoint_testkit::ERAS;
use std::{os::unix::net::UnixStream, path::PathBuf};
use tempfile::TempDir;

/// Over how many asks it goes where nothing else is said.
const USUAL: u64 = 16;
/// Each order asks twice.
const ASKS: u64 = 2;

/// Two serving processes, each with the socket that it listens on.
struct Replicas {
    folder: TempDir,
    journal: String,
    started: u32,
    running: Vec<(Server, PathBuf)>,
}

impl Replicas {
    fn start(journal: String) -> Self {
        let mut replicas = Self {
            folder: tempfile::tempdir().unwrap(),
            journal,
            started: 0,
            running: Vec::new(),
        };
        for _ in 0..2 {
            let replica = replicas.one();
            replicas.running.push(replica);
        }
        replicas
    }

    fn one(&mut self) -> (Server, PathBuf) {
        self.started += 1;
        let socket = self.folder.path().join(format!("socket-{}", self.started));
        let (server, _) = Server::start(&self.journal, self.folder.path(), &socket);
        (server, socket)
    }

    fn replace(&mut self, index: usize) {
        self.running[index] = self.one();
    }
}

#[test]
fn no_kill_of_a_replica_repeats_an_effect_loses_a_decision_or_makes_up_a_yes() {
    let wanted = count("ATTACK_REPLICA_ASKS", USUAL);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(test_postgres::Server::shared().database());
    let mut replicas = Replicas::start(database.url());
    let mut random = Random::new(1);
    let (mut kills, mut orders) = (0, Vec::new());
    while orders.len() as u64 * ASKS < wanted {
        let number = orders.len() as u64;
        let mut order = Order::new(number, ERAS[(number % 2) as usize]);
        let ended = loop {
            let index = random.below(2) as usize;
            let (server, socket) = &replicas.running[index];
            let stream = UnixStream::connect(socket).unwrap();
            // Mostly it is over before.
            let moment = Moment::among(2 * MESSAGES, &mut random);
            let mut talk = Talk::new(stream, server, moment);
            let ended = talk.go_on(&mut order);
            if talk.end() {
                kills += 1;
                replicas.replace(index);
            }
            match ended {
                Some(ended) => break ended,
                None => order.hang_up(),
            }
        };
        orders.push((order, ended));
    }
    assert!(kills > 0, "nothing was killed");
    let effects = check(&replicas.journal, replicas.folder.path(), &orders);
    println!("{kills} kills, {} orders, {effects} effects", orders.len());
}
