//! What an ask shows for a review: outline, diffs, rounds.

use super::stand::*;
use holdpoint::{
    Ask, AskId, Field, Form, Kind, Origin,
    field::{Ending, Pick},
    review::{EditableText, Round},
};
use serde_json::{Value, json};

/// An ask about a plan, with two endings.
fn plan(text: &str) -> Ask {
    let pick = |value: &str, ending: Ending| {
        let mut pick = Pick::from(value);
        pick.ending = Some(Box::new(ending));
        pick
    };
    let form = Form::choice([
        pick("approve", Ending::go("Approve", "Approved")),
        pick(
            "change",
            Ending::hold("Request changes", "Changes requested"),
        ),
    ]);
    let form = form.field(Field::new("notes", Kind::Text(Default::default())).optional());
    Ask::new("Approve the plan?", form)
        .titled("Plan “auth”")
        .details(text)
}

/// Answers as a person who has comments.
async fn request_changes(stand: &Stand, ask: AskId, comments: Value) {
    let told = stand
        .post(
            "/api/elicitation/respond",
            json!({
                "askId": ask,
                "action": "accept",
                "content": { "choice": "change", "notes": "Not so fast" },
                "comments": comments,
                "presence": held(),
            }),
        )
        .await;
    assert_eq!(told["result"], "settled", "{told}");
}

#[tokio::test]
async fn what_a_review_shows() {
    let stand = Stand::new().await;
    let text = "## Steps\n\n- [x] one\n\n```diff\n--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-let a = 1;\n+let a = 2;\n```\n";
    let text_of = EditableText::file("plans/auth.md", "The plan", text);
    let ask = stand.open(plan(text).editable(text_of)).await;
    let view = stand.get(&format!("/api/asks/{ask}")).await;
    assert_eq!(
        (&view["title"], &view["kind"]),
        (&json!("Plan “auth”"), &json!("review"))
    );
    assert_eq!(
        view["outline"],
        json!([{ "level": 2, "text": "Steps", "id": "d-1" }])
    );
    assert_eq!(view["round"], Value::Null);
    let wanted = json!({ "file": "plans/auth.md", "title": "The plan", "text": text });
    assert_eq!(view["editable"], wanted);
    let details = view["details"].as_str().unwrap();
    assert!(
        details.contains("<div class=\"diff\" data-diff=\"0\""),
        "{details}"
    );
    let file = &view["diffs"][0]["files"][0];
    assert_eq!(
        (&file["path"], &file["status"]),
        (&json!("x.rs"), &json!("modified"))
    );
    assert_eq!(file["hunks"][0]["lines"][1]["n"], 1);
    let ending = &view["form"]["fields"][0]["options"][1]["ending"];
    assert_eq!(ending["done"], "Changes requested");
}

#[tokio::test]
async fn what_a_diff_takes_away_does_not_stand_any_more() {
    let stand = Stand::new().await;
    let first = Round::first("Plan “auth”");
    let one = stand
        .open(plan("Drop the old table.").in_round(first.clone()))
        .await;
    let comments = json!([{ "text": "Keep it", "quote": "Drop the old table." }]);
    request_changes(&stand, one, comments).await;
    let text = "```diff\n-Drop the old table.\n+Keep it.\n```\n\nKeep it.";
    let two = stand.open(plan(text).in_round(first.after(one))).await;
    let view = stand.get(&format!("/api/asks/{two}")).await;
    assert_eq!(view["round"]["past"][0]["comments"][0]["changed"], true);
}

