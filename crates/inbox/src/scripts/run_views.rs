//! From runs, started here or on record, to views.

use super::{
    run_result,
    runs::PageRun,
    view::{
        ArtifactView, ItemView, ProgressView, RunBrief, RunView, State, ThinkingView, WhatView,
        json_html, seen,
    },
};
use crate::{
    api::{error::ApiError, runs::unknown_run},
    server::Page,
};
use holdpoint::{Artifact, CallId, FlowResult, SCRIPT_METHOD, journal::CallRecord};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Scripts and methods by the tools that they are.
pub(crate) type Methods = HashMap<String, (String, String)>;

impl Page {
    /// A call on record that is a script's.
    pub(crate) async fn recorded(&self, id: CallId) -> Result<CallRecord, ApiError> {
        let call = self.desk().journal().call(id).await?;
        let call = call.map(|history| history.call);
        let server = self.scripts().map(|scripts| scripts.server());
        let scripted = |call: &CallRecord| {
            let tool = call.origin.tool.as_deref();
            let ours = server.is_none_or(|server| call.origin.server.as_deref() == Some(server));
            ours && (call.method == SCRIPT_METHOD
                || tool.is_some_and(|tool| self.methods().contains_key(tool)))
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

    pub(crate) fn brief(&self, run: &PageRun, methods: &Methods) -> RunBrief {
        let result = run.result();
        let (script, method) = methods.get(&run.tool).cloned().unzip();
        RunBrief {
            id: run.id,
            tool: seen(&run.tool),
            script,
            method,
            client: Some("playground".into()),
            begun_at: run.begun_at,
            state: match result {
                Some(_) => State::Ended,
                None => State::Running,
            },
            outcome: result.map(|result| run_result::outcome(Some(result))),
        }
    }

    pub(crate) fn brief_of(&self, call: &CallRecord, methods: &Methods) -> RunBrief {
        if let Some(run) = self.runs().get(call.id) {
            return self.brief(&run, methods);
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
            outcome: call
                .result
                .as_ref()
                .map(|_| run_result::outcome(run_result::recorded(call).as_ref())),
        }
    }

    pub(crate) fn run_view(&self, run: &PageRun, from: u64) -> RunView {
        let emitted = run.log.emitted();
        let result = run.result();
        let running = result.is_none();
        RunView {
            brief: self.brief(run, &self.methods()),
            here: running,
            resumable: false,
            workspace: run.workspace.as_deref().map(seen),
            arguments: arguments_html(&run.arguments),
            status: emitted.status.as_deref().filter(|_| running).map(seen),
            progress: emitted
                .progress
                .as_ref()
                .map(|(value, message)| ProgressView {
                    value: *value,
                    message: message.as_deref().map(seen),
                }),
            thinking: emitted
                .thinking
                .as_ref()
                .filter(|_| running)
                .map(|message| ThinkingView {
                    message: message.as_deref().map(seen),
                }),
            items: ItemView::all(&emitted, from),
            next: emitted.next(),
            did: Vec::new(),
            asks: Vec::new(),
            open: Vec::new(),
            result: result.map(run_result::view),
        }
    }

    pub(crate) fn recorded_view(&self, call: &CallRecord) -> RunView {
        let brief = self.brief_of(call, &self.methods());
        let result = run_result::recorded(call);
        let made = result.as_ref().map(FlowResult::artifacts);
        let made = made.unwrap_or_default();
        let item = |(n, artifact): (u64, &Artifact)| ItemView {
            n,
            at: None,
            what: WhatView::Artifact(ArtifactView::new(artifact)),
        };
        RunView {
            here: false,
            resumable: brief.state == State::Elsewhere
                && call.method == SCRIPT_METHOD
                && brief.script.is_some(),
            workspace: call.origin.workspace.as_deref().map(seen),
            arguments: arguments_html(&call.arguments),
            status: None,
            progress: None,
            thinking: None,
            items: (0..).zip(&made).map(item).collect(),
            next: made.len() as u64,
            did: Vec::new(),
            asks: Vec::new(),
            open: Vec::new(),
            result: result.as_ref().map(run_result::view),
            brief,
        }
    }
}

fn arguments_html(arguments: &Value) -> Option<String> {
    let empty = arguments.is_null() || arguments.as_object().is_some_and(Map::is_empty);
    (!empty).then(|| json_html(arguments))
}
