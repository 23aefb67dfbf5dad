//! The JSON Schema for editors agrees with the rules.

use serde_json::Value;

use crate::contract::{ContractDocument, json_schema};
use crate::returns::StandardType;

use super::fixtures;

/// What JSON Schema cannot say, or not without a whole language inside of it.
const BEYOND: &[(&str, &str)] = &[
    ("contract-duplicate-name", "uniqueness by one key"),
    ("contract-lift", "the keys of the type that is promised"),
    ("contract-text", "the syntax of templates"),
    (
        "json-schema-reference",
        "what a reference deep inside refers to",
    ),
    (
        "missing-field",
        "ADM parameters that have no type at their root",
    ),
    (
        "returns-contradiction",
        "whether one schema narrows another",
    ),
    ("value-alternatives", "examples against their schema"),
    ("value-format", "examples against their schema"),
    ("value-missing-key", "examples against their schema"),
    ("value-type", "examples against their schema"),
];

fn schema() -> Value {
    serde_json::from_str(json_schema()).unwrap()
}

#[test]
fn verdicts_agree_on_every_fixture() {
    let validator = jsonschema::draft202012::options()
        .offline()
        .build(&schema())
        .unwrap();
    let (mut accepted, mut refused) = (0, 0);
    for fixture in fixtures::all() {
        let (name, document) = (&fixture.name, fixture.document());
        let text = document.root().unwrap().text();
        let accepts = validator.is_valid(&serde_json::from_str(text).unwrap());
        let checked = ContractDocument::check(&document);
        let errors = checked
            .violations
            .iter()
            .filter(|v| v.severity() == crate::Severity::Error);
        let codes: Vec<&str> = errors.map(crate::Violation::code).collect();
        let is_beyond = |code: &&str| BEYOND.iter().any(|(beyond, _)| beyond == code);
        if codes.is_empty() {
            assert!(accepts, "refused, but valid: {name}");
            accepted += 1;
        } else if !codes.iter().all(is_beyond) {
            assert!(!accepts, "accepted, but {codes:?}: {name}");
            refused += 1;
        }
    }
    assert!(
        accepted > 40 && refused > 30,
        "{accepted} accepted, {refused} refused"
    );
}

#[test]
fn it_is_a_schema_and_its_examples_fit() {
    let schema = schema();
    assert!(jsonschema::draft202012::meta::is_valid(&schema));
    for (name, part) in fields(&schema) {
        let mut alone = part.clone();
        alone["$defs"] = schema["$defs"].clone();
        let validator = jsonschema::draft202012::options()
            .offline()
            .build(&alone)
            .unwrap();
        for example in part["examples"].as_array().unwrap() {
            assert!(validator.is_valid(example), "{name}: {example}");
        }
    }
}

#[test]
fn every_field_has_a_description_and_examples() {
    let schema = schema();
    let fields = fields(&schema);
    assert!(fields.len() > 25, "{}", fields.len());
    for (name, field) in fields {
        assert!(field["description"].is_string(), "{name}");
        assert!(!field["examples"].as_array().unwrap().is_empty(), "{name}");
    }
}

#[test]
fn structures_are_closed() {
    let schema = schema();
    for name in ["Contract", "ReturnType", "Effects", "Run", "AdmSchema"] {
        assert_eq!(
            schema["$defs"][name]["additionalProperties"], false,
            "{name}"
        );
    }
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn the_standard_names_are_all_there() {
    let schema = schema();
    let names: Vec<&str> = StandardType::all().map(StandardType::name).collect();
    let returns = &schema["$defs"]["Contract"]["properties"]["returns"]["anyOf"][0]["enum"];
    let expected: Vec<&str> = names.iter().copied().chain(["opaque"]).collect();
    assert_eq!(*returns, serde_json::json!(expected));
    let words = &schema["$defs"]["ReturnType"]["properties"]["type"]["anyOf"][0]["enum"];
    let expected: Vec<&str> = names.iter().copied().chain(["Custom"]).collect();
    assert_eq!(*words, serde_json::json!(expected));
    assert_eq!(
        schema["$defs"]["ReturnType"]["if"]["properties"]["type"]["enum"],
        serde_json::json!(names)
    );
}

#[test]
fn an_adm_schema_is_the_one_of_the_model() {
    let model = crate::document::DocumentKind::Schema.json_schema().unwrap();
    let model: Value = serde_json::from_str(&model).unwrap();
    let renamed = model["$defs"]["Schema"]
        .to_string()
        .replace("#/$defs/Schema", "#/$defs/AdmSchema");
    let plain = |mut schema: Value| {
        schema.as_object_mut().unwrap().remove("description");
        for (_, field) in schema["properties"].as_object_mut().unwrap() {
            let field = field.as_object_mut().unwrap();
            field.remove("description");
            field.remove("examples");
        }
        schema
    };
    let ours = plain(schema()["$defs"]["AdmSchema"].clone());
    assert_eq!(ours, plain(serde_json::from_str(&renamed).unwrap()));
}

/// Every field of every structure, with a name for messages.
fn fields(schema: &Value) -> Vec<(String, &Value)> {
    let structures = schema["$defs"].as_object().unwrap().iter();
    let structures = structures.map(|(name, structure)| (name.as_str(), structure));
    let mut found = Vec::new();
    for (name, structure) in structures.chain([("the document", schema)]) {
        for (field, part) in structure["properties"].as_object().into_iter().flatten() {
            found.push((format!("{name}.{field}"), part));
        }
    }
    found
}