#[tokio::test]
async fn the_rounds_before_are_told() {
    let stand = Stand::new().await;
    let first = Round::first("Plan “auth”");
    let one = stand
        .open(plan("## Steps\n\nDrop the old table.\n\nWrite tests.").in_round(first.clone()))
        .await;
    let comments = json!([
        { "text": "Keep it", "quote": "the old table", "where": { "headings": ["Steps"] } },
        { "text": "Good", "quote": "Write  tests" },
        { "text": "All in all fine" },
    ]);
    request_changes(&stand, one, comments).await;
    let second = first.after(one);
    let two = stand
        .open(plan("## Steps\n\nKeep the new table.\n\nWrite tests.").in_round(second))
        .await;
    let view = stand.get(&format!("/api/asks/{two}")).await;
    let round = &view["round"];
    assert_eq!(
        (&round["about"], &round["number"]),
        (&json!("Plan “auth”"), &json!(2))
    );
    let past = &round["past"][0];
    assert_eq!((&past["id"], &past["number"]), (&json!(one), &json!(1)));
    assert_eq!(
        (&past["verdict"], &past["tone"], &past["by"]),
        (&json!("Changes requested"), &json!("hold"), &json!("ann"))
    );
    assert_eq!(
        past["said"],
        json!([{ "label": "notes", "text": "Not so fast" }])
    );
    let changed: Vec<_> = past["comments"]
        .as_array()
        .unwrap()
        .iter()
        .map(|comment| &comment["changed"])
        .collect();
    assert_eq!(changed, [&json!(true), &json!(false), &json!(false)]);
    assert_eq!(
        past["comments"][0]["where"],
        json!({ "headings": ["Steps"] })
    );
    let changes = round["changes"].as_str().unwrap();
    assert!(
        changes.contains("<del>Drop</del><ins>Keep</ins> the <del>old</del><ins>new</ins> table."),
        "{changes}"
    );
    let decision = stand.get(&format!("/api/asks/{one}")).await["decision"].take();
    assert_eq!(
        (&decision["verdict"], &decision["tone"]),
        (&json!("Changes requested"), &json!("hold"))
    );
    assert_eq!(decision["comments"].as_array().unwrap().len(), 3);
    assert!(
        decision["words"]
            .as_str()
            .unwrap()
            .starts_with("Changes requested by ann"),
        "{decision}"
    );
}

#[tokio::test]
async fn a_text_that_can_be_edited_is_what_is_compared() {
    let stand = Stand::new().await;
    let text = |text: &str| EditableText::file("plan.md", "The plan", text);
    let first = Round::first("The plan");
    let same =
        |of: EditableText, round: Round| plan("Shown otherwise").editable(of).in_round(round);
    let one = stand.open(same(text("One step"), first.clone())).await;
    let two = stand.open(same(text("Two step"), first.after(one))).await;
    let three = stand
        .open(
            plan("Now shown so")
                .editable(text("Two step"))
                .in_round(first.after(two)),
        )
        .await;
    let changes =
        async |ask: AskId| stand.get(&format!("/api/asks/{ask}")).await["round"]["changes"].take();
    assert_eq!(changes(one).await, Value::Null);
    assert_eq!(
        changes(two).await,
        "<p><del>One</del><ins>Two</ins> step</p>\n"
    );
    assert_eq!(changes(three).await, Value::Null);
}

#[tokio::test]
async fn rounds_of_others_are_not_told() {
    let stand = Stand::new().await;
    let first = Round::first("The plan");
    let elsewhere = Origin {
        workspace: Some("/elsewhere".into()),
        ..origin("elicit_confirm")
    };
    let secret = plan("A secret of theirs").in_round(first.clone());
    let theirs = open_from(stand.journal.as_ref(), elsewhere, secret).await;
    let two = stand.open(plan("x").in_round(first.after(theirs))).await;
    let three = stand.open(plan("y").in_round(first.after(two))).await;
    let gone = stand
        .open(plan("y").in_round(first.after(AskId::new())))
        .await;
    let check = async |ask: AskId, past: Value| {
        let view = stand.get(&format!("/api/asks/{ask}")).await;
        let rounds = view["round"]["past"].as_array().unwrap();
        let ids: Value = rounds.iter().map(|round| round["id"].clone()).collect();
        assert_eq!(ids, past);
        assert!(!view.to_string().contains("secret"), "{view}");
    };
    check(two, json!([])).await;
    check(three, json!([two])).await;
    check(gone, json!([])).await;
}

#[tokio::test]
async fn at_most_twenty_rounds_are_told() {
    let stand = Stand::new().await;
    let mut round = Round::first("The plan");
    let mut last = stand.open(plan("x").in_round(round.clone())).await;
    for _ in 0..22 {
        round = round.after(last);
        last = stand.open(plan("x").in_round(round.clone())).await;
    }
    let view = stand.get(&format!("/api/asks/{last}")).await;
    assert_eq!(view["round"]["past"].as_array().unwrap().len(), 20);
    assert_eq!(view["round"]["past"][0]["number"], 22);
    assert_eq!(view["round"]["past"][0]["verdict"], "Not decided yet");
}
