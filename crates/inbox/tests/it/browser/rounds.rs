//! Rounds: what was decided and asked for before, beside what is shown now.

use super::{reviews, stage::Stage, tab::Tab};

#[tokio::test]
async fn the_round_before_is_told_with_what_was_asked_for() {
    let stage = Stage::set().await;
    let (_, id) = reviews::second_round(&stage).await;
    let tab = Tab::with(&stage, id).await;
    tab.says(
        ".rounds .way",
        "Round 1, changes requested by bob → Round 2",
    )
    .await;
    tab.click(".asked-then summary").await;
    tab.says(".past-round", "Name the provider.").await;
    tab.click(".asked-then summary").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}
