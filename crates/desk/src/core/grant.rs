//! Grants: single-use, expiring permissions. One yes gives one, to the principal of its ask and for one digest,
//! which whoever asked made of what was shown: the desk cannot tell whether it is.

use super::desk::Desk;
use crate::clock::later;
use holdpoint_ask::{Decision, Digest, GrantId, Outcome};
use holdpoint_journal::{GrantRecord, JournalError, Redeemed, Write, Written};
use std::time::Duration;

/// Why there is no grant, or it is not good.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum GrantError {
    /// The ask has given its permission before, used or not.
    #[error("this answer has given its permission before: ask again")]
    AlreadyGiven,
    /// Only an accepted ask that is on record, with every confirm in it a yes, gives a grant.
    #[error("only an accepted answer that is on record gives a permission")]
    NotAccepted,
    /// It was used before.
    #[error("this permission was used before: ask again")]
    Used,
    /// It has expired.
    #[error("this permission has expired: ask again")]
    Expired,
    /// What is about to be done is not what was shown.
    #[error("what was approved is not what is about to be done: ask again")]
    OtherDigest,
    /// There is none of this id for this purpose and principal.
    #[error("there is no such permission")]
    Unknown,
    /// The record could not be read or written.
    #[error("the record could not be kept")]
    Journal(#[from] JournalError),
}

impl Desk {
    /// Gives a grant for what an accepted ask has shown, once. The decision is believed from the journal
    /// only. Give the digest of exactly what was shown, read before the ask: nothing else binds them.
    ///
    /// # Errors
    /// When the ask was not accepted on record or has given a grant, or the record cannot be kept.
    pub async fn grant(
        &self,
        decision: &Decision,
        purpose: &str,
        digest: Digest,
        lifetime: Duration,
    ) -> Result<GrantId, GrantError> {
        let record = self.journal().ask(decision.ask).await?;
        let record = record.ok_or(GrantError::NotAccepted)?;
        let accepted = match record.decision.as_ref().map(|decision| &decision.outcome) {
            // An ending that says no is accepted too, without what a yes needs.
            Some(Outcome::Accepted(answer)) => record.ask.form.says_yes(answer),
            _ => false,
        };
        if !accepted {
            return Err(GrantError::NotAccepted);
        }
        let now = self.now();
        let grant = GrantRecord {
            id: GrantId::from_ask(record.id),
            ask: record.id,
            principal: record.origin.principal,
            purpose: purpose.to_owned(),
            digest,
            issued_at: now,
            expires_at: later(now, lifetime),
            redeemed_at: None,
        };
        let id = grant.id;
        let issue = vec![Write::IssueGrant(grant)];
        match self.journal().commit(issue).await?.as_slice() {
            [Written::Applied(true)] => Ok(id),
            _ => Err(GrantError::AlreadyGiven),
        }
    }

    /// Uses a grant up, for exactly the thing that was shown.
    ///
    /// # Errors
    /// When it is not good for this; then it is not used up, and nothing may be done.
    pub async fn redeem(
        &self,
        grant: GrantId,
        principal: &str,
        purpose: &str,
        digest: Digest,
    ) -> Result<(), GrantError> {
        let redeem = Write::RedeemGrant {
            required: false,
            grant,
            digest,
            purpose: purpose.to_owned(),
            principal: principal.to_owned(),
            at: self.now(),
        };
        match self.journal().commit(vec![redeem]).await?.as_slice() {
            [Written::Redeemed(found)] => result(*found),
            _ => Err(GrantError::Unknown),
        }
    }
}

/// What whoever uses a grant up is told.
pub(crate) fn result(found: Redeemed) -> Result<(), GrantError> {
    match found {
        Redeemed::Good => Ok(()),
        Redeemed::Used => Err(GrantError::Used),
        Redeemed::Expired => Err(GrantError::Expired),
        Redeemed::OtherDigest => Err(GrantError::OtherDigest),
        Redeemed::Unknown => Err(GrantError::Unknown),
    }
}
