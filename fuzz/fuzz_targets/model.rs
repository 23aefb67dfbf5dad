//! Documents of the model, of a kind that the first byte picks or that is to be found out.

#![no_main]

use libfuzzer_sys::fuzz_target;
use toolpact_core::document::{AnyDocument, DocumentKind};
use toolpact_core::json::{Document, Format};

use toolpact_fuzz::{apply_fixes, check_places, limits};

fuzz_target!(|data: &[u8]| {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let kind = DocumentKind::STRUCTURES
        .get(usize::from(first & 7))
        .copied();
    let format = if first & 8 == 0 {
        Format::Json
    } else {
        Format::Yaml
    };
    let limits = limits(data);
    let document = Document::parse(text, format, &limits);
    let checked = AnyDocument::check(&document, kind);
    check_places(&document, &checked.violations);
    assert_eq!(checked.value.is_some(), checked.violations.errors() == 0);
    let _ = AnyDocument::check_each(&document, kind);

    if document.root().is_some() {
        let fixed = apply_fixes(&document, &checked.violations);
        let fixed = Document::parse(fixed.as_bytes(), format, &limits);
        assert!(fixed.root().is_some(), "a fix broke it: {:?}", fixed.text());
    }
    if let Some(value) = checked.value {
        round_trip(&value, &limits);
    }
});

fn round_trip(value: &AnyDocument, limits: &toolpact_core::json::Limits) {
    let canonical = value.to_canonical();
    let document = Document::json(canonical.as_bytes(), limits);
    let again = AnyDocument::check(&document, Some(value.kind()));
    let again = again.into_result().expect("its canonical form is valid");
    assert_eq!(again.to_canonical(), canonical);
    assert_eq!(again.digest(), value.digest());
    assert!(again == *value);
}
