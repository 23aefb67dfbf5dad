mod decide;
mod show;
mod test;

use std::io::Write as _;
use std::path::Path;

use clap::{Args, Subcommand};
use toolpact_policy::{Catalogue, Policies, PolicyConfig};
use toolpact_serve::{Config, Loaded};

use crate::origin::Origin;
use crate::output::{ERROR, Output, WARNING, printable};
use crate::status::Status;

/// Test and explain who may call which tools
///
/// Policies are written in Cedar, in files that `policy` of a config names, or in its short form. A program that was
/// built without the feature `policy` refuses configs that have one.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Debug, Subcommand)]
enum PolicyCommand {
    Test(test::Arguments),
    Explain(decide::Arguments),
    Show(show::ShowArguments),
    Schema(show::SchemaArguments),
}

const AFTER_HELP: &str = "\
Examples:
  toolpact policy test cases.yaml                    Whether calls are decided as expected
  toolpact policy explain refund '{\"amount\": 100}' --as ada --group support
                                                     Which policy decides about a call
  toolpact policy show                               The policies, with the short form in Cedar
  toolpact policy schema > tools.cedarschema         What policies can name, for editors

Exit status:
  0  all is well
  1  a case failed, or something is wrong in the policies
  2  it could not run: usage, an unreadable file";

pub(crate) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    match &arguments.command {
        PolicyCommand::Test(arguments) => test::run(arguments, out),
        PolicyCommand::Explain(arguments) => decide::run(arguments, out),
        PolicyCommand::Show(arguments) => show::show(arguments, out),
        PolicyCommand::Schema(arguments) => show::schema(arguments, out),
    }
}

/// The config of a name, or that of the working directory.
fn config(name: Option<&Path>) -> anyhow::Result<Config> {
    Ok(Origin::find(name)?.config()?)
}

/// The policies of a config that has some.
fn policy(config: &Config) -> anyhow::Result<&PolicyConfig> {
    let none = || anyhow::anyhow!("expected a config with a `policy`, found one without");
    config.policy.as_ref().ok_or_else(none)
}

/// Policies that fit the tools.
struct Ready {
    policies: Policies,
    loaded: Loaded,
}

/// Starts the sources of a config, and checks its policies against their tools. What is wrong is written.
fn ready(config: &Config) -> anyhow::Result<Option<Ready>> {
    let policy = policy(config)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let loaded = runtime.block_on(toolpact_serve::load(config))?;
    let mut stderr = Output::stderr();
    for wrong in &loaded.wrong {
        writeln!(stderr, "{WARNING}warning:{WARNING:#} {}", printable(wrong))?;
    }
    let catalogue = Catalogue::of_session(&loaded.session);
    let checked = Policies::read(policy).and_then(|policies| {
        let checked = policies.check(&catalogue)?;
        Ok((policies, checked))
    });
    match checked {
        Ok((policies, checked)) => {
            for warning in &checked.warnings {
                let warning = printable(&warning.to_string());
                writeln!(stderr, "{WARNING}warning:{WARNING:#} {warning}")?;
            }
            Ok(Some(Ready { policies, loaded }))
        }
        Err(error) => {
            for problem in error.problems() {
                let problem = printable(&problem.to_string());
                writeln!(stderr, "{ERROR}error:{ERROR:#} {problem}")?;
            }
            Ok(None)
        }
    }
}
