mod flags;
mod log;
mod telemetry;

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tokio_util::sync::CancellationToken;
use toolpact_serve::config::{Token, json_schema};
use toolpact_serve::{Config, ConfigError, Findings, Health, Service, SourceState};

use self::flags::{host, origin, token};
pub(crate) use self::flags::{limit, listen};
pub(crate) use self::log::{Log, level};
pub(crate) use self::telemetry::Telemetry;
use crate::cli::LintArguments;
use crate::commands::check::Deny;
use crate::origin::Origin;
use crate::output::{ERROR, FINE, Output, WARNING, count, printable};
use crate::signals::pass_on;
use crate::status::Status;

/// Serve tools over MCP and HTTP, each held to its contract
///
/// The config says where the tools come from: files with programs or HTTP calls, other MCP servers,
/// a shop to try things with. Without a name, it is the `toolpact.yaml` of the working directory (or
/// `toolpact.yml`, `toolpact.json`); where there is none, the shop is served. A document with tools is
/// served as it is. `toolpact init` writes a first config.
///
/// MCP is at /mcp, a REST API under /v1, and /v1/openapi.json describes it.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Arguments {
    /// The config, in YAML or JSON, a document with tools, or a folder with either; changes are followed
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Address to listen on, or a port of this machine [default: 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "stdio", value_parser = listen)]
    listen: Option<String>,
    /// Port to listen on, at the address of the config
    #[arg(long, short, conflicts_with_all = ["stdio", "listen"])]
    port: Option<u16>,
    /// Directory for data [default: `toolpact` in the user's directory for data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Serve one MCP client on standard input and output
    #[arg(long)]
    stdio: bool,
    /// Check the config and what it names: files, programs, MCP servers, and what their tools try to do to a
    /// model
    #[arg(long, conflicts_with = "stdio")]
    check: bool,
    #[command(flatten)]
    lint: LintArguments,
    /// With --check, treat these as errors, too
    #[arg(long, value_enum, value_name = "WHAT", requires = "check")]
    deny: Option<Deny>,
    /// Print the JSON Schema of the config
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Environment variable with the token that requests must carry
    #[arg(long, value_name = "NAME", value_parser = token)]
    auth_token_env: Option<String>,
    /// Origin whose pages may send requests; can be given several times
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    allow_origin: Vec<String>,
    /// Host name that requests may use, besides those of this machine; can be given several times
    #[arg(long, value_name = "HOST", value_parser = host)]
    allow_host: Vec<String>,
    /// Answer requests without credentials
    #[arg(long)]
    anonymous: bool,
    /// Also answer them if they can come from other machines; this needs --anonymous, too
    #[arg(long, conflicts_with = "stdio")]
    open_to_network: bool,
    /// Override a limit of the config; can be given several times
    #[arg(long, value_name = "NAME=NUMBER", value_parser = limit)]
    limit: Vec<(String, u64)>,
    /// Format of the log, which goes to standard error
    #[arg(long, value_enum, default_value_t = Log::Text)]
    log: Log,
    /// Log more
    #[arg(long)]
    verbose: bool,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact serve                          The toolpact.yaml here, or a shop to try things with
  toolpact serve my-tools                 The toolpact.yaml of a folder, or its documents with tools
  toolpact serve tools.yaml               A document with tools that say how they run
  toolpact serve --check                  What is wrong with the config
  toolpact serve --port 9000              On http://127.0.0.1:9000
  toolpact serve my-tools --stdio         For a client that starts its servers itself
  toolpact serve --limit call_ms=5000     No call takes longer than five seconds
  toolpact serve --schema                 For editors

Exit status:
  0  it was asked to stop, or there is nothing wrong
  1  something is wrong in the config, or in what it names
  2  it could not run: usage, a config that cannot be read, an address that is taken";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.schema {
        writeln!(out, "{:#}", json_schema())?;
        return Ok(Status::Fine);
    }
    let origin = Origin::find(arguments.config.as_deref());
    let config = origin.and_then(|origin| Ok((arguments.config(&origin)?, origin)));
    let (config, origin) = match config.map_err(anyhow::Error::downcast::<ConfigError>) {
        Ok(config) => config,
        Err(Ok(error)) => return complain_of(&error),
        Err(Err(error)) => return Err(error),
    };
    anyhow::ensure!(
        arguments.check || arguments.lint.lint.is_none(),
        "--lint goes with --check"
    );
    if arguments.check {
        return arguments.check(&config, &origin, out);
    }
    let telemetry = Telemetry::from_env();
    let export = telemetry.layer(level(arguments.verbose));
    arguments.log.start(arguments.verbose, export);
    tracing::info!("serving {}", printable(&origin.to_string()));
    #[cfg(unix)]
    allow_files(config.limits.connections);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    telemetry.announce();
    let served = runtime.block_on(arguments.serve(config, origin.file(), &telemetry, out));
    // A read of standard input may never finish.
    runtime.shutdown_background();
    telemetry.stop();
    served.map(|()| Status::Fine)
}

pub(crate) fn complain_of(error: &ConfigError) -> anyhow::Result<Status> {
    let mut stderr = Output::stderr();
    for line in error.to_string().lines() {
        writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
    }
    Ok(match error.is_unreadable() {
        true => Status::CouldNotRun,
        false => Status::Wrong,
    })
}

