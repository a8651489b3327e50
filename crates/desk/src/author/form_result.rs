//! What became of a question whose form its asker wrote: what `elicit_form` gives, and the page's API.

use super::tool_result::{ComeBack, pending, tool_result};
use crate::{AskError, Desk};
use holdpoint_ask::{Answer, Decision, Form, Outcome};
use holdpoint_journal::AskRecord;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Map, Value};

/// The result of an accepted answer to this form: its values, and whether a person says yes in them.
pub fn form_result(form: &Form, decision: &Decision, answer: Answer) -> CallToolResult {
    let verdict = form.verdict(&answer);
    let fields = Map::from_iter([("values".to_owned(), Value::Object(answer))]);
    tool_result(decision, verdict.proceed, Some(&verdict.next_step), fields)
}

impl Desk {
    /// What a program is told of a question of its own that is on record, in the fields of a tool's result: how it
    /// ended, or that it waits.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use holdpoint::{Ask, Desk, Origin};
    ///
    /// let desk = Desk::builder(holdpoint::journal::open("memory:").await?).shared_inbox().build().await?;
    /// let left = desk.ask_and_leave(Origin::default(), None, Ask::confirm("Deploy?")).await?;
    /// assert_eq!(desk.result_of(&left.record).await?["status"], "pending");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When a file that was given cannot be fetched.
    pub async fn result_of(&self, record: &AskRecord) -> Result<JsonObject, AskError> {
        let result = match &record.decision {
            None => pending(
                record.id,
                self.answer_place(record.id).await,
                ComeBack::Again,
            ),
            Some(decision) => match &decision.outcome {
                Outcome::Accepted(answer) => {
                    let (form, mut answer) = (&record.ask.form, answer.clone());
                    self.fetch_files(record.id, form, &mut answer).await?;
                    form_result(form, decision, answer)
                }
                _ => tool_result(decision, false, None, Map::new()),
            },
        };
        match result.structured_content {
            Some(Value::Object(fields)) => Ok(fields),
            _ => Ok(JsonObject::new()),
        }
    }
}
