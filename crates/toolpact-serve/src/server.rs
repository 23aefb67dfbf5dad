//! A server, from its config to its end.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact::session::SessionBuilder;
use toolpact_http::{Connections, Guard, listen};
use toolpact_mcp::http::{Http, HttpService};
use toolpact_mcp::{ServeError, Server};
use toolpact_upstream::Upstreams;

use crate::builder::ServiceBuilder;
use crate::code::CodeHost;
use crate::config::{Config, Source, address};
use crate::reload::watch_config;
use crate::rest::{self, App};
use crate::shutdown::{FLUSH_TIME, Shutdown};
use crate::sources::{self, Health, Supervisor};
use crate::stdin::UntilStopped;

/// How long the first clients wait for sources that are slow to start.
const PATIENCE: Duration = Duration::from_secs(10);

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
    app: Arc<App>,
    mcp: Server,
    registry: Registry,
    stop: CancellationToken,
    now: CancellationToken,
}

/// Why a server does not start.
#[derive(Debug)]
pub struct StartError(Reason);

#[derive(Debug)]
enum Reason {
    Token(String),
    Key(String),
    Data(PathBuf, io::Error),
    NoFolder(PathBuf),
    Tools(toolpact::Error),
    Listen(String, io::Error),
    Client(ServeError),
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
            stop,
        } = builder;
        let guard = guard(&config)?;
        let data = config.data_folder();
        // A server without data may run where nothing can be written.
        if config
            .sources
            .iter()
            .any(|source| matches!(source, Source::Shop(_)))
        {
            make_folder(&data)?;
        }
        let registry = registry.unwrap_or_else(|| sources::registry(&config));
        // What a name means must not depend on which sources have started.
        let upstreams = Upstreams::default();
        let mut mcp = Server::builder(registry.clone())
            .session(SessionBuilder::qualified)
            .info(config.server.to_info())
            .passthrough(upstreams.clone());
        let key = config.signing_key();
        if let Some(key) = key.map_err(|why| StartError(Reason::Key(why)))? {
            mcp = mcp.key(&key);
        }
        let mcp = mcp.build().map_err(StartError::tools)?;
        let code = { config.code.as_ref() }.map(|code| Arc::new(CodeHost::new(code, &registry)));
        // Before the sources, so that its name is its own.
        if let Some(code) = &code {
            drop(code.refresh());
        }
        let supervisor = Supervisor::new(registry.clone(), upstreams, data, code.clone());
        let supervisor = Arc::new(supervisor);
        let app = App::new(registry.clone(), Arc::clone(&supervisor), config.limits);
        let app = Arc::new(app.map_err(StartError::tools)?);
        supervisor.apply(&config.sources);
        stop.run_until_cancelled(supervisor.settled(PATIENCE)).await;
        if let Some(code) = code {
            drop(code.refresh());
            tokio::spawn(code.follow(stop.clone()));
        }
        let watched = watch_config(file, config.clone(), supervisor, mcp.clone(), stop.clone());
        tokio::spawn(watched);
        Ok(Self {
            config,
            guard,
            app,
            mcp,
            registry,
            stop,
            now: CancellationToken::new(),
        })
    }

    /// How the sources are.
    #[must_use]
    pub fn health(&self) -> Vec<Health> {
        self.app.supervisor.health()
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
        bound.map_err(|error| StartError(Reason::Listen(config.listen.clone(), error)))
    }

    /// Serves over HTTP until it is told to stop, and then lets what runs come to its end. What
    /// takes too long is answered with an error.
    pub async fn listen(&self, listener: TcpListener) -> Result<(), StartError> {
        let address = listener.local_addr().ok();
        self.warn_if_open(address);
        let limits = &self.config.limits;
        let connections = Connections::default()
            .most(limits.connections)
            .drain(limits.drain().saturating_add(2 * FLUSH_TIME));
        let (router, mcp) = self.router();
        let shutdown = Shutdown::new(&self.registry, limits.drain(), &self.now);
        let ended = async {
            self.stop.cancelled().await;
            // Streams that wait for changes never end by themselves.
            mcp.drain();
            shutdown.wait(std::future::pending()).await;
            tokio::time::sleep(FLUSH_TIME).await;
        };
        let served = tokio::select! {
            served = listen(listener, router, connections, self.stop.clone()) => served,
            () = ended => Ok(()),
        };
        mcp.close();
        served.map_err(|error| StartError(Reason::Listen(self.config.listen.clone(), error)))
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
        tokio::select! {
            served = serving => served.map_err(|error| StartError(Reason::Client(error))),
            () = ended => Ok(()),
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
            .idle(limits.idle());
        let mcp = self.mcp.http(http);
        let router = rest::router(Arc::clone(&self.app), self.guard.clone());
        let router = router.route_service("/mcp", mcp.clone());
        (router, mcp)
    }

    fn warn_if_open(&self, address: Option<SocketAddr>) {
        let open = address.is_some_and(|address| !address.ip().is_loopback());
        if open && self.config.auth_token.is_none() {
            tracing::warn!("whoever reaches this address may call every tool: set `auth_token`");
        }
    }
}

/// The folder for data.
fn make_folder(path: &Path) -> Result<(), StartError> {
    std::fs::create_dir_all(path).map_err(|error| {
        StartError(match path.is_file() {
            true => Reason::NoFolder(path.to_owned()),
            false => Reason::Data(path.to_owned(), error),
        })
    })
}

fn guard(config: &Config) -> Result<Guard, StartError> {
    let mut guard = Guard::default();
    for host in &config.allowed_hosts {
        guard = guard.host(host);
    }
    for origin in &config.allowed_origins {
        guard = guard.origin(origin);
    }
    match &config.auth_token {
        Some(token) => {
            let token = token
                .resolve()
                .map_err(|why| StartError(Reason::Token(why)))?;
            Ok(guard.token(&token))
        }
        None => Ok(guard),
    }
}

impl StartError {
    fn tools(error: toolpact::Error) -> Self {
        Self(Reason::Tools(error))
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Reason::Token(why) => write!(f, "the token cannot be used: {why}"),
            Reason::Key(why) => write!(f, "the signing key cannot be used: {why}"),
            Reason::Data(path, error) => {
                write!(
                    f,
                    "the folder for data, {}, cannot be made: {error}; name another with --data",
                    path.display()
                )
            }
            Reason::NoFolder(path) => {
                write!(
                    f,
                    "expected {} to be a folder for data, found a file; name a folder with --data",
                    path.display()
                )
            }
            Reason::Tools(error) => write!(f, "the tools cannot be served: {error}"),
            Reason::Listen(address, error) => {
                write!(
                    f,
                    "cannot listen on {address}: {error}; choose another with --port or --listen"
                )
            }
            Reason::Client(error) => write!(f, "the client could not be served: {error}"),
        }
    }
}

impl Error for StartError {}

impl fmt::Debug for Service {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Service")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}
