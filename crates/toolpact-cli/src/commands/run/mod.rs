mod json;
mod report;
mod units;

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use tokio_util::sync::CancellationToken;
use toolpact::Error;
use toolpact::code::{
    RunEnd, RunOptions, RunReport, Sandbox, ScriptLimits, ScriptTools, SigningKey, Snapshot,
    UsedSnapshots,
};

use crate::backend::{BackendArguments, Local, Target};
use crate::cli::LimitArguments;
use crate::output::{Output, WARNING, printable};
use crate::signals::{Signals, unless_asked};
use crate::status::Status;

/// Check a script against contracts, and run it in a sandbox
///
/// The script is Python. Each tool is a function, declared as `toolpact stubs --lang python` shows
/// it; a call has its arguments and its result checked. The value of the last expression is the
/// result. Nothing but the tools can be reached.
///
/// Tools come from files, whose contracts say how they run, from the config of a server, whose
/// sources are started for the script, or from a server that runs. Without a flag, it is the
/// `toolpact.yaml` of the working directory, and where there is none, a server on this machine.
///
/// Several tools at once: `await asyncio.gather(tool_task(get_order, "1"), tool_task(get_order, "2"))`.
/// A tool that fails raises ToolError; `tool_error(e)` has its code, message, details, retryable.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct Arguments {
    /// The script; `-` for standard input
    #[arg(
        required_unless_present = "resume",
        conflicts_with = "resume",
        value_name = "SCRIPT"
    )]
    script: Option<PathBuf>,
    /// Check the script, and run nothing
    #[arg(long, conflicts_with_all = ["resume", "snapshot", "trace"])]
    check_only: bool,
    /// Print each call on standard error: tool, arguments, outcome, milliseconds
    #[arg(long)]
    trace: bool,
    /// Print one JSON object: value, what was printed, trace, or the error
    #[arg(long)]
    json: bool,
    /// When asked to stop (Ctrl-C, SIGTERM), write the run to this file at the next call of a tool
    #[arg(long, value_name = "FILE")]
    snapshot: Option<PathBuf>,
    /// Stop at the call of this number, before it is made
    #[arg(long, requires = "snapshot", value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    stop_at_call: Option<u64>,
    /// Go on with a run from its snapshot
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Refuse a snapshot that was resumed before: it would make its calls again
    #[arg(long, requires = "resume")]
    once: bool,
    /// Run it also where the system has no filter that keeps its calls from scripts
    #[arg(long)]
    allow_unconfined: bool,
    #[command(flatten)]
    backend: BackendArguments,
    #[command(flatten)]
    script_limits: LimitFlags,
    #[command(flatten)]
    limits: LimitArguments,
}

const HEADING: &str = "Limits of the script";

/// How much a script may use.
#[derive(Debug, Clone, Copy, Args)]
#[expect(clippy::struct_field_names, reason = "they are the names of the flags")]
struct LimitFlags {
    /// Time of its own, tools not counted [default: 5s]
    #[arg(long, help_heading = HEADING, value_name = "TIME", value_parser = units::duration, conflicts_with = "resume")]
    limit_time: Option<Duration>,
    /// Memory [default: 64M]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", value_parser = units::size, conflicts_with = "resume")]
    limit_memory: Option<usize>,
    /// Functions that call each other, 2,000 at most [default: 500]
    #[arg(long, help_heading = HEADING, value_name = "NUMBER", conflicts_with = "resume")]
    limit_recursion: Option<usize>,
    /// Calls of tools [default: 1,000]
    #[arg(long, help_heading = HEADING, value_name = "NUMBER", conflicts_with = "resume")]
    limit_calls: Option<usize>,
    /// What it prints and returns [default: 1M]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", value_parser = units::size, conflicts_with = "resume")]
    limit_output: Option<usize>,
    /// Arguments and results that the trace keeps; of others it has the sizes [default: 16M]
    #[arg(long, help_heading = HEADING, value_name = "SIZE", value_parser = units::size, conflicts_with = "resume")]
    limit_trace: Option<usize>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact run report.py                                  With the toolpact.yaml here
  toolpact run report.py --tools shop.yaml                With the tools of a file
  toolpact run report.py --tools shop.yaml --check-only   Check it, and run nothing
  toolpact run report.py --server http://127.0.0.1:7878   With those of a server, also of MCP
  toolpact run report.py --command 'python3 server.py'    With those of a program that is one
  toolpact run report.py --tools tools/ --trace           And print each call
  toolpact run long.py --tools tools/ --snapshot run.bin  Ctrl-C keeps the run ...
  toolpact run --resume run.bin --tools tools/            ... and this goes on with it

Snapshots are sealed with the key in TOOLPACT_KEY, or else with one in the data directory of the
user. The worker, `toolpact-code`, is found through TOOLPACT_CODE, beside this program, or on PATH;
`cargo build --release -p toolpact-code` builds it.

Exit status:
  0  the script is right, and ended well or was stopped with a snapshot
  1  it is wrong, failed or used too much, or a tool was left out
  2  it could not run: usage, an unreadable file, no server, no worker
  130, 143  it was asked to stop and keeps nothing: Ctrl-C, SIGTERM";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let target = arguments.backend.open_here(&arguments.limits.limits())?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let running = with_target(arguments, target, out);
    match arguments.snapshot {
        // It handles signals itself, and writes the snapshot first.
        Some(_) => runtime.block_on(running),
        None => {
            let ran = runtime.block_on(unless_asked(running))?;
            Ok(ran.unwrap_or_else(|asked| asked))
        }
    }
}

