//! How long it takes to list many plans, and how soon a client hears that one has changed.
//!
//! ```sh
//! cargo bench -p bench --bench plans
//! ```

use holdpoint_plans::{PlanTools, PlansConfig};
use holdpoint_testkit::{Conversation, Era, StandSetup, ToolStand};
use serde_json::json;
use std::{
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

const PLANS: usize = 500;
const ROUNDS: usize = 20;

#[tokio::main]
async fn main() {
    let setup = StandSetup::new(|workspace| {
        vec![Arc::new(PlanTools::new(PlansConfig {
            workspace,
            plans_dir: "plans".into(),
        }))]
    });
    let stand = setup.stand().await;
    let mut client = Conversation::new(&stand, Era::Modern).await;
    let plan = json!({ "code": "login", "description": "A login page.", "steps": 8 });
    client.call("plan_create", plan).await.done();
    println!("a change is heard of after   {:?}", heard(&stand).await);
    copy_plans(&stand);
    println!(
        "{PLANS} plans are listed in      {:?}",
        listed(&mut client).await
    );
}

/// The middle of the times that it takes until an edit of a plan is heard of.
async fn heard(stand: &ToolStand) -> Duration {
    let mut client = Conversation::new(stand, Era::Modern).await;
    client.subscribe(&["holdpoint://plans/login"]).await;
    let file = stand.path().join("plans/login/STATUS.md");
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let text = fs::read_to_string(&file).unwrap();
        let began = Instant::now();
        fs::write(&file, format!("{text}\nNote {round}.\n")).unwrap();
        client.updated_resource().await;
        times.push(began.elapsed());
        // One edit may be heard of more than once.
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    middle(times)
}

fn copy_plans(stand: &ToolStand) {
    let plans = stand.path().join("plans");
    let text = fs::read_to_string(plans.join("login/STATUS.md")).unwrap();
    for number in 1..PLANS {
        let plan = plans.join(format!("plan-{number}"));
        fs::create_dir(&plan).unwrap();
        fs::write(plan.join("STATUS.md"), &text).unwrap();
    }
}

/// The middle of the times that a list takes.
async fn listed(client: &mut Conversation) -> Duration {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let began = Instant::now();
        client.call("plan_list", json!({})).await.done();
        times.push(began.elapsed());
    }
    middle(times)
}

fn middle(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}
