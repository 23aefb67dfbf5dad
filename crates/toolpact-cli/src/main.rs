//! The `toolpact` program. Thin: one file per command, and the library does the work.

mod align;
mod backend;
mod cli;
mod commands;
mod files;
mod lines;
mod origin;
mod output;
mod report;
mod save;
mod signals;
mod status;
mod tools;

use std::process::ExitCode;

use clap::Parser;

use crate::output::Output;
use crate::status::Status;

fn main() -> ExitCode {
    let arguments = cli::Arguments::parse();
    arguments.color.apply();
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
