//! In every dialect and back, judged by the SDKs.

use super::table::{Losses, compare};
use super::{Source, documents, servers};
use crate::exports::{Judges, comes_back};
use std::collections::HashSet;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::Dialect;

#[test]
fn tools_for_providers() {
    go(servers(), "servers-for-providers.txt", is_of_a_provider);
}

#[test]
fn tools_for_others() {
    go(servers(), "servers-for-others.txt", |name| {
        !is_of_a_provider(name)
    });
}

#[test]
fn operations_for_google_and_amazon() {
    go(documents(), "documents-for-google-and-amazon.txt", |name| {
        is_of_a_provider(name) && !is_of_openai_or_anthropic(name)
    });
}

#[test]
fn operations_for_mcp() {
    go(documents(), "documents-for-mcp.txt", is_of_mcp);
}

fn is_of_mcp(dialect: &str) -> bool {
    dialect.starts_with("mcp")
}

fn is_of_openai_or_anthropic(dialect: &str) -> bool {
    dialect.starts_with("openai") || dialect.starts_with("anthropic")
}

fn is_of_a_provider(dialect: &str) -> bool {
    is_of_openai_or_anthropic(dialect) || dialect.starts_with("gemini") || dialect == "bedrock"
}

/// To the dialects that are asked for, and back; what is lost is in the table.
fn go(sources: Option<Vec<Source>>, file: &str, dialects: fn(&str) -> bool) {
    let Some(sources) = sources else { return };
    let judges = Judges::find();
    let groups = groups(&sources);
    let mut table = String::new();
    for dialect in Dialect::ALL
        .iter()
        .filter(|dialect| dialects(dialect.as_str()))
    {
        let mut losses = Losses::default();
        for contracts in &groups {
            let export = dialect.export(contracts);
            judges.accept(&export);
            comes_back(&export);
            losses.add(&export);
        }
        losses.write(*dialect, &mut table);
    }
    compare(file, &table);
}

/// A judge is asked about many tools at once, which must have different names.
fn groups(sources: &[Source]) -> Vec<Vec<Contract>> {
    let mut groups: Vec<(HashSet<String>, Vec<Contract>)> = Vec::new();
    for source in sources {
        let names = || source.chosen().map(|c| c.name().as_str().to_lowercase());
        let at = groups
            .iter()
            .position(|(taken, _)| names().all(|name| !taken.contains(&name)));
        let at = at.unwrap_or_else(|| {
            groups.push(Default::default());
            groups.len() - 1
        });
        groups[at].0.extend(names());
        groups[at].1.extend(source.chosen().cloned());
    }
    groups.into_iter().map(|(_, contracts)| contracts).collect()
}
