//! The shop and public MCP servers, mocked by `toolpact serve`: none of them runs, and the official clients,
//! which hold results to the schemas that are listed, call every tool.

use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_core::returns::Level;
use toolpact_core::sample::Sampler;
use toolpact_core::toolset::Function;

use crate::mcp_served::Sandbox;
use crate::mcp_server::clients::Client;
use crate::{mcp_tools, public};
use conformance::reports;

/// How many calls of each tool are made, with different arguments.
const CALLS: u64 = 2;

#[tokio::test(flavor = "multi_thread")]
async fn every_tool_answers_validly() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    let Some(files) = contracts(&sandbox) else {
        return;
    };
    let served = sandbox.serve_mock(&sources(&files), json!({})).await;
    let contracts = served.client.contracts().await.unwrap();
    let calls: Vec<Json> = contracts.iter().flat_map(calls_of).collect();
    let structured = contracts.iter().filter(|one| one.returns().is_structure());
    let report = format!(
        "mocked tools\n  {} tools of the shop and of {} MCP servers, {} of which promise a structure: {} calls, \
         each with every client\n",
        contracts.len(),
        files.len(),
        structured.count(),
        calls.len()
    );
    assert!(contracts.len() > 300, "{report}");
    for client in [Client::TypeScript, Client::Python] {
        let url = format!("{}/mcp", served.url);
        let (calls, all) = (calls.clone(), contracts.clone());
        let answered = tokio::task::spawn_blocking(move || {
            let answers = client.calls(&url, "test", &calls)?;
            assert_eq!(answers.len(), client.turns() * calls.len());
            for answer in &answers {
                judge(answer, &all);
            }
            Some(())
        });
        if answered.await.unwrap().is_none() {
            return;
        }
    }
    reports::write("mcp-mocked", &report);
}

/// An agent sees errors as errors of their kinds, and never a result that breaks its contract.
#[tokio::test(flavor = "multi_thread")]
async fn errors_and_breaches_are_told() {
    let Some(sandbox) = Sandbox::new() else {
        return;
    };
    for (behaviour, code) in [
        (
            json!({"errors": ["NOT_FOUND_RESOURCE"]}),
            "NOT_FOUND_RESOURCE",
        ),
        (json!({"breaches": "always"}), "INTERNAL_CONTRACT"),
    ] {
        let served = sandbox.serve_mock(&[json!({"shop": {}})], behaviour).await;
        let contracts = served.client.contracts().await.unwrap();
        let calls: Vec<Json> = contracts.iter().flat_map(calls_of).collect();
        let url = format!("{}/mcp", served.url);
        let answers =
            tokio::task::spawn_blocking(move || Client::TypeScript.calls(&url, "test", &calls));
        let Some(answers) = answers.await.unwrap() else {
            return;
        };
        for answer in answers {
            assert_eq!(answer.get("refused"), None, "{answer}");
            let result = &answer["result"];
            assert_eq!(result["isError"], true, "{answer}");
            assert_eq!(result["_meta"]["toolpact/error"]["code"], code, "{answer}");
        }
    }
}

/// A file with the contracts of each server, by its name. The servers run only for this.
fn contracts(sandbox: &Sandbox) -> Option<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    let mut listed: BTreeMap<&str, Vec<Json>> = BTreeMap::new();
    for tool in mcp_tools::tools(&sandbox.package) {
        let json = serde_json::from_str(tool.tool.text()).unwrap();
        listed.entry(tool.server).or_default().push(json);
    }
    for (server, tools) in listed {
        // As the server lists them.
        let text = json!({"tools": tools}).to_string();
        files.insert(server.to_owned(), write(&sandbox.path(server), &text));
    }
    for source in public::servers()? {
        let tools: Vec<String> = source
            .contracts
            .iter()
            .map(Contract::to_canonical)
            .collect();
        let text = format!(r#"{{"toolpact":1,"tools":[{}]}}"#, tools.join(","));
        let path = sandbox.path(source.name);
        files.insert(source.name.to_owned(), write(&path, &text));
    }
    Some(files)
}

fn write(path: &Path, text: &str) -> String {
    let path = path.with_extension("json");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A program that would fail stands for each server.
fn sources(files: &BTreeMap<String, String>) -> Vec<Json> {
    let of_server = |(name, file): (&String, &String)| json!({"mcp": {"name": name, "command": ["false"], "contracts": [file]}});
    let shop = json!({"shop": {}});
    files.iter().map(of_server).chain([shop]).collect()
}

fn calls_of(contract: &Contract) -> Vec<Json> {
    let sampler = Sampler::of_arguments(contract);
    let made: Vec<Value> = (0..CALLS).filter_map(|seed| sampler.nth(seed)).collect();
    assert_eq!(
        made.len() as u64,
        CALLS,
        "no arguments for {}",
        contract.name()
    );
    let call = |args: Value| {
        let args: Json = serde_json::from_str(args.text()).unwrap();
        json!({"name": contract.name().as_str(), "arguments": args})
    };
    made.into_iter().map(call).collect()
}

fn judge(answer: &Json, contracts: &[Contract]) {
    assert_eq!(answer.get("refused"), None, "{answer}");
    let result = &answer["result"];
    assert_ne!(result["isError"], true, "{answer}");
    let contract = contracts
        .iter()
        .find(|one| answer["tool"] == one.name().as_str());
    let contract = contract.unwrap();
    if !contract.returns().is_structure() {
        assert!(
            !result["content"].as_array().unwrap().is_empty(),
            "{answer}"
        );
        return;
    }
    let structure = &result["structuredContent"];
    // What is no object is wrapped for clients of 2025.
    let found = structure.get("result");
    let promise = Function::of_contract(contract, Level::Meaning);
    let keeps = |value: &Json| promise.promise().is_valid(value.to_string().as_bytes());
    assert!(keeps(structure) || found.is_some_and(keeps), "{answer}");
}
