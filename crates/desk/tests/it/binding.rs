//! Whose yes it is: nothing crosses from one server, principal, client or workspace to another.

use crate::support::*;
use holdpoint::{Desk, Holdpoint, Outcome, Yes, journal::JournalEngine};
use rmcp::{
    ServerHandler,
    model::{Implementation, ServerConfig},
};
use serde_json::{Value, json};
use std::sync::Arc;

/// The test's flows, under a name of their own.
#[derive(Clone)]
struct Named(Flows, &'static str, &'static str);

impl ServerHandler for Named {
    fn get_info(&self) -> ServerConfig {
        let about = Implementation::new(self.1, self.2);
        self.0.get_info().with_server_info(about)
    }

    async fn call_tool(
        &self,
        request: rmcp::model::CallToolRequestParams,
        context: rmcp::service::RequestContext<rmcp::RoleServer>,
    ) -> Result<rmcp::model::CallToolResponse, rmcp::ErrorData> {
        self.0.call_tool(request, context).await
    }
}

struct Nameless;

impl ServerHandler for Nameless {}

fn flows() -> Flows {
    Flows::default().with("delete", |cx, _| async move {
        Ok(match cx.elicitor().confirm("Delete all?").await? {
            Outcome::Accepted(Yes) => {
                let deleted: u32 = cx.step("delete", async { 1 }).await?;
                match cx.elicitor().confirm("Empty the bin too?").await? {
                    Outcome::Accepted(Yes) => format!("deleted {deleted}"),
                    other => other.status().to_owned(),
                }
            }
            other => other.status().to_owned(),
        })
    })
}

async fn server(
    journal: &Arc<dyn JournalEngine>,
    name: &'static str,
    version: &'static str,
) -> (Desk, Holdpoint<Named>) {
    let desk = desk_over(journal.clone(), patient()).await;
    let server = Holdpoint::new(desk.clone(), Named(flows(), name, version));
    (desk, server.unwrap())
}

#[tokio::test]
async fn rmcps_default_server_info_is_refused_at_start() {
    let desk = desk(patient()).await;
    let Err(error) = Holdpoint::new(desk.clone(), Nameless) else {
        panic!("a server without a name was taken");
    };
    let said = error.to_string();
    assert!(
        said.contains("with_server_info(Implementation::new("),
        "{said}"
    );
    assert_eq!(error.found, Implementation::default().name);
    assert!(Holdpoint::new(desk, Named(flows(), "  ", "1")).is_err());
}

/// Server A was answered and died; B has the same tool, the same arguments and the same client.
#[tokio::test]
async fn a_yes_to_one_server_is_no_yes_to_another() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("journal.db").display());
    let open = async || holdpoint::journal::open(&url).await.unwrap();
    let (desk_a, a) = server(&open().await, "artifacts", "1.0.0").await;
    let mut client = Client::modern(&a, form());
    let call = client.call("delete").await;
    let (keys, state) = round(&client.answer(call).await);
    let yes = json!({ &keys[0]: accept(json!({ "confirmed": true })) });
    let call = client.retry("delete", &state, yes.clone()).await;
    let (_, second) = round(&client.answer(call).await);
    let ask = open_ask(&desk_a).await;
    assert_eq!(ask.origin.server.as_deref(), Some("artifacts"));
    assert_eq!(ask.origin.client_name.as_deref(), Some("mcpdo-test-client"));

    let (_, b) = server(&open().await, "backups", "1.0.0").await;
    let mut other = Client::modern(&b, form());
    for state in [&state, &second] {
        let call = other.retry("delete", state, yes.clone()).await;
        let told = other.answer(call).await;
        assert_eq!(told["error"]["code"], -32602, "{told}");
    }
    drop((client, a, desk_a));
    let call = other.call("delete").await;
    let asked = other.answer(call).await;
    let message = first_message(&asked);
    assert_eq!(message, "Delete all?", "B asks for itself");
}

fn first_message(asked: &Value) -> String {
    let (keys, _) = round(asked);
    let request = &asked["result"]["inputRequests"][&keys[0]];
    request["params"]["message"].as_str().unwrap().to_owned()
}

/// The version that is recorded of the client binds nothing, nor does the server's build.
#[tokio::test(start_paused = true)]
async fn another_build_of_the_same_version_resumes_the_call() {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let (_, first) = server(&journal, "artifacts", "1.0.0+9f2c41d").await;
    let mut client = Client::modern(&first, form());
    let call = client.call("delete").await;
    let (keys, state) = round(&client.answer(call).await);
    let (_, second) = server(&journal, "artifacts", "1.0.0+2026-11-16").await;
    let mut client = Client::modern(&second, form());
    let yes = json!({ &keys[0]: accept(json!({ "confirmed": true })) });
    let call = client.retry("delete", &state, yes.clone()).await;
    assert_eq!(
        first_message(&client.answer(call).await),
        "Empty the bin too?"
    );
    let (_, third) = server(&journal, "artifacts", "2.0.0").await;
    let mut client = Client::modern(&third, form());
    let call = client.retry("delete", &state, yes).await;
    let told = client.answer(call).await;
    let said = told["error"]["message"].as_str().unwrap_or_default();
    assert!(said.contains("artifacts 2.0.0"), "{told}");
}

/// Two amounts that are one number for JavaScript are two calls.
#[tokio::test(start_paused = true)]
async fn a_state_for_one_large_integer_is_refused_with_another() {
    let journal = holdpoint::journal::open("memory:").await.unwrap();
    let (_, server) = server(&journal, "artifacts", "1.0.0").await;
    let mut client = Client::modern(&server, form());
    let (one, other) = (1_u64 << 53, (1_u64 << 53) + 1);
    let call = json!({ "name": "delete", "arguments": { "bytes": one } });
    let call = client.request("tools/call", call).await;
    let (keys, state) = round(&client.answer(call).await);
    let yes = json!({ &keys[0]: accept(json!({ "confirmed": true })) });
    let mut retry = async |bytes: u64| {
        let retry = json!({
            "name": "delete", "arguments": { "bytes": bytes },
            "requestState": state, "inputResponses": yes,
        });
        let call = client.request("tools/call", retry).await;
        client.answer(call).await
    };
    let refused = retry(other).await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
    let asked = retry(one).await;
    assert_eq!(first_message(&asked), "Empty the bin too?");
}
