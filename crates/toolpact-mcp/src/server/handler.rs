//! What a client asks, and who answers.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, ErrorCode, ErrorData, ListPromptsRequestMethod,
    ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
    ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerConfig, SetLevelRequestMethod, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use toolpact::session::LogLevel;

use super::call::Wishes;
use super::calling::Begun;
use super::client::Client;
use super::clients::Clients;
use super::reply::Reply;
use super::shared::Shared;
use super::{arguments, call, follow, list};
use crate::View;
use crate::version::{VERSIONS, place};

/// Answers one client, or one request of a client without a session.
pub(crate) struct Handler(Arc<Client>);

impl Handler {
    pub(crate) fn new(shared: Arc<Shared>) -> Result<Self, toolpact::Error> {
        Client::new(shared).map(|client| Self(Arc::new(client)))
    }

    /// What of results the client is sent.
    fn view(&self, context: &RequestContext<RoleServer>) -> Result<View, ErrorData> {
        let asked = context
            .meta
            .get(View::META)
            .map(|view| (View::META, view.as_str()));
        let parts = context.extensions.get::<http::request::Parts>();
        let header = parts.and_then(|parts| parts.headers.get(View::HEADER));
        let header = header.map(|view| (View::HEADER, view.to_str().ok()));
        let name = || context.client_info().map(|client| client.name.into());
        self.0.shared.view(asked.or(header), name)
    }

    /// The lines of the log that the client wants: since the last version it says so with each call.
    fn level(&self, context: &RequestContext<RoleServer>) -> Option<LogLevel> {
        let version = context.protocol_version();
        match version.is_none_or(|version| version.has_initialize()) {
            true => self.0.level(),
            false => context.meta.log_level().and_then(follow::level),
        }
    }

    async fn call(
        &self,
        request: CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Reply, ErrorData> {
        let wishes = Wishes {
            view: self.view(context)?,
            level: self.level(context),
        };
        self.0
            .shared
            .check_needs(&request.name, || context.client_capabilities())?;
        call::run(&self.0.shared, self.0.seen(), request, context, wishes).await
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.0.shared.info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(&VERSIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let view = self.view(&context)?;
        let cursor = request.and_then(|request| request.cursor);
        if cursor.is_none() {
            self.0.look_again();
        }
        let catalog = self.0.catalog();
        let place = place(context.protocol_version().as_ref());
        list::page(&catalog, place, cursor.as_deref(), self.0.shared.page, view)
    }

    /// For the headers that a request repeats its arguments in, which only the last version has.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let catalog = self.0.catalog();
        let listed = catalog.listing(VERSIONS.len() - 1).get(name)?;
        Some(listed.tool.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let reply = match Begun::finish(&context).await {
            Some(outcome) => outcome?,
            None => self.call(request, &context).await?,
        };
        Ok(reply.into_response())
    }

    /// The session has begun. Tells the client of changes for as long as it is there.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let Some(said) = context.peer.peer_info() else {
            return;
        };
        let Some(agreed) = self.0.agree(&said) else {
            return;
        };
        if let Some(parts) = context.extensions.get::<http::request::Parts>() {
            Clients::introduce(parts, &self.0);
        }
        let mut changes = self.0.shared.registry.changes();
        changes.mark_unchanged();
        tokio::spawn(agreed.gone().run_until_cancelled_owned(async move {
            while changes.changed().await.is_ok() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        }));
    }

    /// From which level on the client is told of the log. Without this, it is told nothing.
    #[expect(deprecated, reason = "in the versions that have sessions, it is not")]
    async fn set_level(
        &self,
        request: rmcp::model::SetLevelRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let version = context.protocol_version();
        if version.is_some_and(|version| !version.has_initialize()) {
            return Err(ErrorData::method_not_found::<SetLevelRequestMethod>());
        }
        self.0.set_level(follow::level(request.level));
        Ok(())
    }

    fn accepted_subscription_filter(
        &self,
        requested: &SubscriptionFilter,
    ) -> Option<SubscriptionFilter> {
        let mut accepted = SubscriptionFilter::new();
        accepted.tools_list_changed = requested.tools_list_changed;
        Some(accepted)
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let mut changes = self.0.shared.registry.changes();
        changes.mark_unchanged();
        if context.accepted().tools_list_changed != Some(true) {
            context.cancelled().await;
            return Ok(());
        }
        loop {
            tokio::select! {
                ended = async { changes.changed().await.is_err() } => {
                    if ended || context.sink().notify_tool_list_changed().await.is_err() {
                        return Ok(());
                    }
                }
                () = context.cancelled() => return Ok(()),
            }
        }
    }

    // What is not declared is not there, though the library would answer with empty lists.

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListPromptsRequestMethod>())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Err(ErrorData::method_not_found::<ListResourcesRequestMethod>())
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Err(ErrorData::method_not_found::<
            ListResourceTemplatesRequestMethod,
        >())
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    /// Requests that the library does not know, or whose parameters it cannot read.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let version = context.protocol_version();
        Err(
            match arguments::expected(&request.method, version.as_ref()) {
                Some(expected) => arguments::malformed(&request.method, expected),
                None => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method, None),
            },
        )
    }
}
