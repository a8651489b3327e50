//! Whether a file may act: asked of a person, remembered, and never got by a trick.

use super::stand::*;
use holdpoint::{ChannelKind, Origin, Refusal, Reply, ReplyResult, journal::AskQuery};
use serde_json::json;

const DECLARED: &str = "{ run: ['true'], write: ['out'], net: ['127.0.0.1'] }";
const ACT: &str = "yield { write: 'out/made', text: 'x' }; return 'acted';";

/// Acts with these replies; how many asks there were, and whether it acted.
async fn act(stand: &Stand, source: &str, origin: Origin, replies: Vec<Reply>) -> (usize, bool) {
    let _ = std::fs::remove_dir_all(stand.path("out"));
    let person = Person::says(replies);
    let desk = stand.desk(Some(person.clone())).await;
    let run = stand.begin_as(&desk, &program(source), origin);
    run.ended().await.unwrap();
    (person.asked().len(), stand.path("out/made").exists())
}

#[tokio::test]
async fn a_yes_holds_for_this_file_here_and_for_this_principal() {
    let stand = Stand::new();
    let source = may(DECLARED, ACT);
    let act_as =
        async |source: &str, origin: Origin| act(&stand, source, origin, vec![yes()]).await;
    assert_eq!(act_as(&source, stand.origin()).await, (1, true));
    assert_eq!(
        act_as(&source, stand.origin()).await,
        (0, true),
        "remembered"
    );
    assert_eq!(
        act_as(&format!("{source} "), stand.origin()).await,
        (1, true),
        "another file"
    );
    let other = Origin {
        principal: "bob".into(),
        ..stand.origin()
    };
    assert_eq!(act_as(&source, other).await, (1, true), "another principal");
    let elsewhere = tempfile::tempdir().unwrap();
    let other = Origin {
        workspace: Some(elsewhere.path().to_string_lossy().into_owned()),
        ..stand.origin()
    };
    let (asked, here) = act_as(&source, other).await;
    assert_eq!((asked, here), (1, false), "another workspace, and there");
    assert!(elsewhere.path().join("out/made").exists());
    assert_eq!(
        act_as(&source, stand.origin()).await,
        (0, true),
        "still remembered"
    );
}

