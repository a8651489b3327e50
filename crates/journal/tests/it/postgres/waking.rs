//! Waiting for what another replica commits.

use super::stand::{Stand, check_sound, opened, settle};
use holdpoint_journal::Journal;
use std::time::{Duration, Instant};

#[tokio::test(flavor = "multi_thread")]
async fn a_decision_at_one_replica_wakes_the_others() {
    let stand = Stand::new().await;
    let (waiting, deciding) = (stand.behind_proxy().await, stand.direct().await);
    let check = async |limit: Duration| {
        let (_, ask) = opened(&waiting).await;
        let mut commits = waiting.foreign_commits();
        commits.mark_unchanged();
        deciding.commit(vec![settle(ask, "ada")]).await.unwrap();
        let began = Instant::now();
        let woken = async {
            while waiting.ask(ask).await.unwrap().unwrap().decision.is_none() {
                commits.changed().await.unwrap();
            }
        };
        tokio::time::timeout(limit, woken)
            .await
            .expect("nobody woke it");
        began.elapsed()
    };
    let mut took = Vec::new();
    for _ in 0..21 {
        took.push(check(Duration::from_secs(5)).await);
    }
    took.sort();
    println!("from {:?} to {:?}", took[0], took[20]);
    // The heartbeat, which is there for lost notifications, would have done that for half of them.
    assert!(took[15] < Duration::from_millis(500), "{took:?}");
    stand.proxy.lose_notifications();
    for _ in 0..3 {
        let took = check(Duration::from_secs(5)).await;
        println!("after a lost notification {took:?}");
        assert!(took < Duration::from_secs(2), "{took:?}");
    }
    stand.proxy.heal();
    stand.proxy.cut();
    check(Duration::from_secs(5)).await;
    check_sound(&deciding).await;
}
