//! People who decide all the time, and an account of what they were told.

use super::stand::{check_sound, eventually, is_started, settle, start_step};
use crate::fixture::{ask_of, at, call};
use holdpoint_ask::{Ask, AskId};
use holdpoint_journal::{
    AskQuery, Journal, JournalError, PostgresJournal, Settled, Write, Written,
};
use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};
use tokio::task::JoinSet;

/// Lanes over journals, in each of which one ask after the other is opened, decided and acted on.
pub struct Load {
    account: Arc<Mutex<Account>>,
    is_over: Arc<AtomicBool>,
    lanes: JoinSet<()>,
}

/// What was acknowledged.
#[derive(Default)]
pub struct Account {
    opened: Vec<AskId>,
    /// Who decided what.
    decided: HashMap<AskId, String>,
    effects: usize,
    errors: Vec<JournalError>,
}

impl Load {
    /// Begins, with so many lanes for each journal.
    pub fn begin(journals: &[Arc<PostgresJournal>], lanes: usize) -> Self {
        let (account, is_over) = (Arc::default(), Arc::default());
        let mut load = Self {
            account,
            is_over,
            lanes: JoinSet::new(),
        };
        for (replica, journal) in journals.iter().enumerate() {
            for lane in 0..lanes {
                let lane = Lane {
                    name: format!("{replica}-{lane}"),
                    journal: journal.clone(),
                    account: load.account.clone(),
                };
                let is_over = load.is_over.clone();
                load.lanes.spawn(async move {
                    for count in 0.. {
                        if is_over.load(Ordering::Relaxed) {
                            break;
                        }
                        if let Err(error) = lane.one(count).await {
                            lane.account.lock().unwrap().errors.push(error);
                        }
                    }
                });
            }
        }
        load
    }

    /// Waits until so many more have been decided.
    pub async fn decides(&self, more: usize) {
        let decided = || self.account.lock().unwrap().decided.len();
        let wanted = decided() + more;
        eventually("decisions", async || (decided() >= wanted).then_some(())).await;
    }

    /// Ends, and gives the account.
    pub async fn end(mut self) -> Account {
        self.is_over.store(true, Ordering::Relaxed);
        while let Some(ended) = self.lanes.join_next().await {
            ended.unwrap();
        }
        std::mem::take(&mut self.account.lock().unwrap())
    }
}

impl Account {
    /// Checks that nobody was told of an error, that all that was acknowledged is on the record, and nothing twice.
    pub async fn check(self, journal: &PostgresJournal) {
        println!(
            "{} opened, {} decided, {} effects, {} errors",
            self.opened.len(),
            self.decided.len(),
            self.effects,
            self.errors.len()
        );
        assert!(self.errors.is_empty(), "{:?}", self.errors[0]);
        let asks = journal.asks(AskQuery::default()).await.unwrap();
        let asks: HashMap<_, _> = asks.into_iter().map(|ask| (ask.id, ask)).collect();
        for ask in &self.opened {
            assert!(asks.contains_key(ask), "{ask} is lost");
        }
        for (ask, by) in &self.decided {
            let decision = asks[ask].decision.as_ref().expect("a decision is lost");
            assert_eq!(decision.answered_by.as_ref(), Some(by), "{ask}");
        }
        check_sound(journal).await;
    }
}

struct Lane {
    name: String,
    journal: Arc<PostgresJournal>,
    account: Arc<Mutex<Account>>,
}

impl Lane {
    async fn one(&self, count: usize) -> Result<(), JournalError> {
        let Self {
            journal, account, ..
        } = self;
        let by = format!("{}-{count}", self.name);
        let call = call(journal.owner());
        let (call_id, ask) = (call.id, ask_of(call.id, Ask::confirm(format!("{by}?"))));
        let ask_id = ask.id;
        let open = vec![Write::OpenCall(call), Write::OpenAsk(ask)];
        let opened = journal.commit(open).await?;
        assert_eq!(opened, [Written::Done, Written::Applied(true)]);
        account.lock().unwrap().opened.push(ask_id);
        let settled = journal.commit(vec![settle(ask_id, &by)]).await?;
        assert_eq!(
            settled,
            [Written::Settled(Settled::Won)],
            "nobody else decides"
        );
        account.lock().unwrap().decided.insert(ask_id, by);
        let started = journal.commit(vec![start_step(call_id, 1)]).await?;
        assert!(is_started(&started[0]), "nobody else runs it: {started:?}");
        account.lock().unwrap().effects += 1;
        let finish = Write::FinishCall {
            call: call_id,
            epoch: 1,
            result: Arc::new("done"),
            at: at(9),
        };
        assert_eq!(
            journal.commit(vec![finish]).await?,
            [Written::Applied(true)]
        );
        Ok(())
    }
}
