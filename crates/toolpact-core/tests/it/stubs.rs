//! Declarations of random contracts.

use std::collections::HashSet;

use crate::differential::{Choices, make, with_bytes};
use toolpact_core::contract::Contract;
use toolpact_core::stubs::{Stubs, python, typescript};

const NAMES: [&str; 6] = ["try_it", "try-it", "list", "_try", "TryItResponse", "from"];

#[test]
fn declarations_of_random_contracts() {
    with_bytes(1_500, |bytes| {
        let choices = &mut Choices(bytes);
        let contracts: Vec<Contract> = (0..3).filter_map(|_| contract(choices)).collect();
        let declare = || {
            [
                python::preamble(&contracts),
                typescript::preamble(&contracts),
            ]
        };
        let (first, second) = (declare(), declare());
        for (stubs, again) in first.iter().zip(&second) {
            assert_eq!(stubs, again);
            assert_eq!(stubs.text(), again.text());
            lead_back(stubs, &contracts);
        }
    });
}

/// A schema on both sides: as it is, or as that of one parameter.
fn contract(choices: &mut Choices<'_>) -> Option<Contract> {
    let name = NAMES[usize::from(*choices.0.first().unwrap_or(&0)) % NAMES.len()];
    let schema: serde_json::Value = serde_json::from_str(&make::schema(choices)).ok()?;
    let contract = serde_json::json!({
        "name": name,
        "description": "Tries it.",
        "parameters": schema,
        "returns": {"type": "Custom", "schema": schema},
    });
    Contract::from_json(contract.to_string()).ok()
}

/// Every function and every parameter has a name of its own, and leads to one of the contract.
fn lead_back(stubs: &Stubs, contracts: &[Contract]) {
    assert_eq!(stubs.tools().len(), contracts.len());
    let mut aliases = HashSet::new();
    for (tool, contract) in stubs.tools().iter().zip(contracts) {
        assert!(aliases.insert(tool.alias()), "{}", tool.alias());
        assert_eq!(stubs.tool(tool.alias()).unwrap().name(), contract.name());
        let (mut aliases, mut names) = (HashSet::new(), HashSet::new());
        for parameter in tool.signature().parameters() {
            assert!(aliases.insert(parameter.alias()), "{}", tool.text());
            assert!(names.insert(parameter.name()), "{}", tool.text());
            let found = tool.parameter(parameter.alias()).unwrap();
            assert_eq!(found.name(), parameter.name());
        }
        let function = format!("{}(", tool.alias());
        assert!(tool.text().contains(&function), "{}", tool.text());
    }
}
