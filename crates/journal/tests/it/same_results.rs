//! Both engines find and count the same in the same record, whatever is in it and whatever is looked for.

use crate::fixture::{PostgresFixture, answer, ask_of, at, decided};
use holdpoint_ask::{Ask, AskId, CallId, ChannelKind, FieldError, Outcome};
use holdpoint_journal::{
    CallQuery, JournalEngine, NewAsk, NewCall, PostgresJournal, RunSearch, Search, SqliteJournal,
    Status, Write, jiff::tz::TimeZone,
};
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use std::{sync::Arc, time::Duration};

/// What texts are made of: what patterns, encodings and folding stumble over.
const PIECES: [&str; 24] = [
    "zebra",
    "Deploy",
    "STRASSE",
    "straße",
    "ﬁle",
    "İstanbul",
    "ÉTÉ",
    "e\u{301}",
    "東京都",
    "京",
    "100%",
    "a_b",
    "c:\\d",
    "'; --",
    "\"q\"",
    "\0",
    "\u{fffd}",
    "$1",
    "->",
    "src/main.rs",
    "x",
    "ü7",
    "🦓",
    "0",
];

/// A name, or none.
const NAMES: [Option<&str>; 6] = [
    None,
    Some("studio"),
    Some("Studio"),
    Some("release_100%"),
    Some("a\0b"),
    Some("a\u{fffd}b"),
];

struct Chance {
    random: StdRng,
    asks: Vec<AskId>,
    texts: Vec<String>,
}

impl Chance {
    fn text(&mut self) -> String {
        let count = self.random.random_range(1..6);
        let mut text = String::new();
        for _ in 0..count {
            text.push_str(PIECES.choose(&mut self.random).unwrap());
            if self.random.random_bool(0.7) {
                text.push(' ');
            }
        }
        self.texts.push(text.clone());
        text
    }

    fn name(&mut self) -> Option<String> {
        let name = NAMES.choose(&mut self.random).copied().flatten();
        name.map(str::to_owned)
    }

    /// What an ask, or a run with a step, and its end are.
    fn writes(&mut self, owner: uuid::Uuid, minute: i64) -> Vec<Write> {
        let mut call = NewCall::clone(&crate::fixture::call(owner));
        call.run = self.random.random_bool(0.5);
        call.opened_at = at(minute * 60);
        call.origin.server = self.name();
        call.origin.tool = self.name();
        call.origin.client = self.name();
        call.origin.workspace = self.name();
        call.arguments = json!({ "given": self.text() });
        let mut ask = NewAsk::clone(&ask_of(
            call.id,
            Ask::confirm(self.text()).details(self.text()),
        ));
        ask.opened_at = call.opened_at;
        ask.origin = call.origin.clone();
        let (call_id, id) = (call.id, ask.id);
        self.asks.push(id);
        let mut writes = vec![
            Write::OpenCall(Arc::new(call)),
            Write::OpenAsk(Arc::new(ask)),
        ];
        let step = |label: String| Write::StartStep {
            call: call_id,
            epoch: 1,
            name: "run".into(),
            occurrence: 0,
            label: Some(label),
            at: at(minute * 60 + 1),
        };
        writes.push(step(self.text()));
        if self.random.random_bool(0.3) {
            writes.push(Write::Refuse {
                ask: id,
                refusals: 0,
                takes_away: false,
                channel: ChannelKind::Client,
                errors: Vec::new(),
                at: at(minute * 60 + 2),
            });
        }
        if self.random.random_bool(0.8) {
            writes.push(Write::Settle(self.decision(id)));
        }
        if self.random.random_bool(0.7) {
            writes.push(Write::FinishCall {
                call: call_id,
                epoch: 1,
                result: Arc::new(json!({ "done": self.text() })),
                at: at(minute * 60 + 3),
            });
        }
        writes
    }

    fn decision(&mut self, ask: AskId) -> holdpoint_ask::Decision {
        let outcome = match self.random.random_range(0..7) {
            0 => Outcome::Declined {
                reason: Some(self.text()),
            },
            1 => Outcome::TimedOut,
            2 => Outcome::Unreachable { why: self.text() },
            3 => Outcome::Invalid {
                errors: Vec::<FieldError>::new(),
            },
            _ => Outcome::Accepted(answer(json!({ "choice": self.text() }))),
        };
        let mut decision = decided(ask, outcome);
        decision.duration_ms = self.random.random_range(0..100_000);
        decision.fast = self.random.random_bool(0.2);
        let author = ChannelKind::author("telegram").unwrap();
        let channels = [None, Some(ChannelKind::Inbox), Some(author)];
        decision.channel = *channels.choose(&mut self.random).unwrap();
        decision
    }

    /// A part of a text that is there, or of one that may not be.
    fn word(&mut self) -> String {
        if self.random.random_bool(0.3) {
            return PIECES.choose(&mut self.random).unwrap().to_string();
        }
        let text = self.texts.choose(&mut self.random).unwrap();
        let chars: Vec<char> = text.chars().collect();
        let from = self.random.random_range(0..chars.len());
        let to = self.random.random_range(from..=chars.len().min(from + 12));
        chars[from..to].iter().collect()
    }

