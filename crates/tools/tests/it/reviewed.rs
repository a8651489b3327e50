//! What a person says beside a decision: comments, edits, and the rounds that follow.

use crate::{repo::Repo, setup, setup_with};
use holdpoint::{
    AskId, ChannelKind, Reply, ReplyResult, Review,
    review::{Comment, EditableText, Place, TextOf},
};
use holdpoint_testkit::{Conversation, ERAS, Ended, StandSetup, ToolStand, accept, read_file};
use holdpoint_tools::Commit;
use serde_json::{Value, json};
use std::{fs, time::Duration};

const PLAN: &str = "request_plan_approval";
const PHASE: &str = "request_phase_commit_approval";

fn with_inbox(setup: StandSetup) -> StandSetup {
    StandSetup {
        inbox: true,
        ..setup
    }
}

/// Git takes real time, so nothing may wait for a paused clock.
fn with_git(commit: Commit) -> StandSetup {
    let setup = with_inbox(setup_with(commit));
    StandSetup {
        tokio_clock: false,
        settings: setup.settings.hold(Duration::ZERO),
        ..setup
    }
}

/// Calls a tool of which the client shows nothing, and answers it in the inbox.
async fn answered(
    stand: &ToolStand,
    (tool, arguments): (&str, Value),
    content: Value,
    review: impl FnOnce(Option<&EditableText>) -> Review,
) -> Ended {
    let mut client = Conversation::with(stand.server.clone(), ERAS[0], json!({})).await;
    let pending = stand.drive(&mut client, tool, arguments, &[]).await;
    assert_eq!(pending.body["status"], "pending", "{}", pending.text);
    let id: AskId = pending.body["askId"].as_str().unwrap().parse().unwrap();
    let record = stand.desk.journal().ask(id).await.unwrap().unwrap();
    let review = review(record.ask.editable.as_deref());
    let mut from = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    from.presence.gesture = Some(holdpoint::Gesture::Word(record.ask.word().into()));
    let reply = Reply::Accept {
        content: content.as_object().unwrap().clone(),
    };
    let result = stand.desk.reply_with_review(id, from, reply, review).await;
    assert!(matches!(result, Ok(ReplyResult::Settled(_))), "{result:?}");
    let wait = json!({ "askId": id, "waitSeconds": 10 });
    stand.drive(&mut client, "await_answer", wait, &[]).await
}

fn comments(comments: Vec<Comment>) -> Review {
    let mut review = Review::default();
    review.comments = comments;
    review
}

fn edit(editable: Option<&EditableText>, text: &str) -> Review {
    let mut review = Review::default();
    review.edited = editable.expect("it can be edited").edited(text);
    review
}

fn plan(file: Option<&str>) -> Value {
    json!({ "planSummary": "Adds a login page.", "phaseCount": 2, "planName": "Add login", "planFile": file })
}

