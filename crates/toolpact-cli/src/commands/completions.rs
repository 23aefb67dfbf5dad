use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::cli;
use crate::output::Output;
use crate::status::Status;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact completions bash > ~/.local/share/bash-completion/completions/toolpact
  toolpact completions zsh > ~/.zfunc/_toolpact
  toolpact completions fish > ~/.config/fish/completions/toolpact.fish";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    let mut command = cli::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "toolpact", &mut script);
    out.write_all(&script)?;
    Ok(Status::Fine)
}
