//! Declarations of tools, checked by the checkers of both languages.

mod hostile;
#[path = "../../../crates/toolpact-core/tests/it/differential/make.rs"]
#[expect(dead_code, reason = "only schemas are made here")]
pub(crate) mod make;
mod uses;

use crate::exports::{hard_contracts, servers};
use crate::public;
use conformance::checkers::{Checker, Checkers};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use toolpact_core::contract::Contract;
use toolpact_core::dialect::import;
use toolpact_core::json::{Document, Limits};
use toolpact_core::returns::StandardType;
use toolpact_core::stubs::{python, typescript};

#[test]
fn contracts_of_the_repository() {
    accepted(&repository_contracts());
}

/// As parameters, and as what is returned.
#[test]
fn hard_schemas_on_both_sides() {
    let taken = hard_contracts();
    let returned = taken.iter().filter_map(|contract| {
        let name = format!("{}_out", contract.name());
        returning(&name, contract.parameters().to_json_schema().text())
    });
    let returned: Vec<Contract> = returned.collect();
    assert!(returned.len() > 60);
    let all: Vec<Contract> = taken.into_iter().chain(returned).collect();
    accepted(&all);
}

#[test]
fn standard_return_types() {
    let all = StandardType::all().map(|standard| {
        let json = format!(
            r#"{{"name": "get_{standard}", "description": "Gets one.", "parameters": {{"type": "object"}}, "returns": "{standard}"}}"#
        );
        Contract::from_json(json).unwrap()
    });
    accepted(&all.collect::<Vec<_>>());
}

#[test]
fn tools_of_public_servers() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    accepted(&servers::contracts(&package));
}

#[test]
fn tools_of_more_servers() {
    if let Some(sources) = public::servers() {
        declared(&sources);
    }
}

#[test]
fn operations_of_public_apis() {
    let Some(sources) = public::documents() else {
        return;
    };
    let (slow, others): (Vec<_>, Vec<_>) = sources
        .into_iter()
        .partition(|source| SLOW_FOR_MYPY.contains(&source.name));
    assert_eq!(slow.len(), SLOW_FOR_MYPY.len());
    declared(&others);
    accepted_by(&chosen(&slow), |checker| checker != Checker::Mypy);
}

/// Documents with unions of objects that have each other as members: mypy takes minutes for a few of their operations,
/// the other checkers seconds.
const SLOW_FOR_MYPY: [&str; 2] = ["figma", "stripe"];

/// All in one file: a checker takes longer to start than to check.
fn declared(sources: &[public::Source]) {
    accepted(&chosen(sources));
}

fn chosen(sources: &[public::Source]) -> Vec<Contract> {
    let chosen = sources.iter().flat_map(public::Source::chosen);
    chosen.cloned().collect()
}

#[test]
fn random_contracts() {
    let mut seed = 7_u64;
    let bytes = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 56).to_le_bytes()[0]
    });
    let bytes: Vec<u8> = bytes.take(400 * 300).collect();
    let contracts = bytes.chunks(300).enumerate().filter_map(|(i, bytes)| {
        let schema = make::schema(&mut make::Choices(bytes));
        returning(&format!("random_{i}"), &schema)
    });
    let contracts: Vec<Contract> = contracts.collect();
    assert!(contracts.len() > 200, "{}", contracts.len());
    accepted(&contracts);
}

/// Takes and returns the same, if that can be.
fn returning(name: &str, schema: &str) -> Option<Contract> {
    let json = format!(
        r#"{{"name": "{name}", "description": "Tries it.", "parameters": {schema}, "returns": {{"type": "Custom", "schema": {schema}}}}}"#
    );
    Contract::from_json(json).ok()
}

fn repository_contracts() -> Vec<Contract> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let examples = [
        "orders.yaml",
        "shop.yaml",
        "weather.json",
        "library-agent.json",
    ];
    let mut files: Vec<PathBuf> = examples.map(|name| root.join("examples").join(name)).into();
    let cases = fs::read_dir(root.join("crates/toolpact/tests/cases")).unwrap();
    let cases = cases.map(|entry| entry.unwrap().path().join("contract.yaml"));
    files.extend(cases.filter(|path| path.is_file()));
    let mut contracts = Vec::new();
    for file in files {
        let bytes = fs::read(&file).unwrap();
        let document = match file.extension().is_some_and(|ext| ext == "yaml") {
            true => Document::yaml(&bytes, &Limits::default()),
            false => Document::json(&bytes, &Limits::default()),
        };
        contracts.extend(import(&document).unwrap().contracts().cloned());
    }
    assert!(contracts.len() >= 12, "{}", contracts.len());
    contracts
}

fn accepted(contracts: &[Contract]) {
    accepted_by(contracts, |_| true);
}

/// By those of the checkers that are asked.
fn accepted_by(contracts: &[Contract], is_asked: fn(Checker) -> bool) {
    let checkers = Checkers::find();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tools.pyi");
    fs::write(&file, python::preamble(contracts).text()).unwrap();
    for (checker, package) in checkers.of_python().filter(|(one, _)| is_asked(*one)) {
        let refusal = checker.refuses(package, &file);
        assert_eq!(refusal, None, "{checker:?}");
    }
    // A module that runs, away from the declarations, which would be asked instead.
    let file = folder.path().join("client/tools.py");
    fs::create_dir(file.parent().unwrap()).unwrap();
    let client = python::client(contracts, "http://127.0.0.1:7878");
    fs::write(&file, client.text()).unwrap();
    for (checker, package) in checkers.of_python().filter(|(one, _)| is_asked(*one)) {
        let refusal = checker.refuses(package, &file);
        assert_eq!(refusal, None, "{checker:?}");
    }
    if let Ok(ran) = Command::new("python3").arg(&file).output() {
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}");
    }
    let file = folder.path().join("tools.d.ts");
    fs::write(&file, typescript::preamble(contracts).text()).unwrap();
    for (checker, package) in checkers.of_typescript() {
        let refusal = checker.refuses(package, &file);
        assert_eq!(refusal, None, "{checker:?}");
    }
}
