//! The tables, and how an older database is brought up to date.

use super::sql_error::what;
use crate::JournalError;
use tokio_postgres::{Client, Error, GenericClient, Row, error::SqlState};

#[cfg(test)]
mod tests;

/// Each step takes a database from the version of its index to the next. A step that was released is
/// never changed; new steps are added behind it, and add only: an older replica goes on beside a newer one.
const STEPS: [Step; 1] = [Step {
    sql: FIRST,
    lowest_writer: 1,
}];

/// How many seconds a program waits for another that makes a step.
const PATIENCE: u32 = 30;

/// A step from one version of the tables to the next.
#[derive(Debug, Clone, Copy)]
struct Step {
    sql: &'static str,
    /// The lowest version that a program has to know to write once this step is made. A step that only adds
    /// what an older program can leave empty keeps the one before it.
    lowest_writer: u32,
}

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
        hash bytea NOT NULL,
        version integer NOT NULL DEFAULT 0,
        lowest_writer integer NOT NULL DEFAULT 0
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
    CREATE INDEX pruned_events ON holdpoint.events (seq) WHERE kind = 'pruned';
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
    CREATE TABLE holdpoint.vault_keys (
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

/// The version of the tables that this program knows.
pub(super) fn known() -> u32 {
    last(&STEPS)
}

/// Whether a program of this version may write, by the lowest that may: read with the head's lock, so that
/// an older replica stops when a newer one has made a step that it does not know how to keep.
///
/// # Errors
/// When it may not any more.
pub(super) fn may_write(lowest_writer: i32) -> Result<(), JournalError> {
    match u32::try_from(lowest_writer) {
        Ok(lowest) if lowest <= known() => Ok(()),
        _ => Err(JournalError::write(too_old(lowest_writer, known()))),
    }
}

fn too_old(lowest_writer: impl std::fmt::Display, known: u32) -> String {
    format!(
        "a newer Holdpoint changed its schema, which only programs that know version {lowest_writer} or \
         newer may write now, and this one knows {known}: update it"
    )
}

/// That the schema is not ours.
pub(super) fn foreign() -> String {
    "the schema `holdpoint` of this database belongs to something else; name another database. Nothing \
     was changed"
        .to_owned()
}

/// How a database is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// How many of the steps it has.
    pub version: u32,
    /// How many a program has to know to write.
    pub lowest_writer: u32,
}

/// What is in a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// No tables; the schema may be there, made by an administrator.
    Nothing { has_schema: bool },
    /// Somebody else's.
    Foreign,
    /// Ours.
    Ours(State),
}

/// What is in the database. The catalog may be read without any right.
pub(super) async fn look(client: &impl GenericClient) -> Result<Found, Error> {
    let row = client
        .query_one(
            "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'holdpoint'), \
                 count(*) > 0, \
                 count(*) FILTER (WHERE c.relname = 'head' AND EXISTS (SELECT FROM pg_attribute a \
                     WHERE a.attrelid = c.oid AND a.attname = 'lowest_writer')) > 0 \
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = 'holdpoint'",
            &[],
        )
        .await?;
    let flag = |column| row.get::<_, bool>(column);
    let (has_schema, has_tables, is_ours) = (flag(0), flag(1), flag(2));
    if !is_ours {
        return Ok(if has_tables {
            Found::Foreign
        } else {
            Found::Nothing { has_schema }
        });
    }
    let row = client
        .query_opt("SELECT version, lowest_writer FROM holdpoint.head", &[])
        .await?;
    let number = |row: &Row, column| u32::try_from(row.get::<_, i32>(column)).unwrap_or(u32::MAX);
    Ok(row.map_or(Found::Foreign, |row| {
        Found::Ours(State {
            version: number(&row, 0),
            lowest_writer: number(&row, 1),
        })
    }))
}

/// Makes the tables where there are none, and brings older ones up to date: all of it or nothing, and one
/// program at a time.
///
/// # Errors
/// When it cannot be done, or a newer program keeps this one from writing.
pub(super) async fn prepare(client: &mut Client, place: &str) -> Result<(), JournalError> {
    prepare_with(client, place, &STEPS).await
}

async fn prepare_with(
    client: &mut Client,
    place: &str,
    steps: &[Step],
) -> Result<(), JournalError> {
    let failed = |error: Error| {
        let what = match error.code() {
            Some(&SqlState::LOCK_NOT_AVAILABLE) => format!(
                "another Holdpoint has been bringing its schema up to date for {PATIENCE} seconds; \
                 try again when it is done"
            ),
            _ => format!(
                "its tables cannot be made or brought up to date: {}",
                what(&error)
            ),
        };
        JournalError::open(place, what).with_source(error)
    };
    if is_ready(look(client).await.map_err(failed)?, place, steps)? {
        return Ok(());
    }
    let transaction = client.transaction().await.map_err(failed)?;
    let lock = format!(
        "SET LOCAL lock_timeout = '{PATIENCE}s'; \
         SELECT pg_advisory_xact_lock(hashtextextended('holdpoint schema', 0))"
    );
    transaction.batch_execute(&lock).await.map_err(failed)?;
    // Another may have done it meanwhile.
    let found = look(&transaction).await.map_err(failed)?;
    if is_ready(found, place, steps)? {
        return Ok(());
    }
    let done = match found {
        Found::Ours(state) => {
            // Nobody commits while it changes.
            let head = "SELECT FROM holdpoint.head FOR UPDATE";
            transaction.batch_execute(head).await.map_err(failed)?;
            state.version
        }
        Found::Nothing { has_schema: true } => 0,
        _ => {
            let create = "CREATE SCHEMA holdpoint";
            transaction.batch_execute(create).await.map_err(failed)?;
            0
        }
    };
    let missing = steps
        .iter()
        .skip(usize::try_from(done).unwrap_or(usize::MAX));
    let mut lowest_writer = 0;
    for step in missing {
        transaction.batch_execute(step.sql).await.map_err(failed)?;
        lowest_writer = lowest_writer.max(step.lowest_writer);
    }
    let state = format!(
        "UPDATE holdpoint.head SET version = {}, \
             lowest_writer = greatest(lowest_writer, {lowest_writer})",
        last(steps)
    );
    transaction.batch_execute(&state).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// Whether nothing is to be done.
fn is_ready(found: Found, place: &str, steps: &[Step]) -> Result<bool, JournalError> {
    let known = last(steps);
    match found {
        Found::Foreign => Err(JournalError::open(place, foreign())),
        Found::Nothing { .. } => Ok(false),
        Found::Ours(state) if state.lowest_writer > known => {
            let what = too_old(state.lowest_writer, known);
            Err(JournalError::open(
                place,
                format!("{what}. Nothing was changed"),
            ))
        }
        Found::Ours(state) => Ok(state.version >= known),
    }
}

fn last(steps: &[Step]) -> u32 {
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

/// The rights in our schema that the role lacks, each as `RIGHT on TABLE`. Events are only added, so an
/// administrator may keep everybody from changing them.
pub(super) async fn missing_rights(client: &Client) -> Result<Vec<String>, Error> {
    let rows = client
        .query(
            "SELECT needed.name || ' on ' || c.relname \
             FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE']) AS needed (name) \
             WHERE n.nspname = 'holdpoint' AND c.relkind = 'r' \
                 AND NOT (needed.name = 'UPDATE' AND c.relname = 'events') \
                 AND NOT has_table_privilege(c.oid, needed.name) \
             ORDER BY c.relname, needed.name",
            &[],
        )
        .await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}
