//! Asks that are reviews, as tools make them: a plan in rounds, a diff, a text to edit.

use super::stage::Stage;
use holdpoint::{
    Ask, AskId, Field, Form, Kind, Reply,
    field::{Choice, Ending, Pick, Text},
    review::{EditableText, Round},
    testing::accept,
};
use serde_json::json;
use std::fmt::Write as _;

pub const PLAN: &str = "# Checkout in three phases\n\nThe old form stays until the last phase.\n\n\
    ## Phase 1: address\n\nBehind a switch, for *one* market.\n\n- [x] Draft the form\n- [ ] Ask the shop\n\n\
    ## Phase 2: payment\n\n| provider | cost |\n|---|---|\n| A | 1 % |\n| B | 2 % |\n\n```sh\ncargo test -p shop\n```\n\n\
    ## Phase 3: the old form goes\n\nAfter 30 days without a fault. ~~After 10 days.~~\n";

/// Approve, request changes with feedback, or cancel.
pub fn endings() -> Form {
    let options = vec![
        Pick::new("approve").ending(Ending::go("Approve", "Approved")),
        Pick::new("changes")
            .ending(Ending::hold("Request changes", "Changes requested").wants("feedback")),
        Pick::new("cancel").ending(Ending::stop("Cancel the task", "Task cancelled")),
    ];
    let decision = Kind::Choice(Choice {
        options,
        ..Choice::default()
    });
    let feedback = Kind::Text(Text {
        multiline: true,
        ..Text::default()
    });
    Form::new().field(Field::new("decision", decision)).field(
        Field::new("feedback", feedback)
            .title("Feedback")
            .optional(),
    )
}

/// The plan, in its first round.
pub fn plan() -> Ask {
    Ask::new("Approve the plan?", endings())
        .details(PLAN)
        .in_round(Round::first("Plan “checkout”"))
}

/// The plan in its second round, after changes to the first were requested in a terminal.
pub async fn second_round(stage: &Stage) -> (AskId, AskId) {
    let first = stage.ask(plan()).await;
    let changes = json!({ "decision": "changes", "feedback": "Name the provider." });
    stage.reply_elsewhere(first, accept(changes)).await;
    let text = PLAN.replace("30 days", "90 days");
    let round = Round::first("Plan “checkout”").after(first);
    let second = Ask::new("Approve the plan?", endings())
        .details(text)
        .in_round(round);
    (first, stage.ask(second).await)
}

/// A commit whose message can be edited.
pub fn commit() -> Ask {
    let message = "Add the checkout form\n\nBehind a switch.\n";
    Ask::new("Commit this?", endings())
        .details("It adds the form.")
        .editable(EditableText::field(
            "commitMessage",
            "Commit message",
            message,
        ))
}

/// A diff of a few files: changed, moved, generated, binary.
pub const DIFF: &str = "diff --git a/src/shop/cart.rs b/src/shop/cart.rs
--- a/src/shop/cart.rs
+++ b/src/shop/cart.rs
@@ -1,6 +1,7 @@ impl Cart
 fn total(items: &[Item]) -> u64 {
     let mut sum = 0;
-    for item in items { sum += item.price; }
+    for item in items { sum += item.price * item.count; }
+    // Rounded down.
     sum
 }
 
diff --git a/src/old_name.rs b/src/shop/new_name.rs
similarity index 90%
rename from src/old_name.rs
rename to src/shop/new_name.rs
--- a/src/old_name.rs
+++ b/src/shop/new_name.rs
@@ -1,2 +1,2 @@
-pub const NAME: &str = \"old\";
+pub const NAME: &str = \"new\";
 pub const KEPT: u8 = 1;
diff --git a/Cargo.lock b/Cargo.lock
--- a/Cargo.lock
+++ b/Cargo.lock
@@ -1,2 +1,2 @@
-version = 3
+version = 4
 
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
";

/// A diff to be approved.
pub fn diff() -> Ask {
    of_diff(DIFF)
}

pub fn of_diff(diff: &str) -> Ask {
    Ask::new("Merge it?", endings()).details(format!("Two fixes.\n\n```diff\n{diff}```\n"))
}

/// A diff with this many changed lines, in files of 500 each.
pub fn large_diff(changed: usize) -> String {
    let mut diff = String::new();
    for file in 0..changed / 500 {
        let path = format!("src/part{file}/large.rs");
        write!(
            diff,
            "diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,500 +1,500 @@\n"
        )
        .unwrap();
        for line in 0..250 {
            writeln!(
                diff,
                "-    let value_{line} = compute(\"{file}\", {line}, old);"
            )
            .unwrap();
            writeln!(
                diff,
                "+    let value_{line} = compute(\"{file}\", {line}, fresh);"
            )
            .unwrap();
            writeln!(diff, "     // as it was {line}").unwrap();
        }
    }
    diff
}

/// Somebody declines it in a terminal.
pub async fn ended_elsewhere(stage: &Stage, id: AskId) {
    stage
        .reply_elsewhere(id, Reply::Decline { reason: None })
        .await;
}
