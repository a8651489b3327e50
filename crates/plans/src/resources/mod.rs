//! Resources: open asks, decisions and plans, for those they belong to.

mod hub;
mod uri;
mod view;

use super::locate::PlanRoot;
use crate::PlansConfig;
use holdpoint::{Caller, Desk, Origin, ToolContext};
use holdpoint_ask::describe::error_chain;
use holdpoint_workspace::Workspace;
use hub::{Hub, Subscriber, To};
use rmcp::{
    ErrorData, RoleServer,
    model::{
        CompletionInfo, ListResourceTemplatesResult, ListResourcesResult, ReadResourceResult,
        Resource, ResourceContents, ResourceTemplate, SubscriptionFilter,
    },
    service::{Peer, SubscriptionContext},
};
use serde_json::json;
use uri::Uri;

/// How many plans are listed at once.
const PAGE: usize = 100;

/// Among how many asks an id is looked for that is being typed: the latest ones.
const MOST_IDS: usize = 1_000;

/// The address of one ask.
pub(crate) const ASK_TEMPLATE: &str = "holdpoint://asks/{id}";

/// The resources, and who is notified when one changes.
#[derive(Default)]
pub(crate) struct Resources {
    hub: Hub,
}

/// Who looks, and at what.
#[derive(Clone)]
pub(crate) struct Viewer {
    desk: Desk,
    /// Where they call from: what comes from elsewhere is not theirs to see.
    origin: Origin,
    root: PlanRoot,
}

impl Viewer {
    pub fn from_caller(caller: &Caller, config: &PlansConfig) -> Self {
        Self::new(&caller.desk, caller.origin.clone(), config)
    }

    pub fn from_call(cx: &ToolContext, config: &PlansConfig) -> Self {
        Self::new(cx.desk(), cx.origin().clone(), config)
    }

    fn new(desk: &Desk, origin: Origin, config: &PlansConfig) -> Self {
        let workspace = origin.workspace.as_ref();
        let root = workspace.map_or(config.workspace.clone(), Into::into);
        Self {
            desk: desk.clone(),
            origin,
            root: PlanRoot {
                workspace: Workspace::at(root),
                plans_dir: config.plans_dir.clone(),
            },
        }
    }

    pub fn root(&self) -> &PlanRoot {
        &self.root
    }
}

impl Resources {
    pub async fn list(
        &self,
        viewer: &Viewer,
        cursor: Option<String>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut resources = Vec::new();
        if cursor.is_none() {
            for uri in [Uri::OpenAsks, Uri::Recent] {
                let size = uri.text(viewer).await?.unwrap_or_default().len();
                resources.push(uri.about().with_size(size as u64));
            }
        }
        let (root, after) = (viewer.root.clone(), cursor);
        let (plans, more) = super::blocking(move || plans(&root, after)).await;
        resources.extend(plans);
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = more;
        Ok(result)
    }

    pub fn templates(&self) -> ListResourceTemplatesResult {
        let templates = vec![
            ResourceTemplate::new(ASK_TEMPLATE, "ask")
                .with_title("An ask")
                .with_description("One of your asks, with its decision once it has one")
                .with_mime_type(uri::JSON),
            ResourceTemplate::new("holdpoint://plans/{code}", "plan")
                .with_title("A plan's state")
                .with_description("The STATUS.md of a plan")
                .with_mime_type(uri::MARKDOWN),
        ];
        ListResourceTemplatesResult::with_all_items(templates)
    }

    /// The ids of this viewer's asks that begin as what was typed, the last opened first.
    pub async fn complete_ask(viewer: &Viewer, typed: &str) -> CompletionInfo {
        let found = view::ids(viewer, MOST_IDS).await;
        let (ids, more) = found.unwrap_or_else(|error| {
            tracing::warn!(error = error_chain(&error), "asks could not be listed");
            Default::default()
        });
        let typed = typed.trim().to_lowercase();
        let ids = ids.iter().map(ToString::to_string);
        let mut ids: Vec<_> = ids.filter(|id| id.starts_with(&typed)).collect();
        let mut info = CompletionInfo::default();
        info.has_more = Some(more || ids.len() > CompletionInfo::MAX_VALUES);
        ids.truncate(CompletionInfo::MAX_VALUES);
        info.values = ids;
        info
    }

