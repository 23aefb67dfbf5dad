//! The connection to a server: opened when it is needed, and again when it was lost.

use std::collections::{BTreeSet, HashMap};
use std::hash::RandomState;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use rmcp::model::{ClientRequest, ProtocolVersion, ServerCapabilities, ServerResult};
use rmcp::service::{
    ClientInitializeError, ClientLifecycleMode, Peer, PeerRequestOptions, RequestHandle,
    RunningService, ServiceError, serve_client_with_lifecycle,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{IntoTransport, StreamableHttpClientTransport};
use rmcp::{RoleClient, transport::async_rw::AsyncRwTransport};
use serde_json::{Value as Json, json};
use tokio::sync::{Mutex, watch};
use toolpact::core::contract::Contract;
use toolpact::core::memory::MemoryBudget;
use toolpact::process::ProcessGroup;

use crate::child;
use crate::client::Receiver;
use crate::error::{Reason, UpstreamError};
use crate::held_lines::HeldLines;
use crate::http::{ANSWER_BYTES, BoundedClient};
use crate::lists::ListLimits;
use crate::parked::Parked;
use crate::place::{Address, Place, Program};
use crate::runtime::runtime;
use crate::trace;
use toolpact_http::outgoing;

/// How long after a failure the server is left alone.
const PAUSE: Duration = Duration::from_millis(500);

/// Most bytes of the answers of a server that are being read, and of what it lists, if there is no budget for all.
const MEMORY: usize = 256 << 20;

pub(crate) struct Settings {
    pub(crate) timeout: Option<Duration>,
    pub(crate) connect_timeout: Duration,
    pub(crate) sessionless: bool,
    pub(crate) contracts: HashMap<Box<str>, Contract>,
    pub(crate) missing_allowed: bool,
    pub(crate) list_limits: ListLimits,
    /// For answers that are being read.
    pub(crate) answers: Arc<MemoryBudget>,
    /// For what is listed.
    pub(crate) lists: Arc<MemoryBudget>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: None,
            connect_timeout: Duration::from_secs(30),
            sessionless: false,
            contracts: HashMap::new(),
            missing_allowed: false,
            list_limits: ListLimits::default(),
            answers: Arc::new(MemoryBudget::new(MEMORY)),
            lists: Arc::new(MemoryBudget::new(MEMORY)),
        }
    }
}

pub(crate) struct Link {
    place: Place,
    pub(crate) settings: Settings,
    pub(crate) received: Receiver,
    pub(crate) parked: Parked,
    /// For what tells one list from another.
    pub(crate) hash_key: RandomState,
    /// The resources that the server tells updates of.
    subscribed: std::sync::Mutex<BTreeSet<String>>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    connection: Option<Arc<Connection>>,
    failed: Option<Instant>,
    /// What everybody waits for while a connection is opened.
    opening: Option<watch::Receiver<Option<Opened>>>,
}

/// What came of opening a connection.
type Opened = Result<Arc<Connection>, UpstreamError>;

/// A connection that was opened. The program ends with it.
pub(crate) struct Connection {
    service: RunningService<RoleClient, Receiver>,
    _group: Option<ProcessGroup>,
}

impl Connection {
    /// The version that the server says it speaks.
    pub(crate) fn version(&self) -> String {
        let server = self.peer().peer_info();
        server.map_or_else(String::new, |server| server.protocol_version.to_string())
    }

    pub(crate) fn capabilities(&self) -> ServerCapabilities {
        let server = self.peer().peer_info();
        server.map_or_else(ServerCapabilities::default, |server| {
            server.capabilities.clone()
        })
    }

    fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    fn is_lost(&self) -> bool {
        self.service.is_closed() || self.peer().is_transport_closed()
    }
}

