use super::*;
use crate::testing::person;
use crate::{StepError, Yes};
use jiff::SignedDuration;
use jiff::Timestamp;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

#[tokio::test]
async fn a_yes_after_the_machine_slept_past_the_deadline_is_late() {
    let slept = Arc::new(AtomicBool::new(false));
    let seen = slept.clone();
    let hours = SignedDuration::from_hours(30);
    let clock = Clock::from_fn(move || {
        if seen.load(Ordering::SeqCst) {
            Timestamp::UNIX_EPOCH + hours
        } else {
            Timestamp::UNIX_EPOCH
        }
    });
    let desk = Desk::builder(Arc::new(SqliteJournal::in_memory().unwrap()))
        .clock(clock)
        .channel(Arc::new(ToScript(mpsc::unbounded_channel().0)));
    let desk = desk.build().await.unwrap();
    let ask = desk.ask(Origin::default(), Ask::confirm("Go?")).await;
    let ask = ask.unwrap();
    slept.store(true, Ordering::SeqCst);
    let person = person(ChannelKind::Inbox, None);
    let yes = accept(json!({ "confirmed": true }));
    let taken = desk.reply(ask.id(), person, yes).await.unwrap();
    let ReplyResult::Late(decision) = taken else {
        panic!("{taken:?}")
    };
    assert_eq!(decision.outcome, Outcome::TimedOut);
}

async fn rename(cx: ToolContext, done: Arc<AtomicUsize>) -> Result<String, crate::Stop> {
    let name = cx
        .elicitor()
        .text_input("New name?", "name")
        .or_stop()
        .await?;
    let count = cx
        .step("count", async { done.fetch_add(1, Ordering::SeqCst) })
        .await?;
    let Yes = cx
        .elicitor()
        .confirm(format!("Rename to {name}?"))
        .or_stop()
        .await?;
    Ok(format!("{name} {count}"))
}

#[tokio::test(start_paused = true)]
async fn a_flow_is_played_to_its_end_and_what_it_asked_is_shown() {
    let done = Arc::<AtomicUsize>::default();
    let says = [Says::value("x").to("New name?"), Says::yes()];
    let played = Script::new(says).run(|cx| rename(cx, done.clone())).await;
    assert_eq!(played.value.as_deref().unwrap(), "x 0");
    assert_eq!(played.questions(), ["New name?", "Rename to x?"]);
    let record = played.desk.journal().verify().await.unwrap();
    assert!(record.flaws.is_empty());
}

#[tokio::test(start_paused = true)]
async fn killed_at_every_question_it_does_nothing_twice() {
    let done = Arc::<AtomicUsize>::default();
    let says = [Says::value("x"), Says::yes()];
    let script = Script::new(says).kill_and_resume();
    let played = script.run(|cx| rename(cx, done.clone())).await;
    assert_eq!(played.value.as_deref().unwrap(), "x 0");
    assert_eq!(done.load(Ordering::SeqCst), 1);
    assert_eq!(played.questions(), ["New name?", "Rename to x?"]);
    let asks = played
        .desk
        .journal()
        .asks(Default::default())
        .await
        .unwrap();
    assert_eq!(asks.len(), 2, "nothing was asked twice");
}

#[tokio::test(start_paused = true)]
async fn every_outcome_is_had_on_demand() {
    let check = async |says: Says, wanted: &str| {
        for kills in [false, true] {
            let script = Script {
                kills,
                ..Script::new([says.clone()])
            };
            let flow = |cx: ToolContext| async move {
                let outcome = cx.elicitor().confirm("Go?").dangerous().await;
                outcome.unwrap().status()
            };
            assert_eq!(script.run(flow).await.value, wanted, "{says:?}");
        }
    };
    check(Says::yes(), "accepted").await;
    check(Says::no(), "declined").await;
    check(Says::decline("not now"), "declined").await;
    check(Says::cancel(), "cancelled").await;
    check(Says::time_out(), "timed_out").await;
    check(Says::unreachable(), "unreachable").await;
}

