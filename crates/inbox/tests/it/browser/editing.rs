//! Approving a text with edits of one's own.

use super::{reviews, stage::Stage, tab::Tab};
use holdpoint::{Ask, review::EditableText};
use serde_json::json;

#[tokio::test]
async fn an_edited_text_is_approved_and_can_be_taken_back_before() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::commit()).await;
    let tab = Tab::with(&stage, id).await;
    tab.armed().await;
    tab.says("#submit", "Approve").await;
    tab.click("#edit").await;
    tab.until("document.activeElement.id === 'edited'").await;
    tab.replace("#edited", "Add the checkout form\n\nFor one market.\n")
        .await;
    tab.says("#submit", "Approve with my edits").await;
    tab.says("#edited-how", "2 changed lines").await;
    tab.says(".edit-lines .del", "Behind a switch.").await;
    tab.says(".edit-lines .add", "For one market.").await;
    tab.click("#edit-back").await;
    tab.until("document.querySelector('#submit').innerText === 'Approve'")
        .await;

    tab.click("#edit").await;
    tab.replace("#edited", "Add the form").await;
    // It outlives a reload, and is still only a draft.
    tab.reload().await;
    tab.says("#submit", "Approve with my edits").await;
    assert!(stage.now(id).await.is_none());
    tab.send().await;
    let decision = stage.decision(id).await;
    let review = decision.review.expect("an edit");
    let edited = review.edited.expect("an edited text");
    assert_eq!(edited.text, "Add the form");
    assert_eq!(
        serde_json::to_value(&edited.of).unwrap(),
        json!({ "field": "commitMessage" })
    );
    tab.says(".verdict .edited", "Edited: Commit message").await;
    assert_eq!(tab.complaints().await, [""; 0]);
    tab.close().await;
}

#[tokio::test]
async fn who_turns_it_down_approves_no_text() {
    let stage = Stage::set().await;
    let id = stage.ask(reviews::commit()).await;
    let tab = Tab::with(&stage, id).await;
    tab.click("#edit").await;
    tab.replace("#edited", "Something else").await;
    tab.click(".stops .stop").await;
    tab.send_now().await;
    assert_eq!(stage.accepted(id).await["decision"], json!("cancel"));
    assert!(stage.decision(id).await.review.is_none());
    tab.close().await;
}

#[tokio::test]
async fn line_ends_of_the_field_are_no_edit() {
    let stage = Stage::set().await;
    let text = EditableText::file("plan.md", "Plan", "One\r\nTwo\r\n");
    let plan = || Ask::new("Start?", reviews::endings()).editable(text.clone());
    let (as_shown, edited) = (stage.ask(plan()).await, stage.ask(plan()).await);
    let tab = Tab::with(&stage, as_shown).await;
    tab.armed().await;
    tab.until("document.querySelector('#submit').innerText === 'Approve'")
        .await;
    tab.send().await;
    assert!(stage.decision(as_shown).await.review.is_none());
    tab.close().await;

    let tab = Tab::with(&stage, edited).await;
    tab.click("#edit").await;
    tab.replace("#edited", "One\nThree\n").await;
    tab.says("#edited-how", "2 changed lines").await;
    tab.send().await;
    let review = stage.decision(edited).await.review.expect("an edit");
    assert_eq!(review.edited.expect("a text").text, "One\r\nThree\r\n");
    tab.close().await;
}