async fn with_target(
    arguments: &Arguments,
    target: Target,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let local = target.connect_here().await?;
    if local.is_empty() {
        return Ok(local.status.max(Status::Wrong));
    }
    if !arguments.check_only {
        warn_if_none_runs(&local, "--check-only checks the script")?;
    }
    let tools = ScriptTools::of(&local.session);
    let status = with_tools(arguments, &tools, out).await?;
    Ok(status.max(local.status))
}

/// Calls of tools of files fail if nothing says how to make them.
pub(crate) fn warn_if_none_runs(local: &Local, advice: &str) -> anyhow::Result<()> {
    if !local.can_run() {
        writeln!(
            Output::stderr(),
            "{WARNING}warning:{WARNING:#} no contract says how its tool is run (`run`), so every call will \
             fail; {advice}"
        )?;
    }
    Ok(())
}

async fn with_tools(
    arguments: &Arguments,
    tools: &ScriptTools,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let sandbox = match Sandbox::find() {
        Ok(sandbox) => sandbox.allow_unconfined(arguments.allow_unconfined),
        Err(error) => return refuse(arguments, &error, out),
    };
    // A run that could not be written at its end must not start.
    let key = match arguments.snapshot.is_some() || arguments.resume.is_some() {
        true => Some(SigningKey::find()?),
        false => None,
    };
    let mut options = arguments.options()?;
    if let (Some(snapshot), Some(key)) = (&arguments.resume, &key) {
        let bytes = fs::read(snapshot).with_context(|| cannot("read", snapshot))?;
        let ran = sandbox.resume(&bytes, key, tools, &options).await;
        return arguments.finish(&ran, Some(key), out);
    }
    let path = arguments.script.as_deref().unwrap_or(Path::new("-"));
    let script = read(path)?;
    options.file = printable(&path.display().to_string());
    if arguments.check_only {
        return match sandbox.check(&script, tools, &options).await {
            Ok(ignores) => report::sound(ignores, arguments.json, out),
            Err(error) => refuse(arguments, &error, out),
        };
    }
    let ran = sandbox.run(&script, tools, &options).await;
    arguments.finish(&ran, key.as_ref(), out)
}

impl Arguments {
    fn options(&self) -> anyhow::Result<RunOptions> {
        let stop = CancellationToken::new();
        if self.snapshot.is_some() {
            tokio::spawn(stop_when_asked(Signals::listen()?, stop.clone()));
        }
        let options = RunOptions::default()
            .limits(self.script_limits.limits())
            .stop(&stop);
        let options = match self.once {
            true => options.once(UsedSnapshots::find()?),
            false => options,
        };
        Ok(match self.stop_at_call {
            Some(number) => options.stop_at_call(usize::try_from(number).unwrap_or(usize::MAX)),
            None => options,
        })
    }

    fn finish(
        &self,
        ran: &RunReport,
        key: Option<&SigningKey>,
        out: &mut Output,
    ) -> anyhow::Result<Status> {
        if let (Ok(RunEnd::Stopped(snapshot)), Some(key)) = (&ran.end, key) {
            self.keep(snapshot, key)?;
        }
        report::ran(ran, self.json, self.trace, out)
    }

    /// Writes a snapshot that only the owner can read: it contains results of tools.
    fn keep(&self, snapshot: &Snapshot, key: &SigningKey) -> anyhow::Result<()> {
        // A resumed run that is stopped again is written back to its snapshot.
        let Some(path) = self.snapshot.as_ref().or(self.resume.as_ref()) else {
            return Ok(());
        };
        let bytes = snapshot.to_bytes(key);
        let mut file = toolpact::private_files::options();
        file.write(true).create(true).truncate(true);
        let written = file.open(path).and_then(|mut file| file.write_all(&bytes));
        written.with_context(|| cannot("write", path))?;
        let tools: Vec<&str> = snapshot.pending().collect();
        let at = match &*tools {
            [] => String::new(),
            tools => format!(" at {}", printable(&tools.join(", "))),
        };
        let path = printable(&path.display().to_string());
        writeln!(
            Output::stderr(),
            "stopped{at}; wrote {path}, which --resume goes on with"
        )?;
        Ok(())
    }
}

impl LimitFlags {
    fn limits(self) -> ScriptLimits {
        let default = ScriptLimits::default();
        default
            .time(self.limit_time.unwrap_or(default.time))
            .memory(self.limit_memory.unwrap_or(default.memory))
            .recursion(self.limit_recursion.unwrap_or(default.recursion))
            .calls(self.limit_calls.unwrap_or(default.calls))
            .output(self.limit_output.unwrap_or(default.output))
            .trace(self.limit_trace.unwrap_or(default.trace))
    }
}

/// Cancels the token the first time, and ends the program the second.
async fn stop_when_asked(mut signals: Signals, stop: CancellationToken) {
    if signals.next().await.is_err() {
        return;
    }
    stop.cancel();
    if let Ok(status) = signals.next().await {
        toolpact::process::end_all();
        std::process::exit(status as i32);
    }
}

fn refuse(arguments: &Arguments, error: &Error, out: &mut Output) -> anyhow::Result<Status> {
    report::error(error, arguments.json, out)
}

/// The text of a file, or of standard input for `-`.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let bytes = match path.as_os_str() == "-" {
        true => {
            let mut bytes = Vec::new();
            std::io::stdin()
                .read_to_end(&mut bytes)
                .context("cannot read standard input")?;
            bytes
        }
        false => fs::read(path).with_context(|| cannot("read", path))?,
    };
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()))
}

fn cannot(what: &str, path: &Path) -> String {
    format!("cannot {what} {}", path.display())
}
