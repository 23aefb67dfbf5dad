//! How `returns` is understood.

use crate::returns::{Returns, StandardType};

use super::{check_yaml, codes, contract, tool};

/// Fields of a tool, and the codes of what is wrong with them.
pub(super) const CASES: &[(&str, &[&str])] = &[
    ("returns: null", &["null-field"]),
    ("returns: true", &["returns-type-unknown"]),
    ("returns: [ListResult]", &["returns-type-unknown"]),
    ("returns: Custom", &["returns-type-unknown"]),
    ("returns: object", &["returns-type-unknown"]),
    (
        "returns: '#/$defs/ListResultSchema'",
        &["returns-type-unknown"],
    ),
    ("returns: { type: ListResult }", &["returns-no-example"]),
    (
        "returns: { type: ListResults }",
        &["returns-type-unknown", "returns-no-example"],
    ),
    (
        "returns: { type: Custom, examples: [] }",
        &["returns-schema-missing"],
    ),
    (
        "returns: { type: Structured, examples: [] }",
        &["returns-schema-missing"],
    ),
    (
        "returns: { type: ListResult, schema: null, examples: [] }",
        &["null-field"],
    ),
    (
        "returns: { type: ListResult, properties: {}, examples: [] }",
        &["unknown-field"],
    ),
    (
        "returns: { type: OBJECT, examples: [] }",
        &["returns-type-unknown"],
    ),
    (
        "returns: { type: FileResult, examples: [] }",
        &["returns-no-content-type"],
    ),
    (
        "returns: { type: StringValue, examples: [5] }",
        &["value-alternatives"],
    ),
    (
        "returns: { type: Custom, schema: { type: string }, examples: [a] }",
        &["returns-prefer-standard"],
    ),
    (
        "returns: { type: string, schema: { type: string }, examples: [a, 5] }",
        &["returns-type-word", "value-type"],
    ),
    (
        "returns: { type: text }",
        &["returns-type-unknown", "returns-no-example"],
    ),
    (
        "returns: { type: string, minLength: -1 }",
        &["json-schema-invalid"],
    ),
    (
        "returns: { type: string, examples: [a, 5] }",
        &["value-type"],
    ),
    (
        "returns: { type: string, format: date, examples: [tomorrow] }",
        &["value-format"],
    ),
    (
        "returns: { $ref: 'https://example.com/a.json' }",
        &["json-schema-reference"],
    ),
    (
        "returns: { $ref: ListResult, type: array }",
        &["returns-contradiction"],
    ),
    (
        "returns: { $ref: '#/$defs/VoidResultSchema', examples: [{}] }",
        &["value-missing-key"],
    ),
    ("returns: {}", &[]),
    ("returns: { type: [string, 'null'] }", &[]),
];

#[test]
fn every_case_breaks_what_it_says() {
    for (fields, expected) in CASES {
        let checked = check_yaml(&tool(fields));
        let mut found = codes(&checked);
        let mut expected = expected.to_vec();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{fields}\n{}", checked.violations);
    }
}

#[test]
fn a_schema_is_told_from_a_return_type_object() {
    let word = |fields: &str| match contract(fields).returns() {
        Returns::Standard {
            standard,
            refinement: None,
        } => standard.name().to_owned(),
        Returns::Standard { standard, .. } => format!("{standard} refined"),
        Returns::Custom(_) => "custom".to_owned(),
        Returns::Opaque => "opaque".to_owned(),
        Returns::Undeclared | Returns::Legacy { .. } => "nothing".to_owned(),
    };
    let cases = [
        ("returns: opaque", "opaque"),
        ("returns: ListResult", "ListResult"),
        ("returns: { type: ListResult }", "ListResult"),
        (
            "returns: { type: ListResult, schema: ListResult }",
            "ListResult",
        ),
        (
            "returns: { type: object, schema: { $ref: ListResult, minProperties: 1 } }",
            "ListResult refined",
        ),
        (
            "returns: { type: ListResult, schema: { type: object } }",
            "ListResult refined",
        ),
        ("returns: { $ref: ListResult }", "ListResult"),
        (
            "returns: { $ref: ListResult, required: [pagination] }",
            "ListResult refined",
        ),
        (
            "returns: { allOf: [{ $ref: ListResult }, { required: [pagination] }] }",
            "ListResult refined",
        ),
        (
            "returns: { type: object, properties: { data: {} } }",
            "custom",
        ),
        ("returns: { type: object, description: Anything }", "custom"),
        (
            "returns: { type: string, schema: { type: string } }",
            "custom",
        ),
        (
            "returns: { type: Custom, schema: { type: string } }",
            "custom",
        ),
        ("returns: { properties: { schema: {} } }", "custom"),
    ];
    for (fields, expected) in cases {
        assert_eq!(word(fields), expected, "{fields}");
    }
}

#[test]
fn a_return_type_object_keeps_what_is_said_about_it() {
    let contract = contract("returns: { type: NumberValue, description: Euros, examples: [9.5] }");
    let object = contract.return_type().unwrap();
    assert_eq!(object.description(), Some("Euros"));
    assert_eq!(object.examples().len(), 1);
    // It has the schema that its name implies, so it is a document of ADL.
    let again = crate::returns::ReturnType::from_json(object.to_json()).unwrap();
    let standard = StandardType::NumberValue;
    assert_eq!(
        again.returns(),
        &Returns::Standard {
            standard,
            refinement: None
        }
    );
}
