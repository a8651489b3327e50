//! Grants: good once, for what was shown, after a yes.

use super::fixture::{Fixture, at, decided, grant, yes};
use crate::{GrantRecord, JournalError, Redeemed, Settled, Write, Written};
use holdpoint_ask::{AskId, Digest, GrantId, Outcome};

pub async fn a_grant_is_good_once_and_only_for_what_was_shown(fixture: &Fixture) {
    let issue = async |change: fn(&mut GrantRecord)| {
        let mut grant = grant(fixture.settled(yes()).await);
        change(&mut grant);
        let issue = Write::IssueGrant(grant.clone());
        assert_eq!(fixture.one(issue).await, Written::Applied(true));
        grant
    };
    let good = issue(|_| ()).await;
    let old = issue(|grant| grant.expires_at = at(7)).await;
    assert_eq!(
        fixture.journal.grant(good.id).await.unwrap(),
        Some(good.clone())
    );
    assert_eq!(fixture.journal.grant(GrantId::new()).await.unwrap(), None);

    let check = async |grant: &GrantRecord, expected: Redeemed| {
        let write = Write::RedeemGrant {
            required: false,
            grant: grant.id,
            digest: grant.digest,
            purpose: grant.purpose.clone(),
            principal: grant.principal.clone(),
            at: at(7),
        };
        assert_eq!(
            fixture.one(write).await,
            Written::Redeemed(expected),
            "{grant:?}"
        );
    };
    let other = |change: fn(&mut GrantRecord)| {
        let mut grant = good.clone();
        change(&mut grant);
        grant
    };
    check(&other(|grant| grant.id = GrantId::new()), Redeemed::Unknown).await;
    check(
        &other(|grant| grant.purpose = "rollback".into()),
        Redeemed::Unknown,
    )
    .await;
    check(
        &other(|grant| grant.principal = "bob".into()),
        Redeemed::Unknown,
    )
    .await;
    let digest = |grant: &mut GrantRecord| grant.digest = Digest::hash_bytes(b"else");
    check(&other(digest), Redeemed::OtherDigest).await;
    check(&old, Redeemed::Expired).await;
    check(&good, Redeemed::Good).await;
    check(&good, Redeemed::Used).await;
    let record = fixture.journal.grant(good.id).await.unwrap().unwrap();
    assert_eq!(record.redeemed_at, Some(at(7)));
    fixture.check_sound().await;
}

pub async fn a_grant_needs_a_yes(fixture: &Fixture) {
    let (_, open) = fixture.opened().await;
    let declined = fixture.settled(Outcome::Declined { reason: None }).await;
    for ask in [open, declined, AskId::new()] {
        let grant = grant(ask);
        let error = fixture
            .journal
            .commit(vec![Write::IssueGrant(grant.clone())])
            .await;
        let Err(JournalError::Write { what, .. }) = error else {
            panic!("{error:?}")
        };
        assert!(what.contains("a grant needs an accepted ask"), "{what}");
        assert_eq!(fixture.journal.grant(grant.id).await.unwrap(), None);
    }
    // A yes that came too late grants nothing, and the batch leaves nothing.
    let late = [
        Write::Settle(decided(declined, yes())),
        Write::IssueGrant(grant(declined)),
    ];
    fixture.journal.commit(late.into()).await.unwrap_err();
    // One that is in time does, within one batch.
    fixture
        .commit([
            Write::Settle(decided(open, yes())),
            Write::IssueGrant(grant(open)),
        ])
        .await;
    fixture.check_sound().await;
}

pub async fn an_answer_that_wins_gives_its_grant_with_it(fixture: &Fixture) {
    let (_, open) = fixture.opened().await;
    let settle = |ask, id| Write::SettleGranting {
        decision: decided(ask, yes()),
        grant: GrantRecord {
            id,
            purpose: "scope".into(),
            ..grant(ask)
        },
    };
    let (first, second) = (GrantId::new(), GrantId::new());
    let won = fixture.one(settle(open, first)).await;
    assert_eq!(won, Written::Settled(Settled::Won));
    // The same answer again, and one after another yes: neither has settled anything.
    let plain = fixture.settled(yes()).await;
    for ask in [open, plain] {
        let lost = fixture.one(settle(ask, second)).await;
        assert!(
            matches!(lost, Written::Settled(Settled::Lost(_))),
            "{lost:?}"
        );
    }
    let unused = async |purpose: &str| {
        let unused = fixture.journal.unused_grants(purpose).await.unwrap();
        unused.into_iter().map(|grant| grant.id).collect::<Vec<_>>()
    };
    assert_eq!(unused("scope").await, [first]);
    assert_eq!(unused("scop").await, []);
    let given = fixture.journal.grant(first).await.unwrap().unwrap();
    let redeem = Write::RedeemGrant {
        required: false,
        grant: first,
        digest: given.digest,
        purpose: given.purpose,
        principal: given.principal,
        at: at(7),
    };
    assert_eq!(fixture.one(redeem).await, Written::Redeemed(Redeemed::Good));
    assert_eq!(unused("scope").await, []);
    // A no gives none, and neither does a grant of another ask.
    let (_, open) = fixture.opened().await;
    for (ask, outcome) in [(open, Outcome::Cancelled), (plain, yes())] {
        let write = Write::SettleGranting {
            decision: decided(open, outcome),
            grant: grant(ask),
        };
        fixture.journal.commit(vec![write]).await.unwrap_err();
    }
    fixture.check_sound().await;
}

pub async fn a_yes_gives_one_grant(fixture: &Fixture) {
    let ask = fixture.settled(yes()).await;
    let first = grant(ask);
    let issue = Write::IssueGrant(first.clone());
    assert_eq!(fixture.one(issue).await, Written::Applied(true));
    let redeem = Write::RedeemGrant {
        required: false,
        grant: first.id,
        digest: first.digest,
        purpose: first.purpose,
        principal: first.principal,
        at: at(7),
    };
    for used in [false, true] {
        let mut second = grant(ask);
        second.purpose = format!("another, {used}");
        let issue = Write::IssueGrant(second.clone());
        assert_eq!(fixture.one(issue).await, Written::Applied(false));
        assert_eq!(fixture.journal.grant(second.id).await.unwrap(), None);
        fixture.one(redeem.clone()).await;
    }
    fixture.check_sound().await;
}
