//! The story of bodies that are removed: what goes, what stays, and what tells.

use super::{Fixture, ask_of, at, call, decided, grant, yes};
use crate::{
    AskQuery, EventKind, JournalEngine, NewAsk, Search, Settled, SqliteJournal, StepStart,
    StoredEvent, Upkeep as _, Write, Written, copy,
    prune::{prunable, prune},
    rules::Prunable,
};
use holdpoint_ask::{Ask, AskId, CallId, Outcome};
use jiff::{Timestamp, tz::TimeZone};
use serde_json::{Value, json};
use std::sync::Arc;
use uuid::Uuid;

const DAY: i64 = 86_400;

/// Nothing of the story is as young as this.
fn before() -> Timestamp {
    at(30 * DAY)
}

fn now() -> Timestamp {
    at(60 * DAY)
}

async fn find(journal: &dyn JournalEngine) -> Prunable {
    prunable(journal, before(), now()).await.unwrap()
}

async fn prune_all(journal: &dyn JournalEngine) -> u64 {
    let found = find(journal).await;
    let bodies = found.bodies;
    let gone = prune(journal, found, before(), "ada", |_| {}).await;
    assert_eq!(gone.unwrap(), bodies);
    bodies
}

async fn stored(journal: &dyn JournalEngine) -> Vec<StoredEvent> {
    journal.stored_events(0, usize::MAX).await.unwrap()
}

impl Fixture {
    /// A call with one ask that is settled so, and has ended.
    async fn ended(&self, outcome: Outcome) -> (CallId, AskId) {
        let (call, ask) = self.opened().await;
        self.commit([Write::Settle(decided(ask, outcome)), ends(call)])
            .await;
        (call, ask)
    }

    /// A step of a new call, which has ended, that keeps a state.
    async fn state(&self, name: &str, state: i64) -> CallId {
        let call = call(self.journal.owner());
        let id = call.id;
        let [start, mut finish] = step(id, name);
        if let Write::FinishStep { result, .. } = &mut finish {
            *result = json!(state);
        }
        self.commit([Write::OpenCall(call), start, finish, ends(id)])
            .await;
        id
    }

    async fn found(&self) -> Vec<AskId> {
        let all = Search {
            limit: Some(100),
            ..Search::default()
        };
        let found = self.journal.search(all).await.unwrap();
        found.asks.iter().map(|ask| ask.id).collect()
    }
}

fn ends(call: CallId) -> Write {
    Write::FinishCall {
        call,
        epoch: 1,
        result: Arc::new(Value::Null),
        at: at(9),
    }
}

/// The start and the end of a step that ends with its name.
fn step(call: CallId, name: &str) -> [Write; 2] {
    let start = Write::StartStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(1),
    };
    let finish = Write::FinishStep {
        call,
        epoch: 1,
        name: name.into(),
        occurrence: 0,
        result: json!(name),
        label: None,
        at: at(2),
    };
    [start, finish]
}

fn no() -> Outcome {
    Outcome::Declined { reason: None }
}

