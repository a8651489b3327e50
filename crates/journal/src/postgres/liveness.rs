//! Which processes are alive, by the database's clock.
//!
//! A process that owns calls says every second that it lives, one that only has an inbox that watches every five, and it
//! holds an advisory lock on the connection on which it listens. Its lease decides. Where it has not been heard for a
//! few seconds and the server has let go of its lock, it is gone: its connection ended, as it does with the
//! process. A process that is only cut off may be taken for dead so; its next write is refused by the epoch.

use std::time::Duration;
use uuid::Uuid;

/// For how long a process counts as alive without a further sign.
pub(super) const LEASE: Duration = Duration::from_secs(30);

/// How often it gives one.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(1);

/// How often one that owns no call does: its lock says meanwhile that it lives.
pub(super) const IDLE_HEARTBEAT: Duration = Duration::from_secs(5);

/// Whether the process of the row `o` of `holdpoint.owners` is alive.
pub(super) const IS_ALIVE: &str = "(o.lease_until > clock_timestamp() \
     AND (o.seen_at > clock_timestamp() - interval '3 seconds' \
          OR NOT pg_try_advisory_xact_lock_shared(hashtextextended('holdpoint owner ' || o.id, 0))))";

/// Takes the lock of a process, and a share in the lock of all that have the journal open to write, for as long
/// as the connection lasts.
pub(super) fn take_locks(owner: Uuid) -> String {
    format!(
        "SELECT pg_advisory_lock(hashtextextended('holdpoint owner {owner}', 0));
         SELECT pg_advisory_lock_shared(hashtextextended('holdpoint open', 0))"
    )
}

/// Says that the process `$1` lives, for `$2` seconds from now.
pub(super) const RENEW: &str = "
    INSERT INTO holdpoint.owners (id, seen_at, lease_until)
    VALUES ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))
    ON CONFLICT (id) DO UPDATE
    SET seen_at = excluded.seen_at, lease_until = excluded.lease_until";
