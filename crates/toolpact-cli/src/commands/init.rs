mod client;
mod comments;
mod merge;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use toolpact_serve::config::{in_folder, starter};

use self::client::Client;
use self::merge::Merged;
use crate::output::{ERROR, Output, printable};
use crate::status::Status;

/// Write a first config with a tool that works, or set up an MCP client
///
/// With `--client`, prints what makes a client start `toolpact serve --stdio` with the config of the
/// folder, or writes it with `--write`.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The folder of the config
    #[arg(default_value = ".", value_name = "FOLDER")]
    folder: PathBuf,
    /// Print the entry for this client
    #[arg(long, value_enum)]
    client: Option<Client>,
    /// Write the entry into the client's file, and keep all else in it
    #[arg(long, requires = "client")]
    write: bool,
    /// The name of the server in the client
    #[arg(long, requires = "client", default_value = "toolpact")]
    name: String,
}

const AFTER_HELP: &str = "\
Without --client, writes toolpact.yaml and tools.yaml. One that is there is kept as it is.

Examples:
  toolpact init                                    Here
  toolpact init my-tools                           In a folder, which is made if it is not there
  toolpact serve my-tools                          And serve it
  toolpact init my-tools --client cursor           What makes Cursor start it
  toolpact init my-tools --client cursor --write   Into ~/.cursor/mcp.json

Exit status:
  0  all is well
  1  the client's file was not changed, and why is said
  2  it could not run: usage, a file that cannot be written";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let folder = &arguments.folder;
    if let Some(client) = arguments.client {
        return set_up(arguments, client, out);
    }
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
    let word = match folder == Path::new(".") {
        true => String::new(),
        false => format!(" {}", printable(&folder.display().to_string())),
    };
    writeln!(out, "now: toolpact serve{word}")?;
    Ok(Status::Fine)
}

/// Prints the entry of a client, or writes it into its file.
fn set_up(arguments: &Arguments, client: Client, out: &mut Output) -> anyhow::Result<Status> {
    let mut stderr = Output::stderr();
    let folder = &arguments.folder;
    let config = in_folder(folder)?.map(std::path::absolute).transpose()?;
    if config.is_none() {
        let folder = printable(&folder.display().to_string());
        writeln!(
            stderr,
            "there is no toolpact.yaml in {folder}: the shop is served; `toolpact init {folder}` writes a \
             first config"
        )?;
    }
    let entry = client.entry(&std::env::current_exe()?, config.as_deref())?;
    let file = client.file()?;
    let shown = printable(&file.display().to_string());
    let place = client.servers();
    if !arguments.write {
        writeln!(out, "{}", merge::whole(place, &arguments.name, &entry))?;
        writeln!(stderr, "goes into {shown}; --write puts it there")?;
        return Ok(Status::Fine);
    }
    match merge::into_file(&file, place, &arguments.name, &entry)? {
        Merged::Written => writeln!(out, "wrote `{}` into {shown}", arguments.name)?,
        Merged::WasThere => writeln!(out, "kept {shown}, where it was already")?,
        Merged::Cannot(why) => {
            writeln!(
                stderr,
                "{ERROR}error:{ERROR:#} {shown} was not changed: {why}"
            )?;
            writeln!(stderr, "this is what it should have, beside what is there:")?;
            writeln!(out, "{}", merge::whole(place, &arguments.name, &entry))?;
            return Ok(Status::Wrong);
        }
    }
    writeln!(stderr, "{}", client.then())?;
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
