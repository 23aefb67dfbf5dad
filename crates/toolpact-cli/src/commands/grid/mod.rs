mod dev;
mod drain;
mod key;
mod manifest;
mod nats_server;
mod status;

use clap::{Args, Subcommand};

use crate::output::Output;
use crate::signals::unless_asked;
use crate::status::Status;

/// Look after a grid: who is there, what runs, and what the contracts are
///
/// On a grid, servers own contracts and runtimes on other machines run the tools; NATS carries the calls. A server
/// is a host if its config has a `grid` source; `toolpact work` is a runtime.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Dev(dev::Arguments),
    Status(status::Arguments),
    Drain(drain::Arguments),
    Manifest(manifest::Arguments),
    Key(key::Arguments),
}

const AFTER_HELP: &str = "\
Examples:
  toolpact grid dev                         Try it: a NATS server, a host and a runtime on this machine
  toolpact grid status                      Hosts, runtimes and tools
  toolpact grid status --grid nats://10.0.0.5 --watch
  toolpact grid drain billing-7f3a9c21      Let a runtime come to its end
  toolpact grid manifest differences contracts.json
  toolpact grid manifest publish contracts.json
  toolpact grid key h1 --out h1.key         A key that a host signs the identity of callers with

Exit status:
  0  it was done
  1  something is wrong in what was given, or there are differences
  2  it could not run: usage, a grid that cannot be reached
  130, 143  it was asked to stop: Ctrl-C, SIGTERM";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let runtime = || {
        tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
    };
    let done = match &arguments.action {
        Action::Dev(arguments) => return dev::run(arguments, out),
        Action::Key(arguments) => return key::run(arguments, out),
        Action::Status(arguments) => runtime()?.block_on(unless_asked(status::run(arguments, out))),
        Action::Drain(arguments) => runtime()?.block_on(unless_asked(drain::run(arguments, out))),
        Action::Manifest(arguments) => {
            runtime()?.block_on(unless_asked(manifest::run(arguments, out)))
        }
    };
    match done? {
        Ok(status) | Err(status) => Ok(status),
    }
}
