//! The `Store` over an open transaction.

use super::{query, row_cache::RowCache, select_rows, sql_error::write_error};
use crate::{
    EventKind, GrantRecord, JournalError, StoredEvent,
    rules::{AskRow, CallRow, Entry, Head, Link, StepRow, Store, pruned_body},
};
use holdpoint_ask::{AskId, CallId, GrantId};
use holdpoint_workspace::ProcessLock;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Params};
use std::path::Path;
use uuid::Uuid;

/// After how many milliseconds the lease of a dead process is deleted.
const STALE: i64 = 24 * 3600 * 1000;

/// What the writer knows of the file between two transactions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// The last event.
    pub head: Head,
    /// Until when this process's lease runs.
    pub lease_until: i64,
}

/// A transaction that is open.
#[derive(Debug)]
pub(super) struct Transaction<'a> {
    pub conn: &'a Connection,
    pub me: Uuid,
    /// The folder of the process locks; none where no other process can have the journal open.
    pub locks: Option<&'a Path>,
    pub now: i64,
    /// For how long a process counts as alive without a further sign, in milliseconds.
    pub lease: i64,
    pub known: Known,
    pub row_cache: &'a mut RowCache,
    /// The calls that this process came to own.
    pub won: Vec<CallId>,
}

impl Transaction<'_> {
    fn run(&self, sql: &str, params: impl Params) -> Result<(), JournalError> {
        let run = || self.conn.prepare_cached(sql)?.execute(params);
        run().map(|_| ()).map_err(write_error)
    }

    fn insert_event(&mut self, link: &Link<'_>, head: Head) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO events (seq, at, kind, call, ask, body, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                link.seq,
                link.at,
                link.kind,
                link.call,
                link.ask,
                link.body,
                head.hash.as_bytes(),
            ),
        )?;
        self.known.head = head;
        Ok(())
    }

    /// Makes sure that the owner of a call has a lease with most of its time left.
    fn own(&mut self, owner: Uuid, call: CallId) -> Result<(), JournalError> {
        if owner != self.me {
            return Ok(());
        }
        self.won.push(call);
        if self.known.lease_until - self.now < self.lease / 3 * 2 {
            self.run(
                "DELETE FROM owners WHERE lease_until < ?",
                [self.now - STALE],
            )?;
            self.set_lease(owner, self.now + self.lease)?;
        }
        Ok(())
    }
}

