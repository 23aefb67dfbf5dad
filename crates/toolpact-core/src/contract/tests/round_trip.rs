//! Written and read again, a document is the same.

use crate::contract::ContractDocument;
use crate::json::Value;

use super::fixtures;

#[test]
fn every_valid_fixture_comes_back() {
    let mut valid = 0;
    for fixture in fixtures::all() {
        let Some(document) = ContractDocument::check(&fixture.document()).value else {
            continue;
        };
        valid += 1;
        let name = &fixture.name;
        let canonical = ContractDocument::from_json(document.to_canonical()).expect(name);
        assert_eq!(canonical.digest(), document.digest(), "{name}");
        let faithful = ContractDocument::from_json(document.to_json()).expect(name);
        assert_eq!(faithful.to_json(), document.to_json(), "{name}");
        assert_eq!(faithful, document, "{name}");
        for (a, b) in faithful.tools().zip(document.tools()) {
            assert_eq!(a.run(), b.run(), "{name}");
        }
    }
    assert!(valid > 40, "{valid}");
}

#[test]
fn through_serde() {
    let shop = super::check_yaml(fixtures::SHOP).into_result().unwrap();
    let text = serde_json::to_string(&shop).unwrap();
    let again: ContractDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(again, shop);
    let value = Value::from_json(&text).unwrap();
    assert_eq!(ContractDocument::from_value(&value).unwrap(), shop);
    assert!(serde_json::from_str::<ContractDocument>(r#"{"toolpact": 1, "tools": []}"#).is_err());
}
