use std::io::Write;

use anyhow::Context as _;
use clap::Args;
use toolpact_core::returns::StandardType;

use crate::output::{BOLD, Output};
use crate::status::Status;

/// Show one return type: what it is for, its schema, its examples, its rules
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The name, for example ListResult
    #[arg(value_parser = parse_name)]
    name: StandardType,
    /// Print the schema and nothing else
    #[arg(long)]
    schema: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut Output) -> anyhow::Result<Status> {
    let standard = arguments.name;
    if arguments.schema {
        writeln!(out, "{}", standard.schema_text())?;
        return Ok(Status::Fine);
    }
    writeln!(
        out,
        "{BOLD}{standard}{BOLD:#} ({})\n\n{}\n",
        standard.category(),
        standard.purpose()
    )?;
    writeln!(out, "Used for: {}", standard.use_cases().join(", "))?;
    writeln!(out, "Reference: {}\n", standard.uri())?;
    writeln!(out, "{BOLD}Schema{BOLD:#}\n\n{}", standard.schema_text())?;
    for example in standard.examples() {
        let example = serde_json::to_string_pretty(&example)?;
        writeln!(out, "\n{BOLD}Example{BOLD:#}\n\n{example}")?;
    }
    writeln!(
        out,
        "\n{BOLD}Rules{BOLD:#}, besides the schema; `toolpact explain CODE` says more\n"
    )?;
    for rule in standard.rules() {
        writeln!(out, "  {:26} {}", rule.code, rule.title)?;
    }
    Ok(Status::Fine)
}

/// A standard type by its name, with a suggestion if it is misspelled.
pub(crate) fn parse_name(name: &str) -> anyhow::Result<StandardType> {
    StandardType::from_name(name).with_context(|| match StandardType::nearest(name) {
        Some(near) => format!("no return type has this name; did you mean `{near}`?"),
        None => "no return type has this name; `toolpact returns` lists them".to_owned(),
    })
}
