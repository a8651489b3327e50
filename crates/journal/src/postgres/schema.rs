//! The tables, and how an older database is brought up to date.

use crate::JournalError;
use tokio_postgres::Client;

/// Each step takes a database from the version of its index to the next. A step that was released is
/// never changed; new steps are added behind it, and add only: an older replica goes on beside a newer one.
pub(super) const STEPS: [&str; 1] = [FIRST];

/// The events that are about who may answer, as the index of that name has them.
pub(super) const GUARD_EVENTS: &str = "kind IN ('pin_set', 'pin_cleared', 'pin_tried', \
     'wrong_pin', 'pin_given', 'agent_answered')";

/// Ids are unique and rows point at what exists because the rules see to it, under the lock of the head; so
/// there are no foreign keys to pay for. Texts are sorted as bytes, as SQLite sorts them. A step is found by
/// the digest of its name, since an index holds no long text.
const FIRST: &str = r#"
    CREATE TABLE holdpoint.head (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        seq bigint NOT NULL,
        hash bytea NOT NULL
    );
    INSERT INTO holdpoint.head (seq, hash) VALUES (0, decode(repeat('00', 32), 'hex'));
    CREATE TABLE holdpoint.events (
        seq bigint PRIMARY KEY,
        at bigint NOT NULL,
        kind text NOT NULL,
        call uuid,
        ask uuid,
        body text NOT NULL,
        hash bytea NOT NULL
    );
    CREATE INDEX guard_events ON holdpoint.events (seq)
        WHERE kind IN ('pin_set', 'pin_cleared', 'pin_tried', 'wrong_pin', 'pin_given',
            'agent_answered');
    CREATE TABLE holdpoint.calls (
        id uuid PRIMARY KEY,
        opened bigint NOT NULL,
        owner uuid NOT NULL,
        epoch bigint NOT NULL,
        finished bigint,
        binding bytea,
        method text NOT NULL,
        tool text,
        server text
    );
    CREATE INDEX unfinished_calls ON holdpoint.calls (binding, owner, id)
        WHERE finished IS NULL AND binding IS NOT NULL;
    CREATE TABLE holdpoint.asks (
        id uuid PRIMARY KEY,
        call uuid,
        principal text NOT NULL,
        secret boolean NOT NULL,
        dangerous boolean NOT NULL,
        opened bigint NOT NULL,
        deadline_at bigint,
        refusals bigint NOT NULL,
        refused bigint,
        decided bigint,
        gone boolean NOT NULL
    );
    CREATE INDEX asks_of_call ON holdpoint.asks (call) WHERE call IS NOT NULL;
    CREATE INDEX asks_by_opening ON holdpoint.asks (opened);
    CREATE INDEX open_asks ON holdpoint.asks (dangerous, id) WHERE decided IS NULL;
    CREATE TABLE holdpoint.steps (
        call uuid NOT NULL,
        name text COLLATE "C" NOT NULL,
        name_digest bytea NOT NULL,
        occurrence bigint NOT NULL,
        epoch bigint NOT NULL,
        started bigint NOT NULL,
        finished bigint,
        PRIMARY KEY (call, name_digest, occurrence)
    );
    CREATE INDEX steps_by_name ON holdpoint.steps (left(name, 400), finished);
    CREATE TABLE holdpoint.grants (
        id uuid PRIMARY KEY,
        ask uuid NOT NULL,
        principal text NOT NULL,
        purpose text NOT NULL,
        digest bytea NOT NULL,
        issued_at bigint NOT NULL,
        expires_at bigint NOT NULL,
        redeemed_at bigint
    );
    CREATE INDEX grants_of_ask ON holdpoint.grants (ask);
    CREATE TABLE holdpoint.parcels (
        ask uuid PRIMARY KEY,
        sealed bytea NOT NULL
    );
    CREATE TABLE holdpoint.owners (
        id uuid PRIMARY KEY,
        seen_at timestamptz NOT NULL,
        lease_until timestamptz NOT NULL
    );
    CREATE TABLE holdpoint.watchers (
        id uuid PRIMARY KEY,
        owner uuid NOT NULL
    );
    CREATE TABLE holdpoint.vault (
        name text COLLATE "C" PRIMARY KEY,
        value bytea NOT NULL
    );

    -- What a history looks up beside the events that rows point at. There are few, so a commit pays little.
    CREATE INDEX notes_of_ask ON holdpoint.events (ask, seq)
        WHERE ask IS NOT NULL AND kind NOT IN ('asked', 'decided');
    CREATE INDEX notes_of_call ON holdpoint.events (call, seq)
        WHERE call IS NOT NULL AND ask IS NULL
            AND kind NOT IN ('called', 'step_started', 'step_finished', 'finished');

    -- The index that searches use; see `search_index`.
    CREATE TABLE holdpoint.index_state (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        version integer NOT NULL,
        filled bigint NOT NULL
    );
    INSERT INTO holdpoint.index_state (version, filled) VALUES (0, 0);
    CREATE TABLE holdpoint.index_names (
        id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        digest bytea NOT NULL UNIQUE,
        name bytea NOT NULL
    );
    CREATE TABLE holdpoint.index_asks (
        opened bigint PRIMARY KEY,
        opened_at bigint NOT NULL,
        duration bigint NOT NULL,
        server integer,
        principal integer NOT NULL,
        workspace integer,
        tool integer,
        client integer,
        status integer NOT NULL,
        channel integer,
        fast boolean NOT NULL
    );
    CREATE INDEX index_asks_seen
        ON holdpoint.index_asks (principal, workspace, server, opened);
    CREATE TABLE holdpoint.index_runs (
        id uuid PRIMARY KEY,
        opened bigint NOT NULL UNIQUE,
        opened_at bigint NOT NULL,
        server integer,
        tool integer,
        client integer
    );
    CREATE TABLE holdpoint.index_texts (
        opened bigint PRIMARY KEY,
        text text COLLATE "C" NOT NULL
    );
"#;

/// Makes the tables where there are none.
pub(super) async fn prepare(client: &mut Client, place: &str) -> Result<(), JournalError> {
    let failed = |error: tokio_postgres::Error| {
        JournalError::open(place, "its tables cannot be made").with_source(error)
    };
    let transaction = client.transaction().await.map_err(failed)?;
    transaction
        .batch_execute("SELECT pg_advisory_xact_lock(hashtextextended('holdpoint schema', 0))")
        .await
        .map_err(failed)?;
    let there = transaction
        .query_one("SELECT to_regclass('holdpoint.head') IS NOT NULL", &[])
        .await
        .map_err(failed)?;
    if !there.get::<_, bool>(0) {
        transaction
            .batch_execute("CREATE SCHEMA IF NOT EXISTS holdpoint")
            .await
            .map_err(failed)?;
        for step in STEPS {
            transaction.batch_execute(step).await.map_err(failed)?;
        }
    }
    transaction.commit().await.map_err(failed)
}
