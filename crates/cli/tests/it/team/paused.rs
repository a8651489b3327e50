//! A replica that was stopped for longer than its lease wakes up: what another has taken over is not its own any
//! more.

use super::*;
use crate::scripts::killed::permit;
use clients::{Client, Running};

/// Its effect leaves a trace that a second one would be seen in.
const SCRIPT: &str = "export const permissions = { run: ['sh'] };
export function* go() {
  const word = yield { ask: 'text', id: 'word', message: 'A word?' };
  yield { run: ['sh', '-c', 'echo ran >> trace'] };
  return word;
}";

/// What comes first while the one that owns the call is stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
enum First {
    /// Another takes the call over; then the answer comes.
    Takeover,
    /// The answer comes, and the one that wakes finds it; but another has acted on it.
    Answer,
}

#[test]
fn it_runs_no_step_and_its_client_is_told() {
    for (client, era) in [
        (Client::TypeScriptV1, Era::Legacy),
        (Client::TypeScriptV2, Era::Modern),
    ] {
        for first in [First::Takeover, First::Answer] {
            check(client, era, first);
        }
    }
}

fn check(client: Client, era: Era, first: First) {
    let team = Team::new("hold_seconds = 200");
    let folder = team.home.root().join("scripts");
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("one.js"), SCRIPT).unwrap();
    let args = ["--scripts", folder.to_str().unwrap()];
    let (a, b) = (team.replica_with(&[], &args), team.replica_with(&[], &args));
    let ann = team.person("ann", &b);

    let plan = |at| {
        let plan = team.formless(at, era);
        plan.with("timeoutMs", json!(LONGEST.as_millis()))
    };
    let asking = client.start(&plan(&a).call("one_go", json!({})));
    let ask = ann.asked();
    a.process.signal("-STOP");
    team.pass_leases();

    let wait = json!({ "askId": ask["id"], "waitSeconds": 100 });
    let waiting = || client.start(&plan(&b).call("await_answer", wait.clone()));
    let answer = || {
        let settled = ann.accept(&ask, json!({ "value": "go" }));
        assert_eq!(settled["result"], "settled", "{settled}");
    };
    let permitted = permit(&team.home);
    let waiting: Running = match first {
        First::Takeover => {
            let waiting = waiting();
            eventually_blocking("the takeover", || (team.epoch() > 1).then_some(()));
            answer();
            waiting
        }
        First::Answer => {
            answer();
            waiting()
        }
    };
    permitted.join().unwrap();
    let run = waiting.finish();
    let told = &run.result(0)["structuredContent"];
    assert_eq!(told["result"], "go", "{first:?}: {}", run.story());

    a.process.signal("-CONT");
    let run = asking.finish();
    let said = run.error(0)["message"].as_str().unwrap_or_default();
    assert!(
        said.contains("has taken this call over"),
        "{first:?}: {}",
        run.story()
    );
    let trace = fs::read_to_string(team.home.workspace().join("trace")).unwrap();
    assert_eq!(trace, "ran\n", "{first:?}");
    let record = stdout(&team.home.run(&["log", "export"]));
    let count = |kind: &str| record.matches(&format!("\"kind\":\"{kind}\"")).count();
    assert_eq!(count("finished"), 1, "{first:?}: {record}");
    assert_eq!(count("taken_over"), 1, "{first:?}: {record}");
    team.verify();
}

impl Team {
    /// How often the one call has changed hands, and once more.
    fn epoch(&self) -> i64 {
        self.runtime.block_on(async {
            let client = self.database.connect().await;
            let row = client.query_one("SELECT epoch FROM holdpoint.calls", &[]);
            row.await.unwrap().get(0)
        })
    }
}