    pub async fn read(
        &self,
        viewer: &Viewer,
        given: &str,
    ) -> Result<ReadResourceResult, ErrorData> {
        let unknown = || {
            ErrorData::resource_not_found(
                "There is no such resource.",
                Some(json!({ "uri": given })),
            )
        };
        let uri = Uri::parse(given).ok_or_else(unknown)?;
        let text = uri.text(viewer).await?.ok_or_else(unknown)?;
        let contents = ResourceContents::text(text, given).with_mime_type(uri.mime());
        Ok(ReadResourceResult::new(vec![contents]))
    }

    /// Tells a legacy client from now on when a resource changes.
    pub async fn subscribe(
        &self,
        caller: &Caller,
        viewer: Viewer,
        given: &str,
        peer: Peer<RoleServer>,
    ) -> Result<(), ErrorData> {
        let uri = Uri::parse(given).ok_or_else(|| {
            ErrorData::resource_not_found(
                "There is no such resource.",
                Some(json!({ "uri": given })),
            )
        })?;
        let subscriber = Subscriber {
            name: given.to_owned(),
            uri,
            viewer,
            connection: caller.connection,
            to: To::Peer(peer),
        };
        self.hub.add(vec![subscriber]).await;
        Ok(())
    }

    pub async fn unsubscribe(&self, caller: &Caller, given: &str) {
        self.hub.remove(caller.connection, given.to_owned()).await;
    }

    /// The part of what a modern client wants to hear of that there is.
    pub fn accepted(requested: &SubscriptionFilter) -> SubscriptionFilter {
        let wanted = requested.resource_subscriptions.iter().flatten();
        let known = wanted.filter(|uri| Uri::parse(uri).is_some()).cloned();
        SubscriptionFilter::builder()
            .resource_subscriptions(known)
            .build()
    }

    /// Tells a modern client of changes for as long as it listens.
    pub async fn listen(
        &self,
        viewer: Viewer,
        context: SubscriptionContext,
    ) -> Result<(), ErrorData> {
        let (to, mut changed) = tokio::sync::mpsc::unbounded_channel();
        let wanted = context.accepted().resource_subscriptions.clone();
        let subscribers = wanted.into_iter().flatten().filter_map(|name| {
            Some(Subscriber {
                uri: Uri::parse(&name)?,
                name,
                viewer: viewer.clone(),
                connection: 0,
                to: To::Listener(to.clone()),
            })
        });
        self.hub.add(subscribers.collect()).await;
        drop(to);
        loop {
            tokio::select! {
                () = context.cancelled() => return Ok(()),
                uri = changed.recv() => match uri {
                    Some(uri) => drop(context.sink().notify_resource_updated(uri).await),
                    // There is nothing to hear of; the client may listen on all the same.
                    None => {
                        context.cancelled().await;
                        return Ok(());
                    }
                },
            }
        }
    }
}

/// The plans behind a code, and where the next page begins.
fn plans(root: &PlanRoot, after: Option<String>) -> (Vec<Resource>, Option<String>) {
    let Ok(folder) = root.folder(None) else {
        return (Vec::new(), None);
    };
    let mut places = root.list(&folder);
    if let Some(after) = after {
        places.retain(|place| place.code > after);
    }
    let more = (places.len() > PAGE).then(|| places[PAGE - 1].code.clone());
    places.truncate(PAGE);
    let about = |place: &super::locate::PlanDir| {
        let size = place
            .path
            .full()
            .join("STATUS.md")
            .metadata()
            .map_or(0, |about| about.len());
        Uri::Plan(place.code.clone())
            .about()
            .with_title(super::code::name(&place.code))
            .with_size(size)
    };
    (places.iter().map(about).collect(), more)
}
