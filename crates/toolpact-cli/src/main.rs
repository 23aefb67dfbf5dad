//! The `toolpact` program. Thin: one file per command, and the library does the work.

mod align;
mod backend;
mod cli;
mod commands;
mod files;
mod grid;
mod lines;
mod origin;
mod output;
mod report;
mod save;
mod signals;
mod status;
mod table;
mod tools;

use std::process::ExitCode;

use clap::Parser;

use crate::output::Output;
use crate::status::Status;

/// Calls begin on one thread and end on another, and long results come and go, which costs less than with that of the
/// system.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(unix)]
    if commands::watch_programs::is_meant() {
        return commands::watch_programs::run();
    }
    // What the shell has open is not for tools.
    toolpact::process::keep_open_files();
    cli::Color::of(std::env::args_os()).apply();
    let arguments = cli::Arguments::parse();
    arguments.color.apply();
    #[cfg(unix)]
    toolpact::process::watch_with(watcher);
    let mut out = Output::stdout();
    let status = arguments.command.run(&mut out).and_then(|status| {
        out.finish()?;
        Ok(status)
    });
    // However the program ends, no process of a tool outlives it.
    toolpact::process::end_all();
    match status {
        Ok(status) => status.into(),
        Err(error) => {
            output::complain(&error);
            Status::CouldNotRun.into()
        }
    }
}

/// This program again, to end the programs of tools should this one be killed.
#[cfg(unix)]
fn watcher() -> std::io::Result<std::process::Command> {
    let mut command = std::process::Command::new(std::env::current_exe()?);
    command.arg(commands::watch_programs::NAME);
    Ok(command)
}
