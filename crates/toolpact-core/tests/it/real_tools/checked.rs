//! What is written is what `check` accepts, for random contracts and all dialects.

use std::cell::Cell;

use crate::differential::{Choices, make, with_bytes};
use toolpact_core::contract::{Contract, ContractDocument};
use toolpact_core::dialect::Dialect;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Limits};

#[test]
fn an_export_is_never_refused() {
    let checked = Cell::new(0_u32);
    with_bytes(150, |bytes| {
        let Some(contract) = contract(&mut Choices(bytes)) else {
            return;
        };
        for dialect in Dialect::ALL {
            let export = dialect.export([&contract]);
            if export.tools().is_empty() {
                continue;
            }
            let text = export.document();
            let document = Document::json(text.text().as_bytes(), &Limits::default());
            let kind = Some(DocumentKind::from(*dialect));
            let found = AnyDocument::check(&document, kind);
            let found = found.violations;
            assert_eq!(
                found.errors(),
                0,
                "{dialect}: {found}\n{text}\n{}",
                contract.to_json()
            );
            checked.set(checked.get() + 1);
        }
    });
    let checked = checked.get();
    assert!(checked > 2000, "only {checked} exports were checked");
}

/// A contract with names and defaults as people write them.
fn contract(choices: &mut Choices<'_>) -> Option<Contract> {
    let first = choices.0.first().copied().unwrap_or_default();
    let defaults = ["5", "\"a\"", "null", "[]", "{\"a\": 1}", "true", "1.5"];
    let types = ["string", "integer", "array", "object", "boolean", "number"];
    let name = ["math.sum", "a b", "1st", "try_it", "ping/pong"][usize::from(first % 5)];
    let contract = serde_json::json!({
        "name": "try_it",
        "original_name": name,
        "description": "Tries it.",
        "parameters": {
            "type": "object",
            "properties": {
                "p": serde_json::from_str::<serde_json::Value>(&make::schema(choices)).ok()?,
                "the key": {
                    "type": types[usize::from(first / 5) % 6],
                    "default": serde_json::from_str::<serde_json::Value>(
                        defaults[usize::from(first / 30) % 7],
                    ).ok()?,
                    "nullable": first.is_multiple_of(2),
                },
            },
        },
    });
    let mut contract = contract;
    // Definitions belong to the root.
    if let Some(p) = contract["parameters"]["properties"]["p"].as_object_mut()
        && let Some(definitions) = p.remove("$defs")
    {
        contract["parameters"]["$defs"] = definitions;
    }
    Contract::from_json(contract.to_string()).ok()
}

#[test]
fn check_finds_a_default_of_the_wrong_type() {
    let document = r#"{"toolpact": 1, "tools": [{"name": "list", "description": "Lists.", "returns": "ListResult",
        "parameters": {"type": "object", "properties": {
            "n": {"type": "integer", "default": "10"},
            "order": {"enum": ["up", "down"], "default": "left"},
            "none": {"type": "string", "default": null},
            "fine": {"type": ["integer", "string"], "default": "10"}
        }}}]}"#;
    let found = ContractDocument::check(&Document::json(document.as_bytes(), &Limits::default()));
    assert_eq!(
        found.violations.to_string(),
        "3:49: warning[contract-default] at /tools/0/parameters/properties/n/default: expected a default of the type `integer`, found the string \"10\"\n\
         4:58: warning[contract-default] at /tools/0/parameters/properties/order/default: expected a default that is one of the values of `enum`, found the string \"left\""
    );
}