impl Link {
    pub(crate) fn new(place: Place, settings: Settings) -> Self {
        Self {
            place,
            settings,
            received: Receiver::default(),
            parked: Parked::default(),
            hash_key: RandomState::new(),
            subscribed: std::sync::Mutex::default(),
            state: Mutex::default(),
        }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.received.0.list_changes.subscribe()
    }

    /// Ends the connection, also for the calls that run.
    pub(crate) async fn close(&self) {
        self.parked.clear();
        let state = std::mem::take(&mut *self.state.lock().await);
        if let Some(connection) = state.connection {
            connection.service.cancellation_token().cancel();
        }
    }

    /// Sends a request, and leaves the waiting to the caller.
    pub(crate) async fn send(
        self: &Arc<Self>,
        request: ClientRequest,
        options: PeerRequestOptions,
    ) -> Result<(Arc<Connection>, RequestHandle<RoleClient>), UpstreamError> {
        let connection = self.connection().await?;
        let options = trace::pass_on(options);
        let sent = connection.peer().send_request_with_option(request, options);
        let sent = sent.await;
        let handle = sent.map_err(|error| UpstreamError::of_service(&self.place, error))?;
        Ok((connection, handle))
    }

    /// Sends a request and waits for the answer, for as long as it may take to connect.
    pub(crate) async fn ask(
        self: &Arc<Self>,
        method: &str,
        params: Json,
    ) -> Result<Json, UpstreamError> {
        let answer = self.ask_typed(method, params).await?;
        serde_json::to_value(answer).map_err(|_| UpstreamError::new(&self.place, Reason::Lost))
    }

    /// The same, with the answer as rmcp has it.
    pub(crate) async fn ask_typed(
        self: &Arc<Self>,
        method: &str,
        params: Json,
    ) -> Result<ServerResult, UpstreamError> {
        let request = json!({"method": method, "params": params});
        let unwritable = |_| UpstreamError::new(&self.place, Reason::Lost);
        let request: ClientRequest = serde_json::from_value(request).map_err(unwritable)?;
        let time = self.settings.connect_timeout;
        let (_connection, handle) = self
            .send(request, PeerRequestOptions::with_timeout(time))
            .await?;
        handle.await_response().await.map_err(|error| match error {
            ServiceError::Timeout { .. } => UpstreamError::new(&self.place, Reason::TooLong(time)),
            error => UpstreamError::of_service(&self.place, error),
        })
    }

    /// Begins or ends to tell updates of a resource. A new connection is asked for them again.
    pub(crate) fn subscription(&self, uri: &str, wanted: bool) {
        let subscribed = self.subscribed.lock();
        let mut subscribed = subscribed.unwrap_or_else(PoisonError::into_inner);
        match wanted {
            true => subscribed.insert(uri.to_owned()),
            false => subscribed.remove(uri),
        };
    }

