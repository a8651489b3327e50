//! The studio with clients that others wrote, in every era that each of them speaks.
//!
//! `dev/setup` installs them.

use clients::{Client, Era, Plan, Run, Server};
use serde_json::{Value, json};
use std::{fs, path::Path, thread};
use tempfile::TempDir;

/// Each way to answer, in one run: accept, decline, cancel, an empty accept and a wrong type, which
/// are asked again twice.
#[test]
fn answers() {
    for_each_client(|_, client, era, plan| {
        let wrong = json!({ "action": "accept", "content": { "value": "fast" } });
        let empty = json!({ "action": "accept", "content": {} });
        let mut answers = vec![
            json!({ "action": "accept", "content": { "value": 99 } }),
            json!({ "action": "decline" }),
            json!({ "action": "cancel" }),
        ];
        answers.extend([&empty, &empty, &empty, &wrong, &wrong, &wrong].map(Value::clone));
        let mut plan = plan;
        for _ in 0..5 {
            plan = plan.call("get_tempo", json!({}));
        }
        let run = client.run(&plan.with("answers", answers.into()));

        let statuses: Vec<_> = (0..5).map(|call| status(&run, call)).collect();
        let expected = ["accepted", "declined", "cancelled", "invalid", "invalid"];
        assert_eq!(statuses, expected, "{client:?} {era:?}\n{}", run.story());
        assert_eq!(run.result(0)["structuredContent"]["value"], 99.0);
        assert_eq!(run.asked().len(), 9, "{client:?} {era:?}\n{}", run.story());
        for call in 1..5 {
            assert_eq!(run.result(call)["structuredContent"]["proceed"], false);
        }
    });
}

/// Without elicitation in the client an optional input is skipped, and said so; a deletion is not.
#[test]
fn no_elicitation() {
    for_each_client(|studio, client, era, plan| {
        studio.clip("intro");
        let run = client.run(
            &plan
                .with("elicitation", json!("none"))
                .call("get_tempo", json!({}))
                .call("confirm_delete", json!({ "clips": ["intro"] })),
        );
        let story = || format!("{client:?} {era:?}\n{}", run.story());
        assert!(run.asked().is_empty(), "{}", story());
        assert_eq!(status(&run, 0), "unreachable", "{}", story());
        assert_eq!(run.result(0)["structuredContent"]["value"], 120.0);
        assert_eq!(status(&run, 1), "unreachable", "{}", story());
        assert_eq!(run.result(1)["isError"], true, "{}", story());
        assert!(studio.has("intro"), "{}", story());
    });
}

/// A client that fills in defaults by itself approves nothing: what decides has none.
#[test]
fn defaults_are_no_consent() {
    for (client, era) in [
        (Client::TypeScriptV1, Era::Legacy),
        (Client::TypeScriptV2, Era::Legacy),
        (Client::TypeScriptV2, Era::Modern),
    ] {
        let studio = Studio::new();
        studio.clip("intro");
        let server = studio.serve();
        let accept = json!({ "action": "accept", "content": {}, "delayMs": 200 });
        let run = client.run(
            &Plan::http(&server.url)
                .era(era)
                .with("elicitation", json!("defaults"))
                .call("confirm_delete", json!({ "clips": ["intro"] }))
                .with("answers", json!([accept, accept, accept])),
        );
        assert_eq!(
            status(&run, 0),
            "invalid",
            "{client:?} {era:?}\n{}",
            run.story()
        );
        assert!(studio.has("intro"), "{client:?} {era:?}\n{}", run.story());
    }
}

/// An answer that no person can have typed does not delete; the same answer given in time does.
#[test]
fn deletion_takes_a_person() {
    for_each_client(|studio, client, era, plan| {
        studio.clip("intro");
        let delete = |plan: Plan| plan.call("confirm_delete", json!({ "clips": ["intro"] }));
        let yes = json!({ "action": "accept", "content": { "confirmed": true } });
        // No answer is slow enough for this one, however busy the machine is.
        let [clips, folder, ..] = studio.args();
        let args = [clips, folder, "--fast-reply-ms", "60000"];
        let strict = delete(Plan::stdio(Path::new(PROGRAM), args).era(era));
        let run = client.run(&strict.answer(yes.clone()));
        assert_ne!(
            status(&run, 0),
            "accepted",
            "{client:?} {era:?}\n{}",
            run.story()
        );
        assert!(studio.has("intro"), "{client:?} {era:?}\n{}", run.story());
        let mut late = yes;
        late["delayMs"] = json!(400);
        let run = client.run(&delete(plan).answer(late));
        assert_eq!(
            status(&run, 0),
            "accepted",
            "{client:?} {era:?}\n{}",
            run.story()
        );
        assert!(!studio.has("intro"), "{client:?} {era:?}\n{}", run.story());
    });
}

