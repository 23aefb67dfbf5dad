//! A server, from its config to its end.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::mock::Mock;
use toolpact::observe::Reading;
use toolpact::session::SessionBuilder;
use toolpact::{Registry, Session};
use toolpact_http::{Connections, Guard, Tls, listen};
use toolpact_identity::{Identity, ProtectedResource};
use toolpact_mcp::Server;
use toolpact_mcp::http::{Http, HttpService};

use crate::approvals::Approvals;
use crate::builder::ServiceBuilder;
use crate::config::{Config, TlsConfig, address};
use crate::config_tools::ConfigTools;
use crate::identity::watch_identity;
use crate::reload::watch_config;
use crate::rest::{self, App, Sessions};
use crate::shutdown::{FLUSH_TIME, Shutdown};
use crate::sources::Health;
use crate::start_error::{Reason, StartError};
use crate::stdin::{UntilStopped, client_gone};

/// A server of the tools of a config, or of a program: see [`Service::builder`].
///
/// ```no_run
/// use tokio_util::sync::CancellationToken;
/// use toolpact_serve::{Config, Service};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let config = Config::shop();
/// let listener = Service::bind(&config).await?;
/// let service = Service::start(config, None, CancellationToken::new()).await?;
/// println!("{}", listener.local_addr()?);
/// service.listen(listener).await?;
/// # Ok(())
/// # }
/// ```
pub struct Service {
    config: Config,
    guard: Guard,
    identity: Identity,
    tls: Option<Tls>,
    app: Arc<App>,
    mcp: Server,
    registry: Registry,
    approvals: Option<Approvals>,
    stop: CancellationToken,
    now: CancellationToken,
}

impl Service {
    /// A server of the tools of a program, of a config, or of both.
    pub fn builder() -> ServiceBuilder {
        ServiceBuilder::default()
    }

    /// Starts the sources of a config. With a `file`, which is where the config came from, its changes are
    /// followed. [`Service::builder`] has more to say.
    pub async fn start(
        config: Config,
        file: Option<PathBuf>,
        stop: CancellationToken,
    ) -> Result<Self, StartError> {
        let builder = Self::builder().config(config).stop(stop);
        let builder = match file {
            Some(file) => builder.config_file(file),
            None => builder,
        };
        builder.start().await
    }

    pub(crate) async fn of(builder: ServiceBuilder) -> Result<Self, StartError> {
        let ServiceBuilder {
            config,
            file,
            registry,
            record,
            stop,
        } = builder;
        let identity = config.identity().map_err(StartError::identity)?;
        let guard = guard(&config, &identity);
        let tls = load_tls(&config)?;
        if registry.is_some() && has_scopes(&identity) {
            return Err(StartError::new(Reason::Scopes));
        }
        let mut tools = ConfigTools::new(&config, registry, record.as_deref())?;
        // What a name means must not depend on which sources have started.
        let mcp = mcp_server(&config, &tools)?;
        let ConfigTools {
            registry,
            memory,
            supervisor,
            approvals,
            audit_metrics,
            ..
        } = &tools;
        let (registry, approvals) = (registry.clone(), approvals.clone());
        let resource = identity.resource().cloned();
        let app = App::new(
            registry.clone(),
            Arc::clone(supervisor),
            config.limits,
            memory.clone(),
            resource,
        );
        let audit_metrics = audit_metrics.clone();
        let app = app.map(|app| app.audited(audit_metrics).with_approvals(approvals.clone()));
        let app = Arc::new(app.map_err(StartError::tools)?);
        tokio::spawn(Sessions::sweep(Arc::downgrade(&app), config.limits.idle()));
        let followers = tools.start(&config, &stop).await?.with_mcp(mcp.clone());
        tokio::spawn(watch_config(file, config.clone(), followers, stop.clone()));
        let tls_files = config.tls.as_ref().map(TlsConfig::files);
        let watched_tls = tls.clone().zip(tls_files);
        tokio::spawn(watch_identity(identity.clone(), watched_tls, stop.clone()));
        Ok(Self {
            config,
            guard,
            identity,
            tls,
            app,
            mcp,
            registry,
            approvals,
            stop,
            now: CancellationToken::new(),
        })
    }

    /// How the sources are.
    #[must_use]
    pub fn health(&self) -> Vec<Health> {
        self.app.supervisor.health()
    }

    /// What mocked tools do, if they are.
    #[must_use]
    pub fn mock(&self) -> Option<&Mock> {
        self.app.supervisor.mock()
    }

    /// How many tools there are, whoever may see them.
    #[must_use]
    pub fn tools(&self) -> usize {
        self.app.all_tools().tools().count()
    }

