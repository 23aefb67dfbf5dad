//! What changes are called.

use super::{of_parameters, of_returns};

#[test]
fn parameters_in_words() {
    let old = r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"enum":["c","f"]},"days":{"type":"integer","minimum":1}}}"#;
    let new = r#"{"type":"object","properties":{"city":{"type":"string","description":"Of it."},"unit":{"enum":["c","k"]},"hours":{"type":"integer"}},"required":["city"],"additionalProperties":false}"#;
    let lines = of_parameters(old, new);
    assert_eq!(
        lines[0],
        "documentation for models: `city`: has a description"
    );
    let starts = [
        r#"breaking for callers: `unit`: lists `"k"`, and not `"f"` any more; the call "#,
        "compatible for callers: the optional parameter `hours` is new (taken for granted: no call has it yet)",
        "breaking for callers: the optional parameter `days` is gone; the call ",
        "breaking for callers: the parameter `city` is required, was optional; the call ",
        "breaking for callers: other keys are refused; the call ",
    ];
    assert_eq!(lines.len(), 1 + starts.len(), "{lines:#?}");
    for (line, start) in lines[1..].iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
    assert!(lines[1].ends_with(r#"at /unit: expected one of `c` and `k`, found the string "f""#));
    assert!(lines[4].ends_with("expected the required key `city`, found none"));
}

#[test]
fn results_in_words() {
    let old = r#"{"type":"object","properties":{"total":{"type":"number"}},"required":["total"]}"#;
    let new =
        r#"{"type":"object","properties":{"total":{"type":"string"},"more":{"type":"boolean"}}}"#;
    let lines = of_returns(old, new);
    let starts = [
        "breaking for readers: `total`: is string, was number; the result ",
        "compatible for readers: the optional key `more` is new",
        "breaking for readers: the key `total` is optional, was required; the result ",
    ];
    assert_eq!(lines.len(), starts.len(), "{lines:#?}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}\n{start}");
    }
}

/// One kind of promise for another, in both directions.
#[test]
fn return_types() {
    for (old, new, start) in [
        (
            "\"NumberValue\"",
            "\"StringValue\"",
            "breaking for readers: returns StringValue, was NumberValue; the result ",
        ),
        (
            "\"opaque\"",
            r#"{"type":"string","maxLength":5}"#,
            "compatible for readers: returns a JSON Schema, was opaque text",
        ),
        (
            r#"{"type":"string","maxLength":5}"#,
            "\"opaque\"",
            "breaking for readers: returns opaque text, was a JSON Schema; the result ",
        ),
        ("\"VoidResult\"", "\"VoidResult\"", ""),
    ] {
        let lines = of_returns(old, new);
        match start {
            "" => assert!(lines.is_empty(), "{lines:?}"),
            _ => assert!(lines[0].starts_with(start), "{lines:?}"),
        }
    }
}