/// Two questions that do not depend on each other, then a third.
#[test]
fn two_asks_in_one_round() {
    for_each_client(|studio, client, era, plan| {
        let run = client.run(&new_clip(plan, "intro"));
        assert_eq!(
            status(&run, 0),
            "accepted",
            "{client:?} {era:?}\n{}",
            run.story()
        );
        assert_eq!(run.asked().len(), 3, "{client:?} {era:?}\n{}", run.story());
        assert!(studio.has("intro"), "{client:?} {era:?}");
    });
    for client in [Client::TypeScriptV2, Client::Python] {
        let studio = Studio::new();
        let round = first_round(client, &studio, "new_clip");
        let questions = round["inputRequests"].as_object().unwrap();
        assert_eq!(questions.len(), 2, "{client:?}: {round}");
    }
}

/// What a client checks against the tool's schema by itself, and a prompt that asks where the era lets it.
#[test]
fn long_work_and_prompts() {
    for_each_client(|studio, client, era, plan| {
        studio.clip("intro");
        let key = json!({ "to": "key", "action": "accept", "content": { "choice": "Am" } });
        let run = client.run(
            &plan
                .call("export_clips", json!({ "clips": [] }))
                .call("export_clips", json!({ "clips": ["gone"] }))
                .prompt("new_song", json!({ "mood": "calm" }))
                .answer(key),
        );
        let story = || format!("{client:?} {era:?}\n{}", run.story());
        let exported = &run.result(0)["structuredContent"]["files"];
        assert_eq!(*exported, json!(["exports/intro.wav"]), "{}", story());
        let refused = &run.result(1)["structuredContent"]["error"];
        assert_eq!(*refused, "NO_SUCH_CLIP", "{}", story());
        let text = run.result(2)["messages"].to_string();
        let (asked, key) = match era {
            Era::Legacy => (0, "in the key of [key]. Ask me"),
            Era::Modern => (1, "in the key of Am."),
        };
        assert_eq!(run.asked().len(), asked, "{}", story());
        assert!(text.contains(key), "{}", story());
    });
}

/// A client that vanishes in mid-ask: nothing is done, and the next client is served.
#[test]
fn vanished_client() {
    for_each_client(|studio, client, era, plan| {
        studio.clip("intro");
        let plan = plan.call("name_artifact", json!({ "clip": "intro" }));
        let run = client.run(&plan.clone().answer(json!({ "vanish": true })));
        assert_eq!(run.exit_code, None, "{client:?} {era:?}\n{}", run.story());
        assert!(studio.has("intro"), "{client:?} {era:?}\n{}", run.story());

        let name = json!({ "action": "accept", "content": { "name": "outro" } });
        let run = client.run(&plan.answer(name));
        assert_eq!(
            status(&run, 0),
            "accepted",
            "{client:?} {era:?}\n{}",
            run.story()
        );
        assert!(studio.has("outro") && !studio.has("intro"));
    });
}

/// The server is killed in each round, and started again; the answers still complete the call.
#[test]
fn server_killed_between_rounds() {
    for client in [Client::TypeScriptV2, Client::Python, Client::Mcpdo] {
        let studio = Studio::new();
        let mut server = studio.serve();
        let plan = Plan::http(&server.url).era(Era::Modern).with(
            "answers",
            json!([
                { "to": "Tempo", "action": "accept", "content": { "value": 99 }, "await": true },
                { "to": "key", "action": "accept", "content": { "choice": "Am" } },
                { "to": "called", "action": "accept", "content": { "name": "intro" }, "await": true },
            ]),
        );
        let mut running = client.start(&plan.call("new_clip", json!({})));
        for question in ["Tempo", "called"] {
            while !message(&running.wait_for("elicitation")).contains(question) {}
            server.restart();
            running.go_on();
        }
        let run = running.finish();
        assert_eq!(status(&run, 0), "accepted", "{client:?}\n{}", run.story());
        assert!(studio.has("intro"), "{client:?}");
    }
}

