//! Scripts that do nothing wrong.

use holdpoint_script::{Program, Resume, Running, Said, Start, Turn};
use jiff::Timestamp;
use serde_json::{Value, json};
use std::{path::Path, sync::Arc};

const KITCHEN: &str = r#"
/** All kinds of things. */
export default class Kitchen {
  /**
   * Asks who is there.
   * @param {string} greeting - How to greet
   * @param {number} [times=2] - How often
   * @returns {string} The greeting
   */
  async *askUserName({ greeting, times }) {
    console.log('asking', { times });
    const name = yield { ask: 'text', message: 'Your name?' };
    return `${greeting} ${name}`.repeat(times);
  }
  *count() {
    let sum = 0;
    for (let i = 0; i < 3; i++) sum += yield i;
    return sum;
  }
  helper() {}
}
"#;

fn start(method: &str, arguments: Value) -> Start {
    Start {
        method: method.into(),
        arguments: arguments.as_object().unwrap().clone(),
        seed: 7,
        now: Timestamp::UNIX_EPOCH,
    }
}

#[tokio::test]
async fn a_script_runs_from_yield_to_yield() {
    let program =
        Program::of_source("kitchen-sink", Path::new("kitchen-sink.js"), KITCHEN).unwrap();
    assert_eq!(program.description(), Some("All kinds of things."));
    let tools: Vec<_> = program
        .methods()
        .iter()
        .map(|method| &*method.tool)
        .collect();
    assert_eq!(tools, ["kitchen_sink_askUserName", "kitchen_sink_count"]);
    let program = Arc::new(program);
    let begin = start("askUserName", json!({ "greeting": "Hi", "times": 2 }));
    let (mut running, Turn { logs, said }) = Running::start(&program, begin).await.unwrap();
    assert_eq!(
        said,
        Said::Yielded(json!({ "ask": "text", "message": "Your name?" }))
    );
    assert_eq!(logs[0].message, r#"asking {"times":2}"#);
    let turn = running.resume(Resume::Value("Ann".into()), Timestamp::UNIX_EPOCH);
    assert_eq!(
        turn.await.unwrap().said,
        Said::Returned("Hi AnnHi Ann".into())
    );
}