pub async fn what_is_over_loses_its_bodies_and_keeps_its_hashes(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let (call, ask) = fixture.ended(yes()).await;
    let given = grant(ask);
    fixture.one(Write::IssueGrant(given.clone())).await;
    let alone = ask_of(None, Ask::confirm("From a shell?"));
    let alone_id = alone.id;
    fixture
        .commit([
            Write::OpenAsk(alone),
            Write::Settle(decided(alone_id, no())),
        ])
        .await;
    let (_, open) = fixture.opened().await;
    assert_eq!(fixture.found().await, [open, alone_id, ask]);
    let was = stored(journal).await;

    assert_eq!(journal.last_pruned().await.unwrap(), None);
    let found = find(journal).await;
    assert_eq!((found.calls, found.asks, found.kept), (1, 2, 1));
    // Of the call: opened, asked, decided, ended, granted. Of the ask: asked, decided.
    assert_eq!(prune_all(journal).await, 7);

    let events = stored(journal).await;
    let [same @ .., pruned] = events.as_slice() else {
        panic!("nothing is recorded");
    };
    assert_eq!(pruned.kind, "pruned");
    let told: Value = serde_json::from_str(&pruned.body).unwrap();
    assert_eq!(
        (&told["by"], &told["from"], &told["to"], &told["events"]),
        (&json!("ada"), &json!(1), &json!(7), &json!(7))
    );
    for (is, was) in same.iter().zip(&was) {
        assert_eq!(
            (is.seq, is.at, &is.kind, is.call, is.ask, is.hash),
            (was.seq, was.at, &was.kind, was.call, was.ask, was.hash)
        );
        let gone = is.link().pruned_by() == Some(pruned.seq);
        assert_eq!(gone, was.seq <= 7, "{is:?}");
        assert!(gone || is.body == was.body, "{is:?}");
    }
    let verified = journal.verify().await.unwrap();
    assert_eq!((verified.flaws, verified.pruned), (vec![], 7));
    // Nothing of it is found, counted or believed any more; whoever reads the events sees why.
    assert_eq!(journal.ask(ask).await.unwrap(), None);
    assert_eq!(journal.call(call).await.unwrap(), None);
    assert_eq!(journal.grant(given.id).await.unwrap(), None);
    assert_eq!(journal.history(ask).await.unwrap(), None);
    assert_eq!(fixture.found().await, [open]);
    let stats = journal.stats(Search::default(), TimeZone::UTC).await;
    assert_eq!(stats.unwrap().asks, 1);
    let events = journal.events(0, 100).await.unwrap();
    assert_eq!(events[1].kind, EventKind::Asked);
    assert_eq!(events[1].pruned_by, Some(pruned.seq));
    assert_eq!(journal.last_pruned().await.unwrap(), events.last().cloned());
    assert_eq!(events[1].ask, Some(ask));
    // A late reply decides nothing, and the open one is there as before.
    let late = fixture.one(Write::Settle(decided(ask, yes()))).await;
    assert_eq!(late, Written::Settled(Settled::Unknown));
    let won = fixture.one(Write::Settle(decided(open, yes()))).await;
    assert_eq!(won, Written::Settled(Settled::Won));
    assert_eq!(find(journal).await.bodies, 0, "its call has not ended");
    fixture.check_sound().await;
}

pub async fn what_is_needed_keeps_its_bodies(fixture: &Fixture) {
    let journal = &*fixture.journal;
    // An open ask with a decided one before it, in one call.
    let (call_id, first) = fixture.opened().await;
    fixture.one(Write::Settle(decided(first, yes()))).await;
    let second = NewAsk {
        occurrence: 1,
        ..(*ask_of(call_id, Ask::confirm("Deploy?"))).clone()
    };
    fixture.one(Write::OpenAsk(Arc::new(second))).await;
    // A grant that is good for longer than anybody waited.
    let (_, granting) = fixture.ended(yes()).await;
    let mut good = grant(granting);
    good.expires_at = now() + jiff::SignedDuration::from_hours(1);
    fixture.one(Write::IssueGrant(good.clone())).await;
    // What was noted about who may answer.
    fixture
        .one(Write::Note {
            call: None,
            ask: Some(first),
            kind: EventKind::AgentAnswered,
            body: json!({ "agent": "one" }),
            at: at(3),
        })
        .await;
    let (_, late) = fixture.ended(no()).await;
    fixture
        .one(Write::Note {
            call: None,
            ask: Some(late),
            kind: EventKind::Shown,
            body: json!({}),
            at: at(31 * DAY),
        })
        .await;
    let found = find(journal).await;
    assert_eq!((found.bodies, found.kept), (0, 2), "{found:?}");
    assert_eq!(prune_all(journal).await, 0);
    assert_eq!(stored(journal).await.last().unwrap().kind, "shown");
    // What is younger than a day may be in use, whatever it is.
    let error = prunable(journal, now(), now()).await.unwrap_err();
    assert!(error.to_string().contains("younger than a day"), "{error}");
}

