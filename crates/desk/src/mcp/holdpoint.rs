//! The wiring: an author's rmcp server, with people in the loop.

use super::{
    await_answer,
    connection::Connection,
    server::{Options, Server},
};
use crate::{Caller, Desk, FlowVersion, ServeError, UnnamedServer};
use holdpoint_ask::{Origin, TypedError, TypedForm};
use rmcp::{
    RoleServer, ServerHandler,
    model::{Extensions, Implementation},
    service::{RequestContext, ServerInitializeError, ServiceExt},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::{fmt, sync::Arc, time::Duration};

/// An rmcp server whose tools, prompts and resources can ask people: wrap your `ServerHandler`
/// in it and serve it like any other.
///
/// A tool takes a [`ToolContext`](crate::ToolContext) as an argument and asks through its elicitor;
/// clients of both protocol eras are served by the same code.
///
/// Serve it with [`serve_stdio`], [`stdio`](crate::stdio()), [`over`](crate::over()) or
/// [`HttpService`](crate::HttpService), which read what a client sends strictly: a reply that rmcp reads
/// loosely could be taken for a yes. Over a transport of rmcp's own it does not start.
///
#[doc = include_str!("../../docs/holdpoint.md")]
pub struct Holdpoint<H> {
    pub(crate) server: Arc<Server<H>>,
    pub(crate) connection: Connection,
}

impl<H: ServerHandler> Holdpoint<H> {
    /// Wraps a server.
    ///
    /// # Errors
    /// Where the server has no name of its own. Calls, asks and steps belong to a server by its name:
    /// under rmcp's default one, two programs over one journal would be one, and a yes to the first
    /// would count for the second.
    pub fn new(desk: Desk, handler: H) -> Result<Self, UnnamedServer> {
        let info = handler.get_info().server_info;
        let name = info.name.trim();
        if name.is_empty() || name == Implementation::default().name {
            let found = info.name;
            return Err(UnnamedServer { found });
        }
        let options = Options {
            name: name.into(),
            version: FlowVersion::for_server(&info.name, &info.version),
            tool_versions: None,
            workspace: None,
            principal: None,
            await_answer: Some(Arc::new(await_answer::tool(
                await_answer::name_for(name),
                false,
            ))),
            all_have_fields: false,
            release_after: None,
        };
        show_again(&desk, name);
        Ok(Self::with_options(desk, Arc::new(handler), options))
    }

    /// Names the tool with which agents wait for an answer that is still out; `<server>_await_answer`
    /// where nothing is said, so that those of two servers do not collide.
    pub fn await_answer_named(self, name: impl Into<String>) -> Self {
        let fields = self.server.options.all_have_fields;
        let tool = Some(Arc::new(await_answer::tool(name.into(), fields)));
        self.set(|options| options.await_answer = tool)
    }

    /// Every tool gives the fields of an ask, as those of a [`ToolServer`](crate::ToolServer) do.
    pub(crate) fn all_have_fields(self) -> Self {
        self.set(|options| options.all_have_fields = true)
    }

    /// Leaves that tool out. An agent whose call ended `pending` is told to stop and to tell the person; the
    /// flow goes on by itself once they answer, and its result is on record.
    ///
    /// ```
    /// # fn set<H: rmcp::ServerHandler>(server: holdpoint::Holdpoint<H>) -> holdpoint::Holdpoint<H> {
    /// server.without_await_answer()
    /// # }
    /// ```
    pub fn without_await_answer(self) -> Self {
        self.set(|options| options.await_answer = None)
    }

    /// Makes sure, when the server starts, that this type can be asked for with
    /// [`Elicitor::form`](crate::Elicitor::form).
    ///
    /// # Errors
    /// Where it cannot, with the field and the reason.
    pub fn with_form<T: JsonSchema + DeserializeOwned>(self) -> Result<Self, TypedError> {
        TypedForm::<T>::new().map(|_| self)
    }

    /// Serves over standard input and output until the client leaves. Asks that are open then stay open in
    /// the journal.
    ///
    /// # Errors
    /// When the client does not speak MCP, or the server's task fails.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        let running = match self.serve(super::stdio()).await {
            Ok(running) => running,
            // A client that only looked whether the program starts.
            Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Handshake(Box::new(error))),
        };
        let ended = running.waiting().await;
        ended
            .map(drop)
            .map_err(|error| ServeError::Ended(Box::new(error)))
    }

    /// The version of the flows, in place of the server's name and version: a call that another
    /// version opened is not resumed.
    pub fn flow_version(self, version: impl Into<FlowVersion>) -> Self {
        self.set(|options| options.version = version.into())
    }

    /// The version of single tools, by their name, where they have one of their own: beside that of
    /// the others.
    pub fn tool_versions(
        self,
        version: impl Fn(&str) -> Option<FlowVersion> + Send + Sync + 'static,
    ) -> Self {
        self.set(|options| options.tool_versions = Some(Arc::new(version)))
    }

    /// The folder that the agent works in.
    pub fn workspace(self, workspace: impl Into<Arc<str>>) -> Self {
        self.set(|options| options.workspace = Some(workspace.into()))
    }

    /// Says in whose name a request is made, from what the transport knows of it (over HTTP, its
    /// `http::request::Parts`). Where it names nobody, the `Authorization` header does, and without
    /// one every request is `local`.
    pub fn principal(
        self,
        principal: impl Fn(&Extensions) -> Option<String> + Send + Sync + 'static,
    ) -> Self {
        self.set(|options| options.principal = Some(Arc::new(principal)))
    }

    /// Lets a flow go that has waited for people this long, as a crash would, and runs it again from the record when
    /// an answer, a retry, the deadline or a cancellation comes. A waiting call then takes a few hundred bytes.
    ///
    #[doc = include_str!("../../docs/release_waiting_after.md")]
    pub fn release_waiting_after(self, time: Duration) -> Self {
        self.set(|options| options.release_after = Some(time))
    }

    fn set(self, change: impl FnOnce(&mut Options)) -> Self {
        let mut options = self.server.options.clone();
        change(&mut options);
        let (desk, handler) = (self.server.desk.clone(), self.server.handler.clone());
        Self::with_options(desk, handler, options)
    }

    fn with_options(desk: Desk, handler: Arc<H>, options: Options) -> Self {
        Self {
            server: Arc::new(Server::new(desk, handler, options)),
            connection: Connection::default(),
        }
    }

    /// The caller of a request during which nobody is asked.
    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let session = self.server.session(context);
        Caller {
            desk: self.server.desk.clone(),
            origin: Origin {
                tool: None,
                ..self.server.origin(&session, "")
            },
            principal: session.principal,
            workspace: self.server.options.workspace.clone(),
            connection: self.connection.id,
        }
    }
}

