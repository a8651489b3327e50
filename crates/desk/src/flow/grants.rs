//! Grants inside a flow: given and used once, however often the flow is run again.

use super::call::Call;
use crate::{GrantError, core::grant::result};
use holdpoint_ask::{Decision, Digest, GrantId};
use holdpoint_journal::{GrantUse, JournalError, Redeemed, StepStart, StepState, Write, Written};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

impl Call {
    /// As [`Desk::grant`](crate::Desk::grant), for a decision of this flow's; a later run of the same
    /// flow gets the same grant.
    pub async fn grant(
        &self,
        decision: &Decision,
        purpose: &str,
        digest: Digest,
        lifetime: Duration,
    ) -> Result<GrantId, GrantError> {
        let desk = &self.desk;
        let ask = desk.journal().ask(decision.ask).await?;
        if !ask.is_some_and(|ask| ask.origin.is_bound_like(&self.request.origin)) {
            return Err(GrantError::NotAccepted);
        }
        match desk.grant(decision, purpose, digest, lifetime).await {
            Err(GrantError::AlreadyGiven) => {
                let id = GrantId::from_ask(decision.ask);
                let given = desk.journal().grant(id).await?;
                let same = given.is_some_and(|given| {
                    given.ask == decision.ask && given.purpose == purpose && given.digest == digest
                });
                same.then_some(id).ok_or(GrantError::AlreadyGiven)
            }
            granted => granted,
        }
    }

    /// As [`Desk::redeem`](crate::Desk::redeem), in the name of this flow's principal; a later run of
    /// the same flow gets what this one got.
    pub async fn redeem(
        self: &Arc<Self>,
        grant: GrantId,
        purpose: &str,
        digest: Digest,
    ) -> Result<(), GrantError> {
        let name = format!("redeem {grant}");
        let (occurrence, past, epoch) = self.next_step(&name);
        match past {
            Some(StepState::Finished(value)) => return read(value),
            // Both are one commit: it cannot be half done.
            Some(StepState::Started { .. }) => return Err(GrantError::Used),
            None => {}
        }
        let principal = &self.session.principal;
        let at = self.desk.now();
        let redeem = Write::RedeemGrant {
            required: true,
            grant,
            digest,
            purpose: purpose.to_owned(),
            principal: principal.clone(),
            at,
        };
        let start = self.start_step(&name, occurrence, epoch, None);
        let finish = |found| self.finish_step(&name, occurrence, epoch, json!(found), None);
        let batch = vec![start.clone(), redeem, finish(Redeemed::Good)];
        let failure = match self.commit_with_opening(batch).await {
            Ok(written) => return used(&written),
            Err(failure) => failure,
        };
        let given = self.desk.journal().grant(grant).await?;
        let good_for = GrantUse {
            purpose,
            principal,
            digest,
            at,
        };
        let found = good_for.check(given.as_ref());
        if found == Redeemed::Good {
            return Err(failure.into());
        }
        let batch = vec![start, finish(found)];
        self.commit_with_opening(batch).await?;
        result(found)
    }
}

/// What came of using it up and recording that as a step.
fn used(written: &[Written]) -> Result<(), GrantError> {
    match written {
        [
            Written::Step(StepStart::Started),
            Written::Redeemed(Redeemed::Good),
            Written::Applied(true),
        ] => Ok(()),
        // Another process runs the flow: it has the grant, and this one does nothing with it.
        _ => Err(GrantError::Used),
    }
}

fn read(value: Value) -> Result<(), GrantError> {
    let found = serde_json::from_value(value).map_err(|error| {
        JournalError::damaged("the use of a grant is recorded in unknown words").with_source(error)
    })?;
    result(found)
}
