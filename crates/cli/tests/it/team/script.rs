//! The steps of `docs/guides/team.md` as `examples/team/run` does them: PostgreSQL, two replicas, HAProxy.

use super::*;
use clients::Client;
use std::path::Path;

/// Both eras; every request of a session has to find its replica.
const CLIENTS: [(Client, Era); 3] = [
    (Client::TypeScriptV1, Era::Legacy),
    (Client::TypeScriptV2, Era::Modern),
    (Client::Python, Era::Legacy),
];

#[test]
fn from_nothing_to_an_answered_ask() {
    let home = new_home();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/team/run");
    let port = free_ports(6).to_string();
    let variables = [
        ("PORT", port.as_str()),
        ("HOLDPOINT", home.binary().to_str().unwrap()),
        ("HOLDPOINT_INBOX", ""),
    ];
    let line = format!("exec {}", script.display());
    let mut person = Person::shell(&home, &line, &variables);
    let given = person.sees("Open this address and answer: ").reads_line();
    // One page, whichever replica a request goes to.
    let ann = Browser::at(&given);
    let settled = ann.accept(&ann.asked(), json!({ "confirmed": true }));
    assert_eq!(settled["result"], "settled", "{settled}");
    person.sees("The program was told: accepted, by ann");
    let token = person.sees("Authorization: Bearer ").reads_line();
    let replicas = person.sees("Processes: a ").reads_line();
    person.sees("Enter ends everything.");

    let url = format!("http://127.0.0.1:{port}/mcp");
    let plan = |era| {
        let plan = Plan::http(&url).era(era).with("elicitation", json!("none"));
        plan.with("headers", authorization(&token))
            .call("elicit_confirm", json!({ "message": "Go on?" }))
            .call("elicit_confirm", json!({ "message": "And on?" }))
    };
    let mut events = ann.listen();
    for (client, era) in CLIENTS {
        let running = client.start(&plan(era));
        for _ in 0..2 {
            let ask = events.hear("elicitation");
            let settled = ann.accept(&ask, json!({ "confirmed": true }));
            assert_eq!(settled["result"], "settled", "{settled}");
        }
        let run = running.finish();
        for call in 0..2 {
            let told = &run.result(call)["structuredContent"];
            assert_eq!(told["confirmed"], true, "{}", run.story());
            assert_eq!(told["answeredBy"], "ann", "{}", run.story());
        }
    }

    // One replica is killed: the other answers, and the page is where it was.
    let pid = replicas.split(',').next().unwrap().to_owned();
    let killed = std::process::Command::new("kill")
        .args(["-KILL", &pid])
        .status();
    assert!(killed.unwrap().success());
    for (client, era) in CLIENTS {
        let running = client.start(&plan(era));
        for _ in 0..2 {
            let ask = eventually_blocking("an ask on the page", || {
                let mut listed = ann.try_get("/api/asks")?;
                let asks = listed["asks"].as_array_mut()?;
                asks.pop()
            });
            let settled = ann.accept(&ask, json!({ "confirmed": true }));
            assert_eq!(settled["result"], "settled", "{settled}");
        }
        let run = running.finish();
        assert_eq!(
            run.result(1)["structuredContent"]["answeredBy"],
            "ann",
            "{}",
            run.story()
        );
    }
    person.types("\r");
    let (seen, status) = person.ends();
    assert!(status.success(), "{seen}");
    assert!(!home.root().join(".config/holdpoint/config.toml").exists());
}
