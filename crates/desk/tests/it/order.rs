//! What is asked together arrives in the order in which it was asked.

use crate::{
    http::{Http, read_question},
    support::*,
};
use futures::future::join_all;
use holdpoint::Holdpoint;
use serde_json::json;

const MANY: usize = 8;

fn flows() -> Flows {
    Flows::default().with("many", |cx, _| async move {
        let ask = |n| cx.elicitor().text_input(format!("{n}?"), "name");
        let outcomes = join_all((0..MANY).map(|n| ask(n).into_future())).await;
        let accepted = outcomes.into_iter().filter(|outcome| outcome.is_ok());
        Ok(accepted.count().to_string())
    })
}

fn wanted() -> Vec<String> {
    (0..MANY).map(|n| format!("{n}?")).collect()
}

// With several threads, as a server has them: there the newest task runs first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_http_a_round_comes_in_order_the_first_one_too() {
    for _ in 0..40 {
        let server = Holdpoint::new(desk(patient()).await, flows()).unwrap();
        let http = Http::legacy(server).await;
        let mut stream = http.call("many").await;
        let mut seen = Vec::new();
        let mut ids = Vec::new();
        while seen.len() < MANY {
            let question = read_question(&mut stream).await;
            seen.push(question["params"]["message"].as_str().unwrap().to_owned());
            ids.push(question["id"].clone());
        }
        assert_eq!(seen, wanted());
        for id in ids {
            http.reply(&id, accept(json!({ "name": "x" }))).await;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn over_pipes_too_and_when_it_is_shown_again() {
    let server = Holdpoint::new(desk(patient()).await, flows()).unwrap();
    let mut client = Client::legacy(server, form()).await;
    for _ in 0..2 {
        let call = client.call("many").await;
        let mut seen = Vec::new();
        for _ in 0..MANY {
            let asked = client.asked().await;
            seen.push(asked["params"]["message"].as_str().unwrap().to_owned());
        }
        assert_eq!(seen, wanted());
        // The client gives up, and calls again: the same questions are shown once more.
        client.cancel(call, "Request timed out").await;
    }
}
