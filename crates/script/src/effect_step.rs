//! An effect of a run: only if it is declared and permitted, and as a recorded step.

use crate::{
    Resume, Thrown, YieldError,
    effects::{Effect, Ended},
    flow::{Flow, throw, thrown, withdrawn},
};
use holdpoint::{Digest, StepError};
use rmcp::ErrorData;
use serde_json::Map;

impl Flow {
    /// Performs an effect, or says why not. `shown` is the effect without secrets.
    pub(crate) async fn effect(
        &mut self,
        effect: Effect,
        shown: &Effect,
    ) -> Result<Resume, ErrorData> {
        let program = self.program.clone();
        let declared = program.permissions();
        self.sandbox.open();
        if let Err(refused) = effect.check_declared(declared, &self.sandbox) {
            return Ok(throw(YieldError(refused.to_string())));
        }
        if !self.sandbox.is_given(&effect)
            && let Err(refused) = self.permitted(shown).await?
        {
            return Ok(Resume::Throw(refused));
        }
        if self.withdrawn || self.cx.is_cancelled() {
            return Ok(withdrawn());
        }
        let digest = Digest::hash_json(shown).map_err(|error| {
            ErrorData::internal_error(format!("An effect has no digest: {error}"), None)
        })?;
        let name = format!("{} {digest}", effect.kind());
        let label = effect.label(shown, &self.cx);
        let sandbox = self.sandbox.clone();
        let ended = match effect {
            // Reading twice does no harm.
            Effect::Read(_) => {
                let perform = || effect.clone().perform(&sandbox, declared);
                self.again_labelled(&name, &label, Ended::label, perform)
                    .await
            }
            _ => {
                let perform = effect.perform(&sandbox, declared);
                self.once_labelled(&name, &label, Ended::label, perform)
                    .await
            }
        };
        match ended {
            Ok(Ended::Done(value)) => Ok(Resume::Value(value)),
            Ok(Ended::Failed(failure)) => {
                let mut thrown = Thrown {
                    message: failure.message,
                    ..Thrown::default()
                };
                thrown.fields.insert("name".into(), "EffectError".into());
                if let Some(code) = failure.code {
                    thrown.fields.insert("code".into(), code.into());
                }
                Ok(Resume::Throw(thrown))
            }
            Err(StepError::Interrupted { .. }) => Ok(Resume::Throw(Thrown {
                message: format!(
                    "The process ended in the middle of this: {shown}. It may or may not have happened"
                ),
                outcome: Some("interrupted".into()),
                fields: Map::new(),
            })),
            Err(error) => Err(error.into()),
        }
    }

    async fn permitted(&mut self, effect: &Effect) -> Result<Result<(), Thrown>, ErrorData> {
        let mut permit = std::mem::take(&mut self.permit);
        let permitted = permit.check(self, effect).await;
        self.permit = permit;
        match permitted? {
            Ok(()) => Ok(Ok(())),
            Err(unanswered) => {
                let mut thrown = thrown(&unanswered);
                thrown.message = format!(
                    "{} may not act here: {}",
                    self.program.file(),
                    unanswered.message
                );
                self.unanswered = Some(unanswered);
                Ok(Err(thrown))
            }
        }
    }
}