pub async fn the_newest_state_of_each_name_stays(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let old = fixture.state("counter", 1).await;
    let new = fixture.state("counter", 2).await;
    let other = fixture.state("colour", 3).await;
    // Opened, started and finished, ended.
    assert_eq!(prune_all(journal).await, 4);
    assert_eq!(journal.call(old).await.unwrap(), None);
    let latest = journal.latest_step("counter", Some("studio")).await;
    assert_eq!(latest.unwrap(), Some((new, json!(2))));
    let latest = journal.latest_steps("c", Some("studio")).await.unwrap();
    assert_eq!(
        latest,
        [("colour".into(), json!(3)), ("counter".into(), json!(2))]
    );
    assert!(journal.call(other).await.unwrap().is_some());
    fixture.check_sound().await;
    // Once there is a newer one, that goes too.
    fixture.state("counter", 4).await;
    assert_eq!(prune_all(journal).await, 4);
    assert_eq!(journal.call(new).await.unwrap(), None);
    let verified = journal.verify().await.unwrap();
    assert_eq!((verified.flaws, verified.pruned), (vec![], 8));
}

pub async fn a_call_with_a_state_loses_what_was_asked(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let (call, ask) = fixture.opened().await;
    let [start, finish] = step(call, "state");
    let [interrupted, _] = step(call, "interrupted");
    let settle = Write::Settle(decided(ask, yes()));
    fixture
        .commit([settle, start, finish, interrupted, ends(call)])
        .await;
    // Asked, decided, and the step that never ended.
    assert_eq!(prune_all(journal).await, 3);
    let history = journal.call(call).await.unwrap().unwrap();
    assert_eq!((history.asks.len(), history.steps.len()), (0, 1));
    assert_eq!(history.call.result, Some(Value::Null));
    assert_eq!(history.steps[0].name, "state");
    assert_eq!(journal.ask(ask).await.unwrap(), None);
    fixture.check_sound().await;
    assert_eq!(find(journal).await.bodies, 0);
}

pub async fn a_no_stays_while_an_older_yes_does(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let (_, first) = fixture.ended(no()).await;
    // A yes in a call that stays for an ask that is open.
    let (call, yes_ask) = fixture.opened().await;
    fixture.one(Write::Settle(decided(yes_ask, yes()))).await;
    let open = NewAsk {
        occurrence: 1,
        ..(*ask_of(call, Ask::confirm("Deploy?"))).clone()
    };
    let open_id = open.id;
    fixture.one(Write::OpenAsk(Arc::new(open))).await;
    let (_, later_no) = fixture.ended(no()).await;
    // Somebody else's is another matter.
    let mut stranger = (*ask_of(None, Ask::confirm("Go?"))).clone();
    stranger.origin.workspace = Some("/work/other".into());
    let stranger_id = stranger.id;
    fixture
        .commit([
            Write::OpenAsk(Arc::new(stranger)),
            Write::Settle(decided(stranger_id, no())),
        ])
        .await;
    prune_all(journal).await;
    let mut left = fixture.found().await;
    left.sort();
    let mut wanted = vec![yes_ask, open_id, later_no];
    wanted.sort();
    assert_eq!(left, wanted);
    assert_eq!(journal.ask(first).await.unwrap(), None);
    // Once the open one is answered and its call over, all of it goes.
    fixture
        .commit([Write::Settle(decided(open_id, no())), ends(call)])
        .await;
    prune_all(journal).await;
    assert_eq!(fixture.found().await, []);
    fixture.check_sound().await;
}

