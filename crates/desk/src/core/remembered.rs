//! What people gave with a yes to be remembered: scopes, kept as grants that stand until they end or are revoked.

use super::{desk::Desk, grant::GrantError};
use crate::clock::later;
use holdpoint_ask::{Ask, Decision, GrantId, remember::OfferedScope};
use holdpoint_journal::{AskRecord, GrantRecord, JournalError, Write};
use jiff::Timestamp;
use std::time::Duration;

/// What their grants are for.
const PURPOSE: &str = "scope";

/// What has no end of its own is good for a hundred years, or until it is revoked.
const NO_END: Duration = Duration::from_secs(100 * 366 * 86_400);

/// A permission that a person gave with a yes, and that stands.
///
/// ```
/// fn line(remembered: &holdpoint::Remembered) -> String {
///     format!("{}: {} since {}", remembered.id, remembered.scope.scope, remembered.given_at)
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Remembered {
    /// By what it is revoked.
    pub id: GrantId,
    /// What is permitted, as whoever asked put it.
    pub scope: OfferedScope,
    /// When it was given.
    pub given_at: Timestamp,
    /// When it ends; none where only revoking ends it.
    pub until: Option<Timestamp>,
    /// The ask whose answer gave it, with its decision.
    pub ask: AskRecord,
}

impl Desk {
    /// What people gave with a yes to be remembered and what is good now, newest first. All of it is believed from
    /// the journal: the answer that is on record, and exactly what it was shown to give.
    ///
    /// ```
    /// # async fn list(desk: &holdpoint::Desk) -> Result<(), holdpoint::journal::JournalError> {
    /// for remembered in desk.remembered().await? {
    ///     println!("{} gives {}", remembered.ask.id, remembered.scope.scope);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn remembered(&self) -> Result<Vec<Remembered>, JournalError> {
        let now = self.now();
        let mut remembered = Vec::new();
        for grant in self.journal().unused_grants(PURPOSE).await? {
            if grant.expires_at > now
                && let Some(ask) = self.journal().ask(grant.ask).await?
            {
                remembered.extend(believe(&grant, ask));
            }
        }
        Ok(remembered)
    }

    /// Revokes what is remembered: it permits nothing from now on, in every process, and that is on record.
    ///
    /// ```
    /// # async fn revoke(desk: &holdpoint::Desk, id: holdpoint::GrantId) -> Result<(), holdpoint::GrantError> {
    /// desk.revoke_remembered(id).await
    /// # }
    /// ```
    ///
    /// # Errors
    /// When it does not stand any more, or the record cannot be kept.
    pub async fn revoke_remembered(&self, id: GrantId) -> Result<(), GrantError> {
        let grant = self.journal().grant(id).await?;
        let grant = grant.filter(|grant| grant.purpose == PURPOSE);
        let grant = grant.ok_or(GrantError::Unknown)?;
        self.redeem(id, &grant.principal, PURPOSE, grant.digest)
            .await
    }
}

/// A decision as it is written down: with the grant that it gives, where a permission is to be remembered.
pub(super) fn settling(ask: &Ask, principal: &str, decision: Decision) -> Write {
    let Some(offered) = ask.remembered(&decision.outcome) else {
        return Write::Settle(decision);
    };
    let lifetime = offered.seconds.map_or(NO_END, Duration::from_secs);
    let grant = GrantRecord {
        id: GrantId::from_ask(decision.ask),
        ask: decision.ask,
        principal: principal.to_owned(),
        purpose: PURPOSE.to_owned(),
        digest: offered.digest(),
        issued_at: decision.at,
        expires_at: later(decision.at, lifetime),
        redeemed_at: None,
    };
    Write::SettleGranting { decision, grant }
}

/// What a grant permits, by the answer that is on record; none where that does not say it.
fn believe(grant: &GrantRecord, ask: AskRecord) -> Option<Remembered> {
    let decision = ask.decision.as_ref()?;
    let scope = ask.ask.remembered(&decision.outcome)?;
    if scope.digest() != grant.digest {
        return None;
    }
    let scope = scope.clone();
    Some(Remembered {
        id: grant.id,
        given_at: grant.issued_at,
        until: scope.seconds.map(|_| grant.expires_at),
        scope,
        ask,
    })
}
