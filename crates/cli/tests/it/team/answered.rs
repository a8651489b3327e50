//! What is asked at one replica is answered at another, by name.

use super::*;
use clients::Client;

/// A client of each era, and one that speaks both.
const CLIENTS: [(Client, Era); 4] = [
    (Client::TypeScriptV1, Era::Legacy),
    (Client::TypeScriptV2, Era::Modern),
    (Client::Python, Era::Legacy),
    (Client::Python, Era::Modern),
];

#[test]
fn at_another_replica_by_somebody_whose_name_the_agent_gets() {
    let team = Team::new("");
    let (a, b) = (team.replica(), team.replica());
    // Let in by one replica, and led to the other by the proxy.
    let ann = team.person("ann", &a).led_to(&b.page);
    let mut events = ann.listen();
    for (client, era) in CLIENTS {
        let message = format!("Go on, {client:?} {era:?}?");
        let plan = team.formless(&a, era);
        let plan = plan.call("elicit_confirm", json!({ "message": message }));
        let running = client.start(&plan);
        let ask = events.hear("elicitation");
        assert_eq!(ask["title"], message.as_str(), "{ask}");
        let settled = ann.accept(&ask, json!({ "confirmed": true }));
        assert_eq!(settled["result"], "settled", "{settled}");
        assert_eq!(events.hear("settled")["decision"]["answeredBy"], "ann");
        let run = running.finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        assert_eq!(told["answeredBy"], "ann", "{}", run.story());
    }
    team.verify();
}

#[test]
fn a_form_in_the_client_and_the_page_of_another_replica() {
    let team = Team::new("fast_reply_ms = 0");
    let (a, b) = (team.replica(), team.replica());
    let ann = team.person("ann", &b);
    let mut events = ann.listen();
    let go_on = |era| {
        let plan = team.plan(&a, era);
        plan.call("elicit_confirm", json!({ "message": "Go on?" }))
    };
    for (client, era) in &CLIENTS[..2] {
        let era = *era;
        // The client answers: the other replica's page clears it away.
        let yes = json!({ "action": "accept", "content": { "confirmed": true } });
        let run = client.run(&go_on(era).answer(yes));
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        assert_eq!(events.hear("settled")["decision"]["outcome"], "accepted");

        // The page answers while the client shows its form.
        let waits = json!({ "action": "cancel", "await": true });
        let mut running = client.start(&go_on(era).answer(waits));
        running.wait_for("elicitation");
        let ask = ann.asked();
        let settled = ann.accept(&ask, json!({ "confirmed": true }));
        assert_eq!(settled["result"], "settled", "{settled}");
        running.go_on();
        let run = running.finish();
        let told = &run.result(0)["structuredContent"];
        assert_eq!(told["confirmed"], true, "{}", run.story());
        assert_eq!(told["answeredBy"], "ann", "{}", run.story());
        events.hear("settled");
    }
    team.verify();
}