pub async fn a_call_without_a_result_keeps_all_steps_or_goes(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let gone = Uuid::from_bytes([7; 16]);
    let with_steps = async |names: &[&str]| {
        let call = call(gone);
        let ask = ask_of(call.id, Ask::confirm("Deploy?"));
        let (id, ask_id) = (call.id, ask.id);
        fixture
            .commit([
                Write::OpenCall(call),
                Write::OpenAsk(ask),
                Write::Settle(decided(ask_id, yes())),
            ])
            .await;
        for name in names {
            let [start, finish] = step(id, name);
            fixture.commit([start, finish]).await;
        }
        id
    };
    let whole = with_steps(&["pushed"]).await;
    let newest = with_steps(&["pushed", "counted"]).await;
    let [start, _] = step(newest, "interrupted");
    fixture.one(start).await;
    // All of the first, and what was asked by the second.
    assert_eq!(prune_all(journal).await, 5 + 2);
    assert_eq!(journal.call(whole).await.unwrap(), None);
    let left = journal.call(newest).await.unwrap().unwrap();
    assert_eq!((left.asks.len(), left.steps.len()), (0, 3));
    // Taken over, it runs none of them again.
    let take = Write::TakeOver {
        call: newest,
        epoch: 1,
        owner: journal.owner(),
        at: at(5),
    };
    fixture.one(take).await;
    let again = |name: &str| Write::StartStep {
        call: newest,
        epoch: 2,
        name: name.into(),
        occurrence: 0,
        label: None,
        at: at(6),
    };
    let finished = Written::Step(StepStart::Finished(json!("pushed")));
    assert_eq!(fixture.one(again("pushed")).await, finished);
    let interrupted = Written::Step(StepStart::Interrupted);
    assert_eq!(fixture.one(again("interrupted")).await, interrupted);
    fixture.check_sound().await;
}

pub async fn a_call_without_a_result_goes_when_its_process_is_gone(fixture: &Fixture) {
    let journal = &*fixture.journal;
    // Its process lives.
    let (_, ours) = fixture.opened().await;
    fixture.one(Write::Settle(decided(ours, yes()))).await;
    assert_eq!(find(journal).await.bodies, 0);
    // This one's does not, in another workspace.
    let dead = call(Uuid::from_bytes([7; 16]));
    let mut asked = (*ask_of(dead.id, Ask::confirm("Deploy?"))).clone();
    asked.origin.workspace = Some("/work/other".into());
    let (dead_id, ask) = (dead.id, asked.id);
    fixture
        .commit([
            Write::OpenCall(dead),
            Write::OpenAsk(Arc::new(asked)),
            Write::Settle(decided(ask, yes())),
        ])
        .await;
    let found = find(journal).await;
    assert_eq!(found.bodies, 3);
    // Somebody takes it over before it is pruned: it stays.
    let take = Write::TakeOver {
        call: dead_id,
        epoch: 1,
        owner: journal.owner(),
        at: at(5),
    };
    let (taken, late) = (fixture.one(take).await, found);
    assert!(matches!(taken, Written::TakeOver(_)));
    let gone = prune(journal, late, before(), "ada", |_| {}).await;
    assert_eq!(gone.unwrap(), 0);
    assert!(journal.call(dead_id).await.unwrap().is_some());
    let open = AskQuery::default();
    assert_eq!(journal.asks(open).await.unwrap().len(), 2);
    fixture.check_sound().await;
}

pub async fn what_was_pruned_is_copied_as_it_is(fixture: &Fixture) {
    let journal = &*fixture.journal;
    let begun = SqliteJournal::in_memory().unwrap();
    fixture.ended(yes()).await;
    copy(journal, &begun, |_| {}).await.unwrap();
    fixture.opened().await;
    prune_all(journal).await;
    let other = SqliteJournal::in_memory().unwrap();
    let copied = copy(journal, &other, |_| {}).await.unwrap();
    assert_eq!(copied.pruned, 4);
    assert_eq!(stored(&other).await, stored(journal).await);
    assert_eq!(other.condition().await.unwrap().lowest, 6);
    // A copy that was begun before still has the bodies.
    let error = copy(journal, &begun, |_| {}).await.unwrap_err().to_string();
    assert!(error.contains("was pruned since"), "{error}");

    // A body that only seems to be pruned is found.
    let mut events = stored(journal).await;
    let by = events.last().unwrap().seq;
    let open = events.iter_mut().find(|event| event.seq == 5).unwrap();
    open.body = crate::rules::pruned_body(by);
    let forged = SqliteJournal::in_memory().unwrap();
    let imported = forged.import(events.clone()).await;
    assert!(imported.is_err(), "its ask has no call: {imported:?}");
    events[5].body = crate::rules::pruned_body(by);
    forged.import(events).await.unwrap();
    let flaws = crate::Records::verify(&forged).await.unwrap().flaws;
    assert!(
        flaws[0].what.contains("are not those that are missing"),
        "{flaws:?}"
    );
}
