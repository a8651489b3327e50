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
        let began = Instant::now();
        deciding.commit(vec![settle(ask, "ada")]).await.unwrap();
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
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        slowest = slowest.max(check(Duration::from_secs(5)).await);
    }
    println!("the slowest of 20 took {slowest:?}");
    // The heartbeat, which is there for lost notifications, is slower.
    assert!(slowest < Duration::from_millis(900), "{slowest:?}");
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
