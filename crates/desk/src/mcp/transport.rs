//! Serving over stdio, in the form that each protocol era wants.
//!
//! The 2026-07-28 form of a URL request has no `elicitationId`, and rmcp's type for it always has
//! one. It goes out with a mark, and what is marked is dropped here, at the last moment.

use super::{stdio_transport::StdioTransport, wire::DROPPED_ID};
use rmcp::{
    RoleServer,
    model::{CustomResult, InputRequiredResult, JsonRpcMessage, ServerResult},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::{Transport, stdio_pipes},
};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};

/// Standard input and output as a transport: the fast way where they are pipes.
///
#[doc = include_str!("../../docs/stdio.md")]
pub fn stdio() -> impl Transport<RoleServer, Error = std::io::Error> + 'static {
    let (read, write) = stdio_pipes();
    Cleaned(StdioTransport::new(read, write))
}

/// Another pair of pipes as a transport: what the client writes, and what it reads.
///
#[doc = include_str!("../../docs/over.md")]
pub fn over<R, W>(read: R, write: W) -> impl Transport<RoleServer, Error = std::io::Error> + 'static
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    Cleaned(StdioTransport::new(read, write))
}

/// A transport that drops what is marked.
struct Cleaned<T>(T);

impl<T: Transport<RoleServer>> Transport<RoleServer> for Cleaned<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &mut item
            && let ServerResult::InputRequiredResult(result) = &response.result
            && let Some(clean) = clean_result(result)
        {
            response.result = ServerResult::CustomResult(CustomResult::new(clean));
        }
        self.0.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.0.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.0.close()
    }
}

fn clean_result(result: &InputRequiredResult) -> Option<Value> {
    let mut value = serde_json::to_value(result).ok()?;
    drop_marked(&mut value).then_some(value)
}

/// Drops every marked id below `inputRequests`; true where there was one.
pub(super) fn drop_marked(result: &mut Value) -> bool {
    let Some(requests) = result
        .get_mut("inputRequests")
        .and_then(Value::as_object_mut)
    else {
        return false;
    };
    let mut dropped = false;
    for request in requests.values_mut() {
        if let Some(params) = request.get_mut("params").and_then(Value::as_object_mut)
            && let Some(Value::String(id)) = params.get("elicitationId")
            && id.starts_with(DROPPED_ID)
        {
            params.shift_remove("elicitationId");
            dropped = true;
        }
    }
    dropped
}