/// Raises the limit of open files to what the connections need, with the pipes of a program for
/// each. Many systems allow only 1,024 by default.
#[cfg(unix)]
fn allow_files(connections: usize) {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let connections = u64::try_from(connections).unwrap_or(u64::MAX);
    let wanted = connections.saturating_mul(5).saturating_add(256);
    let mut limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|now| now >= wanted) {
        return;
    }
    limit.current = Some(limit.maximum.map_or(wanted, |most| most.min(wanted)));
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::warn!(%error, "no more files may be open than were before");
    }
    let files = getrlimit(Resource::Nofile).current;
    if files.is_some_and(|files| files <= connections) {
        tracing::warn!(
            files,
            connections,
            "fewer files may be open than connections"
        );
    }
}

/// How long a server that ends may take beyond the time for its calls, before it is ended.
const PATIENCE: Duration = Duration::from_secs(5);

/// Logs what signals have asked for. The thread that hears them must not wait for a log that nobody reads.
pub(crate) async fn announce(stop: CancellationToken, now: CancellationToken) {
    stop.cancelled().await;
    tracing::info!("asked to stop; a second Ctrl-C or SIGTERM ends what runs at once");
    now.cancelled().await;
    tracing::info!("what runs is ended now");
}

/// The sources in this state, for messages: ` (1 source does not start: shop)`.
fn those(health: &[Health], state: SourceState, does: &str, do_: &str) -> String {
    let names = health.iter().filter(|source| source.state == state);
    let names: Vec<String> = names.map(|source| printable(&source.source)).collect();
    let does = match names.len() {
        0 => return String::new(),
        1 => does,
        _ => do_,
    };
    let sources = count(names.len(), "source");
    format!(" ({sources} {does}: {})", names.join(", "))
}

/// How many tools there are, and what is missing.
pub(crate) fn tools_of(health: &[Health]) -> (String, String) {
    let tools: usize = health.iter().map(|source| source.tools).sum();
    let failing = those(
        health,
        SourceState::Failing,
        "does not start",
        "do not start",
    );
    let starting = those(
        health,
        SourceState::Starting,
        "has not started yet",
        "have not started yet",
    );
    let left_out: usize = health.iter().map(|source| source.left_out).sum();
    let left_out = match left_out {
        0 => String::new(),
        some => format!(" ({} left out: the log says why)", count(some, "tool")),
    };
    (count(tools, "tool"), left_out + &failing + &starting)
}

/// What is served where.
pub(crate) fn introduce(service: &Service, address: &str, out: &mut Output) -> anyhow::Result<()> {
    let (tools, but) = tools_of(&service.health());
    writeln!(out, "{tools} on {address}{but}")?;
    writeln!(out, "  MCP   {address}/mcp")?;
    writeln!(out, "  REST  {address}/v1/openapi.json")?;
    out.flush()?;
    Ok(())
}

impl Arguments {
    fn check(&self, config: &Config, origin: &Origin, out: &mut Output) -> anyhow::Result<Status> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let rules = self.lint.lint.clone().unwrap_or_default();
        let Findings {
            wrong, warnings, ..
        } = runtime.block_on(toolpact_serve::check_and_lint(config, &rules));
        let mut stderr = Output::stderr();
        for line in warnings.iter().flat_map(|why| why.lines()) {
            writeln!(stderr, "{WARNING}warning:{WARNING:#} {}", printable(line))?;
        }
        for line in wrong.iter().flat_map(|why| why.lines()) {
            writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
        }
        let denied = self.deny.is_some() && !warnings.is_empty();
        if wrong.is_empty() && !denied {
            let sources = count(config.sources.len(), "source");
            let origin = printable(&origin.to_string());
            writeln!(out, "{FINE}fine:{FINE:#} {sources} ({origin})")?;
        }
        Ok(Status::wrong_if(!wrong.is_empty() || denied))
    }

    /// The config, overridden by the flags.
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
        if let Some(name) = &self.auth_token_env {
            config.auth_token = Some(Token::Env(name.clone()));
        }
        if self.anonymous {
            config.identity.anonymous = Some(true);
        }
        config.identity.open_to_network |= self.open_to_network;
        for (name, value) in &self.limit {
            config.limits.set(name, *value)?;
        }
        config
            .allowed_origins
            .extend(self.allow_origin.iter().cloned());
        config.allowed_hosts.extend(self.allow_host.iter().cloned());
        config.validated()
    }

    async fn serve(
        &self,
        config: Config,
        file: Option<PathBuf>,
        telemetry: &Telemetry,
        out: &mut Output,
    ) -> anyhow::Result<()> {
        let (stop, now) = (CancellationToken::new(), CancellationToken::new());
        tokio::spawn(announce(stop.clone(), now.clone()));
        let drain = Duration::from_millis(config.limits.drain_ms);
        pass_on(stop.clone(), now.clone(), drain, PATIENCE)?;
        if self.stdio {
            let service = Service::start(config, file, stop).await?;
            telemetry.measure(service.measure());
            return Ok(service.at_once(now).stdio().await?);
        }
        let listener = Service::bind(&config).await?;
        let address = listener.local_addr()?;
        let scheme = if config.tls.is_some() {
            "https"
        } else {
            "http"
        };
        let service = Service::start(config, file, stop).await?.at_once(now);
        telemetry.measure(service.measure());
        introduce(&service, &format!("{scheme}://{address}"), out)?;
        Ok(service.listen(listener).await?)
    }
}