    fn search(&mut self) -> Search {
        let mut search = Search::default();
        for _ in 0..self.random.random_range(0..3) {
            search.words.push(self.word());
        }
        if self.random.random_bool(0.05) {
            search.words.push(self.word().repeat(100));
        }
        if self.random.random_bool(0.05) {
            let word = self.word();
            search.words.resize(20, word);
        }
        if self.random.random_bool(0.3) {
            let mut caller = crate::fixture::call(uuid::Uuid::nil()).origin.clone();
            caller.server = self.name();
            caller.workspace = self.name();
            search.seen_by = Some(caller);
        }
        if self.random.random_bool(0.2) {
            search.server = self.name();
            search.tool = self.name();
        }
        if self.random.random_bool(0.1) {
            search.client = Some(self.word());
        }
        if self.random.random_bool(0.2) {
            search.status = vec![*Status::ALL.choose(&mut self.random).unwrap()];
        }
        if self.random.random_bool(0.1) {
            let author = ChannelKind::author("telegram").unwrap();
            search.channel = Some(author);
        }
        if self.random.random_bool(0.2) {
            search.since =
                Some(at(60 * self.random.random_range(0..100)) - Duration::from_nanos(7));
        }
        if self.random.random_bool(0.2) {
            search.until =
                Some(at(60 * self.random.random_range(0..100)) + Duration::from_nanos(7));
        }
        if self.random.random_bool(0.2) {
            let most = self.random.random_range(0..100_000);
            search.slower_than = Some(Duration::from_micros(most * 1_000 + 500));
        }
        if self.random.random_bool(0.2) {
            search.before = self.asks.choose(&mut self.random).copied();
        }
        if self.random.random_bool(0.5) {
            search.limit = Some(self.random.random_range(0..30));
        }
        search
    }
}

#[tokio::test]
async fn both_engines_find_and_count_the_same() {
    let seed = rand::random();
    println!("seed {seed}");
    let mut chance = Chance {
        random: StdRng::seed_from_u64(seed),
        asks: Vec::new(),
        texts: Vec::new(),
    };
    let folder = tempfile::tempdir().unwrap();
    let sqlite = SqliteJournal::open(folder.path().join("journal.db")).unwrap();
    let fixture = PostgresFixture::new().await;
    let look = PostgresJournal::open_read_only(&fixture.database.url())
        .await
        .unwrap();
    let raw = fixture.database.connect().await;
    for round in 0..3 {
        for minute in 0..25 {
            let writes = chance.writes(fixture.journal.owner(), round * 25 + minute);
            let expected = holdpoint_journal::Journal::commit(&sqlite, writes.clone()).await;
            let written = fixture.commit(writes).await;
            assert_eq!(written, expected.unwrap(), "seed {seed}");
        }
        if round == 1 {
            let without = "DROP INDEX holdpoint.index_texts_trigrams";
            raw.batch_execute(without).await.unwrap();
        }
        for number in 0..24 {
            let (search, runs) = (chance.search(), chance.search());
            // One that only looks at first has an index that ends somewhere before.
            if number < 8 {
                compare(&sqlite, &look, &search, &runs, seed).await;
                continue;
            }
            compare(&sqlite, &*fixture.journal, &search, &runs, seed).await;
        }
        if round == 1 {
            // Both ways of reading texts were there.
            let sql = "SELECT to_regclass('holdpoint.index_texts_trigrams') IS NOT NULL";
            assert!(raw.query_one(sql, &[]).await.unwrap().get::<_, bool>(0));
        }
    }
    for id in &chance.asks {
        let expected = holdpoint_journal::Records::history(&sqlite, *id).await;
        let found = fixture.journal.history(*id).await.unwrap();
        assert_eq!(found, expected.unwrap(), "seed {seed}");
    }
    fixture.check_sound().await;
}

async fn compare(
    one: &dyn JournalEngine,
    two: &dyn JournalEngine,
    search: &Search,
    other: &Search,
    seed: u64,
) {
    let about = format!("seed {seed}: {search:?}");
    let expected = one.search(search.clone()).await.map_err(|e| e.to_string());
    let found = two.search(search.clone()).await.map_err(|e| e.to_string());
    assert_eq!(found, expected, "{about}");
    let expected = one.stats(search.clone(), TimeZone::UTC).await;
    let found = two.stats(search.clone(), TimeZone::UTC).await;
    let text = |error: holdpoint_journal::JournalError| error.to_string();
    assert_eq!(found.map_err(text), expected.map_err(text), "{about}");

    let mut runs = RunSearch {
        words: other.words.clone(),
        server: other.server.clone(),
        tool: other.tool.clone(),
        client: other.client.clone(),
        since: other.since,
        until: other.until,
        limit: other.limit,
        ..RunSearch::default()
    };
    runs.before = other.before.map(|ask| CallId::from_bytes(*ask.as_bytes()));
    let expected = one.runs(runs.clone()).await.unwrap();
    let found = two.runs(runs.clone()).await.unwrap();
    assert_eq!(found, expected, "seed {seed}: {runs:?}");

    let calls = CallQuery {
        method: "prompts/get".into(),
        tools: other
            .tool
            .iter()
            .cloned()
            .chain(["studio".into()])
            .collect(),
        server: other.server.clone(),
        before: runs.before,
        limit: other.limit.unwrap_or(1_000),
    };
    let expected = one.calls(calls.clone()).await.unwrap();
    let found = two.calls(calls.clone()).await.unwrap();
    assert_eq!(found, expected, "seed {seed}: {calls:?}");
}
