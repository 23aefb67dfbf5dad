//! The tools of three public MCP servers, listed live, in every dialect and back.

use super::{Judges, comes_back};
use crate::mcp_tools;
use conformance::reports;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Export, import};
use toolpact_core::json::{Document, Limits};

/// Every loss of every tool, by kind. Read it when it changes; `UPDATE_LOSSES=1` writes it.
const LOSSES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/exports/losses.txt");

#[test]
fn tools_of_public_servers_go_everywhere_and_back() {
    let Some(servers) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let contracts = contracts(&servers);
    let judges = Judges::find();
    let mut table = String::new();
    for dialect in Dialect::ALL {
        let export = dialect.export(&contracts);
        let left_out: Vec<_> = export.left_out().iter().map(|bad| &*bad.name).collect();
        assert_eq!(left_out, [""; 0], "{dialect}");
        judges.accept(&export);
        comes_back(&export);
        add_losses(&export, &mut table);
    }
    reports::write("mcp-exports", &summary(contracts.len(), &table));
    compare(&table);
}

pub(crate) fn contracts(servers: &std::path::Path) -> Vec<Contract> {
    let mut contracts = Vec::new();
    for listed in mcp_tools::tools(servers) {
        let document = Document::json(listed.tool.text().as_bytes(), &Limits::default());
        let import = import(&document).unwrap();
        assert!(import.left_out().is_empty(), "{:?}", import.left_out());
        contracts.extend(import.contracts().cloned());
    }
    assert_eq!(contracts.len(), 37);
    contracts
}

/// Tools with the same losses stand together.
fn add_losses(export: &Export, table: &mut String) {
    let mut groups: BTreeMap<BTreeSet<String>, Vec<&str>> = BTreeMap::new();
    for tool in export.tools() {
        let losses = tool.losses().iter();
        let kinds = losses.map(|loss| format!("{} ({})", loss.kind(), loss.effect()));
        groups
            .entry(kinds.collect())
            .or_default()
            .push(tool.contract().name().as_str());
    }
    writeln!(table, "{}", export.dialect()).unwrap();
    for (kinds, names) in groups {
        let kinds: Vec<String> = kinds.into_iter().collect();
        let kinds = if kinds.is_empty() {
            "nothing".to_owned()
        } else {
            kinds.join(", ")
        };
        writeln!(table, "  {kinds}\n    {}", names.join(" ")).unwrap();
    }
}

fn compare(table: &str) {
    if std::env::var_os("UPDATE_LOSSES").is_some() {
        std::fs::write(LOSSES, table).unwrap();
    }
    let known = std::fs::read_to_string(LOSSES).unwrap_or_default();
    assert!(
        known == table,
        "{LOSSES} is out of date; read what changed:\n{table}"
    );
}

fn summary(tools: usize, table: &str) -> String {
    let dialects = Dialect::ALL.len();
    let lossless = table.matches("  nothing\n").count();
    format!(
        "Exports: {tools} tools of public MCP servers in {dialects} dialects and back, \
         in {lossless} of them some without any loss\n"
    )
}
