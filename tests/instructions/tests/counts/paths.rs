//! The paths. Each is a test of its own, too: what it comes to is checked.
//!
//! All of it happens in this process on one thread, over a journal in memory and on a clock that stands still, so that
//! a run takes as many instructions as the one before. Only a script's engine has a thread of its own.

use crate::{TIMES, begin_counting, end_counting};
use holdpoint::{
    Ask, ChannelKind, Desk, Origin, Outcome, ParkedInbox, ReplyResult, ToolSource,
    journal::{AskQuery, open},
    testing::{accept, person},
};
use holdpoint_script::{Library, ScriptTools};
use holdpoint_testkit::{Conversation, Era, StandSetup, Step, ToolStand};
use holdpoint_tools::ElicitTools;
use serde_json::json;
use std::{fs, sync::Arc};

/// How often a path is run before anything is counted.
const WARM_UP: usize = 5;

const SCRIPT: &str = "\
export default class One {
  /** @param {string} message - the question */
  *ask({ message }) {
    return yield { ask: 'text', message };
  }
}
";

/// A call of `elicit_input` from its line to the line of its result, the question and its answer between them: read,
/// opened, shown, judged, settled and ended. The pipe is one in memory; what reads and writes lines is what does so on
/// standard input and output.
#[tokio::test(start_paused = true)]
async fn stdio() {
    let setup = StandSetup::new(|_| vec![Arc::new(ElicitTools::new()) as Arc<dyn ToolSource>]);
    call(&setup.stand().await, "elicit_input").await;
}

/// The same of a script.
#[tokio::test(start_paused = true)]
async fn script() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("one.js"), SCRIPT).unwrap();
    let library = Arc::new(Library::open(folder.path()).await);
    let setup = StandSetup::new(move |workspace| {
        vec![Arc::new(ScriptTools::new(library.clone(), workspace, Vec::new())) as _]
    });
    call(&setup.stand().await, "one_ask").await;
}

async fn call(stand: &ToolStand, tool: &str) {
    let mut client = Conversation::new(stand, Era::Legacy).await;
    for number in 0..WARM_UP + times() {
        if number == WARM_UP {
            begin_counting();
        }
        let arguments = json!({ "message": format!("What should artifact {number:03} be named?") });
        let Step::Asked(asked) = client.call(tool, arguments).await else {
            panic!("{tool} does not ask");
        };
        let value = format!("answer-{number:03}");
        let reply = json!({ "action": "accept", "content": { "value": value } });
        let Step::Done(ended) = client.answer(asked, reply).await else {
            panic!("{tool} asks again");
        };
        assert!(ended.to_string().contains(&value), "{ended}");
    }
    end_counting();
}

/// A person's reply to an ask that is open: judged, and its decision settled. The desk alone, without a client. Once
/// there are rules that decide, theirs is the path to count here.
#[tokio::test(start_paused = true)]
async fn judge() {
    let inbox = Arc::new(ParkedInbox::default());
    let desk = Desk::builder(open("memory:").await.unwrap()).channel(inbox);
    let desk = desk.build().await.unwrap();
    let mut asks = Vec::new();
    for _ in 0..WARM_UP + times() {
        let ask = Ask::confirm("Delete 5 artifacts?").details("- `target/a`\n- `target/b`");
        asks.push(desk.ask(Origin::default(), ask).await.unwrap());
    }
    let open = AskQuery::default();
    let open = desk.journal().asks(open).await.unwrap();
    assert_eq!(open.len(), asks.len());
    for (number, ask) in open.iter().enumerate() {
        if number == WARM_UP {
            begin_counting();
        }
        let ann = person(ChannelKind::Inbox, Some("ann"));
        let yes = accept(json!({ "confirmed": true }));
        let result = desk.reply(ask.id, ann, yes).await.unwrap();
        assert!(matches!(result, ReplyResult::Settled(_)), "{result:?}");
    }
    end_counting();
    for mut ask in asks {
        let outcome = ask.decided().await.unwrap().outcome;
        assert!(matches!(outcome, Outcome::Accepted(_)), "{outcome:?}");
    }
}

fn times() -> usize {
    let times = std::env::var(TIMES).ok();
    times.map_or(1, |times| times.parse().unwrap())
}
