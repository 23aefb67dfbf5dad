use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use toolpact_serve::config::starter;

use crate::output::{Output, printable};
use crate::status::Status;

/// Write a first config with a tool that works
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder that they go into
    #[arg(default_value = ".", value_name = "FOLDER")]
    folder: PathBuf,
}

const AFTER_HELP: &str = "\
Writes toolpact.yaml and tools.yaml. One that is there is kept as it is.

Examples:
  toolpact init                   Here
  toolpact init my-tools          In a folder, which is made if it is not there
  toolpact serve toolpact.yaml    And serve it";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let folder = &arguments.folder;
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let (config, tools) = starter();
    for (name, text) in [("toolpact.yaml", config), ("tools.yaml", tools)] {
        let path = folder.join(name);
        let shown = printable(&path.display().to_string());
        match write_new(&path, text) {
            Ok(()) => writeln!(out, "wrote {shown}")?,
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                writeln!(out, "kept {shown}, which was there")?;
            }
            Err(error) => return Err(error).with_context(|| format!("cannot write {shown}")),
        }
    }
    let config = printable(&folder.join("toolpact.yaml").display().to_string());
    writeln!(out, "now: toolpact serve {config}")?;
    Ok(Status::Fine)
}

/// Never overwrites a file.
fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)?;
    file.write_all(text.as_bytes())
}
