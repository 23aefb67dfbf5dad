//! One client: what it asks, and who answers.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, CustomRequest, CustomResult, ErrorCode, ErrorData, ListPromptsRequestMethod,
    ListPromptsResult, ListResourceTemplatesRequestMethod, ListResourceTemplatesResult,
    ListResourcesRequestMethod, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ProtocolVersion, ServerConfig, SubscriptionFilter, Tool,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};
use tokio_util::sync::{CancellationToken, DropGuard};
use toolpact::Session;
use toolpact::define::DefineError;

use super::catalog::Catalog;
use super::shared::Shared;
use super::{arguments, call, list};
use crate::View;
use crate::version::{VERSIONS, place};

/// One client, or one request of a client without a session.
pub(crate) struct Handler {
    shared: Arc<Shared>,
    catalog: Arc<Catalog>,
    /// Nothing until it is needed: the library makes more handlers than there are clients.
    seen: Mutex<Option<Seen>>,
    /// What tells the client of changes, and ends with it.
    telling: OnceLock<DropGuard>,
}

/// What the client knows of the tools, and the session that holds them.
#[derive(Clone)]
pub(super) struct Seen {
    pub(super) catalog: Arc<Catalog>,
    pub(super) session: Session,
}

impl Seen {
    fn of(catalog: Arc<Catalog>) -> Self {
        let session = catalog.session.again();
        Self { catalog, session }
    }
}

impl Handler {
    pub(crate) fn new(shared: Arc<Shared>) -> Result<Self, DefineError> {
        Ok(Self {
            catalog: shared.catalog()?,
            shared,
            seen: Mutex::new(None),
            telling: OnceLock::new(),
        })
    }

    pub(super) fn seen(&self) -> Seen {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = seen.get_or_insert_with(|| Seen::of(Arc::clone(&self.catalog)));
        seen.clone()
    }

    fn catalog(&self) -> Arc<Catalog> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let catalog = seen.as_ref().map_or(&self.catalog, |seen| &seen.catalog);
        Arc::clone(catalog)
    }

    /// Takes a client that lists the tools from the start to the tools as they are now. Calls that
    /// run go on.
    fn look_again(&self) {
        let Ok(catalog) = self.shared.catalog() else {
            return;
        };
        if self.catalog().generation != catalog.generation {
            let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
            *seen = Some(Seen::of(catalog));
        }
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
        if let Some((place, view)) = asked.or(header) {
            return view.and_then(View::from_name).ok_or_else(|| {
                let message = format!("expected `{place}` to be `text`, `structure` or `both`");
                ErrorData::invalid_params(message, None)
            });
        }
        if self.shared.views.is_empty() {
            return Ok(self.shared.view);
        }
        let client = context.client_info();
        let named = client.and_then(|client| self.shared.views.get(&*client.name).copied());
        Ok(named.unwrap_or(self.shared.view))
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        self.shared.info()
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
            self.look_again();
        }
        let catalog = self.catalog();
        let place = place(context.protocol_version().as_ref());
        list::page(&catalog, place, cursor.as_deref(), self.shared.page, view)
    }

    /// For the headers that a request repeats its arguments in, which only the last version has.
    fn get_tool(&self, name: &str) -> Option<Tool> {
        let catalog = self.catalog();
        let listed = catalog.listing(VERSIONS.len() - 1).get(name)?;
        Some(listed.tool.clone())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let view = self.view(&context)?;
        self.shared
            .check_needs(&request.name, || context.client_capabilities())?;
        let result = call::run(&self.seen(), request, &context, view).await?;
        Ok(CallToolResponse::Complete(result))
    }

    /// Tells the client of changes for as long as it is there.
    async fn on_initialized(&self, context: NotificationContext<RoleServer>) {
        let gone = CancellationToken::new();
        // A client can say it again and again.
        if self.telling.set(gone.clone().drop_guard()).is_err() {
            return;
        }
        let mut changes = self.shared.registry.changes();
        changes.mark_unchanged();
        tokio::spawn(gone.run_until_cancelled_owned(async move {
            while changes.changed().await.is_ok() {
                if context.peer.notify_tool_list_changed().await.is_err() {
                    break;
                }
            }
        }));
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
        let mut changes = self.shared.registry.changes();
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
