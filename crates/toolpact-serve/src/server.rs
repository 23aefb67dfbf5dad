//! A server, from its config to its end.

use std::error::Error;
use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact::define::DefineError;
use toolpact::session::SessionBuilder;
use toolpact_mcp::http::{Connections, Guard, Http, HttpService, listen};
use toolpact_mcp::{ServeError, Server};

use crate::config::Config;
use crate::input::Until;
use crate::reload::follow;
use crate::rest::{self, App};
use crate::sources::{Health, Keeper};

/// How long the first clients wait for sources that are slow to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server of the tools of a config.
///
/// ```no_run
/// use tokio_util::sync::CancellationToken;
/// use toolpact_serve::{Config, Service};
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let service = Service::start(Config::shop(), None, CancellationToken::new()).await?;
/// let listener = service.bind().await?;
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
    stop: CancellationToken,
}

/// Why a server does not start.
#[derive(Debug)]
pub struct StartError(Reason);

#[derive(Debug)]
enum Reason {
    Token(String),
    Data(PathBuf, io::Error),
    Tools(DefineError),
    Listen(String, io::Error),
    Client(ServeError),
}

impl Service {
    /// Starts the sources. With a `file`, that is where the config came from, and its changes are
    /// followed.
    pub async fn start(
        config: Config,
        file: Option<PathBuf>,
        stop: CancellationToken,
    ) -> Result<Self, StartError> {
        let guard = guard(&config)?;
        std::fs::create_dir_all(&config.data)
            .map_err(|error| StartError(Reason::Data(config.data.clone(), error)))?;
        let limits = toolpact::call::Limits::default().timeout(config.limits.call());
        let registry = Registry::builder().limits(limits).build();
        // What a name means must not depend on which sources have started.
        let mcp = Server::builder(registry.clone()).session(SessionBuilder::qualified);
        let mcp = mcp.build().map_err(StartError::tools)?;
        let keeper = Arc::new(Keeper::new(registry.clone(), config.data.clone()));
        let app = App::new(registry, Arc::clone(&keeper), guard.clone(), config.limits);
        let app = Arc::new(app.map_err(StartError::tools)?);
        keeper.apply(&config.sources);
        keeper.settled(PATIENCE).await;
        if let Some(file) = file {
            tokio::spawn(follow(file, config.clone(), keeper, stop.clone()));
        }
        Ok(Self {
            config,
            guard,
            app,
            mcp,
            stop,
        })
    }

    /// How the sources are.
    #[must_use]
    pub fn health(&self) -> Vec<Health> {
        self.app.keeper.health()
    }

    /// Binds the address of the config.
    pub async fn bind(&self) -> Result<TcpListener, StartError> {
        let address = &self.config.listen;
        let bound = TcpListener::bind(address).await;
        bound.map_err(|error| StartError(Reason::Listen(address.clone(), error)))
    }

    /// Serves over HTTP until it is told to stop, and then lets what runs come to its end.
    pub async fn listen(&self, listener: TcpListener) -> Result<(), StartError> {
        let address = listener.local_addr().ok();
        self.warn_if_open(address);
        let limits = &self.config.limits;
        let connections = Connections::default()
            .most(limits.connections)
            .drain(limits.drain());
        let (router, mcp) = self.router();
        let stop = self.stop.clone();
        let (stopping, draining) = (stop.clone(), mcp.clone());
        let drainer = tokio::spawn(async move {
            stopping.cancelled().await;
            tracing::info!("the server comes to its end");
            draining.drain();
        });
        let served = listen(listener, router, connections, stop).await;
        drainer.abort();
        mcp.close().await;
        served.map_err(|error| StartError(Reason::Listen(self.config.listen.clone(), error)))
    }

    /// Serves one client on standard input and output, until it closes its side or the server is
    /// told to stop. Calls that run may come to their end.
    pub async fn stdio(&self) -> Result<(), StartError> {
        let input = Until::new(tokio::io::stdin(), self.stop.clone());
        let serving = self.mcp.serve(input, tokio::io::stdout());
        let drained = async {
            self.stop.cancelled().await;
            tokio::time::sleep(self.config.limits.drain()).await;
        };
        tokio::select! {
            served = serving => served.map_err(|error| StartError(Reason::Client(error))),
            () = drained => Ok(()),
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
    fn tools(error: DefineError) -> Self {
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
                    "the folder for data, {}, cannot be made: {error}",
                    path.display()
                )
            }
            Reason::Tools(error) => write!(f, "the tools cannot be served: {error}"),
            Reason::Listen(address, error) => {
                write!(
                    f,
                    "cannot listen on {address}: {error}; choose another with --listen"
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