impl Store for Transaction<'_> {
    fn append(&mut self, entry: Entry<'_>) -> Result<u64, JournalError> {
        let head = self.known.head.then(&entry);
        let link = Link {
            seq: head.seq,
            at: entry.at,
            kind: entry.kind.as_str(),
            call: entry.call.as_ref().map(|id| id.as_bytes().as_slice()),
            ask: entry.ask.as_ref().map(|id| id.as_bytes().as_slice()),
            body: entry.body,
        };
        self.insert_event(&link, head)?;
        Ok(head.seq)
    }

    fn append_stored(&mut self, event: &StoredEvent) -> Result<(), JournalError> {
        let (seq, hash) = (event.seq, event.hash);
        self.insert_event(&event.link(), Head { seq, hash })
    }

    fn hashes_of_bodies(&mut self, seqs: &[u64]) -> Result<Vec<Head>, JournalError> {
        let mut found = Vec::with_capacity(seqs.len());
        for seq in seqs {
            let event = select_rows::event(self.conn, *seq).map_err(write_error)?;
            let event = event.filter(|event| event.link().pruned_by().is_none());
            found.extend(event.map(|StoredEvent { seq, hash, .. }| Head { seq, hash }));
        }
        Ok(found)
    }

    fn drop_bodies(&mut self, seqs: &[u64], by: u64) -> Result<(), JournalError> {
        let body = pruned_body(by);
        let drop = |seq| self.run("UPDATE events SET body = ? WHERE seq = ?", (&body, seq));
        seqs.iter().try_for_each(drop)
    }

    fn body(&mut self, seq: u64, kind: EventKind) -> Result<Option<String>, JournalError> {
        let sql = "SELECT body FROM events WHERE seq = ? AND kind = ?";
        let read = || {
            self.conn
                .prepare_cached(sql)?
                .query_row((seq, kind.as_str()), |row| row.get(0))
                .optional()
        };
        read().map_err(write_error)
    }

    fn last_pin_event(&mut self) -> Result<u64, JournalError> {
        let last = query::guard_events(self.conn, &EventKind::PIN, 1)?;
        Ok(last.first().map_or(0, |event| event.seq))
    }

    fn call(&mut self, id: CallId) -> Result<Option<CallRow>, JournalError> {
        if let Some(row) = self.row_cache.calls.get(id) {
            return Ok(Some(row));
        }
        let row = select_rows::call(self.conn, id).map_err(write_error)?;
        if let Some(row) = &row {
            self.row_cache.calls.insert(id, row.clone());
        }
        Ok(row)
    }

    fn insert_call(&mut self, row: CallRow) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO calls (id, opened, owner, epoch, finished, binding)
             VALUES (?, ?, ?, ?, ?, ?)",
            (
                row.id.as_bytes(),
                row.opened,
                row.owner.as_bytes(),
                row.epoch,
                row.finished,
                row.binding.as_ref().map(|binding| binding.0.as_bytes()),
            ),
        )?;
        self.own(row.owner, row.id)?;
        self.row_cache.calls.insert(row.id, row);
        Ok(())
    }

    fn set_owner(&mut self, id: CallId, owner: Uuid, epoch: u64) -> Result<(), JournalError> {
        self.run(
            "UPDATE calls SET owner = ?, epoch = ? WHERE id = ?",
            (owner.as_bytes(), epoch, id.as_bytes()),
        )?;
        self.row_cache.calls.remove(id);
        self.own(owner, id)
    }

    fn set_finished(&mut self, id: CallId, seq: u64) -> Result<(), JournalError> {
        self.run(
            "UPDATE calls SET finished = ? WHERE id = ? AND finished IS NULL",
            (seq, id.as_bytes()),
        )?;
        self.row_cache.calls.remove(id);
        Ok(())
    }

    fn remove_call(&mut self, id: CallId) -> Result<(), JournalError> {
        self.row_cache.calls.remove(id);
        self.run("DELETE FROM calls WHERE id = ?", [id.as_bytes()])
    }

    fn ask(&mut self, id: AskId) -> Result<Option<AskRow>, JournalError> {
        if let Some(row) = self.row_cache.asks.get(id) {
            return Ok(Some(row));
        }
        let row = select_rows::ask(self.conn, id).map_err(write_error)?;
        if let Some(row) = &row {
            self.row_cache.asks.insert(id, row.clone());
        }
        Ok(row)
    }

    fn insert_ask(&mut self, row: AskRow) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO asks (id, call, principal, secret, dangerous, opened, deadline_at, refusals)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                row.id.as_bytes(),
                row.call.as_ref().map(CallId::as_bytes),
                &row.principal,
                row.secret,
                row.dangerous,
                row.opened,
                row.deadline_at,
                row.refusals,
            ),
        )?;
        self.row_cache.asks.insert(row.id, row);
        Ok(())
    }

    fn set_refused(&mut self, id: AskId, refusals: u32, seq: u64) -> Result<(), JournalError> {
        self.row_cache.asks.remove(id);
        self.run(
            "UPDATE asks SET refusals = ?, refused = ? WHERE id = ?",
            (refusals, seq, id.as_bytes()),
        )
    }

    fn set_deadline(&mut self, id: AskId, at: Option<i64>) -> Result<(), JournalError> {
        self.row_cache.asks.remove(id);
        self.run(
            "UPDATE asks SET deadline_at = ? WHERE id = ?",
            (at, id.as_bytes()),
        )
    }

    fn set_decided(&mut self, id: AskId, seq: u64) -> Result<(), JournalError> {
        self.row_cache.asks.remove(id);
        self.run(
            "UPDATE asks SET decided = ? WHERE id = ? AND decided IS NULL",
            (seq, id.as_bytes()),
        )
    }

    fn set_gone(&mut self, id: AskId, gone: bool) -> Result<(), JournalError> {
        self.row_cache.asks.remove(id);
        self.run(
            "UPDATE asks SET gone = ? WHERE id = ?",
            (gone, id.as_bytes()),
        )
    }

    fn remove_ask(&mut self, id: AskId) -> Result<(), JournalError> {
        self.row_cache.asks.remove(id);
        self.drop_parcel(id)?;
        self.run("DELETE FROM grants WHERE ask = ?", [id.as_bytes()])?;
        self.run("DELETE FROM asks WHERE id = ?", [id.as_bytes()])
    }

    fn insert_parcel(&mut self, ask: AskId, sealed: &[u8]) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO parcels (ask, sealed) VALUES (?, ?)",
            (ask.as_bytes(), sealed),
        )
    }

    fn drop_parcel(&mut self, ask: AskId) -> Result<(), JournalError> {
        self.run("DELETE FROM parcels WHERE ask = ?", [ask.as_bytes()])
    }

    fn step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<Option<StepRow>, JournalError> {
        select_rows::step(self.conn, call, name, occurrence).map_err(write_error)
    }

    fn insert_step(&mut self, row: StepRow) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO steps (call, name, occurrence, epoch, started) VALUES (?, ?, ?, ?, ?)",
            (
                row.call.as_bytes(),
                &row.name,
                row.occurrence,
                row.epoch,
                row.started,
            ),
        )
    }

    fn set_step_finished(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
        seq: u64,
    ) -> Result<(), JournalError> {
        self.run(
            "UPDATE steps SET finished = ? WHERE call = ? AND name = ? AND occurrence = ?",
            (seq, call.as_bytes(), name, occurrence),
        )
    }

    fn remove_step(
        &mut self,
        call: CallId,
        name: &str,
        occurrence: u32,
    ) -> Result<(), JournalError> {
        self.run(
            "DELETE FROM steps WHERE call = ? AND name = ? AND occurrence = ?",
            (call.as_bytes(), name, occurrence),
        )
    }

    fn grant(&mut self, id: GrantId) -> Result<Option<GrantRecord>, JournalError> {
        select_rows::grant(self.conn, id).map_err(write_error)
    }

    fn has_granted(&mut self, ask: AskId) -> Result<bool, JournalError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM grants WHERE ask = ?)";
        let read = || {
            self.conn
                .prepare_cached(sql)?
                .query_row([ask.as_bytes()], |row| row.get(0))
        };
        read().map_err(write_error)
    }

    fn insert_grant(&mut self, grant: &GrantRecord) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO grants (id, ask, principal, purpose, digest, issued_at, expires_at)
             VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                grant.id.as_bytes(),
                grant.ask.as_bytes(),
                &grant.principal,
                &grant.purpose,
                grant.digest.as_bytes(),
                grant.issued_at.as_millisecond(),
                grant.expires_at.as_millisecond(),
            ),
        )
    }

    fn set_redeemed(&mut self, id: GrantId, at: Timestamp) -> Result<(), JournalError> {
        self.run(
            "UPDATE grants SET redeemed_at = ? WHERE id = ? AND redeemed_at IS NULL",
            (at.as_millisecond(), id.as_bytes()),
        )
    }

    fn set_lease(&mut self, owner: Uuid, until: i64) -> Result<(), JournalError> {
        self.run(
            "INSERT INTO owners (id, lease_until) VALUES (?, ?)
             ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until",
            (owner.as_bytes(), until),
        )?;
        if owner == self.me {
            self.known.lease_until = until;
        }
        Ok(())
    }

    fn is_alive(&mut self, owner: Uuid, at: i64) -> Result<bool, JournalError> {
        if owner == self.me {
            return Ok(true);
        }
        // The system keeps the lock exactly as long as the process, also while it is stopped, the machine
        // sleeps or the clock jumps: a lease tells less, and counts only where there are no locks.
        if let Some(locks) = self.locks {
            return ProcessLock::is_held(locks, &owner.to_string()).map_err(|error| {
                JournalError::write("the lock of the call's owner cannot be checked")
                    .with_source(error)
            });
        }
        let sql = "SELECT lease_until > ? FROM owners WHERE id = ?";
        let read = || {
            self.conn
                .prepare_cached(sql)?
                .query_row((at, owner.as_bytes()), |row| row.get::<_, bool>(0))
                .optional()
        };
        Ok(read().map_err(write_error)? == Some(true))
    }
}
