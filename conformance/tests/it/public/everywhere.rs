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
fn operations_for_openai_and_anthropic() {
    go(
        documents(),
        "documents-for-openai-and-anthropic.txt",
        is_of_openai_or_anthropic,
    );
}

#[test]
fn operations_for_mcp() {
    go(documents(), "documents-for-mcp.txt", is_of_mcp);
}

#[test]
fn operations_for_openapi() {
    go(documents(), "documents-for-openapi.txt", is_openapi);
}

/// Nobody but us judges these, so that it is no sample that is written.
#[test]
fn operations_for_our_own_readers() {
    let Some(sources) = documents() else { return };
    let groups = sources
        .iter()
        .map(|source| source.most().cloned().collect());
    let dialects = |name: &str| !is_of_a_provider(name) && !is_of_mcp(name) && !is_openapi(name);
    let all = losses(&groups.collect::<Vec<_>>(), dialects);
    let mut table = String::new();
    for (dialect, losses) in all {
        losses.write_kinds(dialect, &mut table);
    }
    compare("documents-for-our-own-readers.txt", &table);
}

fn is_of_mcp(dialect: &str) -> bool {
    dialect.starts_with("mcp")
}

fn is_openapi(dialect: &str) -> bool {
    dialect.starts_with("openapi")
}

fn is_of_openai_or_anthropic(dialect: &str) -> bool {
    dialect.starts_with("openai") || dialect.starts_with("anthropic")
}

fn is_of_a_provider(dialect: &str) -> bool {
    is_of_openai_or_anthropic(dialect) || dialect.starts_with("gemini") || dialect == "bedrock"
}

/// Those that are chosen of each source.
fn go(sources: Option<Vec<Source>>, file: &str, dialects: fn(&str) -> bool) {
    let Some(sources) = sources else { return };
    let mut table = String::new();
    for (dialect, losses) in losses(&groups(&sources), dialects) {
        losses.write(dialect, &mut table);
    }
    compare(file, &table);
}

/// To the dialects that are asked for, and back.
fn losses(groups: &[Vec<Contract>], dialects: fn(&str) -> bool) -> Vec<(Dialect, Losses)> {
    let judges = Judges::find();
    let dialects = Dialect::ALL.iter().filter(|one| dialects(one.as_str()));
    let all = dialects.map(|dialect| {
        let mut losses = Losses::default();
        for contracts in groups {
            let export = dialect.export(contracts);
            let told = export.tools().len() + export.left_out().len();
            assert_eq!(told, contracts.len(), "{dialect}");
            judges.accept(&export);
            comes_back(&export);
            losses.add(&export);
        }
        (*dialect, losses)
    });
    all.collect()
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
