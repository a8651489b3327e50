//! What the API promises of its types, where the compiler can hold it.

use holdpoint::{
    Desk, DeskBuilder, Elicitor, FlowRun, Holdpoint, HttpService, Logger, Question, ReplyHandle,
    Sampler, Session, Settings, Showing, StandaloneAsk, Stop, ToolContext, ToolServer, Yes,
    journal::{JournalEngine, JournalError},
    testing::{Played, Script},
    tool::{AskResult, ToolError, TypedTools},
};
use std::error::Error;

fn crosses_threads<T: Send>() {}
fn is_shared<T: Send + Sync + ?Sized>() {}
fn is_an_error<T: Error + Send + Sync + 'static>() {}

#[test]
fn types_can_be_sent_to_other_threads() {
    is_shared::<Desk>();
    is_shared::<ToolContext>();
    is_shared::<Elicitor>();
    is_shared::<Sampler>();
    is_shared::<Logger>();
    is_shared::<Session>();
    is_shared::<Settings>();
    is_shared::<Showing>();
    is_shared::<ReplyHandle>();
    is_shared::<FlowRun>();
    is_shared::<ToolServer>();
    is_shared::<Holdpoint<ToolServer>>();
    is_shared::<HttpService<ToolServer>>();
    is_shared::<AskResult>();
    is_shared::<TypedTools<ToolContext>>();
    is_shared::<dyn JournalEngine>();
    is_shared::<Script>();
    is_shared::<Played<()>>();
    is_shared::<StandaloneAsk>();
    crosses_threads::<DeskBuilder>();
    // What it reads an answer with is called once, by one.
    crosses_threads::<Question<Yes>>();
}

#[test]
fn errors_are_errors() {
    is_an_error::<holdpoint::AskError>();
    is_an_error::<holdpoint::ClientError>();
    is_an_error::<holdpoint::DeliveryError>();
    is_an_error::<holdpoint::GrantError>();
    is_an_error::<holdpoint::PersonalError>();
    is_an_error::<holdpoint::PinError>();
    is_an_error::<holdpoint::ResumeError>();
    is_an_error::<holdpoint::ServeError>();
    is_an_error::<holdpoint::StepError>();
    is_an_error::<holdpoint::TypedError>();
    is_an_error::<holdpoint::UnnamedServer>();
    is_an_error::<JournalError>();
    is_an_error::<Stop>();
    is_an_error::<ToolError>();
}
