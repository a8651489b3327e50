//! `Holdpoint` as an rmcp handler: three requests are its own, the rest is the author's.
//!
//! Everything is boxed: a request's task is as large as the largest of all that it could be, and a call
//! that waits for a person keeps that size for as long (see `docs/internals/desk.md`).

use super::{
    await_answer, holdpoint::Holdpoint, identify, invalid_params::invalid_params, request::Request,
    subscribers,
};
use crate::sync::lock;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::*,
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use std::borrow::Cow;

type Cx = RequestContext<RoleServer>;
type Nx = NotificationContext<RoleServer>;

/// Requests that are held while people are asked.
macro_rules! hold {
    ($($name:ident: $params:ty => $response:ty;)*) => {$(
        fn $name(
            &self,
            request: $params,
            context: Cx,
        ) -> impl Future<Output = Result<$response, ErrorData>> + Send {
            let handled = self.handle(Request::new(request), context);
            async { handled.await?.into_response::<$params>() }
        }
    )*};
}

/// Requests and notifications that go to the author's handler as they are.
macro_rules! forward {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $response:ty;)*) => {$(
        fn $name(&self, $($argument: $kind),*) -> impl Future<Output = $response> + Send {
            Box::pin(async move { self.server.handler.$name($($argument),*).await })
        }
    )*};
}

/// Requests that go to the author's handler, which can ask who the [`Caller`](crate::Caller) is.
macro_rules! forward_with_caller {
    ($($name:ident: $params:ty => $response:ty;)*) => {$(
        fn $name(
            &self,
            request: $params,
            context: Cx,
        ) -> impl Future<Output = Result<$response, ErrorData>> + Send {
            Box::pin(async move {
                let caller = self.caller(&context);
                let handled = self.server.handler.$name(request, context);
                caller.scope(handled).await
            })
        }
    )*};
}

#[allow(deprecated)] // Older clients still subscribe and set levels.
impl<H: ServerHandler> ServerHandler for Holdpoint<H> {
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send {
        let request = match self.server.await_answer_named(&request.name) {
            Some(tool) => Request::for_tool(request, tool.clone()),
            None => Request::new(request),
        };
        let handled = self.handle(request, context);
        async { handled.await?.into_response::<CallToolRequestParams>() }
    }

    fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send {
        Box::pin(async move {
            let mut listed = self.server.handler.list_tools(request, context).await?;
            if listed.next_cursor.is_none()
                && let Some(own) = self.server.await_answer()
            {
                let own = await_answer::beside(own.definition(), &listed.tools);
                listed.tools.push(own);
            }
            Ok(listed)
        })
    }

    fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<InitializeResult, ErrorData>> + Send {
        Box::pin(async move {
            identify::check_transport(&context)?;
            self.server.handler.initialize(request, context).await
        })
    }

    fn discover(
        &self,
        context: Cx,
    ) -> impl Future<Output = Result<DiscoverResult, ErrorData>> + Send {
        Box::pin(async move {
            identify::check_transport(&context)?;
            self.server.handler.discover(context).await
        })
    }

    hold! {
        get_prompt: GetPromptRequestParams => GetPromptResponse;
        read_resource: ReadResourceRequestParams => ReadResourceResponse;
    }

    forward_with_caller! {
        complete: CompleteRequestParams => CompleteResult;
        list_resources: Option<PaginatedRequestParams> => ListResourcesResult;
        list_resource_templates: Option<PaginatedRequestParams> => ListResourceTemplatesResult;
    }

    forward! {
        ping(context: Cx) -> Result<(), ErrorData>;
        list_prompts(request: Option<PaginatedRequestParams>, context: Cx) -> Result<ListPromptsResult, ErrorData>;
        get_task(request: GetTaskParams, context: Cx) -> Result<GetTaskResult, ErrorData>;
        update_task(request: UpdateTaskParams, context: Cx) -> Result<(), ErrorData>;
        cancel_task(request: CancelTaskParams, context: Cx) -> Result<(), ErrorData>;
        on_progress(progress: ProgressNotificationParam, context: Nx) -> ();
        on_roots_list_changed(context: Nx) -> ();
        on_custom_notification(notification: CustomNotification, context: Nx) -> ();
    }

    fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Cx,
    ) -> impl Future<Output = Result<CustomResult, ErrorData>> + Send {
        Box::pin(async move {
            match invalid_params(&request, &context) {
                Some(refused) => Err(refused),
                None => {
                    self.server
                        .handler
                        .on_custom_request(request, context)
                        .await
                }
            }
        })
    }

    fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        context: Nx,
    ) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.cancelled(cancelled.request_id.as_ref(), cancelled.reason.as_deref())
                .await;
            self.server.handler.on_cancelled(cancelled, context).await;
        })
    }

    fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let level = request.level;
            let handled = self.server.handler.set_level(request, context).await;
            if !self.is_own(&handled, |offered| offered.logging.is_some()) {
                handled?;
            }
            *lock(&self.connection.log_level) = Some(level);
            Ok(())
        })
    }

    fn on_initialized(&self, context: Nx) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            if subscribers::list_changes(&self.capabilities()) {
                let peer = context.peer.clone();
                self.server.subscribers.connect(self.connection.id, peer);
            }
            self.server.handler.on_initialized(context).await;
        })
    }

    fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let (caller, peer) = (self.caller(&context), context.peer.clone());
            let uri = request.uri.clone();
            let handled = caller.scope(self.server.handler.subscribe(request, context));
            let handled = handled.await;
            if !self.is_own(&handled, subscribers::are_offered) {
                return handled;
            }
            let subscribers = &self.server.subscribers;
            subscribers.subscribe(self.connection.id, peer, uri)
        })
    }

    fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let (caller, uri) = (self.caller(&context), request.uri.clone());
            let handled = caller.scope(self.server.handler.unsubscribe(request, context));
            let handled = handled.await;
            if !self.is_own(&handled, subscribers::are_offered) {
                return handled;
            }
            self.server
                .subscribers
                .unsubscribe(self.connection.id, &uri);
            Ok(())
        })
    }

    fn listen(
        &self,
        context: SubscriptionContext,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let handler = &self.server.handler;
            let requested = context.requested();
            if handler.accepted_subscription_filter(requested).is_none() {
                self.server.subscribers.listen(context).await;
                return Ok(());
            }
            let caller = self.caller(context.request_context());
            caller.scope(handler.listen(context)).await
        })
    }

    fn negotiate_initialize(
        &self,
        request: &InitializeRequestParams,
    ) -> Result<InitializeResult, ErrorData> {
        self.server.handler.negotiate_initialize(request)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.server.handler.supported_protocol_versions()
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let author = self.server.handler.accepted_subscription_filter(requested);
        author.or_else(|| subscribers::accepted(requested, &self.capabilities()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        match self.server.await_answer_named(name) {
            Some(own) => Some(own.definition().clone()),
            None => self.server.handler.get_tool(name),
        }
    }

    fn get_info(&self) -> ServerConfig {
        self.server.handler.get_info()
    }
}

impl<H: ServerHandler> Holdpoint<H> {
    /// Whether a request is for Holdpoint: the author's server says that it offers this, and leaves it to be done.
    fn is_own(
        &self,
        handled: &Result<(), ErrorData>,
        offered: fn(&ServerCapabilities) -> bool,
    ) -> bool {
        let left = matches!(handled, Err(error) if error.code == ErrorCode::METHOD_NOT_FOUND);
        left && offered(&self.capabilities())
    }

    fn capabilities(&self) -> ServerCapabilities {
        self.server.handler.get_info().capabilities
    }
}
