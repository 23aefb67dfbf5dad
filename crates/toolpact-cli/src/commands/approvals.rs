use std::collections::HashSet;
use std::io::Write as _;
use std::time::Duration;

use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use toolpact_serve::Client;

use crate::backend::ClientArguments;
use crate::output::{BOLD, FINE, Output, printable};
use crate::signals::unless_asked;
use crate::status::Status;

/// List, approve and deny calls that a server holds until somebody decides
///
/// `policy.approval.held` in the config of a server says who may decide. Nobody decides about their own calls, or about
/// those of another tenant.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the calls that you may decide about
    List {
        /// Print JSON, one call on a line
        #[arg(long)]
        json: bool,
        /// Go on with calls that come from now on
        #[arg(long, short)]
        watch: bool,
        #[command(flatten)]
        server: ClientArguments,
    },
    /// Let a call run
    Approve(DecideArguments),
    /// Do not let a call run
    Deny(DecideArguments),
}

#[derive(Debug, Args)]
struct DecideArguments {
    /// The id of the call, as `list` shows it
    id: String,
    /// Why, for the audit, and for the caller if it is denied
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    server: ClientArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact approvals list --auth-token-env MY_TOKEN
  toolpact approvals list --watch
  toolpact approvals approve 6f0a3c5d12e49b78
  toolpact approvals deny 6f0a3c5d12e49b78 --reason 'Too much at once.'

Exit status:
  0  it was done
  1  no such call is held: it was decided, it took too long, or its caller is gone
  2  it could not run: usage, a server that cannot be reached, no right to decide
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

/// How often a server is asked for calls that are new.
const PAUSE: Duration = Duration::from_secs(1);

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let done = async {
        match &arguments.action {
            Action::List {
                json,
                watch,
                server,
            } => list(&server.client()?, *json, *watch, out).await,
            Action::Approve(call) => decide(call, true, out).await,
            Action::Deny(call) => decide(call, false, out).await,
        }
    };
    match runtime.block_on(unless_asked(done))? {
        Ok(status) | Err(status) => Ok(status),
    }
}

async fn list(
    client: &Client,
    as_json: bool,
    watch: bool,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let mut shown = HashSet::new();
    loop {
        let held = client.approvals().await?;
        // What is not held any more is forgotten.
        let ids: HashSet<String> = held.iter().map(|call| text(call, "id")).collect();
        for call in held
            .iter()
            .filter(|call| !shown.contains(&text(call, "id")))
        {
            match as_json {
                true => writeln!(out, "{call}")?,
                false => show(call, out)?,
            }
        }
        out.flush()?;
        if !watch {
            if held.is_empty() && !as_json {
                writeln!(Output::stderr(), "no call waits for you to decide")?;
            }
            return Ok(Status::Fine);
        }
        shown = ids;
        tokio::time::sleep(PAUSE).await;
    }
}

/// What callers sent is printed so that it cannot do anything to a terminal.
fn show(call: &Json, out: &mut Output) -> anyhow::Result<()> {
    let field = |key: &str| printable(&text(call, key));
    let principal = &call["principal"];
    let mut who = printable(&text(principal, "name"));
    for (key, before) in [("tenant", "@"), ("issuer", " by ")] {
        if let Some(more) = principal[key].as_str() {
            who.push_str(&format!("{before}{}", printable(more)));
        }
    }
    if let Some(client) = call["client"].as_str() {
        who.push_str(&format!(" with {}", printable(client)));
    }
    let arguments = match call["arguments_cut"].as_str() {
        Some(cut) => format!("{} … (too long to be shown)", printable(cut)),
        None => printable(&call["arguments"].to_string()),
    };
    writeln!(out, "{BOLD}{}{BOLD:#}  {}", field("id"), field("tool"))?;
    writeln!(out, "  question   {}", field("question"))?;
    writeln!(out, "  who        {who}")?;
    writeln!(out, "  arguments  {arguments}")?;
    writeln!(out, "  since      {}", field("since"))?;
    writeln!(out, "  until      {}", field("until"))?;
    Ok(())
}

async fn decide(
    arguments: &DecideArguments,
    approves: bool,
    out: &mut Output,
) -> anyhow::Result<Status> {
    let DecideArguments { id, reason, .. } = arguments;
    let client = arguments.server.client()?;
    let decided = client.decide(id, approves, reason.as_deref()).await?;
    let Some(decided) = decided else {
        let gone = "it was decided, it took too long, or its caller is gone";
        match arguments.json {
            true => writeln!(out, "{}", json!({"id": id, "outcome": "unknown"}))?,
            false => writeln!(
                Output::stderr(),
                "no call `{}` is held: {gone}",
                printable(id)
            )?,
        }
        return Ok(Status::Wrong);
    };
    match arguments.json {
        true => writeln!(out, "{decided}")?,
        false => writeln!(
            out,
            "{FINE}{}:{FINE:#} {}",
            printable(&text(&decided, "outcome")),
            printable(&text(&decided, "tool"))
        )?,
    }
    Ok(Status::Fine)
}

fn text(json: &Json, key: &str) -> String {
    json[key].as_str().unwrap_or_default().to_owned()
}