    fn subscribe_again(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>> {
        Box::pin(async move {
            let uris = self.subscribed.lock();
            let uris = uris.unwrap_or_else(PoisonError::into_inner).clone();
            for uri in uris {
                if let Err(error) = self.ask("resources/subscribe", json!({"uri": uri})).await {
                    tracing::warn!(target: "toolpact::mcp", %error, "updates of a resource are lost");
                }
            }
        })
    }

    /// The connection, opened if there is none. Who stops waiting does not keep it from being opened
    /// for the next.
    pub(crate) async fn connection(self: &Arc<Self>) -> Opened {
        let mut opening = {
            let mut state = self.state.lock().await;
            if let Some(connection) = state.connection.as_ref().filter(|c| !c.is_lost()) {
                return Ok(Arc::clone(connection));
            }
            state.connection = None;
            match &state.opening {
                Some(opening) => opening.clone(),
                None => {
                    let (sender, receiver) = watch::channel(None);
                    state.opening = Some(receiver.clone());
                    let pause = state.failed.and_then(|at| PAUSE.checked_sub(at.elapsed()));
                    runtime().spawn(Arc::clone(self).open_for_all(pause, sender));
                    receiver
                }
            }
        };
        let opened = opening.wait_for(Option::is_some).await;
        let opened = opened.ok().and_then(|opened| opened.clone());
        opened.unwrap_or_else(|| Err(UpstreamError::new(&self.place, Reason::Lost)))
    }

    async fn open_for_all(
        self: Arc<Self>,
        pause: Option<Duration>,
        waiting: watch::Sender<Option<Opened>>,
    ) {
        tokio::time::sleep(pause.unwrap_or_default()).await;
        let time = self.settings.connect_timeout;
        let opened = match tokio::time::timeout(time, self.open()).await {
            Ok(opened) => opened.map(Arc::new),
            Err(_) => Err(UpstreamError::new(&self.place, Reason::TooLong(time))),
        };
        let mut state = self.state.lock().await;
        // If the link was closed meanwhile, nobody waits for this.
        if state.opening.take().is_some() {
            match &opened {
                Ok(connection) => {
                    state.connection = Some(Arc::clone(connection));
                    tokio::spawn(Arc::clone(&self).subscribe_again());
                }
                Err(error) => {
                    state.failed = Some(Instant::now());
                    // Whoever waits for the connection gets the error, and reports it.
                    tracing::debug!(target: "toolpact::mcp", %error, "no connection");
                }
            }
        }
        waiting.send_replace(Some(opened));
    }

    /// With a session, if the server has them: there, it can ask in the middle of a call, and tells of
    /// changes.
    async fn open(&self) -> Result<Connection, UpstreamError> {
        if self.settings.sessionless {
            return self.open_as(sessionless()).await;
        }
        match self.open_as(ClientLifecycleMode::Initialize).await {
            Err(error) if error.is_refusal() => {
                let opened = self.open_as(sessionless()).await;
                opened.map_err(|_| error)
            }
            opened => opened,
        }
    }

    async fn open_as(&self, mode: ClientLifecycleMode) -> Result<Connection, UpstreamError> {
        match &self.place {
            Place::Command(program) => self.open_program(program, mode).await,
            Place::Http(address) => self.open_address(address, mode).await,
        }
    }

    async fn open_program(
        &self,
        program: &Program,
        mode: ClientLifecycleMode,
    ) -> Result<Connection, UpstreamError> {
        let started = child::start(program);
        let (group, output, input) = started
            .map_err(|error| UpstreamError::new(&self.place, Reason::Start(Arc::new(error))))?;
        let output = HeldLines::new(output, &self.settings.answers);
        let transport =
            AsyncRwTransport::new_client(output, input).with_max_line_length(ANSWER_BYTES);
        Ok(Connection {
            service: self.begin(transport, mode).await?,
            _group: Some(group),
        })
    }

    async fn open_address(
        &self,
        address: &Address,
        mode: ClientLifecycleMode,
    ) -> Result<Connection, UpstreamError> {
        let client = outgoing::client().build();
        let client = client.map_err(|error| UpstreamError::begin(&self.place, &error))?;
        let client = BoundedClient::new(client, &self.settings.answers);
        let config = StreamableHttpClientTransportConfig::with_uri(&*address.url)
            .custom_headers(address.headers.clone());
        let transport = StreamableHttpClientTransport::with_client(client, config);
        Ok(Connection {
            service: self.begin(transport, mode).await?,
            _group: None,
        })
    }

    async fn begin<T, E, A>(
        &self,
        transport: T,
        mode: ClientLifecycleMode,
    ) -> Result<RunningService<RoleClient, Receiver>, UpstreamError>
    where
        T: IntoTransport<RoleClient, E, A>,
        E: std::error::Error + Send + Sync + 'static,
    {
        let begun = serve_client_with_lifecycle(self.received.clone(), transport, mode).await;
        begun.map_err(|error: ClientInitializeError| UpstreamError::initialize(&self.place, &error))
    }
}

fn sessionless() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
    }
}