/// What a script that fails says.
async fn failure(says: impl IntoIterator<Item = Says>) -> String {
    let done = Arc::<AtomicUsize>::default();
    let script = Script::new(says);
    let played = tokio::spawn(async move { script.run(|cx| rename(cx, done.clone())).await });
    let panic = played.await.unwrap_err().into_panic();
    *panic.downcast::<String>().unwrap()
}

#[tokio::test(start_paused = true)]
async fn what_is_not_answered_and_what_is_left_over_fails_the_test() {
    let check = async |says: Vec<Says>, wanted: &[&str]| {
        let said = failure(says).await;
        for words in wanted {
            assert!(said.contains(words), "{said}");
        }
    };
    let name = Says::value("x");
    check(
        vec![],
        &[
            "nobody answers \"New name?\"",
            "nothing was answered before",
        ],
    )
    .await;
    let nobody = [
        "nobody answers \"Rename to x?\"",
        "\"New name?\": Accepted by scripted",
    ];
    check(vec![name.clone()], &nobody).await;
    let left = [name.clone(), Says::yes(), Says::no()];
    check(left.into(), &["never asked for"]).await;
    let other = name.clone().to("Which folder?");
    check(
        vec![other],
        &["\"Which folder?\" in it, and this one is \"New name?\""],
    )
    .await;
    check(vec![Says::value(3)], &["does not take the answer"]).await;
}

#[tokio::test(start_paused = true)]
async fn steps_that_fail_and_steps_that_may_run_again_are_recorded() {
    let tries = Arc::<AtomicUsize>::default();
    let script = Script::new([Says::yes()]).kill_and_resume();
    let played = script
        .run(|cx| {
            let tries = tries.clone();
            async move {
                let send = async {
                    tries.fetch_add(1, Ordering::SeqCst);
                    Err::<(), _>("the network is down")
                };
                let sent = cx.try_step("send", send).await;
                let again = cx.step_at_least_once("look", async { 7 }).await?;
                let outcome = cx.elicitor().confirm("Send later?").await?;
                Ok::<_, crate::Stop>((sent.unwrap_err(), again, outcome))
            }
        })
        .await;
    let (failed, again, _) = played.value.unwrap();
    assert!(matches!(&failed, StepError::Failed { what, .. } if what == "the network is down"));
    assert_eq!((again, tries.load(Ordering::SeqCst)), (7, 1));
}

#[tokio::test(start_paused = true)]
async fn a_grant_is_given_and_used_once_however_often_the_flow_runs() {
    let (shown, hour) = (
        crate::Digest::hash_bytes(b"shown"),
        Duration::from_secs(3_600),
    );
    let other = crate::Digest::hash_bytes(b"other");
    let script = Script::new([Says::yes(), Says::yes()]).kill_and_resume();
    let played = script
        .run(|cx| async move {
            let decided = cx.elicitor().confirm("Migrate?").decided().await?;
            let (Yes, decision) = decided.or_stop()?;
            let grant = cx.grant(&decision, "migrate", shown, hour).await?;
            let wrong = cx.redeem(grant, "migrate", other).await;
            cx.redeem(grant, "migrate", shown).await?;
            let twice = cx.redeem(grant, "migrate", shown).await;
            // What comes before this question is replayed after a kill.
            let Yes = cx.elicitor().confirm("Clean up?").or_stop().await?;
            let second = cx.grant(&decision, "migrate", other, hour).await;
            Ok::<_, crate::Stop>([wrong, twice, second.map(drop)])
        })
        .await;
    use crate::GrantError::{AlreadyGiven, OtherDigest, Used};
    let found = played.value.unwrap();
    assert!(
        matches!(found, [Err(OtherDigest), Err(Used), Err(AlreadyGiven)]),
        "{found:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn an_ask_that_cannot_be_asked_stops_with_a_result() {
    let flow = |cx: ToolContext| async move {
        let none: [&str; 0] = [];
        cx.elicitor().choose("Which?", none).or_stop().await
    };
    let stop = Script::new(Vec::<Says>::new())
        .run(flow)
        .await
        .value
        .unwrap_err();
    let result = stop.result().expect("an agent can do better");
    let fields = result.structured_content.clone().unwrap();
    assert_eq!(fields["error"], "CANNOT_BE_ASKED");
    assert_eq!(fields["proceed"], false);
}
