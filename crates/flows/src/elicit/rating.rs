//! `elicit_rating`: one to so many stars.

use crate::{
    asking::{ask, timeout},
    schema::{Own, object},
    told::{passed_on, told},
    tool::{About, Ended, Entry, Flow, Hints},
};
use holdpoint::{Ask, Field, Form, Kind, Outcome, field::Rating};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Arguments {
    /// The question, as short Markdown
    message: String,
    /// The best; one is the worst. 5 where it is left out
    #[serde(default)]
    max: Option<u8>,
    /// What one means
    #[serde(default)]
    low_label: Option<String>,
    /// What the best means
    #[serde(default)]
    high_label: Option<String>,
    /// How many seconds the question waits, 5 to 86400; the user's own setting where it is left out
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

pub(super) fn tool() -> Entry {
    let own = json!({ "rating": { "type": "integer", "description": "From 1 to max" } });
    let about = About {
        name: "elicit_rating",
        title: "Ask for a rating",
        description: "Asks the person to rate something, from 1 up to max.",
        hints: Hints::Asks,
    };
    Entry::new(about, Own::Asks(own), run)
}

async fn run(flow: Flow, arguments: Arguments) -> Ended {
    let rating = Rating {
        max: arguments.max.unwrap_or(5),
        low_label: arguments.low_label,
        high_label: arguments.high_label,
    };
    let field = Field::new("rating", Kind::Rating(rating)).title("Rating");
    let mut question = Ask::new(arguments.message, Form::new().field(field));
    question.timeout = timeout(arguments.timeout_seconds);
    let decided = ask(&flow.cx, question).await?;
    let Outcome::Accepted(answer) = decided.outcome else {
        return Ok(passed_on(&decided.decision));
    };
    let rating = answer.get("rating").filter(|rating| rating.is_u64());
    let own = object(json!({ "rating": rating }));
    let next = "Go on with the person's rating.";
    Ok(told(&decided.decision, rating.is_some(), next, own))
}
