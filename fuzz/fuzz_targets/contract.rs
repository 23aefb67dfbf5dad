//! Contract documents as JSON and as YAML: no input makes the reader panic, and what is accepted
//! comes back with the same digest.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::contract::ContractDocument;
use toolpact_core::json::{Document, Format, Limits};
use toolpact_fuzz::{apply_fixes, check_places, limits};

fuzz_target!(|data: &[u8]| {
    let limits = limits(data);
    for format in [Format::Json, Format::Yaml] {
        let document = Document::parse(data, format, &limits);
        let checked = ContractDocument::check(&document);
        check_places(&document, &checked.violations);
        assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
        if document.root().is_some() {
            let fixed = apply_fixes(&document, &checked.violations);
            let fixed = Document::parse(fixed.as_bytes(), format, &limits);
            assert!(fixed.root().is_some(), "a fix broke it: {:?}", fixed.text());
        }
        if let Some(contracts) = checked.value {
            round_trip(&contracts, &limits);
        }
    }
});

fn round_trip(contracts: &ContractDocument, limits: &Limits) {
    let read = |text: String| {
        let document = Document::json(text.as_bytes(), limits);
        let checked = ContractDocument::check(&document);
        checked.into_result().expect("what was written is valid")
    };
    let canonical = read(contracts.to_canonical());
    assert_eq!(canonical.digest(), contracts.digest());
    assert_eq!(canonical.to_canonical(), contracts.to_canonical());
    let faithful = read(contracts.to_json());
    assert_eq!(faithful.digest(), contracts.digest());
    assert_eq!(faithful.to_json(), contracts.to_json());
    for contract in contracts.tools() {
        let same = faithful.get(contract.name().as_str()).expect("it is there");
        assert_eq!(same.digest(), contract.digest());
        assert_eq!(same.run(), contract.run());
    }
}
