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
use toolpact_mcp::http::{Connections, Guard, Http, HttpService, listen};
use toolpact_mcp::{ServeError, Server};

use crate::config::{Config, Source, address};
use crate::ending::{Ending, LAST_WORDS};
use crate::input::Until;
use crate::reload::follow;
use crate::rest::{self, App};
use crate::sources::{Health, Keeper, registry};

/// How long the first clients wait for sources that are slow to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server of the tools of a config.
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
    Data(PathBuf, io::Error),
    NoFolder(PathBuf),
    Tools(toolpact::Error),
    Listen(String, io::Error),
    Client(ServeError),
}

impl Service {
    /// Starts the sources. Changes of the files that they name are followed, and with a `file`, which
    /// is where the config came from, those of the config.
    pub async fn start(
        config: Config,
        file: Option<PathBuf>,
        stop: CancellationToken,
    ) -> Result<Self, StartError> {
        let guard = guard(&config)?;
        let data = config.data_folder();
        // What keeps nothing may run where nothing can be written.
        if config
            .sources
            .iter()
            .any(|source| matches!(source, Source::Shop(_)))
        {
            make_folder(&data)?;
        }
        let registry = registry(&config);
        // What a name means must not depend on which sources have started.
        let mcp = Server::builder(registry.clone()).session(SessionBuilder::qualified);
        let mcp = mcp.build().map_err(StartError::tools)?;
        let keeper = Arc::new(Keeper::new(registry.clone(), data));
        let app = App::new(
            registry.clone(),
            Arc::clone(&keeper),
            guard.clone(),
            config.limits,
        );
        let app = Arc::new(app.map_err(StartError::tools)?);
        keeper.apply(&config.sources);
        stop.run_until_cancelled(keeper.settled(PATIENCE)).await;
        tokio::spawn(follow(file, config.clone(), keeper, stop.clone()));
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
        self.app.keeper.health()
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
            .drain(limits.drain().saturating_add(2 * LAST_WORDS));
        let (router, mcp) = self.router();
        let ending = Ending::new(&self.registry, limits.drain(), &self.now);
        let ended = async {
            self.stop.cancelled().await;
            // Streams that wait for news would be waited for, too.
            mcp.drain();
            ending.wait(std::future::pending()).await;
            tokio::time::sleep(LAST_WORDS).await;
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
        let input = Until::new(input, stop.clone(), end.clone());
        let serving = self.mcp.serve(input, output);
        let ending = Ending::new(&self.registry, self.config.limits.drain(), &self.now);
        let ended = async {
            stop.cancelled().await;
            ending.wait(ending.nothing_runs()).await;
            end.cancel();
            tokio::time::sleep(LAST_WORDS).await;
        };
        tokio::select! {
            served = serving => served.map_err(|error| StartError(Reason::Client(error))),
            () = ended => Ok(()),
        }
    }

    fn router(&self) -> (Router, HttpService) {
        let limits = &self.config.limits;
        let http = Http::default()
            .guard(self.guard.clone())
            .body_bytes(limits.body_bytes)
            .body_time(limits.body_time())
            .sessions(limits.sessions)
            .idle(limits.idle());
        let mcp = self.mcp.http(http);
        let router = rest::router(Arc::clone(&self.app)).route_service("/mcp", mcp.clone());
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
