//! What JSON is, where readers differ (decision 5): each text, and the rules it breaks.

use toolpact_core::Violation;
use toolpact_core::json::{Document, Limits, Value};

#[test]
fn every_text_has_one_verdict() {
    const PAIR: &str = "json-lone-surrogate";
    let cases: &[(&[u8], &[&str])] = &[
        // Surrogates: a high one and then a low one, or nothing.
        (br#""\ud83d\ude00""#, &[]),
        (br#""\uDBFF\uDFFF""#, &[]),
        (br#""\ud800\udc00\ud800""#, &[PAIR]),
        (br#""\ud800\ue000""#, &[PAIR]),
        (br#""\ud800\udbff""#, &[PAIR, PAIR]),
        (br#""\udc00\ud800""#, &[PAIR, PAIR]),
        (br#""\ud83d\ud83d\ude00""#, &[PAIR]),
        (br#""\ud83d \ude00""#, &[PAIR, PAIR]),
        (br#"{"\udfff": 1}"#, &[PAIR]),
        (br#""\ud7ff\ue000\uffff\u0000""#, &[]),
        (br#""\u+041""#, &["json-syntax"]),
        (br#""\u 041""#, &["json-syntax"]),
        // UTF-8: no overlong forms, no encoded surrogates, nothing past the last character.
        (b"\"\xf4\x8f\xbf\xbf\"", &[]),
        (b"\"\xf4\x90\x80\x80\"", &["json-invalid-utf8"]),
        (b"\"\xed\xa0\x80\"", &["json-invalid-utf8"]),
        (b"\"\xc0\xaf\"", &["json-invalid-utf8"]),
        (b"\"\xe2\x82", &["json-invalid-utf8"]),
        (b"\xff\xfe{\x00}\x00", &["json-invalid-utf8"]),
        (b"\xef\xbb\xbf1", &["json-byte-order-mark"]),
        ("\"\u{feff}\"".as_bytes(), &[]),
        // Numbers: finite, and no spelling but JSON's.
        (b"1.7976931348623157e308", &[]),
        (b"1.7976931348623159e308", &["json-number-overflow"]),
        (b"-1e309", &["json-number-overflow"]),
        (b"1e999999999999999999999", &["json-number-overflow"]),
        (b"1e-999999999999999999999", &[]),
        (b"0e999999999999999999999", &[]),
        (b"-", &["json-syntax"]),
        (b"-01", &["json-syntax"]),
        (b"1.e1", &["json-syntax"]),
        (b"1e", &["json-syntax"]),
        (b"0x1F", &["json-syntax"]),
        (b"1_000", &["json-syntax"]),
        (b"NaN", &["json-syntax"]),
        // Keys are compared after unescaping, and by their exact characters.
        (br#"{"a": 1, "\u0061": 1}"#, &["json-duplicate-key"]),
        (br#"{"a": {"a": 1}, "A": 1}"#, &[]),
        ("{\"\u{e9}\": 1, \"e\u{301}\": 1}".as_bytes(), &[]),
        (
            br#"{"": 1, "": 1, "": 1}"#,
            &["json-duplicate-key", "json-duplicate-key"],
        ),
        // White space is four characters.
        (b" \t\r\n1 \t\r\n", &[]),
        (b"\x0c1", &["json-syntax"]),
        ("\u{a0}1".as_bytes(), &["json-syntax"]),
        (b"1\x00", &["json-syntax"]),
        (b"\"\x7f\"", &[]),
        (b"\"\x1f\"", &["json-syntax"]),
        (b"truee", &["json-syntax"]),
        (b"[1 2]", &["json-syntax"]),
        (b"[,1]", &["json-syntax"]),
        (b"[1,,2]", &["json-syntax"]),
    ];
    for (text, expected) in cases {
        let shown = String::from_utf8_lossy(text);
        let document = Document::json(text, &Limits::default());
        let violations = document.violations();
        let codes: Vec<_> = violations.iter().map(Violation::code).collect();
        assert_eq!(codes, *expected, "{shown}: {violations}");
        assert_eq!(
            document.into_value().is_ok(),
            expected.is_empty(),
            "{shown}"
        );
    }
}

/// By the number of digits too: 309 of them may or may not be finite.
#[test]
fn long_numbers() {
    let digits = |first: &str, count: usize| format!("{first}{}", "0".repeat(count - 1));
    assert!(Value::from_json(digits("1", 309)).is_ok());
    assert!(Value::from_json(digits("2", 309)).is_err());
    assert!(Value::from_json(digits("9", 308)).is_ok());
    assert!(Value::from_json(digits("1", 310)).is_err());
    assert!(Value::from_json(digits("1", 310) + "e-2").is_ok());
}
