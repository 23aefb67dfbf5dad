//! Exports held to the SDKs of their providers: hard schemas, and the tools of public MCP servers.

mod messages;
pub(crate) mod servers;

use conformance::judge::{self, Verdict};
use std::path::{Path, PathBuf};
use toolpact_core::contract::Contract;
use toolpact_core::dialect::{Dialect, Export};
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};

const HARD: &str = include_str!("../../../crates/toolpact-core/tests/cases/hard.yaml");

#[test]
fn providers_take_hard_schemas() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let contracts = hard_contracts();
    for dialect in Dialect::ALL {
        let export = dialect.export(&contracts);
        accepted(&package, &export);
    }
}

#[test]
fn mcp_clients_take_hard_schemas() {
    let Some(package) = conformance::suite("mcp-sdk").or_leave_out() else {
        return;
    };
    let contracts = hard_contracts();
    for dialect in [Dialect::Mcp, Dialect::Mcp2025_11_25, Dialect::Mcp2025_06_18] {
        let export = dialect.export(&contracts);
        let document = export.document();
        let verdicts = judge::mcp_clients(&package, dialect.as_str(), document.text());
        nothing_wrong(dialect, &verdicts, export.tools().len());
    }
}

/// One contract for each, with what all of them return between them.
pub(crate) fn hard_contracts() -> Vec<Contract> {
    let returns = [
        r#""returns": "ListResult","#,
        r#""returns": "StringValue","#,
        r#""returns": {"type": "array", "items": {"type": "string"}},"#,
        r#""returns": "ObjectResult","#,
        r#""returns": "opaque","#,
        "",
    ];
    let document = Document::yaml(HARD.as_bytes(), &Limits::default());
    let cases = document.root().unwrap().members();
    let contracts = cases
        .zip(returns.iter().cycle())
        .map(|((name, schema), returns)| {
            let text = format!(
                r#"{{"name": "{name}", "description": "Tries it.", {returns} "parameters": {}}}"#,
                schema.to_value()
            );
            Contract::from_json(text).unwrap()
        });
    contracts.collect()
}

/// Everybody who is asked about exports, or those that are installed.
pub(crate) struct Judges {
    sdks: Option<PathBuf>,
    clients: Option<PathBuf>,
}

impl Judges {
    pub(crate) fn find() -> Self {
        Self {
            sdks: conformance::suite("provider-sdks").or_leave_out(),
            clients: conformance::suite("mcp-sdk").or_leave_out(),
        }
    }

    /// Fails if one of them does not take a tool.
    pub(crate) fn accept(&self, export: &Export) {
        let dialect = export.dialect();
        if let Some(sdks) = &self.sdks {
            accepted(sdks, export);
        }
        if let (Some(clients), true) = (&self.clients, dialect.as_str().starts_with("mcp")) {
            let document = export.document();
            let verdicts = judge::mcp_clients(clients, dialect.as_str(), document.text());
            nothing_wrong(dialect, &verdicts, export.tools().len());
        }
    }
}

/// `check` finds no error in what is written; and what is read back is the same contract, or there is a loss that says
/// why not.
pub(crate) fn comes_back(export: &Export) {
    let dialect = export.dialect();
    let document = export.document();
    let document = Document::json(document.text().as_bytes(), &Limits::default());
    let found = AnyDocument::check(&document, Some(DocumentKind::from(dialect))).violations;
    // How many tools a request may have is for those who make requests.
    let many = found
        .iter()
        .filter(|one| one.code() == "dialect-tool-count");
    assert_eq!(found.errors(), many.count(), "{dialect}: {found}");
    let import = dialect.import(&document);
    let import = import.map_err(|v| format!("{dialect}: {v}")).unwrap();
    assert!(
        import.left_out().is_empty(),
        "{dialect}: {:?}",
        import.left_out()
    );
    assert_eq!(import.tools().len(), export.tools().len());
    for (back, tool) in import.contracts().zip(export.tools()) {
        let same = back.digest() == tool.contract().digest();
        let name = tool.contract().name();
        assert_eq!(back.name(), name);
        assert!(same || !tool.losses().is_empty(), "{dialect} {name}");
    }
}

/// What the SDK of a provider says, where there is one.
fn accepted(package: &Path, export: &Export) {
    let dialect = export.dialect();
    if !ours(dialect) {
        let document = export.document();
        let verdicts = judge::dialect(package, dialect.as_str(), document.text());
        let one = is_openapi(dialect);
        let count = if one { 1 } else { export.tools().len() };
        nothing_wrong(dialect, &verdicts, count);
    }
}

/// Whether there is nobody to ask but us.
fn ours(dialect: Dialect) -> bool {
    matches!(
        dialect.as_str(),
        "contract" | "adm" | "adl" | "adl-1.0" | "jsonschema"
    )
}

/// There is one verdict on a whole document.
fn is_openapi(dialect: Dialect) -> bool {
    matches!(dialect, Dialect::OpenApi | Dialect::OpenApi3_0)
}

fn nothing_wrong(dialect: Dialect, verdicts: &[Verdict], tools: usize) {
    // How many strict tools a request may have is for those who make requests.
    let all = is_openapi(dialect);
    let each: Vec<&Verdict> = verdicts.iter().filter(|v| all || v.tool != "*").collect();
    assert_eq!(each.len(), tools, "{dialect}");
    let bad: Vec<String> = each
        .iter()
        .filter(|verdict| !verdict.ok)
        .map(|verdict| {
            format!(
                "{dialect} {}: {}",
                verdict.tool,
                verdict.problems.join("; ")
            )
        })
        .collect();
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}
