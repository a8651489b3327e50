//! A flow with two questions and two effects, and what must be true of it whatever crashes.

use holdpoint::{
    Outcome, StepError, Yes,
    journal::{AskQuery, JournalEngine},
};
use holdpoint_testkit::{Era, Flows, accept, decline, form_capabilities, initialize, modern_meta};
use serde_json::{Value, json};
use std::{collections::HashMap, sync::Arc};

/// What an effect does to the world.
pub type Effect = Arc<dyn Fn(&str) + Send + Sync>;

/// A tool that pays and ships an order, each once a person has said yes.
pub fn shop(effect: Effect) -> Flows {
    Flows::default().with("order", move |cx, arguments| {
        let effect = effect.clone();
        async move {
            let order = arguments["order"].as_u64().unwrap_or_default();
            for verb in ["Pay", "Ship"] {
                let said = cx.elicitor().confirm(format!("{verb} {order}?")).await?;
                if !matches!(said, Outcome::Accepted(Yes)) {
                    return Ok(format!("{verb}: {}", said.status()));
                }
                let effect = effect.clone();
                let done = cx.step(verb, async move { effect(&format!("{verb} {order}")) });
                match done.await {
                    Ok(()) => {}
                    Err(StepError::Interrupted { .. }) => {
                        return Ok(format!("{verb}: interrupted"));
                    }
                    Err(error) => return Ok(format!("{verb}: {error}")),
                }
            }
            Ok("done".into())
        }
    })
}

/// Every third order is not shipped.
fn wants(message: &str) -> bool {
    let order: u64 = message
        .trim_end_matches('?')
        .split(' ')
        .nth(1)
        .unwrap()
        .parse()
        .unwrap();
    message.starts_with("Pay") || !order.is_multiple_of(3)
}

/// What a client does about a message of the server's.
pub enum Next {
    /// It waits for the next one.
    Wait,
    /// It replies with this.
    Reply(Value),
    /// It calls again, with the answers.
    Call,
    /// Nothing more: the call has ended with this.
    End(String),
}

/// What a client remembers of its call, and its person of the answers: neither of them crashes.
pub struct Order {
    number: u64,
    era: Era,
    /// What it calls again with.
    round: Option<(Value, Value)>,
    /// How often the person was shown each question and said yes.
    said_yes: HashMap<String, usize>,
    /// The yeses that the server has taken, by what it answered.
    taken: HashMap<String, usize>,
    in_flight: Vec<String>,
}

impl Order {
    pub fn new(number: u64, era: Era) -> Self {
        Self {
            number,
            era,
            round: None,
            said_yes: HashMap::new(),
            taken: HashMap::new(),
            in_flight: Vec::new(),
        }
    }

    /// What the client begins with, where its era shakes hands.
    pub fn hello(&self) -> Option<Value> {
        let params = initialize("2025-11-25", &form_capabilities());
        let hello = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params });
        (self.era == Era::Legacy).then_some(hello)
    }

    /// The parameters of the next call.
    pub fn params(&self) -> Value {
        let mut params = json!({ "name": "order", "arguments": { "order": self.number } });
        if self.era == Era::Modern {
            params["_meta"] = modern_meta(&form_capabilities());
        }
        if let Some((state, responses)) = &self.round {
            params["requestState"] = state.clone();
            params["inputResponses"] = responses.clone();
        }
        params
    }

    /// Takes a message of the server's.
    pub fn hear(&mut self, message: &Value) -> Next {
        if message["method"] == "elicitation/create" {
            self.replies_were_taken();
            let reply = self.answer(&message["params"]);
            return Next::Reply(json!({ "jsonrpc": "2.0", "id": message["id"], "result": reply }));
        }
        if message.get("method").is_some() {
            return Next::Wait;
        }
        if let Some(error) = message.get("error") {
            return Next::End(error.to_string());
        }
        self.replies_were_taken();
        let result = &message["result"];
        let Some(requests) = result["inputRequests"].as_object() else {
            return Next::End(result["content"][0]["text"].as_str().unwrap().to_owned());
        };
        let responses = requests
            .iter()
            .map(|(key, request)| (key.clone(), self.answer(&request["params"])))
            .collect();
        self.round = Some((result["requestState"].clone(), responses));
        Next::Call
    }

    /// The server is gone. Answers that are not sent again may not have been taken.
    pub fn hang_up(&mut self) {
        if self.era == Era::Legacy {
            self.in_flight.clear();
        }
    }

    fn replies_were_taken(&mut self) {
        for message in self.in_flight.drain(..) {
            *self.taken.entry(message).or_default() += 1;
        }
    }

    fn answer(&mut self, question: &Value) -> Value {
        let message = question["message"].as_str().unwrap();
        if !wants(message) {
            return decline();
        }
        *self.said_yes.entry(message.to_owned()).or_default() += 1;
        self.in_flight.push(message.to_owned());
        accept(json!({ "confirmed": true }))
    }

    /// Checks that no effect happened twice, no decision was lost, and no yes was made up.
    pub async fn check(&self, journal: &dyn JournalEngine, effects: &[String], ended: &str) {
        let asks = journal.asks(AskQuery::default()).await.unwrap();
        for verb in ["Pay", "Ship"] {
            let (message, effect) = (
                format!("{verb} {}?", self.number),
                format!("{verb} {}", self.number),
            );
            let yeses = asks.iter().filter(|ask| {
                let outcome = ask.decision.as_ref().map(|decision| &decision.outcome);
                ask.ask.message == message && matches!(outcome, Some(Outcome::Accepted(_)))
            });
            let yeses = yeses.count();
            let count = effects.iter().filter(|done| **done == effect).count();
            let of = |said: &HashMap<String, usize>| said.get(&message).copied().unwrap_or(0);
            let case = format!("{message} {ended}: {yeses} yeses on record, {count} effects");
            assert!(count <= yeses, "an effect without a yes, or twice: {case}");
            assert!(
                yeses <= of(&self.said_yes),
                "a yes that nobody gave: {case}"
            );
            assert!(yeses > 0 || of(&self.taken) == 0, "a yes was lost: {case}");
            assert!(
                ended != "done" || count > 0,
                "done without its effect: {case}"
            );
        }
    }
}