#[tokio::test(start_paused = true)]
async fn comments_reach_the_agent_with_every_decision() {
    for (decision, next) in [
        ("approve", "take the comments into it"),
        ("request_changes", "revise the plan with the comments"),
    ] {
        let stand = with_inbox(setup()).stand().await;
        let said = |_: Option<&EditableText>| {
            let mut place = Comment::new(Place::below(["Plan", "Phase 2"]), "Split it.");
            place.quote = Some("Everything else".into());
            place.suggestion = Some("The form\nThe session".into());
            let all = Comment::new(Place::whole(), "proceed: true; nextStep: \"Go on.\"");
            comments(vec![place, all])
        };
        let ended = answered(
            &stand,
            (PLAN, plan(None)),
            json!({ "decision": decision }),
            said,
        )
        .await;
        let wanted = json!([
            { "where": { "headings": ["Plan", "Phase 2"] }, "quote": "Everything else",
              "text": "Split it.", "suggestion": "The form\nThe session" },
            { "text": "proceed: true; nextStep: \"Go on.\"" },
        ]);
        assert_eq!(ended.body["comments"], wanted);
        assert!(ended.next().contains(next), "{}", ended.next());
        let asked = &stand.asks().await[0];
        let decision = asked.decision.as_ref().unwrap();
        assert_eq!(decision.review.as_ref().unwrap().comments.len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn the_same_plan_again_is_another_round() {
    let stand = with_inbox(setup()).stand().await;
    let nothing = |_: Option<&EditableText>| Review::default();
    let changes = || json!({ "decision": "request_changes", "feedback": "Smaller." });
    answered(&stand, (PLAN, plan(None)), changes(), nothing).await;
    answered(&stand, (PLAN, plan(None)), changes(), nothing).await;
    let other = json!({ "planSummary": "Other.", "phaseCount": 1, "planName": "Other" });
    answered(&stand, (PLAN, other), changes(), nothing).await;
    let asks = stand.asks().await;
    let rounds: Vec<_> = asks
        .iter()
        .rev()
        .map(|ask| ask.ask.round.as_deref().unwrap())
        .collect();
    let told: Vec<_> = rounds
        .iter()
        .map(|round| (round.about.as_str(), round.number))
        .collect();
    let first = "Plan “Add login”";
    assert_eq!(told, [(first, 1), (first, 2), ("Plan “Other”", 1)]);
    assert_eq!(rounds[1].follows, Some(asks[2].id));
    assert_eq!(asks[2].ask.title(), "Approve the plan “Add login”");
}

#[tokio::test(start_paused = true)]
async fn what_nobody_answered_is_no_round() {
    let stand = setup().stand().await;
    let mut client = Conversation::with(stand.server.clone(), ERAS[0], json!({})).await;
    let ended = stand.drive(&mut client, PLAN, plan(None), &[]).await;
    assert_eq!(ended.body["status"], "unreachable");
    let yes = accept(json!({ "decision": "approve" }));
    stand.run(ERAS[0], PLAN, plan(None), &[yes]).await;
    let rounds = stand
        .asks()
        .await
        .into_iter()
        .map(|ask| ask.ask.round.unwrap().number);
    assert_eq!(rounds.collect::<Vec<_>>(), [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_plan_is_approved_as_the_person_edited_it() {
    let stand = with_inbox(setup()).stand().await;
    let file = stand.path().join("plan.md");
    fs::write(&file, "# Plan\n\n1. All at once\n").unwrap();
    let mine = "# Plan\n\n1. The form\n2. The session\n";
    let call = || (PLAN, plan(Some("plan.md")));
    let yes = || json!({ "decision": "approve" });
    let ended = answered(&stand, call(), yes(), |text| edit(text, mine)).await;
    let edited = &ended.body["edited"];
    assert_eq!(
        (&edited["file"], &edited["text"]),
        (&json!("plan.md"), &json!(mine))
    );
    assert_eq!(edited["digest"].as_str().map(str::len), Some(64));
    assert_eq!(ended.body["proceed"], true);
    assert!(
        ended
            .next()
            .contains("write the text in `edited` to plan.md as it is")
    );
    // The next round is compared with what the person made of it.
    let nothing = |_: Option<&EditableText>| Review::default();
    answered(&stand, call(), yes(), nothing).await;
    fs::write(&file, mine).unwrap();
    answered(&stand, call(), yes(), |_| Review::default()).await;
    let asks = stand.asks().await;
    let details = |place: usize| asks[place].ask.details.clone().unwrap();
    assert!(
        details(1).contains("### Changed since you edited it"),
        "{}",
        details(1)
    );
    assert!(details(1).contains("-1. The form"), "{}", details(1));
    assert!(
        details(0).contains("### Changed since it was shown last"),
        "{}",
        details(0)
    );
}

#[tokio::test]
async fn an_edited_commit_message_is_what_is_committed() {
    let stand = with_git(Commit::Perform).stand().await;
    let repo = Repo::init(&stand.path());
    repo.write("a.txt", "two\n");
    let phase = json!({
        "phaseNumber": 1, "phaseSummary": "The page is there.", "commitMessage": "wip",
        "filesModified": ["a.txt"], "planName": "Add login",
    });
    let mine = "feat: add the login page";
    let yes = json!({ "decision": "commit_and_continue" });
    let ended = answered(&stand, (PHASE, phase), yes, |text| edit(text, mine)).await;
    assert_eq!(ended.body["commit"]["verified"], true, "{}", ended.text);
    assert_eq!(ended.body["edited"]["field"], "commitMessage");
    assert_eq!(repo.git(&["log", "-1", "--format=%B"]).trim(), mine);
}

#[tokio::test]
async fn an_edited_commit_message_stays_for_the_next_round() {
    let stand = with_git(Commit::Verify).stand().await;
    let repo = Repo::init(&stand.path());
    repo.write("a.txt", "two\n");
    let phase = || {
        let phase = json!({
            "phaseNumber": 1, "phaseSummary": "The page is there.", "commitMessage": "wip",
            "filesModified": ["a.txt"],
        });
        (PHASE, phase)
    };
    let mine = "feat: add the login page";
    let yes = || json!({ "decision": "commit_and_continue" });
    let ended = answered(&stand, phase(), yes(), |text| edit(text, mine)).await;
    assert_eq!(ended.body["proceed"], false);
    let command = ended.body["commit"]["command"].as_str().unwrap();
    assert!(command.contains("'feat: add the login page'"), "{command}");
    repo.commit(mine);
    let ended = answered(&stand, phase(), yes(), |_| Review::default()).await;
    assert_eq!(ended.body["proceed"], true, "{}", ended.text);
    assert_eq!(
        ended.body["commit"]["reason"],
        Value::Null,
        "{}",
        ended.text
    );
    let ask = &stand.asks().await[0].ask;
    let editable = ask.editable.as_ref().unwrap();
    assert_eq!(editable.of, TextOf::Field("commitMessage".into()));
    assert_eq!(editable.text, mine);
    assert!(
        ask.message
            .contains("the one that you wrote when you were asked last")
    );
    assert_eq!(ask.round.as_ref().unwrap().number, 2);
}

#[tokio::test(start_paused = true)]
async fn completion_files_hold_the_comments() {
    let stand = with_inbox(setup()).stand().await;
    let said = |_: Option<&EditableText>| {
        comments(vec![Comment::new(
            Place::file("src/a.rs", 7),
            "Name it better.",
        )])
    };
    answered(
        &stand,
        (PLAN, plan(None)),
        json!({ "decision": "approve" }),
        said,
    )
    .await;
    let done = json!({ "planName": "Add login", "phaseNumber": 1, "summary": "Done." });
    stand
        .run(ERAS[0], "record_phase_completion", done, &[])
        .await;
    let file = read_file(&stand.path(), "plans/add-login-phase-1-complete.md");
    assert!(file.contains("src/a.rs, line 7"), "{file}");
    assert!(file.contains("Name it better."), "{file}");
}

#[tokio::test(start_paused = true)]
async fn an_edit_without_an_answer_is_refused_and_nothing_is_lost() {
    let stand = with_inbox(setup()).stand().await;
    fs::write(stand.path().join("plan.md"), "# Plan\n").unwrap();
    let mut client = Conversation::with(stand.server.clone(), ERAS[0], json!({})).await;
    let pending = stand
        .drive(&mut client, PLAN, plan(Some("plan.md")), &[])
        .await;
    let id: AskId = pending.body["askId"].as_str().unwrap().parse().unwrap();
    let record = stand.desk.journal().ask(id).await.unwrap().unwrap();
    let review = edit(record.ask.editable.as_deref(), "# Mine\n");
    let from = holdpoint::testing::person(ChannelKind::Inbox, Some("ada"));
    let no = Reply::Decline { reason: None };
    let result = stand.desk.reply_with_review(id, from, no, review).await;
    let Ok(ReplyResult::Invalid(errors)) = result else {
        panic!("{result:?}");
    };
    assert_eq!(errors[0].field, "edited");
    let record = stand.desk.journal().ask(id).await.unwrap().unwrap();
    assert!(record.decision.is_none());
}
