//! The verdicts that decisions are about.

use toolpact_core::contract::Contract;
use toolpact_core::diff::{Change, ToolDiff, Verdict};

use super::{contract, lines, of_parameters, of_returns};

/// Schemas of ADM are compared, as those of JSON Schema are.
#[test]
fn parameters_of_adm() {
    let contract = |required: &str, unit: &str| {
        Contract::from_json(format!(
            r#"{{"name":"f","description":"Does it.","returns":"opaque","parameters":{{"type":"OBJECT","properties":
                {{"city":{{"type":"STRING"}},"unit":{{"type":"STRING","enum":{unit}}}}},"required":{required}}}}}"#
        ))
        .unwrap()
    };
    let [old, looser] =
        [r#"["C","F"]"#, r#"["C","F","K"]"#].map(|unit| contract(r#"["city"]"#, unit));
    let stricter = contract(r#"["city","unit"]"#, r#"["C","F"]"#);
    let verdict = |new: &Contract| ToolDiff::between(&old, new).verdict();
    assert_eq!(verdict(&old), Verdict::Same);
    assert_eq!(verdict(&looser), Verdict::Compatible);
    assert_eq!(verdict(&stricter), Verdict::Breaking);
}

/// Decision 411.
#[test]
fn a_new_optional_parameter() {
    let old = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    let new = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#;
    assert_eq!(
        of_parameters(old, new),
        [
            "compatible for callers: the optional parameter `b` is new (taken for granted: no call has it yet)"
        ]
    );
    let open = |text: &str| text.replacen('{', r#"{"additionalProperties":true,"#, 1);
    let literally = of_parameters(&open(old), &open(new));
    assert!(
        literally[0].starts_with("breaking for callers: the optional parameter `b` is new; "),
        "{literally:?}"
    );
    let required = new.replacen('{', r#"{"required":["b"],"#, 1);
    let lines = of_parameters(old, &required);
    assert!(
        lines[0].starts_with("breaking for callers: the required parameter `b` is new; "),
        "{lines:?}"
    );
}

/// Decision 411, for results: what the tool does not describe any more, it does not return.
#[test]
fn an_optional_key_that_is_gone() {
    let old = r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}}"#;
    let new = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    assert_eq!(
        of_returns(old, new),
        [
            "compatible for readers: the optional key `b` is gone (taken for granted: no result has it any more)"
        ]
    );
    let closed = new.replacen('{', r#"{"additionalProperties":false,"#, 1);
    let lines = of_returns(old, &closed);
    assert_eq!(
        lines[0],
        "compatible for readers: the optional key `b` is gone"
    );
}

/// Decision 411 is not about keys that the old schema knows without a schema for them.
#[test]
fn keys_that_are_known_without_a_schema() {
    for known in [
        r#""required":["b"]"#,
        r#""dependentRequired":{"a":["b"]}"#,
        r#""dependentRequired":{"b":["a"]}"#,
        r#""enum":[{"a":"x"},{"a":"x","b":1}]"#,
        r#""const":{"b":1}"#,
        r#""anyOf":[{"required":["b"]},{"required":["a"]}]"#,
        r#""anyOf":[{"anyOf":[{"properties":{"b":true}},false]},true]"#,
        r#""patternProperties":{"^b":true}"#,
        r#""propertyNames":{"maxLength":5}"#,
    ] {
        let with = |named: &str| {
            format!(
                r#"{{"type":"object","properties":{{"a":{{"type":"string"}}{named}}},{known}}}"#
            )
        };
        let lines = of_parameters(&with(""), &with(r#","b":{"type":"string"}"#));
        assert!(
            lines[0].starts_with("breaking for callers: "),
            "{known}: {lines:?}"
        );
        assert!(
            lines[0].contains(" parameter `b` is new; the call "),
            "{known}: {lines:?}"
        );
    }
}

/// Inside of values that are listed, all keys are known.
#[test]
fn keys_inside_of_listed_values() {
    let with = |named: &str| {
        format!(
            r#"{{"type":"object","properties":{{"a":{{"enum":[{{"c":{{"b":1}}}}],"properties":{{"c":{{"type":"object"{named}}}}}}}}}}}"#
        )
    };
    let lines = of_parameters(&with(""), &with(r#","properties":{"b":{"type":"string"}}"#));
    let is_breaking = |line: &String| line.starts_with("breaking for callers: ");
    assert!(lines.iter().any(is_breaking), "{lines:?}");
}

/// A key that brings others with it, though no schema names it.
#[test]
fn dependent_keys() {
    let old = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    let new = old.replacen('{', r#"{"dependentRequired":{"b":["a"]},"#, 1);
    let lines = of_parameters(old, &new);
    assert!(
        lines[0].starts_with("breaking for callers: `dependentRequired` is "),
        "{lines:?}"
    );
}

/// Decisions 412 and 413.
#[test]
fn effects_and_times() {
    let with = |fields: &str| {
        contract(&format!(
            r#"{{"name":"f","description":"Does it.","returns":"opaque","parameters":{{"type":"object"}}{fields}}}"#
        ))
    };
    for (old, new, expected) in [
        (r#","effects":{"read_only":true}"#, "", Verdict::Breaking),
        (
            r#","effects":{"destructive":false}"#,
            r#","effects":{"destructive":true}"#,
            Verdict::Breaking,
        ),
        ("", r#","effects":{"read_only":true}"#, Verdict::Compatible),
        (
            r#","timeout_ms":1000"#,
            r#","timeout_ms":500"#,
            Verdict::Unknown,
        ),
        (
            r#","timeout_ms":1000"#,
            r#","timeout_ms":1500"#,
            Verdict::Compatible,
        ),
        ("", r#","text":"{{ data }}""#, Verdict::Documentation),
        (
            r#","run":{"command":["a"]}"#,
            r#","run":{"command":["b"]}"#,
            Verdict::Same,
        ),
    ] {
        let diff = ToolDiff::between(&with(old), &with(new));
        assert_eq!(diff.verdict(), expected, "{old} {new}: {:?}", lines(&diff));
        let witness = diff.changes().first().and_then(Change::witness);
        assert_eq!(witness.is_some(), expected == Verdict::Breaking);
    }
}
