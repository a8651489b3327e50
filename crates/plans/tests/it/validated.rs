//! What is wrong in a plan's folder.

use super::{call, create, edit};
use crate::setup;
use holdpoint_testkit::{ERAS, ToolStand};
use serde_json::{Value, json};
use std::fs;

async fn findings(stand: &ToolStand, era: holdpoint_testkit::Era) -> (bool, Vec<String>) {
    let ended = stand
        .run(era, "plan_validate", json!({ "code": "login" }), &[])
        .await;
    let told = ended.body["findings"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let shown = |one: &Value| {
        assert!(!one["fix"].as_str().unwrap().is_empty());
        let line = one["line"]
            .as_u64()
            .map(|line| format!(":{line}"))
            .unwrap_or_default();
        format!(
            "{} {}{line} {}",
            one["severity"].as_str().unwrap(),
            one["file"].as_str().unwrap(),
            one["what"].as_str().unwrap()
        )
    };
    (
        ended.body["valid"] == true,
        told.iter().map(shown).collect(),
    )
}

fn criteria(title: &str, needs: Value) -> Value {
    json!({ "title": title, "acceptanceCriteria": ["It works"], "needs": needs })
}

#[tokio::test(start_paused = true)]
async fn a_plan_that_is_right_has_no_findings() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(
            &stand,
            "login",
            json!([criteria("Schema", json!([])), criteria("Form", json!([1]))]),
        )
        .await;
        assert_eq!(findings(&stand, era).await, (true, vec![]));
        call(
            &stand,
            "plan_step_start",
            json!({ "code": "login", "step": 1 }),
        )
        .await;
        assert_eq!(findings(&stand, era).await, (true, vec![]));
    }
}

#[tokio::test(start_paused = true)]
async fn every_finding_has_its_place_and_what_to_do() {
    for era in ERAS {
        let stand = setup().stand().await;
        let steps = json!([
            criteria("Schema", json!([3])),
            criteria("Form", json!([1])),
            criteria("Docs", json!([2])),
            criteria("Ship", json!([])),
            "Rest",
        ]);
        create(&stand, "login", steps).await;
        let plan = stand.path().join("plans/login");
        fs::remove_file(plan.join("SUMMARY.md")).unwrap();
        fs::write(plan.join("plan/09-extra.md"), "# Extra\n").unwrap();
        fs::remove_file(plan.join("plan/05-rest.md")).unwrap();
        edit(&stand, "plan/04-ship.md", |text| {
            text.replace("# Step 04", "# Step 40")
                .replace("None", "- Step 04\n- Step 77")
        });
        edit(&stand, ".history/timeline.jsonl", |text| {
            format!("{text}{{\"at\": \n")
        });
        edit(&stand, "STATUS.md", |text| {
            text.replace("| 05 | Rest |", "| 07 | Rest |")
                .replace("| 02 | Form | ⬜ pending |", "| 02 | Form | ✅ |")
                .replace("| **Status** | ⬜ pending |", "| **Status** | 🔄 |")
        });
        let (valid, told) = findings(&stand, era).await;
        assert!(!valid);
        let wanted = [
            "error plan/01-schema.md step 01 needs step 03, which needs it in its turn",
            "error plan/04-ship.md step 04 needs itself",
            "error plan/04-ship.md step 04 needs step 77, which is not there",
            "error plan/09-extra.md step 09 has no row in STATUS.md",
            "error STATUS.md:21 step 07 has no file plan/07-….md",
            "warning .history/timeline.jsonl:2 cannot be read",
            "warning plan/04-ship.md:5 its title says another number than 04",
            "warning STATUS.md there is no step 05, 06",
            "warning STATUS.md:18 step 02 is completed, but step 01, which it needs, is pending",
            "warning SUMMARY.md is not there",
        ];
        for wanted in wanted {
            let found = told.iter().any(|told| {
                told == wanted || (wanted.contains(".md:5") && told.contains("says another number"))
            });
            assert!(found, "{wanted}: {told:#?}");
        }
        let errors = told
            .iter()
            .take_while(|told| told.starts_with("error"))
            .count();
        assert!(
            told[errors..]
                .iter()
                .all(|told| told.starts_with("warning")),
            "{told:#?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_state_that_cannot_be_read_is_named_by_its_line() {
    for era in ERAS {
        let stand = setup().stand().await;
        create(&stand, "login", json!([criteria("Schema", json!([]))])).await;
        edit(&stand, "STATUS.md", |text| {
            text.replace(
                "| 01 | Schema | ⬜ pending |",
                "| 01 | Schema | ✅ pending |",
            )
        });
        let (valid, told) = findings(&stand, era).await;
        assert!(!valid);
        assert!(
            told[0].starts_with("error STATUS.md:17 \"✅ pending\" is not a status"),
            "{told:?}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_gate_that_nobody_opened_is_an_error() {
    for era in ERAS {
        let stand = setup().stand().await;
        let gate =
            json!({ "title": "Schema", "gate": "approval", "acceptanceCriteria": ["It works"] });
        create(&stand, "login", json!([gate])).await;
        edit(&stand, "STATUS.md", |text| {
            text.replace("⬜ pending", "✅ completed")
        });
        let (valid, told) = findings(&stand, era).await;
        assert!(!valid);
        assert!(
            told[0].contains("without a person's approval on record"),
            "{told:?}"
        );
    }
}
