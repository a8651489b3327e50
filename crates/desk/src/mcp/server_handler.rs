//! `Holdpoint` as an rmcp handler: three requests are its own, the rest is the author's.
//!
//! Everything is boxed: a request's task has room for the largest of all that it could be, and a call
//! that waits for a person has that room for as long.

use super::{holdpoint::Holdpoint, request::Request};
use crate::sync::lock;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::*,
    service::{NotificationContext, RequestContext, SubscriptionContext},
};
use std::borrow::Cow;

type Cx = RequestContext<RoleServer>;
type Nx = NotificationContext<RoleServer>;

#[allow(deprecated)] // Older clients still subscribe and set levels.
impl<H: ServerHandler> ServerHandler for Holdpoint<H> {
    fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<CallToolResponse, ErrorData>> + Send {
        let handled = self.handle(Request::Tool(request), context);
        async { handled.await?.tool() }
    }

    fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<GetPromptResponse, ErrorData>> + Send {
        let handled = self.handle(Request::Prompt(request), context);
        async { handled.await?.prompt() }
    }

    fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<ReadResourceResponse, ErrorData>> + Send {
        let handled = self.handle(Request::Resource(request), context);
        async { handled.await?.resource() }
    }

    fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        context: Nx,
    ) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.cancelled(cancelled.request_id.as_ref(), cancelled.reason.as_deref())
                .await;
            self.shared.handler.on_cancelled(cancelled, context).await;
        })
    }

    fn ping(&self, context: Cx) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.ping(context).await })
    }

    fn initialize(
        &self,
        request: InitializeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<InitializeResult, ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.initialize(request, context).await })
    }

    fn negotiate_initialize(
        &self,
        request: &InitializeRequestParams,
    ) -> Result<InitializeResult, ErrorData> {
        self.shared.handler.negotiate_initialize(request)
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.shared.handler.supported_protocol_versions()
    }

    fn discover(
        &self,
        context: Cx,
    ) -> impl Future<Output = Result<DiscoverResult, ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.discover(context).await })
    }

    fn complete(
        &self,
        request: CompleteRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<CompleteResult, ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(&context);
            let handled = self.shared.handler.complete(request, context);
            caller.scope(handled).await
        })
    }

    fn set_level(
        &self,
        request: SetLevelRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let level = request.level;
            self.shared.handler.set_level(request, context).await?;
            *lock(&self.log_level) = Some(level);
            Ok(())
        })
    }

    fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> impl Future<Output = Result<ListPromptsResult, ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.list_prompts(request, context).await })
    }

    fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> impl Future<Output = Result<ListResourcesResult, ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(&context);
            let handled = self.shared.handler.list_resources(request, context);
            caller.scope(handled).await
        })
    }

    fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> impl Future<Output = Result<ListResourceTemplatesResult, ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(&context);
            let handled = self
                .shared
                .handler
                .list_resource_templates(request, context);
            caller.scope(handled).await
        })
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        self.shared.handler.accepted_subscription_filter(requested)
    }

    fn listen(
        &self,
        context: SubscriptionContext,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(context.request_context());
            caller.scope(self.shared.handler.listen(context)).await
        })
    }

    fn subscribe(
        &self,
        request: SubscribeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(&context);
            let handled = self.shared.handler.subscribe(request, context);
            caller.scope(handled).await
        })
    }

    fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move {
            let caller = self.caller(&context);
            let handled = self.shared.handler.unsubscribe(request, context);
            caller.scope(handled).await
        })
    }

    fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Cx,
    ) -> impl Future<Output = Result<ListToolsResult, ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.list_tools(request, context).await })
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.shared.handler.get_tool(name)
    }

    fn on_custom_request(
        &self,
        request: CustomRequest,
        context: Cx,
    ) -> impl Future<Output = Result<CustomResult, ErrorData>> + Send {
        Box::pin(async move {
            self.shared
                .handler
                .on_custom_request(request, context)
                .await
        })
    }

    fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        context: Nx,
    ) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.shared.handler.on_progress(progress, context).await;
        })
    }

    fn on_initialized(&self, context: Nx) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.shared.handler.on_initialized(context).await;
        })
    }

    fn on_roots_list_changed(&self, context: Nx) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.shared.handler.on_roots_list_changed(context).await;
        })
    }

    fn on_custom_notification(
        &self,
        notification: CustomNotification,
        context: Nx,
    ) -> impl Future<Output = ()> + Send {
        Box::pin(async move {
            self.shared
                .handler
                .on_custom_notification(notification, context)
                .await;
        })
    }

    fn get_info(&self) -> ServerConfig {
        self.shared.handler.get_info()
    }

    fn get_task(
        &self,
        request: GetTaskParams,
        context: Cx,
    ) -> impl Future<Output = Result<GetTaskResult, ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.get_task(request, context).await })
    }

    fn update_task(
        &self,
        request: UpdateTaskParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.update_task(request, context).await })
    }

    fn cancel_task(
        &self,
        request: CancelTaskParams,
        context: Cx,
    ) -> impl Future<Output = Result<(), ErrorData>> + Send {
        Box::pin(async move { self.shared.handler.cancel_task(request, context).await })
    }
}
