//! Scripts that want too much, or break things: the call fails with words, the process and the other
//! calls of the same file go on.

mod hogs;
mod limits;
mod natives;
mod tampering;
mod values;

use crate::support::{self, finish, resume, start, within};
use holdpoint_script::{Limits, TurnEnd};
use serde_json::json;
use std::time::Instant;

/// The second half of each file: a call that waits while the first one misbehaves.
const NEIGHBOUR: &str = r#"
let count = 0;
export async function* neighbour() {
  count += 1;
  const given = yield 'waiting';
  const kinds = [[3, 1, 2].sort(), JSON.parse('{"a":1}').a, await Promise.resolve('p'), { ...{ b: 2 } }];
  return [given, count, String({}), Object.keys({ k: 1 }), [...'ab'], new Map([[1, 2]]).get(1), ...kinds];
}
"#;

/// Each: a name, what the script does, what is said of it.
async fn check(limits: Limits, cases: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (name, body, expected) in cases {
        if let Err(what) = tried(limits, body, expected).await {
            wrong.push(format!("{name}: {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn tried(limits: Limits, body: &str, expected: &str) -> Result<(), String> {
    let source = format!("export async function* run() {{{body}\n}}{NEIGHBOUR}");
    let program = within(&source, limits);
    let (mut parked, _) = start(&program, "neighbour").await.unwrap();
    let began = Instant::now();
    let said = match finish(&program, "run").await {
        Ok(value) => value.to_string(),
        Err(failed) => failed.to_string(),
    };
    let took = began.elapsed();
    if !said.contains(expected) || took.as_secs() >= 5 {
        return Err(format!("{said} ({took:?})"));
    }
    let unharmed = TurnEnd::Returned(json!([
        "an answer", 1, "[object Object]", ["k"], ["a", "b"], 2, [1, 2, 3], 1, "p", { "b": 2 },
    ]));
    let (mut fresh, _) = start(&program, "neighbour").await.unwrap();
    for (call, which) in [(&mut parked, "parked"), (&mut fresh, "new")] {
        match resume(call, "an answer").await {
            Ok(turn) if turn.end == unharmed => {}
            harmed => return Err(format!("the {which} neighbour was harmed: {harmed:?}")),
        }
    }
    Ok(())
}