    /// What `/v1/metrics` is made of, each time it is asked for: the tools as they are, with their counters, and
    /// what is measured besides.
    pub fn measure(&self) -> impl Fn() -> (Session, Vec<Reading>) + Send + Sync + 'static {
        let app = Arc::clone(&self.app);
        move || (app.all_tools(), app.readings())
    }

    /// When this is cancelled, a server that was told to stop does not wait for calls any longer.
    #[must_use]
    pub fn at_once(mut self, now: CancellationToken) -> Self {
        self.now = now;
        self
    }

    /// Binds the address of a config. This comes before the start of its sources: a server whose
    /// address is taken should leave no traces.
    pub async fn bind(config: &Config) -> Result<TcpListener, StartError> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        let bound = match address(&config.listen).map_err(invalid) {
            Ok(address) => TcpListener::bind(address).await,
            Err(error) => Err(error),
        };
        let bound =
            bound.map_err(|error| StartError::new(Reason::Listen(config.listen.clone(), error)))?;
        check_open(config, &bound)?;
        Ok(bound)
    }

    /// Serves over HTTP until it is told to stop, and then lets what runs come to its end. What
    /// takes too long is answered with an error.
    pub async fn listen(&self, listener: TcpListener) -> Result<(), StartError> {
        check_open(&self.config, &listener)?;
        let limits = &self.config.limits;
        let connections = Connections::default()
            .most(limits.connections)
            .per_address(limits.connections_per_address)
            .drain(limits.drain().saturating_add(2 * FLUSH_TIME));
        let (router, mcp) = self.router();
        let shutdown = Shutdown::new(&self.registry, limits.drain(), &self.now);
        // Before, nobody could have decided.
        self.approvals.iter().for_each(Approvals::open);
        let ended = async {
            self.stop.cancelled().await;
            // People may need longer than the server has.
            self.approvals.iter().for_each(Approvals::close);
            // Streams that wait for changes never end by themselves.
            mcp.drain();
            shutdown.wait(std::future::pending()).await;
            tokio::time::sleep(FLUSH_TIME).await;
        };
        let connections = connections.tls(self.tls.clone());
        let served = tokio::select! {
            served = listen(listener, router, connections, self.stop.clone()) => served,
            () = ended => Ok(()),
        };
        mcp.close();
        served.map_err(|error| StartError::new(Reason::Listen(self.config.listen.clone(), error)))
    }

    /// Serves one client on standard input and output, until it closes its side or the server is
    /// told to stop. Calls that run may come to their end, as over HTTP.
    pub async fn stdio(&self) -> Result<(), StartError> {
        let (stop, end) = (self.stop.child_token(), CancellationToken::new());
        let (input, output) = toolpact_mcp::stdio();
        let input = UntilStopped::new(input, stop.clone(), end.clone());
        let serving = self.mcp.serve(input, output);
        let shutdown = Shutdown::new(&self.registry, self.config.limits.drain(), &self.now);
        let ended = async {
            stop.cancelled().await;
            shutdown.wait(shutdown.all_calls_ended()).await;
            end.cancel();
            tokio::time::sleep(FLUSH_TIME).await;
        };
        let left = async {
            client_gone().await;
            stop.cancel();
            std::future::pending::<()>().await;
        };
        tokio::select! {
            served = serving => served.map_err(|error| StartError::new(Reason::Client(error))),
            () = ended => Ok(()),
            () = left => Ok(()),
        }
    }

    fn router(&self) -> (Router, HttpService) {
        let limits = &self.config.limits;
        let body = limits.body();
        let http = Http::default()
            .guard(self.guard.clone())
            .body_bytes(body.bytes)
            .body_time(body.time)
            .sessions(limits.sessions)
            .sessions_per_address(limits.sessions_per_address)
            .sessions_per_principal(limits.sessions_per_principal)
            .listeners(limits.listeners)
            .listeners_per_address(limits.listeners_per_address)
            .listeners_per_principal(limits.listeners_per_principal)
            .listen_time(limits.listen())
            .idle(limits.idle());
        let resource = self.identity.resource();
        let http = match resource
            .filter(|resource| !resource.scopes().is_empty())
            .cloned()
        {
            Some(resource) => {
                http.authorize(move |tool, principal| resource.refuse(tool, principal))
            }
            None => http,
        };
        let mcp = self.mcp.http(http);
        let router = rest::router(Arc::clone(&self.app), self.guard.clone(), resource);
        let router = router.route_service("/mcp", mcp.clone());
        (router, mcp)
    }
}

/// A server that others can reach asks who they are, unless its config says twice that it does not.
fn check_open(config: &Config, listener: &TcpListener) -> Result<(), StartError> {
    let address = listener.local_addr();
    match address {
        Ok(address) if !address.ip().is_loopback() && !config.may_be_open() => {
            Err(StartError::new(Reason::Open(address)))
        }
        _ => Ok(()),
    }
}

fn has_scopes(identity: &Identity) -> bool {
    let resource = identity.resource().map(ProtectedResource::scopes);
    resource.is_some_and(|scopes| !scopes.is_empty())
}

fn load_tls(config: &Config) -> Result<Option<Tls>, StartError> {
    let tls = config.tls.as_ref().map(|tls| Tls::load(&tls.files()));
    tls.transpose()
        .map_err(|error| StartError::new(Reason::Tls(error)))
}

fn mcp_server(config: &Config, tools: &ConfigTools) -> Result<Server, StartError> {
    let memory = &tools.memory;
    let mut mcp = Server::builder(tools.registry.clone())
        .session(|session: SessionBuilder| session.qualified().leave_out_clashes())
        .info(config.server.to_info())
        .passthrough(tools.upstreams.clone())
        .request_memory(Arc::clone(&memory.requests))
        .stream_memory(Arc::clone(&memory.streams));
    let key = config.signing_key();
    if let Some(key) = key.map_err(|why| StartError::new(Reason::Key(why)))? {
        mcp = mcp.key(&key);
    }
    mcp.build().map_err(StartError::tools)
}

fn guard(config: &Config, identity: &Identity) -> Guard {
    let mut guard = Guard::default();
    for host in &config.allowed_hosts {
        guard = guard.host(host);
    }
    for origin in &config.allowed_origins {
        guard = guard.origin(origin);
    }
    match identity.asks() {
        true => guard.authenticator(Arc::new(identity.clone())),
        false => guard,
    }
}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
