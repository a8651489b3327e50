//! Requests to the client that are not asks: its model, and its roots.

use super::{call::Call, client::Reach, rounds::Input};
use crate::{ClientError, core::open_ask::Asker, settings::LONGEST};
use holdpoint_journal::{JournalError, Write};
use serde::de::DeserializeOwned;
use serde_json::Value;

impl Call {
    /// Sends a request to the client and reads its answer.
    pub async fn request_client<T: DeserializeOwned>(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<T, ClientError> {
        let time = self.desk.settings().timeout.unwrap_or(LONGEST);
        let answer = tokio::time::timeout(time, self.client_answer(method, params));
        let answer = answer.await.map_err(|_| ClientError::TimedOut)??;
        serde_json::from_value(answer).map_err(|error| ClientError::Garbled(error.to_string()))
    }

    async fn client_answer(
        &self,
        method: &'static str,
        params: Value,
    ) -> Result<Value, ClientError> {
        let client = self.client();
        if client.reach() != Reach::Rounds {
            // Its answer is not on record.
            self.keep();
            return client.request(method, params).await;
        }
        match self.register_input(method, params) {
            Err(recorded) => Ok(recorded),
            Ok(waiting) => {
                let answer = waiting.await.map_err(|_| ClientError::Gone)?;
                self.answer_consumed();
                Ok(answer)
            }
        }
    }

    /// Records what a modern client answered to a request that is not an ask, then hands it to the
    /// flow.
    pub async fn finish_input(&self, input: Input, answer: Value) -> Result<(), JournalError> {
        let (name, occurrence) = input.step;
        let epoch = self.epoch();
        let at = self.desk.now();
        let start = Write::StartStep {
            call: self.id,
            epoch,
            name: name.clone(),
            occurrence,
            label: None,
            at,
        };
        let finish = Write::FinishStep {
            call: self.id,
            epoch,
            name,
            occurrence,
            result: answer.clone(),
            label: None,
            at,
        };
        self.desk.journal().commit(vec![start, finish]).await?;
        self.answer_sent();
        if input.answer.send(answer).is_err() {
            self.answer_consumed();
        }
        Ok(())
    }
}
