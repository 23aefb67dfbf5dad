//! The contracts of the tools.

use std::collections::BTreeSet;

use toolpact::core::contract::ContractDocument;
use toolpact::core::json::{Document, Limits};
use toolpact::core::returns::{Returns, StandardType};

use crate::support::shop;

#[test]
fn all_fourteen_return_types_are_used() {
    let shop = shop();
    let used: BTreeSet<&str> = shop
        .session
        .contracts()
        .filter_map(|(_, contract)| match contract.returns() {
            Returns::Standard { standard, .. } => Some(standard.name()),
            _ => None,
        })
        .collect();
    let all: BTreeSet<&str> = StandardType::all().map(StandardType::name).collect();
    assert_eq!(all.len(), 14);
    assert_eq!(used, all);
}

#[test]
fn there_is_nothing_to_say_about_the_contracts() {
    let shop = shop();
    let contracts: Vec<String> = shop
        .session
        .contracts()
        .map(|(_, contract)| contract.to_json())
        .collect();
    let document = format!(r#"{{"toolpact": 1, "tools": [{}]}}"#, contracts.join(","));
    let document = Document::json(document.as_bytes(), &Limits::default());
    let checked = ContractDocument::check(&document);
    assert!(checked.violations.is_empty(), "{}", checked.violations);
    assert_eq!(checked.into_result().unwrap().tools().len(), 23);
}

#[test]
fn every_tool_says_what_it_does_and_for_how_long() {
    let shop = shop();
    for (name, contract) in shop.session.contracts() {
        assert!(contract.timeout().is_some(), "{name}");
        assert_ne!(contract.effects().destructive(), Some(true), "{name}");
        let changes = [
            "create_order",
            "update_order",
            "cancel_order",
            "archive_order",
            "import_orders",
            "start_reindex",
            "cancel_operation",
            "backup_database",
        ];
        let read_only = contract.effects().read_only() == Some(true);
        assert_eq!(read_only, !changes.contains(&name), "{name}");
    }
}
