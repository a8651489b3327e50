//! `request_review_decision`, for a review that failed.

use crate::setup;
use holdpoint_testkit::{Conversation, ERAS, accept, decline};
use serde_json::{Value, json};

const TOOL: &str = "request_review_decision";

fn review() -> Value {
    json!({
        "phaseNumber": 2,
        "summary": "Sessions never expire.",
        "findings": [
            { "severity": "MINOR", "text": "A name is too long." },
            { "severity": "CRITICAL", "text": "Cookies are not signed:\nanyone can forge one." },
            { "severity": "MINOR", "text": "A comment is wrong." },
        ],
        "planName": "Add login",
    })
}

#[tokio::test(start_paused = true)]
async fn each_decision_has_its_next_step() {
    for era in ERAS {
        for (decision, proceed, next) in [
            ("fix", false, "Fix the findings"),
            (
                "accept_as_is",
                true,
                "go on to request_phase_commit_approval",
            ),
            ("abort", false, "report what was done and what is left"),
        ] {
            let stand = setup().stand().await;
            let answer = json!({ "decision": decision, "notes": "Sign them." });
            let ended = stand.run(era, TOOL, review(), &[accept(answer)]).await;
            let told = ended.fields(&["decision", "notes", "proceed"]);
            assert_eq!(
                told,
                json!({ "decision": decision, "notes": "Sign them.", "proceed": proceed })
            );
            assert!(ended.next().contains(next), "{}", ended.next());
        }
        let stand = setup().stand().await;
        let ended = stand.run(era, TOOL, review(), &[decline()]).await;
        assert!(ended.next().contains("nothing is approved"));
        let mut client = Conversation::with(stand.server.clone(), era, json!({})).await;
        let ended = stand.drive(&mut client, TOOL, review(), &[]).await;
        assert!(
            ended.next().contains("fix, accept as is or abort"),
            "{}",
            ended.next()
        );
    }
}

#[tokio::test(start_paused = true)]
async fn findings_come_by_severity() {
    let stand = setup().stand().await;
    let mut client = Conversation::new(&stand, ERAS[0]).await;
    let asked = stand.asked(&mut client, TOOL, review()).await;
    insta::assert_snapshot!("review_message", asked.message());
    insta::assert_json_snapshot!("review_form", asked.params["requestedSchema"]);
}
