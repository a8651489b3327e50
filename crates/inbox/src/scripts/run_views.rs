//! From runs, begun here or on record, to views.

use super::{
    Artifact, METHOD, run_result,
    runs::Begun,
    view::{
        ArtifactView, ItemView, ProgressView, RunBrief, RunView, State, ThinkingView, WhatView,
        json_html, seen,
    },
};
use crate::{
    api::{error::ApiError, runs::unknown_run},
    server::Page,
};
use holdpoint::{CallId, journal::CallRecord};
use serde_json::Value;
use std::collections::HashMap;

/// Scripts and methods by the tools that they are.
pub(crate) type Methods = HashMap<String, (String, String)>;

impl Page {
    /// A call on record that is a script's.
    pub(crate) async fn recorded(&self, id: CallId) -> Result<CallRecord, ApiError> {
        let call = self.desk().journal().call(id).await?;
        let call = call.map(|history| history.call);
        let scripted = |call: &CallRecord| {
            let tool = call.origin.tool.as_deref();
            call.method == METHOD || tool.is_some_and(|tool| self.methods().contains_key(tool))
        };
        call.filter(scripted).ok_or_else(unknown_run)
    }

    /// The listed methods by the tools that they are: the script's name, and the method's.
    pub(crate) fn methods(&self) -> Methods {
        let listed = self.scripts().map(|scripts| scripts.list());
        let scripts = listed.into_iter().flatten();
        let methods = scripts.flat_map(|script| {
            let name = script.name;
            let methods = script.methods.into_iter();
            methods.map(move |method| (method.tool, (name.clone(), method.name)))
        });
        methods.collect()
    }

    pub(crate) fn brief(&self, begun: &Begun, methods: &Methods) -> RunBrief {
        let ended = begun.ended();
        let (script, method) = methods.get(&begun.tool).cloned().unzip();
        RunBrief {
            id: begun.id,
            tool: seen(&begun.tool),
            script,
            method,
            client: Some("playground".into()),
            begun_at: begun.begun_at,
            state: match ended {
                Some(_) => State::Ended,
                None => State::Running,
            },
            outcome: ended.map(|(_, result)| run_result::outcome(&result)),
        }
    }

    pub(crate) fn brief_of(&self, call: &CallRecord, methods: &Methods) -> RunBrief {
        if let Some(begun) = self.runs().get(call.id) {
            return self.brief(&begun, methods);
        }
        let tool = call.origin.tool.clone().unwrap_or_default();
        let (script, method) = methods.get(&tool).cloned().unzip();
        RunBrief {
            id: call.id,
            tool: seen(&tool),
            script,
            method,
            client: call.origin.client.as_deref().map(seen),
            begun_at: call.opened_at,
            state: match call.result {
                Some(_) => State::Ended,
                None => State::Elsewhere,
            },
            outcome: call.result.as_ref().map(run_result::outcome),
        }
    }

    pub(crate) fn run_view(&self, begun: &Begun, from: u64) -> RunView {
        let told = begun.live.told();
        let ended = begun.ended();
        let running = ended.is_none();
        RunView {
            brief: self.brief(begun, &self.methods()),
            here: running,
            resumable: false,
            workspace: None,
            arguments: given(&begun.arguments),
            status: told.status.as_deref().filter(|_| running).map(seen),
            progress: told.progress.as_ref().map(|(value, message)| ProgressView {
                value: *value,
                message: message.as_deref().map(seen),
            }),
            thinking: told
                .thinking
                .as_ref()
                .filter(|_| running)
                .map(|message| ThinkingView {
                    message: message.as_deref().map(seen),
                }),
            items: ItemView::all(&told, from),
            next: told.next(),
            asks: Vec::new(),
            open: Vec::new(),
            result: ended.map(|(_, result)| run_result::view(&result)),
        }
    }

    pub(crate) fn recorded_view(&self, call: &CallRecord) -> RunView {
        let brief = self.brief_of(call, &self.methods());
        let made = call.result.as_ref().map(run_result::artifacts);
        let made = made.unwrap_or_default();
        let item = |(n, artifact): (u64, &Artifact)| ItemView {
            n,
            at: None,
            what: WhatView::Artifact(ArtifactView::of(artifact)),
        };
        RunView {
            here: false,
            resumable: brief.state == State::Elsewhere
                && call.method == METHOD
                && brief.script.is_some(),
            workspace: call.origin.workspace.as_deref().map(seen),
            arguments: given(&call.arguments),
            status: None,
            progress: None,
            thinking: None,
            items: (0..).zip(&made).map(item).collect(),
            next: made.len() as u64,
            asks: Vec::new(),
            open: Vec::new(),
            result: call.result.as_ref().map(run_result::view),
            brief,
        }
    }
}

fn given(arguments: &Value) -> Option<String> {
    let empty = arguments.is_null() || arguments.as_object().is_some_and(|it| it.is_empty());
    (!empty).then(|| json_html(arguments))
}
