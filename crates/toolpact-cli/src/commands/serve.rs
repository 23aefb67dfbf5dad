mod log;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use tokio_util::sync::CancellationToken;
use toolpact_serve::config::{Token, json_schema};
use toolpact_serve::{Config, Health, Service, SourceState};

pub(crate) use self::log::Log;
use crate::output::{ERROR, FINE, Output, count, printable};
use crate::signals::Signals;
use crate::status::Status;

/// Serve tools over MCP and HTTP, each held to its contract
///
/// The config says where the tools come from: files with programs or HTTP calls, other MCP servers,
/// a shop to try things with. Without one, the shop is served. `toolpact init` writes a first config.
///
/// MCP is at /mcp, a REST API under /v1, and /v1/openapi.json describes it.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "they are flags")]
pub(crate) struct Arguments {
    /// The config, in YAML or JSON; it is reloaded when it changes
    #[arg(value_name = "CONFIG")]
    config: Option<PathBuf>,
    /// Address to listen on [default: 127.0.0.1:7878]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "stdio", value_parser = listen)]
    listen: Option<String>,
    /// Directory for data [default: toolpact-data]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Serve one MCP client on standard input and output
    #[arg(long)]
    stdio: bool,
    /// Check the config, and start nothing
    #[arg(long, conflicts_with = "stdio")]
    check: bool,
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
  toolpact serve                          The shop, on http://127.0.0.1:7878
  toolpact serve toolpact.yaml            Tools of your own
  toolpact serve --check toolpact.yaml    What is wrong with a config
  toolpact serve toolpact.yaml --stdio    For a client that starts its servers itself
  toolpact serve --limit call_ms=5000     No call takes longer than five seconds
  toolpact serve --schema                 For editors

Exit status:
  0  it was asked to stop, or there is nothing wrong
  1  something is wrong in the config, or in what it names
  2  it could not run: usage, a config that cannot be read, an address that is taken";

/// Checks the value of a flag, as a config that contains nothing else.
fn check_alone(set: impl FnOnce(&mut Config)) -> anyhow::Result<()> {
    let mut config = Config::default();
    set(&mut config);
    let error = config.validated().err();
    error.map_or(Ok(()), |error| {
        let messages = error.problems().iter();
        let messages: Vec<&str> = messages.map(|problem| &*problem.message).collect();
        Err(anyhow::anyhow!(messages.join("; ")))
    })
}

fn listen(text: &str) -> anyhow::Result<String> {
    check_alone(|config| text.clone_into(&mut config.listen))?;
    Ok(text.to_owned())
}

fn token(name: &str) -> anyhow::Result<String> {
    check_alone(|config| config.auth_token = Some(Token::Env(name.to_owned())))?;
    Ok(name.to_owned())
}

fn origin(text: &str) -> anyhow::Result<String> {
    check_alone(|config| config.allowed_origins.push(text.to_owned()))?;
    Ok(text.to_owned())
}

fn host(text: &str) -> anyhow::Result<String> {
    check_alone(|config| config.allowed_hosts.push(text.to_owned()))?;
    Ok(text.to_owned())
}

/// `call_ms=5000`.
fn limit(text: &str) -> anyhow::Result<(String, u64)> {
    let (name, value) = text
        .split_once('=')
        .context("expected a name and a number, such as `call_ms=5000`")?;
    let value = value
        .parse()
        .map_err(|_| anyhow::anyhow!("expected a whole number, found `{value}`"))?;
    let mut set = Ok(());
    let checked = check_alone(|config| set = config.limits.set(name, value));
    set?;
    checked?;
    Ok((name.to_owned(), value))
}

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if arguments.schema {
        writeln!(out, "{:#}", json_schema())?;
        return Ok(Status::Fine);
    }
    let config = match arguments.config() {
        Ok(config) => config,
        Err(error) => {
            let mut stderr = Output::stderr();
            for line in error.to_string().lines() {
                writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
            }
            return Ok(match error.is_unreadable() {
                true => Status::CouldNotRun,
                false => Status::Wrong,
            });
        }
    };
    if arguments.check {
        return check(&config, out);
    }
    arguments.log.start(arguments.verbose);
    #[cfg(unix)]
    allow_files(config.limits.connections);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(arguments.serve(config, out));
    // A read of standard input may never finish.
    runtime.shutdown_background();
    served.map(|()| Status::Fine)
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

/// The first signal lets calls finish, the second does not wait for them.
async fn pass_on(mut signals: Signals, stop: CancellationToken, now: CancellationToken) {
    if signals.next().await.is_ok() {
        tracing::info!("asked to stop; a second Ctrl-C or SIGTERM ends what runs at once");
        stop.cancel();
    }
    if signals.next().await.is_ok() {
        tracing::info!("asked again: what runs is ended now");
        now.cancel();
    }
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

fn check(config: &Config, out: &mut Output) -> anyhow::Result<Status> {
    let wrong = toolpact_serve::check(config);
    let mut stderr = Output::stderr();
    for line in wrong.iter().flat_map(|why| why.lines()) {
        writeln!(stderr, "{ERROR}error:{ERROR:#} {}", printable(line))?;
    }
    if wrong.is_empty() {
        let sources = count(config.sources.len(), "source");
        writeln!(out, "{FINE}fine:{FINE:#} {sources}")?;
    }
    Ok(Status::wrong_if(!wrong.is_empty()))
}

impl Arguments {
    /// The config, overridden by the flags.
    fn config(&self) -> Result<Config, toolpact_serve::ConfigError> {
        let mut config = match &self.config {
            Some(path) => Config::from_file(path)?,
            None => Config::shop(),
        };
        if let Some(listen) = &self.listen {
            config.listen.clone_from(listen);
        }
        if let Some(data) = &self.data {
            config.data.clone_from(data);
        }
        if let Some(name) = &self.auth_token_env {
            config.auth_token = Some(Token::Env(name.clone()));
        }
        for (name, value) in &self.limit {
            config.limits.set(name, *value)?;
        }
        config
            .allowed_origins
            .extend(self.allow_origin.iter().cloned());
        config.allowed_hosts.extend(self.allow_host.iter().cloned());
        config.validated()
    }

    async fn serve(&self, config: Config, out: &mut Output) -> anyhow::Result<()> {
        let (stop, now) = (CancellationToken::new(), CancellationToken::new());
        tokio::spawn(pass_on(Signals::listen()?, stop.clone(), now.clone()));
        let file = self.config.as_deref().map(Path::to_owned);
        if self.stdio {
            let service = Service::start(config, file, stop).await?;
            return Ok(service.at_once(now).stdio().await?);
        }
        let listener = Service::bind(&config).await?;
        let address = listener.local_addr()?;
        let service = Service::start(config, file, stop).await?.at_once(now);
        let health = service.health();
        let tools: usize = health.iter().map(|source| source.tools).sum();
        let but = [
            those(
                &health,
                SourceState::Failing,
                "does not start",
                "do not start",
            ),
            those(
                &health,
                SourceState::Starting,
                "has not started yet",
                "have not started yet",
            ),
        ];
        let (tools, but) = (count(tools, "tool"), but.concat());
        writeln!(out, "{tools} on http://{address}{but}")?;
        writeln!(out, "  MCP   http://{address}/mcp")?;
        writeln!(out, "  REST  http://{address}/v1/openapi.json")?;
        out.flush()?;
        Ok(service.listen(listener).await?)
    }
}
