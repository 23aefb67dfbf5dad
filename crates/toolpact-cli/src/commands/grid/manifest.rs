use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;
use toolpact_core::json::Limits;
use toolpact_grid::{Difference, Manifest, Operator};

use crate::cli::ToolsFrom;
use crate::grid::GridArguments;
use crate::output::{ERROR, FINE, Output, WARNING, count, printable};
use crate::status::Status;
use crate::table::table;
use crate::tools::load;

/// Publish, list and compare the contracts of a grid
///
/// Hosts whose `grid` source names no `tools` take the manifest that is published, also while they run.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Publish contracts, in place of those that were published before
    Publish(FilesArguments),
    /// List the tools that are published, and the manifests of hosts
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        grid: GridArguments,
    },
    /// Say what would be another if these contracts were published
    Differences(FilesArguments),
}

#[derive(Debug, Args)]
struct FilesArguments {
    /// Files with contracts, in any dialect; `toolpact tools --config CONFIG --json` writes those of a config
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    from: ToolsFrom,
    #[command(flatten)]
    grid: GridArguments,
}

const AFTER_HELP: &str = "\
Examples:
  toolpact tools --config toolpact.yaml --json > contracts.json
  toolpact grid manifest differences contracts.json
  toolpact grid manifest publish contracts.json
  toolpact grid manifest list

Exit status:
  0  it was done, or there are no differences
  1  a contract cannot be used, or there are differences
  2  it could not run: usage, a grid that cannot be reached";

pub(super) async fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    match &arguments.action {
        Action::Publish(files) => publish(files, out).await,
        Action::Differences(files) => differences(files, out).await,
        Action::List { json, grid } => list(&grid.operator().await?, *json, out).await,
    }
}

/// The manifest of files. It is none if one of the contracts cannot be used.
fn read(arguments: &FilesArguments) -> anyhow::Result<Option<Manifest>> {
    let tools = load(&arguments.files, arguments.from.from, &Limits::default());
    if tools.status != Status::Fine || !tools.left_out.is_empty() {
        return Ok(None);
    }
    let contracts = tools.list.into_iter().map(|tool| tool.contract);
    Ok(Some(Manifest::new(contracts)?))
}

async fn publish(arguments: &FilesArguments, out: &mut Output) -> anyhow::Result<Status> {
    let Some(manifest) = read(arguments)? else {
        return Ok(Status::Wrong);
    };
    let grid = arguments.grid.operator().await?;
    let before = grid.published().await?;
    grid.publish(&manifest).await?;
    if let Some(before) = before {
        write_differences(&before.differences(&manifest), out)?;
    }
    let tools = count(manifest.digests().count(), "tool");
    writeln!(
        out,
        "{FINE}published:{FINE:#} {tools}, manifest {}",
        short(manifest.digest())
    )?;
    Ok(Status::Fine)
}

async fn differences(arguments: &FilesArguments, out: &mut Output) -> anyhow::Result<Status> {
    let Some(manifest) = read(arguments)? else {
        return Ok(Status::Wrong);
    };
    let grid = arguments.grid.operator().await?;
    let Some(before) = grid.published().await? else {
        writeln!(Output::stderr(), "nothing is published yet")?;
        return Ok(Status::Wrong);
    };
    let differences = before.differences(&manifest);
    write_differences(&differences, out)?;
    if differences.is_empty() {
        writeln!(
            out,
            "{FINE}the same:{FINE:#} manifest {}",
            short(manifest.digest())
        )?;
    }
    Ok(Status::wrong_if(!differences.is_empty()))
}

fn write_differences(differences: &[Difference], out: &mut Output) -> anyhow::Result<()> {
    for difference in differences {
        match difference {
            Difference::Added(name) => writeln!(out, "{FINE}added{FINE:#}    {}", printable(name))?,
            Difference::Removed(name) => {
                writeln!(out, "{ERROR}removed{ERROR:#}  {}", printable(name))?;
            }
            Difference::Changed(name, places) => {
                let places = printable(&places.join(", "));
                writeln!(
                    out,
                    "{WARNING}changed{WARNING:#}  {}: {places}",
                    printable(name)
                )?;
            }
            _ => {}
        }
    }
    Ok(())
}

async fn list(grid: &Operator, as_json: bool, out: &mut Output) -> anyhow::Result<Status> {
    let (published, hosts) = (grid.published().await?, grid.hosts().await?);
    let digest = published.as_ref().map(Manifest::digest);
    let mut of_hosts: BTreeMap<&str, usize> = BTreeMap::new();
    for host in &hosts {
        *of_hosts.entry(&host.manifest).or_default() += 1;
    }
    let tools: Vec<(&str, &str)> = published.iter().flat_map(Manifest::digests).collect();
    if as_json {
        let tools: serde_json::Map<_, _> = { tools.iter() }
            .map(|(name, digest)| ((*name).to_owned(), json!(digest)))
            .collect();
        let hosts: serde_json::Map<_, _> = { hosts.iter() }
            .map(|host| (host.host.to_string(), json!(host.manifest)))
            .collect();
        let listed = json!({"published": digest, "tools": tools, "hosts": hosts});
        writeln!(out, "{listed:#}")?;
        return Ok(Status::Fine);
    }
    match digest {
        None => writeln!(out, "nothing is published")?,
        Some(digest) => {
            writeln!(
                out,
                "published  manifest {}, {}",
                short(digest),
                count(tools.len(), "tool")
            )?;
        }
    }
    for (manifest, number) in &of_hosts {
        let (is_other, hosts) = (Some(*manifest) != digest, count(*number, "host"));
        let other = if is_other {
            ", not the published one"
        } else {
            ""
        };
        writeln!(out, "{hosts:9}  manifest {}{other}", short(manifest))?;
    }
    if !tools.is_empty() {
        writeln!(out)?;
        let rows: Vec<[String; 2]> = { tools.iter() }
            .map(|(name, digest)| [printable(name), short(digest).to_owned()])
            .collect();
        table(["TOOL", "CONTRACT"], &rows, out)?;
    }
    Ok(Status::Fine)
}

/// Enough of a digest to tell it from others.
pub(super) fn short(digest: &str) -> &str {
    digest.get(..12).unwrap_or(digest)
}
