use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use toolpact_grid::{HostKey, user_key};

use crate::output::{FINE, Output, printable};
use crate::status::Status;

/// Make a key that a host signs the identity of its callers with
///
/// The file is for hosts only: `key: FILE` in their `grid` source. What is printed is no secret: runtimes that are
/// started with `--host-key` and it refuse calls that no such host has signed, and know who calls.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The name that runtimes know the key by
    #[arg(value_name = "NAME", required_unless_present_any = ["public", "nats"], conflicts_with_all = ["public", "nats"])]
    name: Option<String>,
    /// File to write; it must not be there yet
    #[arg(
        long,
        value_name = "FILE",
        required_unless_present = "public",
        conflicts_with = "public"
    )]
    out: Option<PathBuf>,
    /// Make an NKey for a user of a NATS server instead: the file is for `credentials`, what is printed is for the
    /// configuration of the server
    #[arg(long, conflicts_with = "public")]
    nats: bool,
    /// Print what runtimes are given for the key of a file
    #[arg(long, value_name = "FILE")]
    public: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact grid key h1 --out h1.key
  toolpact grid key --public h1.key
  toolpact grid key --nats --out acme-host.nk
  toolpact work --host-key \"$(toolpact grid key --public h1.key)\"";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    if let Some(file) = &arguments.public {
        let shown = printable(&file.display().to_string());
        let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
        let key = HostKey::from_text(&text).with_context(|| shown)?;
        writeln!(out, "{}", key.public_text())?;
        return Ok(Status::Fine);
    }
    let Some(file) = &arguments.out else {
        anyhow::bail!("expected --out FILE, found none");
    };
    let (secret, public, whom) = match &arguments.name {
        Some(name) => {
            let (key, text) = HostKey::generate(name)?;
            (
                text,
                key.public_text(),
                "for hosts only; runtimes are given this:",
            )
        }
        None => {
            let (seed, public) = user_key()?;
            let whom = "for this user only; the NATS server is given this:";
            (seed + "\n", public, whom)
        }
    };
    let shown = printable(&file.display().to_string());
    let mut options = toolpact::private_files::options();
    let created = options.write(true).create_new(true).open(file);
    let mut created = created.with_context(|| format!("cannot write {shown}"))?;
    created.write_all(secret.as_bytes())?;
    // Only the key goes to standard output, so that scripts can take it.
    writeln!(Output::stderr(), "{FINE}wrote:{FINE:#} {shown}, {whom}")?;
    writeln!(out, "{public}")?;
    Ok(Status::Fine)
}