/// Serves a server with people in the loop over standard input and output, until its client leaves.
///
#[doc = include_str!("../../docs/serve_stdio.md")]
///
/// # Errors
/// When the server has no name of its own, the client does not speak MCP, or the server's task fails.
pub async fn serve_stdio<H: ServerHandler>(desk: Desk, handler: H) -> Result<(), ServeError> {
    Holdpoint::new(desk, handler)?.serve_stdio().await
}

/// Shows what a process of this server that is gone has left open again, on the author's own channels.
fn show_again(desk: &Desk, server: &str) {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return;
    };
    let (desk, server) = (desk.clone(), server.to_owned());
    runtime.spawn(async move {
        if let Err(error) = desk.redeliver(&server).await {
            tracing::warn!(
                error = &error as &dyn std::error::Error,
                "what was left open could not be shown again"
            );
        }
    });
}

impl<H> fmt::Debug for Holdpoint<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Holdpoint")
            .field("server", &self.server.options.name)
            .field("version", &self.server.options.version)
            .field("desk", &self.server.desk)
            .finish_non_exhaustive()
    }
}

impl<H> Clone for Holdpoint<H> {
    /// The same server for another connection.
    fn clone(&self) -> Self {
        Self {
            server: self.server.clone(),
            connection: Connection::default(),
        }
    }
}
