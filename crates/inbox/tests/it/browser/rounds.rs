//! Rounds: what was decided and asked for before, beside what is shown now.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::{
    ChannelKind, Review,
    review::{Comment, Place, Round},
    testing::accept,
};
use serde_json::json;

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
    // What has changed since then, with its words marked.
    tab.click(".changes summary").await;
    tab.says(".changes ins", "90").await;
    tab.says(".changes del", "30").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn each_comment_of_the_round_before_says_whether_its_place_has_changed() {
    let stage = Stage::set().await;
    let first = stage.ask(reviews::plan()).await;
    let on = |quote: &str| {
        let mut comment = Comment::new(Place::below(["Phases"]), "See to this.");
        comment.quote = Some(quote.into());
        comment
    };
    let mut review = Review::default();
    review.comments = vec![on("After 30 days without a fault."), on("Ask the shop")];
    let bob = holdpoint::testing::person(ChannelKind::Terminal, Some("bob"));
    let changes = accept(json!({ "decision": "changes" }));
    let replied = stage.desk.reply_with_review(first, bob, changes, review);
    replied.await.unwrap();
    let round = Round::first("Plan “checkout”").after(first);
    let next = reviews::plan()
        .details(reviews::PLAN.replace("30 days", "90 days"))
        .in_round(round);
    let tab = Tab::with(&stage, stage.ask(next).await).await;
    tab.click(".asked-then summary").await;
    let badges = "return [...document.querySelectorAll('.past-round .comment .badge')].map((one) => one.innerText)";
    assert_eq!(
        tab.js(badges).await,
        json!(["Changed since", "Not changed"])
    );
    tab.close().await;
}
