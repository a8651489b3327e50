//! Bringing the index up to date.

use super::{
    State, VERSION,
    ended_runs::{self, Ended},
    names::NewNames,
};
use crate::{
    AskRecord, JournalError,
    postgres::{
        query::{ask_record, select},
        select_rows::{ASK_COLUMNS, column},
        sql_error::write_error,
        transaction::label,
    },
    search::text::{fold, text_of},
};
use deadpool_postgres::{Client, GenericClient, Transaction};
use holdpoint_ask::ChannelKind;

/// How many events go into one transaction.
const CHUNK: u64 = 2_000;

/// After so many chunks the database should know anew what its tables hold; it notices less by itself.
const MANY: usize = 20;

/// Adds what was decided up to the head. Several processes may do so at once: they take turns.
pub(super) async fn fill(client: &mut Client) -> Result<(), JournalError> {
    for chunk in 1.. {
        let transaction = client.transaction().await.map_err(write_error)?;
        let is_full = fill_some(&transaction).await?;
        transaction.commit().await.map_err(write_error)?;
        if is_full && chunk > MANY {
            let analyze = "ANALYZE holdpoint.index_asks, holdpoint.index_texts";
            client.batch_execute(analyze).await.map_err(write_error)?;
        }
        if is_full {
            break;
        }
    }
    Ok(())
}

/// Adds the next chunk; true when there is no more.
async fn fill_some(transaction: &Transaction<'_>) -> Result<bool, JournalError> {
    // What a crash takes from the index is filled in again.
    transaction
        .batch_execute("SET LOCAL synchronous_commit = off; SET LOCAL statement_timeout = 0")
        .await
        .map_err(write_error)?;
    let state = State::lock(transaction).await?;
    if state.version > VERSION {
        return Ok(true);
    }
    let mut from = state.filled;
    if state.version < VERSION {
        clear(transaction).await?;
        from = 0;
    }
    let to = state.head.min(from + CHUNK);
    let decided = decided(transaction, from, to).await?;
    let ended = ended_runs::ended(transaction, from, to).await?;
    insert(transaction, &decided, &ended).await?;
    let sql = "UPDATE holdpoint.index_state SET version = $1, filled = $2";
    select(transaction, sql, &[&VERSION, &column(to)]).await?;
    Ok(to == state.head)
}

/// Makes it empty.
async fn clear(client: &impl GenericClient) -> Result<(), JournalError> {
    // Whoever searches meanwhile goes on seeing the rows, as they would not with TRUNCATE.
    for table in ["index_asks", "index_runs", "index_texts", "index_names"] {
        select(client, &format!("DELETE FROM holdpoint.{table}"), &[]).await?;
    }
    Ok(())
}

/// An ask that is decided, and the event that opened it.
struct Decided {
    opened: i64,
    record: AskRecord,
}

/// What was decided by the events behind `from`, up to `to`.
async fn decided(
    client: &impl GenericClient,
    from: u64,
    to: u64,
) -> Result<Vec<Decided>, JournalError> {
    let sql = format!(
        "SELECT {ASK_COLUMNS}, o.at, o.body, r.body, d.body
         FROM holdpoint.events d
         JOIN holdpoint.asks a ON a.id = d.ask AND a.decided = d.seq
         LEFT JOIN holdpoint.events o ON o.seq = a.opened AND o.kind = 'asked' AND o.ask = a.id
         LEFT JOIN holdpoint.events r ON r.seq = a.refused AND r.kind = 'refused' AND r.ask = a.id
         WHERE d.seq > $1 AND d.seq <= $2 AND d.kind = 'decided'"
    );
    let found = select(client, &sql, &[&column(from), &column(to)]).await?;
    let decided = found.iter().map(|row| {
        Ok(Decided {
            opened: row.get("opened"),
            record: ask_record(row)?,
        })
    });
    decided.collect()
}

async fn insert(
    client: &impl GenericClient,
    decided: &[Decided],
    ended: &[Ended],
) -> Result<(), JournalError> {
    let mut names = NewNames::default();
    for Decided { record, .. } in decided {
        names.add(origin_names(record).into_iter().flatten());
        names.add([record.status().as_str()]);
        names.add(channel(record));
    }
    for run in ended {
        names.add(run.names().into_iter().flatten());
    }
    let numbers = names.number(client).await?;
    let number = |name: Option<&str>| name.and_then(|name| numbers.get(name).copied());

    let of_asks = |value: &dyn Fn(&AskRecord) -> Option<i32>| -> Vec<Option<i32>> {
        decided.iter().map(|ask| value(&ask.record)).collect()
    };
    let origins: [Vec<Option<i32>>; 5] =
        std::array::from_fn(|place| of_asks(&|record| number(origin_names(record)[place])));
    let [servers, principals, workspaces, tools, clients] = &origins;
    let statuses = of_asks(&|record| number(Some(record.status().as_str())));
    let channels = of_asks(&|record| number(channel(record)));
    let opened: Vec<i64> = decided.iter().map(|ask| ask.opened).collect();
    let (mut opened_at, mut durations, mut fast) = (Vec::new(), Vec::new(), Vec::new());
    for Decided { record, .. } in decided {
        opened_at.push(record.opened_at.as_millisecond());
        let decision = record.decision.as_ref();
        durations.push(column(decision.map_or(0, |decision| decision.duration_ms)));
        fast.push(decision.is_some_and(|decision| decision.fast));
    }
    select(
        client,
        "INSERT INTO holdpoint.index_asks (opened, opened_at, duration, server, principal,
            workspace, tool, client, status, channel, fast)
         SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[],
            $5::integer[], $6::integer[], $7::integer[], $8::integer[], $9::integer[],
            $10::integer[], $11::boolean[])",
        &[
            &opened, &opened_at, &durations, servers, principals, workspaces, tools, clients,
            &statuses, &channels, &fast,
        ],
    )
    .await?;
    let texts = decided
        .iter()
        .map(|ask| (ask.opened, text_of(&ask.record)))
        .chain(ended.iter().map(Ended::text));
    let (opened, texts): (Vec<i64>, Vec<String>) = texts
        .map(|(opened, text)| (opened, label(&fold(&text)).into_owned()))
        .unzip();
    select(
        client,
        "INSERT INTO holdpoint.index_texts (opened, text)
         SELECT * FROM unnest($1::bigint[], $2::text[])",
        &[&opened, &texts],
    )
    .await?;
    ended_runs::insert(client, ended, &number).await
}

/// Where an ask came from: the server, the principal, the workspace, the tool and the client.
fn origin_names(record: &AskRecord) -> [Option<&str>; 5] {
    let origin = &record.origin;
    [
        origin.server.as_deref(),
        Some(&origin.principal),
        origin.workspace.as_deref(),
        origin.tool.as_deref(),
        origin.client.as_deref(),
    ]
}

/// The channel that its answer came through.
fn channel(record: &AskRecord) -> Option<&str> {
    let decision = record.decision.as_ref()?;
    decision.channel.as_ref().map(ChannelKind::as_str)
}