/// Over stdio the server ends with its client: another one, with another server, goes on.
#[test]
fn another_process_goes_on() {
    for client in [Client::TypeScriptV2, Client::Python] {
        let studio = Studio::new();
        studio.clip("intro");
        let arguments = json!({ "clip": "intro" });
        let call = json!({ "tool": "name_artifact", "arguments": arguments, "manual": true });
        let plan = studio.stdio().era(Era::Modern);
        let run = client.run(&plan.clone().raw_call(call.clone()));
        let round = run.all("input_required").next().expect("a round")["result"].clone();

        let run = client.run(&plan.raw_call(retry(call, &round, json!({ "name": "outro" }))));
        assert_eq!(status(&run, 0), "accepted", "{client:?}\n{}", run.story());
        assert!(studio.has("outro") && !studio.has("intro"), "{client:?}");
    }
}

/// Two servers, one journal, and the same answers to both at once: the clip is renamed once, and
/// both are told so.
#[test]
fn two_processes_after_one_call() {
    for client in [Client::TypeScriptV2, Client::Python] {
        let studio = Studio::new();
        studio.clip("intro");
        let servers = [studio.serve(), studio.serve()];
        let arguments = json!({ "clip": "intro" });
        let call = json!({ "tool": "name_artifact", "arguments": arguments, "manual": true });
        let plan = |server: &Server| Plan::http(&server.url).era(Era::Modern);
        let run = client.run(&plan(&servers[0]).raw_call(call.clone()));
        let round = run.all("input_required").next().expect("a round")["result"].clone();

        let call = retry(call, &round, json!({ "name": "outro" }));
        let retries = servers.each_ref().map(|server| {
            let plan = plan(server).raw_call(call.clone());
            thread::spawn(move || client.run(&plan))
        });
        for run in retries.map(|retry| retry.join().unwrap()) {
            assert_eq!(status(&run, 0), "accepted", "{client:?}\n{}", run.story());
        }
        assert!(studio.has("outro") && !studio.has("intro"), "{client:?}");
    }
}

/// Runs a test with a studio of its own for each client and era, over HTTP and over stdio.
fn for_each_client(test: impl Fn(&Studio, Client, Era, Plan)) {
    for (client, era) in Client::ALL {
        let studio = Studio::new();
        let server = studio.serve();
        let plan = Plan::http(&server.url).era(era);
        test(&studio, client, era, plan);

        let studio = Studio::new();
        let plan = studio.stdio().era(era);
        test(&studio, client, era, plan);
    }
}

fn new_clip(plan: Plan, name: &str) -> Plan {
    plan.call("new_clip", json!({})).with(
        "answers",
        json!([
            { "to": "Tempo", "action": "accept", "content": { "value": 99 } },
            { "to": "key", "action": "accept", "content": { "choice": "Am" } },
            { "to": "called", "action": "accept", "content": { "name": name } },
        ]),
    )
}

fn first_round(client: Client, studio: &Studio, tool: &str) -> Value {
    let call = json!({ "tool": tool, "arguments": {}, "manual": true });
    let run = client.run(&studio.stdio().era(Era::Modern).raw_call(call));
    run.all("input_required").next().expect("a round")["result"].clone()
}

/// The call again, with the same content for each question of its round.
fn retry(mut call: Value, round: &Value, content: Value) -> Value {
    let questions = round["inputRequests"].as_object().expect("questions");
    let answer = |key: &String| {
        (
            key.clone(),
            json!({ "action": "accept", "content": content }),
        )
    };
    call["inputResponses"] = Value::Object(questions.keys().map(answer).collect());
    call["requestState"] = round["requestState"].clone();
    call
}

fn status(run: &Run, call: usize) -> String {
    let status = &run.result(call)["structuredContent"]["status"];
    status.as_str().unwrap_or_default().to_owned()
}

fn message(elicitation: &Value) -> &str {
    elicitation["params"]["message"]
        .as_str()
        .unwrap_or_default()
}

/// A folder of clips, with its journal.
struct Studio(TempDir);

impl Studio {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn serve(&self) -> Server {
        Server::start(PROGRAM, self.args())
    }

    fn stdio(&self) -> Plan {
        Plan::stdio(Path::new(PROGRAM), self.args())
    }

    /// Its clients' people read fast.
    fn args(&self) -> [&str; 4] {
        let folder = self.0.path().to_str().unwrap();
        ["--clips", folder, "--fast-reply-ms", "0"]
    }

    fn clip(&self, name: &str) {
        let clip = json!({ "tempo": 120.0, "key": "C" });
        fs::write(self.path(name), clip.to_string()).unwrap();
    }

    fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(format!("{name}.clip"))
    }
}

const PROGRAM: &str = env!("CARGO_BIN_EXE_studio");
