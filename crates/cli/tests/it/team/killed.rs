//! A replica is killed with an ask open: another goes on with it.

use super::*;
use clients::Client;

#[test]
fn a_retry_at_another_replica_goes_on() {
    for (client, era) in [
        (Client::TypeScriptV1, Era::Legacy),
        (Client::TypeScriptV2, Era::Modern),
    ] {
        let team = Team::new("hold_seconds = 1");
        let (a, b) = (team.replica(), team.replica());
        let ann = team.person("ann", &a);
        let question = json!({ "message": "Go on?" });
        let ask = {
            let plan = team.formless(&a, era);
            let run = client.run(&plan.call("elicit_confirm", question));
            let told = &run.result(0)["structuredContent"];
            assert_eq!(told["status"], "pending", "{}", run.story());
            told["askId"].clone()
        };
        a.kill();

        let ann = ann.led_to(&b.page);
        let open = ann.asked();
        assert_eq!(open["id"], ask, "{open}");
        let wait = json!({ "askId": ask, "waitSeconds": 30 });
        let again = client.start(&team.formless(&b, era).call("await_answer", wait));
        let settled = ann.accept(&open, json!({ "confirmed": true }));
        assert_eq!(settled["result"], "settled", "{settled}");
        let run = again.finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        assert_eq!(told["answeredBy"], "ann", "{}", run.story());
        team.verify();
    }
}

#[test]
fn a_round_of_a_client_goes_on_at_another_replica() {
    let team = Team::new("fast_reply_ms = 0");
    let (a, b) = (team.replica(), team.replica());
    let mut call = json!({ "tool": "elicit_confirm", "arguments": { "message": "Go on?" } });
    call["manual"] = true.into();
    let plan = team.plan(&a, Era::Modern);
    let run = Client::TypeScriptV2.run(&plan.raw_call(call.clone()));
    let round = &run.all("input_required").next().expect("a round")["result"];
    a.kill();

    let keys = round["inputRequests"].as_object().unwrap().keys();
    let answers = keys.map(|key| (key.clone(), yes()));
    call["inputResponses"] = Value::Object(answers.collect());
    call["requestState"] = round["requestState"].clone();
    let run = Client::TypeScriptV2.run(&team.plan(&b, Era::Modern).raw_call(call));
    let told = &run.result(0)["structuredContent"];
    assert_eq!(told["confirmed"], true, "{}", run.story());
    team.verify();
}

/// Its session was in the memory of the replica: the client is told that it is gone, and opens another.
#[test]
fn a_session_of_a_replica_that_is_gone_is_unknown_elsewhere() {
    let team = Team::new("");
    let (a, b) = (team.replica(), team.replica());
    let session = team.caller(&a).session();
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" });
    assert_eq!(team.caller(&a).in_session(&session, &list).status(), 200);
    assert_eq!(team.caller(&b).in_session(&session, &list).status(), 404);
}
