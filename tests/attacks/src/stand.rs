//! A server with tools that ask, and the check that nothing was accepted there.

use holdpoint::{
    Outcome, Settings,
    journal::{AskQuery, AskRecord},
};
use holdpoint_testkit::{StandSetup, ToolStand};
use holdpoint_tools::{Commit, ElicitTools, NoPlanFolders, OrchestraConfig, OrchestraTools};
use serde_json::{Value, json};
use std::{sync::Arc, time::Duration};

/// A tool that asks, and what a yes to it is.
#[derive(Debug, Clone)]
pub struct Question {
    /// The tool.
    pub tool: &'static str,
    /// What it is called with.
    pub arguments: Value,
    /// The content of a yes.
    pub yes: Value,
}

impl Question {
    /// The same question about something else, so that no call takes up another one's.
    pub fn about(&self, number: usize) -> Self {
        let mut question = self.clone();
        for key in ["message", "planSummary"] {
            if let Some(Value::String(text)) = question.arguments.get_mut(key) {
                text.push_str(&format!(" Number {number}."));
            }
        }
        question
    }
}

/// One question of each kind that decides something.
pub fn questions() -> Vec<Question> {
    let question = |tool, arguments, yes| Question {
        tool,
        arguments,
        yes,
    };
    let options = json!(["a", "b"]);
    vec![
        question(
            "elicit_confirm",
            json!({ "message": "Delete it?" }),
            json!({ "confirmed": true }),
        ),
        question(
            "elicit_confirm",
            json!({ "message": "Drop the table?", "dangerous": true }),
            json!({ "confirmed": true }),
        ),
        question(
            "elicit_choice",
            json!({ "message": "Which?", "options": options }),
            json!({ "choice": "a" }),
        ),
        question(
            "elicit_choice",
            json!({ "message": "Which?", "options": options, "multiple": true }),
            json!({ "choices": ["a"] }),
        ),
        question(
            "request_plan_approval",
            json!({ "planSummary": "Add a login page.", "phaseCount": 2 }),
            json!({ "decision": "approve" }),
        ),
    ]
}

/// A server with these tools, where each reply counts however fast it comes.
pub async fn patient_stand() -> ToolStand {
    let settings = Settings::default()
        .fast_reply(Duration::ZERO)
        .timeout(Duration::from_secs(5));
    StandSetup {
        settings,
        ..setup()
    }
    .stand()
    .await
}

/// How such servers are set up.
pub fn setup() -> StandSetup {
    StandSetup::new(|workspace| {
        let config = OrchestraConfig {
            workspace,
            plans_dir: "plans".into(),
            commit: Commit::Verify,
            git_filters: Vec::new(),
        };
        let orchestra = OrchestraTools::new(config, Arc::new(NoPlanFolders));
        vec![Arc::new(ElicitTools::new()), Arc::new(orchestra)]
    })
}

/// What was accepted on this stand.
pub async fn accepted(stand: &ToolStand) -> Vec<AskRecord> {
    let asks = stand
        .desk
        .journal()
        .asks(AskQuery::default())
        .await
        .unwrap();
    asks.into_iter()
        .filter(|ask| {
            let decision = ask.decision.as_ref();
            decision.is_some_and(|decision| matches!(decision.outcome, Outcome::Accepted(_)))
        })
        .collect()
}

/// The one check: nobody said yes, and the agent was not told that anybody did.
pub async fn check_no_yes(stand: &ToolStand, answer: &Value, case: &str) {
    let body = &answer["result"]["structuredContent"];
    assert_ne!(body["proceed"], true, "{case}: {answer}");
    assert_ne!(body["status"], "accepted", "{case}: {answer}");
    let accepted = accepted(stand).await;
    assert!(accepted.is_empty(), "{case}: {accepted:?}");
}
