//! `Holdpoint` as an rmcp handler: three requests are its own, the rest is the author's.
//!
//! Everything is boxed: a request's task is as large as the largest of all that it could be, and a call
//! that waits for a person keeps that size for as long (see `docs/internals/desk.md`).

use super::{
    await_answer, holdpoint::Holdpoint, identify, invalid_params::invalid_params, request::Request,
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
        let own = self.server.await_answer();
        let own = own.filter(|tool| tool.definition().name == request.name);
        let request = match own {
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
        subscribe: SubscribeRequestParams => ();
        unsubscribe: UnsubscribeRequestParams => ();
    }

    forward! {
        ping(context: Cx) -> Result<(), ErrorData>;
        list_prompts(request: Option<PaginatedRequestParams>, context: Cx) -> Result<ListPromptsResult, ErrorData>;
        get_task(request: GetTaskParams, context: Cx) -> Result<GetTaskResult, ErrorData>;
        update_task(request: UpdateTaskParams, context: Cx) -> Result<(), ErrorData>;
        cancel_task(request: CancelTaskParams, context: Cx) -> Result<(), ErrorData>;
        on_progress(progress: ProgressNotificationParam, context: Nx) -> ();
        on_initialized(context: Nx) -> ();
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
            self.server.handler.set_level(request, context).await?;
            *lock(&self.connection.log_level) = Some(level);
            Ok(())
        })
    }

    fn listen(
        &self,
        context: SubscriptionContext,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(context.request_context());
            caller.scope(self.server.handler.listen(context)).await
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
        self.server.handler.accepted_subscription_filter(requested)
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let own = self.server.await_answer();
        let own = own.filter(|tool| tool.definition().name == name);
        match own {
            Some(own) => Some(own.definition().clone()),
            None => self.server.handler.get_tool(name),
        }
    }

    fn get_info(&self) -> ServerConfig {
        self.server.handler.get_info()
    }
}
