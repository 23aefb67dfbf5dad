//! The size of each tool in each dialect: a model reads every byte at every turn.

use std::io::Write;

use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;

use crate::output::{BOLD, Output, printable, thousands};

/// Longer names are cut.
const WIDEST: usize = 32;

pub(super) fn print(contracts: &[&Contract], out: &mut Output) -> anyhow::Result<()> {
    let rows: Vec<(&str, Vec<Option<usize>>)> = Dialect::ALL
        .iter()
        .map(|dialect| (dialect.as_str(), sizes(*dialect, contracts)))
        .collect();
    let names: Vec<String> = contracts
        .iter()
        .map(|contract| short(contract.name().as_str()))
        .collect();
    let first = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    // One line for each tool: there are more tools than dialects.
    let widest = names.iter().map(String::len).max().unwrap_or(0).max(first);
    for (number, name) in names.iter().enumerate() {
        writeln!(out, "{BOLD}{name}{BOLD:#}")?;
        for (dialect, sizes) in &rows {
            let size = match sizes[number] {
                Some(bytes) => format!("{:>9}", thousands(bytes)),
                None => "left out".to_owned(),
            };
            writeln!(out, "  {dialect:widest$} {size:>9}")?;
        }
    }
    if names.len() > 1 {
        writeln!(out, "{BOLD}all together{BOLD:#}")?;
        for (dialect, sizes) in &rows {
            let all: usize = sizes.iter().flatten().sum();
            writeln!(out, "  {dialect:widest$} {:>9}", thousands(all))?;
        }
    }
    Ok(())
}

fn sizes(dialect: Dialect, contracts: &[&Contract]) -> Vec<Option<usize>> {
    let one = |contract: &&Contract| {
        let export = dialect.export([*contract]);
        export
            .tools()
            .first()
            .map(|tool| tool.definition().text().len())
    };
    contracts.iter().map(one).collect()
}

fn short(name: &str) -> String {
    printable(&name.chars().take(WIDEST).collect::<String>())
}
