//! Subscriptions that are kept for an author: bounded, only where they are offered, and never in the author's way.

use crate::support::*;
use holdpoint::{Holdpoint, Stop, ToolContext};
use holdpoint_testkit::{Conversation, ERAS, Era};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        Implementation, ServerCapabilities, ServerConfig, SubscribeRequestParams,
        SubscriptionFilter,
    },
    service::{RequestContext, SubscriptionContext},
    tool, tool_handler, tool_router,
};
use serde_json::json;

const NOTE: &str = "notes://a";

/// A server with one resource.
#[derive(Clone)]
struct Notes {
    offers: bool,
    /// It keeps subscriptions by itself: to nothing, here.
    own: bool,
}

#[tool_router]
impl Notes {
    #[tool]
    async fn touch(&self, cx: ToolContext) -> Result<String, Stop> {
        cx.resource_updated("notes://b").await;
        cx.resource_updated(NOTE).await;
        cx.resource_list_changed().await;
        Ok("touched".into())
    }
}

#[tool_handler]
#[allow(deprecated)]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        let builder = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources();
        let capabilities = if self.offers {
            let builder = builder.enable_logging();
            let builder = builder.enable_resources_subscribe();
            builder.enable_resources_list_changed().build()
        } else {
            builder.build()
        };
        ServerConfig::new(capabilities).with_server_info(Implementation::new("notes", "1"))
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let left = ErrorData::method_not_found::<rmcp::model::SubscribeRequestMethod>();
        self.own.then_some(()).ok_or(left)
    }

    fn accepted_subscription_filter(&self, _: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let note = || SubscriptionFilter::builder().resource_subscriptions([NOTE.to_owned()]);
        self.own.then(|| note().build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let _ = context.sink().notify_resource_updated(NOTE).await;
        context.cancelled().await;
        Ok(())
    }
}

async fn server(offers: bool, own: bool) -> Holdpoint<Notes> {
    Holdpoint::new(desk(patient()).await, Notes { offers, own }).unwrap()
}

fn listen() -> serde_json::Value {
    json!({ "notifications": { "resourceSubscriptions": [NOTE], "resourcesListChanged": true } })
}

#[tokio::test(start_paused = true)]
async fn what_is_not_offered_is_not_there() {
    let server = server(false, false).await;
    let mut client = Client::legacy(&server, json!({})).await;
    for (method, params) in [
        ("resources/subscribe", json!({ "uri": NOTE })),
        ("resources/unsubscribe", json!({ "uri": NOTE })),
        ("logging/setLevel", json!({ "level": "info" })),
    ] {
        let id = client.request(method, params).await;
        assert_eq!(client.answer(id).await["error"]["code"], -32601, "{method}");
    }
    let mut modern = Client::modern(&server, json!({}));
    let id = modern.request("subscriptions/listen", listen()).await;
    assert_eq!(modern.answer(id).await["error"]["code"], -32601);
    // And nobody is told of a change that nobody could ask for.
    for client in [&mut client, &mut modern] {
        let call = client.call("touch").await;
        assert_eq!(client.next().await["id"], call);
    }
}

#[tokio::test(start_paused = true)]
async fn a_client_subscribes_to_so_many_and_no_more() {
    let server = server(true, false).await;
    let mut client = Client::legacy(&server, json!({})).await;
    for number in 0..1_001 {
        let uri = format!("notes://{number}");
        let id = client
            .request("resources/subscribe", json!({ "uri": uri }))
            .await;
        let answer = client.answer(id).await;
        assert_eq!(
            answer["error"]["code"] == -32602,
            number == 1_000,
            "{answer}"
        );
    }
    for (method, uri) in [
        ("resources/subscribe", "notes://7"),
        ("resources/unsubscribe", "notes://7"),
        ("resources/subscribe", NOTE),
    ] {
        let id = client.request(method, json!({ "uri": uri })).await;
        let answer = client.answer(id).await;
        assert!(answer.get("result").is_some(), "{method} {uri}: {answer}");
    }
    let call = client.call("touch").await;
    let mut heard = Vec::new();
    while heard.len() < 3 {
        let message = client.next().await;
        heard.push(
            message["params"]["uri"]
                .as_str()
                .unwrap_or_default()
                .to_owned(),
        );
        assert!(
            message["id"].is_null() || message["id"] == call,
            "{message}"
        );
    }
    heard.sort();
    assert_eq!(heard, ["", "", NOTE], "one update, one list, one result");
}

/// A listener that stopped hears nothing more; one that goes on does, also of what a client of the other era does.
#[tokio::test(start_paused = true)]
async fn whoever_stops_listening_hears_nothing() {
    let server = server(true, false).await;
    let mut stays = Conversation::new(&server, Era::Modern).await;
    stays.subscribe(&[NOTE]).await;
    let mut stops = Client::modern(&server, json!({}));
    let id = stops.request("subscriptions/listen", listen()).await;
    let acknowledged = stops.next().await;
    assert_eq!(
        acknowledged["params"]["notifications"]["resourcesListChanged"],
        true
    );
    stops.cancel(id, "enough").await;
    let gone = Client::legacy(&server, json!({})).await;
    drop(gone);
    // Cancelled before: what comes next on the same connection is the answer alone.
    let ping = stops.request("tools/list", json!({})).await;
    stops.answer(ping).await;
    let mut other = Client::legacy(&server, json!({})).await;
    let call = other.call("touch").await;
    other.answer(call).await;
    assert_eq!(stays.updated_resource().await, NOTE);
    let ping = stops.request("tools/list", json!({})).await;
    assert_eq!(stops.next().await["id"], ping);
}

#[tokio::test(start_paused = true)]
async fn an_author_who_keeps_subscriptions_is_left_alone() {
    for era in ERAS {
        let server = server(true, true).await;
        let mut client = Conversation::new(&server, era).await;
        client.subscribe(&[NOTE]).await;
        if era == Era::Modern {
            assert_eq!(client.updated_resource().await, NOTE, "from the author");
        }
        let mut other = Client::legacy(&server, json!({})).await;
        let call = other.call("touch").await;
        other.answer(call).await;
        let mut updates = 0;
        let id = client.start("tools/list", json!({})).await;
        loop {
            let message = client.next().await;
            updates += u32::from(message["method"] == "notifications/resources/updated");
            if message["id"] == id {
                break;
            }
        }
        assert_eq!(updates, 0, "{era:?}: it is the author's to tell");
    }
}