#[tokio::test]
async fn what_the_person_is_shown() {
    let stand = Stand::new();
    let person = Person::says([yes()]);
    let desk = stand.desk(Some(person.clone())).await;
    let declared = "{ run: ['git', 'a`b'], read: ['.'], write: ['out'], net: ['127.0.0.1'] }";
    let program = program(&may(declared, ACT));
    stand.begin(&desk, &program).ended().await.unwrap();
    let ask = &person.asked()[0];
    assert!(ask.dangerous);
    let shown = ask.shown();
    for part in [
        "`script.js`",
        "**run** the program `git`",
        "**run** the program `` a`b ``",
        "**read** files under `.`",
        "**write** files under `out`",
        "**reach** the server `127.0.0.1`",
        &program.digest().to_string(),
        "`write out/made`",
        &stand.root().to_string_lossy(),
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}

#[tokio::test]
async fn a_no_holds_for_the_whole_run_and_is_not_remembered() {
    let twice = may(
        DECLARED,
        "let caught = []; for (const path of ['out/made', 'out/second']) { try { yield { write: path, text: 'x' }; } catch (e) { caught.push(e.outcome); } } return caught;",
    );
    let stand = Stand::new();
    let person = Person::says([no(), yes()]);
    let desk = stand.desk(Some(person.clone())).await;
    let result = stand.begin(&desk, &program(&twice)).ended().await.unwrap();
    assert_eq!(body(&result)["result"], json!(["declined", "declined"]));
    assert_eq!(person.asked().len(), 1, "asked once");
    assert!(!stand.path("out").exists());
    assert_eq!(
        act(&stand, &twice, stand.origin(), vec![yes()]).await,
        (1, true),
        "asked anew"
    );
}

#[tokio::test]
async fn nothing_but_a_yes_is_one() {
    let source = may(DECLARED, ACT);
    for reply in [Reply::Cancel, no(), accept(json!({ "confirmed": false }))] {
        let stand = Stand::new();
        let acted = act(&stand, &source, stand.origin(), vec![reply.clone()]).await;
        assert_eq!(acted, (1, false), "{reply:?}");
        // Nor is it one the next time.
        assert_eq!(
            act(&stand, &source, stand.origin(), vec![no()]).await,
            (1, false)
        );
    }
    let stand = Stand::new();
    let desk = stand.desk(None).await;
    let result = stand.begin(&desk, &program(&source)).ended().await.unwrap();
    assert_eq!(body(&result)["status"], "unreachable", "{}", text(&result));
    assert!(!stand.path("out").exists());
}

#[tokio::test(start_paused = true)]
async fn nor_is_silence() {
    let stand = Stand::new();
    let acted = act(&stand, &may(DECLARED, ACT), stand.origin(), Vec::new()).await;
    assert_eq!(acted, (1, false));
}

#[tokio::test]
async fn an_answer_given_beforehand_or_from_inside_an_agent_is_none() {
    let stand = Stand::new();
    let desk = stand.desk(Some(Person::says([]))).await;
    let run = stand.begin(&desk, &program(&may(DECLARED, ACT)));
    let ask = open(&run).await;
    let reply = async |from| desk.reply(ask, from, yes()).await.unwrap();
    let preset = holdpoint::testing::person(ChannelKind::Preset, Some("answers.json"));
    assert!(matches!(
        reply(preset).await,
        ReplyResult::NotTaken(Refusal::NotBeforehand)
    ));
    let mut inside = holdpoint::testing::person(ChannelKind::Terminal, None);
    inside.presence.agent = Some("an agent".into());
    let taken = reply(inside).await;
    assert!(matches!(
        taken,
        ReplyResult::NotTaken(Refusal::InsideAgent(_))
    ));
    assert!(!stand.path("out").exists());
    let allow = holdpoint::testing::at_leisure("allow");
    let person = holdpoint::Replier::new(ChannelKind::Terminal, None, allow);
    assert!(matches!(reply(person).await, ReplyResult::Settled(_)));
    run.ended().await.unwrap();
    assert!(stand.path("out/made").exists());
}

#[tokio::test]
async fn a_script_cannot_ask_for_its_own_permission() {
    // It learns what the question looks like, asks it itself, and has it accepted.
    let stand = Stand::new();
    let person = Person::says([no()]);
    let desk = stand.desk(Some(person.clone())).await;
    let source = may(DECLARED, ACT);
    stand.begin(&desk, &program(&source)).ended().await.unwrap();
    let real = person.asked().remove(0);
    let forged = main(&format!(
        "return yield {{ ask: 'confirm', message: {}, details: {}, dangerous: true }};",
        serde_json::to_string(&real.message).unwrap(),
        serde_json::to_string(&real.details).unwrap(),
    ));
    let result = stand.run(&forged, vec![yes()]).await;
    assert_eq!(body(&result)["result"], true, "{}", text(&result));
    let accepted = stand.journal.asks(AskQuery::default()).await.unwrap();
    assert!(
        accepted
            .iter()
            .any(|grant| grant.ask == real && grant.decision.is_some())
    );
    // A checkpoint that looks like what is recorded of a yes does not help either.
    let step = json!({ "ended": { "ask": accepted[0].id } });
    stand
        .run(
            &main(&format!("yield {{ checkpoint: true, state: {step} }};")),
            Vec::new(),
        )
        .await;
    assert_eq!(
        act(&stand, &source, stand.origin(), vec![no()]).await,
        (1, false)
    );
}

#[tokio::test]
async fn a_path_is_shown_as_where_it_leads_and_never_cut() {
    let stand = Stand::new();
    let person = Person::says([no()]);
    let desk = stand.desk(Some(person.clone())).await;
    let declared = "{ read: ['./a/../b//c/'], write: ['out/' + './'.repeat(90) + '../src'] }";
    let act = "yield { write: 'src/pwned.txt', text: 'x' };";
    let run = stand.begin(&desk, &program(&may(declared, act)));
    run.ended().await.unwrap();
    let shown = person.asked()[0].shown();
    for part in ["**write** files under `src`", "**read** files under `b/c`"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    for key in ["run", "read", "write", "net"] {
        let long = format!("{{ {key}: ['out/' + './'.repeat(148) + '../src'] }}");
        let source = may(&long, act);
        let path = std::path::Path::new("script.js");
        let refused = holdpoint_script::Program::from_source("script", path, &source);
        let refused = refused.err().unwrap().to_string();
        assert!(
            refused.contains("[0] is longer than the 200 characters"),
            "{refused}"
        );
    }
}
