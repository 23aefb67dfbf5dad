use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use toolpact_core::contract::Contract;
use toolpact_grid::{Admission, HostKey, HostKeys, Servers};
use toolpact_serve::config::{GridMode, GridSource, Source};
use toolpact_serve::{Config, ConfigError, GridPlace, Service, Worker};

use super::nats_server::{self, NatsServer};
use crate::commands::serve::{self, Log, announce, complain_of};
use crate::commands::work;
use crate::origin::Origin;
use crate::output::{Output, printable};
use crate::save;
use crate::signals::pass_on;
use crate::status::Status;

/// Try a grid on this machine: a NATS server, a host and a runtime, in one command
///
/// The runtime takes the sources of the config, or the shop; the host has their contracts and takes the rest of the
/// config, and serves as `toolpact serve` does. `nats-server` has to be on the PATH.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The config, in YAML or JSON, a document with tools, or a folder with either; changes are followed
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Address to listen on, or a port of this machine [default: 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS", value_parser = serve::listen)]
    listen: Option<String>,
    /// Port to listen on, at the address of the config
    #[arg(long, short, conflicts_with = "listen")]
    port: Option<u16>,
    /// Directory for data [default: `toolpact` in the user's directory for data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Format of the log, which goes to standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Log more
    #[arg(long)]
    verbose: bool,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact grid dev                    The toolpact.yaml here, or the shop
  toolpact grid dev my-tools --port 9000
  toolpact grid status --grid URL      In another terminal, with the URL that it prints";

/// How long the host waits for the runtime before it serves.
const JOINING: Duration = Duration::from_secs(10);

/// How long it may take to end beyond the time for calls, before it is ended.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let program = nats_server::find()?;
    let origin = Origin::find(arguments.config.as_deref());
    let config = origin.and_then(|origin| Ok((arguments.config(&origin)?, origin)));
    let (config, origin) = match config.map_err(anyhow::Error::downcast::<ConfigError>) {
        Ok(config) => config,
        Err(Ok(error)) => return complain_of(&error),
        Err(Err(error)) => return Err(error),
    };
    arguments.log.start(arguments.verbose, None);
    tracing::info!("a grid of {}", printable(&origin.to_string()));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(serve(config, origin.file(), &program, out));
    runtime.shutdown_background();
    served.map(|()| Status::Fine)
}

impl Arguments {
    fn config(&self, origin: &Origin) -> Result<Config, ConfigError> {
        let mut config = origin.config()?;
        if let Some(listen) = &self.listen {
            config.listen.clone_from(listen);
        }
        if let Some(port) = self.port {
            config = config.with_port(port);
        }
        if let Some(data) = &self.data {
            config.data = Some(data.clone());
        }
        config.validated()
    }
}

async fn serve(
    config: Config,
    file: Option<PathBuf>,
    program: &Path,
    out: &mut Output,
) -> anyhow::Result<()> {
    let (stop, now) = (CancellationToken::new(), CancellationToken::new());
    tokio::spawn(announce(stop.clone(), now.clone()));
    let drain = Duration::from_millis(config.limits.drain_ms);
    // The calls of the server end first, then those of the runtime, which are the same.
    pass_on(stop.clone(), now.clone(), drain, 2 * PATIENCE)?;
    let listener = Service::bind(&config).await?;
    let folder = config.data_folder().join("grid");
    let made = toolpact::private_files::create_folder(&folder);
    made.with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let nats = NatsServer::start(program, &folder).await?;
    let (url, shown) = (&nats.url, printable(&folder.display().to_string()));
    writeln!(out, "nats-server on {url}, its data in {shown}")?;
    let (key, key_text) = HostKey::generate("dev")?;
    let key_file = folder.join("host.key");
    save::replace(&key_file, &key_text)?;

    let mut place = GridPlace::new(Servers::new([url.clone()]));
    place.host_keys = HostKeys::new().add_text(&key.public_text())?;
    let worker = Worker::start(of_runtime(&config), file, place, stop.clone()).await?;
    work::introduce(&worker, url, out)?;
    let contracts = folder.join("contracts.json");
    save::replace(&contracts, &document(&worker.contracts()))?;
    let source = GridSource {
        trust: None,
        name: None,
        servers: vec![url.clone()],
        credentials: None,
        tls: None,
        prefix: None,
        durable: None,
        mode: GridMode::default(),
        key: Some(key_file),
        tools: vec![contracts.clone()],
    };
    let host = Service::start(of_host(&config, source), None, stop.clone()).await?;
    let host = host.at_once(now.clone());
    if let Some(admission) = admitted(&worker).await {
        work::tell(&admission, out)?;
    }
    let served = serve_until_stopped(&config, &host, listener, out);
    tokio::select! {
        served = served => served?,
        () = follow(&worker, &contracts) => {}
    }
    let _ = now.run_until_cancelled(worker.drain(drain)).await;
    Ok(())
}

async fn serve_until_stopped(
    config: &Config,
    host: &Service,
    listener: TcpListener,
    out: &mut Output,
) -> anyhow::Result<()> {
    let scheme = if config.tls.is_some() {
        "https"
    } else {
        "http"
    };
    let address = format!("{scheme}://{}", listener.local_addr()?);
    serve::introduce(host, &address, out)?;
    Ok(host.listen(listener).await?)
}

/// The sources, and what is about calls. Who may call is the affair of the host.
fn of_runtime(config: &Config) -> Config {
    Config {
        data: config.data.clone(),
        limits: config.limits,
        calls: config.calls.clone(),
        results: config.results.clone(),
        mock: config.mock.clone(),
        code: config.code.clone(),
        sources: config.sources.clone(),
        ..Config::default()
    }
}

/// The rest.
fn of_host(config: &Config, grid: GridSource) -> Config {
    Config {
        sources: vec![Source::Grid(grid)],
        // The runtime answers.
        mock: None,
        code: None,
        ..config.clone()
    }
}

/// What the host decides about the tools of the runtime.
async fn admitted(worker: &Worker) -> Option<Admission> {
    let mut admissions = worker.admissions();
    let admitted = admissions.wait_for(Option::is_some);
    let admitted = tokio::time::timeout(JOINING, admitted).await.ok()?;
    admitted.ok()?.clone()
}

/// The manifest of the host is always what the runtime has. The host follows the file.
async fn follow(worker: &Worker, contracts: &Path) {
    let mut changes = worker.changes();
    while changes.changed().await.is_ok() {
        let tools = worker.contracts();
        if tools.is_empty() {
            continue;
        }
        if let Err(error) = save::replace(contracts, &document(&tools)) {
            tracing::error!(%error, "the contracts of the host are not up to date");
        }
    }
    std::future::pending::<()>().await;
}

/// A document with contracts.
fn document(contracts: &[Contract]) -> String {
    let tools: Vec<String> = contracts.iter().map(Contract::to_canonical).collect();
    format!("{{\"toolpact\":1,\"tools\":[{}]}}\n", tools.join(","))
}
