//! Any contract comes back as it was.

use proptest::test_runner::{Config, TestRunner};
use toolpact_core::contract::Contract;

use super::there_and_back;
use crate::differential::make;
use crate::differential::{Choices, with_bytes};
use crate::generate;

fn comes_back(name: &str, parameters: &str, returns: Option<&str>) -> bool {
    let returns = returns.map_or_else(String::new, |schema| {
        format!(r#","returns":{{"type":"Custom","schema":{schema}}}"#)
    });
    let about = format!(r#""name":"{name}","description":"Does it.""#);
    let text = format!(r#"{{{about},"parameters":{parameters}{returns}}}"#);
    let Ok(contract) = Contract::from_json(&text) else {
        return false;
    };
    // Beside another with definitions of the same names, but not the same.
    let other = r##"{"name":"other","description":"Does it.","parameters":{
        "properties":{"a":{"$ref":"#/$defs/d0"},"b":{"$ref":"#/$defs/d1"}},
        "$defs":{"d0":{"title":"Other"},"d1":true}}}"##;
    let contracts = [super::contract(other), contract];
    let back = there_and_back(&contracts);
    for (contract, back) in contracts.iter().zip(&back) {
        assert_eq!(contract.to_canonical(), back.to_canonical());
        assert_eq!(contract.digest(), back.digest());
    }
    true
}

#[test]
fn json_schemas() {
    let seen = std::cell::Cell::new(0);
    with_bytes(1_000, |bytes| {
        let (a, b) = bytes.split_at(bytes.len() / 2);
        let (a, b) = (make::schema(&mut Choices(a)), make::schema(&mut Choices(b)));
        let came = comes_back("t", &a, Some(&b)) || comes_back("t", &a, None);
        seen.set(seen.get() + u32::from(came));
    });
    assert!(
        seen.get() > 100,
        "only {} of them were contracts",
        seen.get()
    );
}

#[test]
fn adm_schemas() {
    let config = Config {
        cases: 256,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new(config)
        .run(&generate::schema(), |schema| {
            comes_back("t", &schema.to_json().to_text(), None);
            Ok(())
        })
        .unwrap();
}

/// A contract has no method and no path, so an export to OpenAPI tells where the tool was before.
#[test]
fn the_address_of_an_operation_is_lost_and_told() {
    let text = r#"{"openapi":"3.0.0","paths":{"/pets":{"get":{"operationId":"listPets"}}}}"#;
    let import = super::import_text(text).unwrap();
    let lost = import.tools()[0].lost_route().unwrap().to_string();
    assert!(
        lost.contains("`GET /pets`") && lost.contains("`POST /tools/listPets`"),
        "{lost}"
    );
    let document = toolpact_core::dialect::Dialect::OpenApi
        .export(import.contracts())
        .document();
    let again = super::import_text(document.text()).unwrap();
    assert!(again.tools()[0].lost_route().is_none());
}
