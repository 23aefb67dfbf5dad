//! The standard return types against the vectors.

use serde_json::Value as Json;
use toolpact_core::json::Value;
use toolpact_core::returns::{Level, StandardType};

#[test]
fn schemas_are_those_of_the_specification() {
    let vectors = vectors("adl_schemas.json");
    assert_eq!(vectors.as_object().unwrap().len(), 14);
    for standard in of_the_specification() {
        let schema: Json = standard.schema().to_value().deserialize().unwrap();
        assert_eq!(schema, vectors[standard.name()], "{standard}");
    }
}

/// In the bundle, every spelling of a reference resolves under an ordinary validator.
#[test]
fn the_bundle_validates_every_example() {
    let bundle: Json = serde_json::from_str(&toolpact_core::returns::bundle()).unwrap();
    let examples = vectors("adl_examples.json");
    for standard in of_the_specification() {
        let references = [
            format!("#/$defs/StandardReturnTypes/{standard}"),
            format!("#/$defs/StandardReturnTypes/properties/{standard}"),
            format!("#/$defs/{standard}Schema"),
            standard.uri(),
        ];
        for reference in references {
            let mut schema = bundle.clone();
            schema["$ref"] = reference.clone().into();
            let validator = jsonschema::draft202012::options()
                .offline()
                .build(&schema)
                .unwrap();
            for example in examples[standard.name()].as_array().unwrap() {
                assert!(validator.is_valid(example), "{reference}: {example}");
            }
            assert!(!validator.is_valid(&Json::Null), "{reference}");
        }
    }
}

#[test]
fn shape_gives_the_verdict_of_every_case() {
    let cases = vectors("adl_values.json");
    let cases = cases.as_array().unwrap();
    assert_eq!(cases.len(), 43);
    for case in cases {
        let standard = StandardType::from_name(case["type"].as_str().unwrap()).unwrap();
        let verdict = standard.check_value(Level::Shape, &value(&case["value"]));
        assert_eq!(
            verdict.is_ok(),
            case["valid"] == true,
            "{case}\n{verdict:?}"
        );
    }
}

#[test]
fn meaning_accepts_no_more_than_shape() {
    let cases = vectors("adl_values.json");
    for standard in StandardType::all() {
        for case in cases.as_array().unwrap() {
            let value = value(&case["value"]);
            if standard.check_value(Level::Shape, &value).is_err() {
                assert!(standard.check_value(Level::Meaning, &value).is_err());
            }
        }
    }
}

#[test]
fn examples_are_valid_in_shape_and_meaning() {
    let vectors = vectors("adl_examples.json");
    for standard in of_the_specification() {
        for example in vectors[standard.name()].as_array().unwrap() {
            let example = value(example);
            assert!(
                standard.check_value(Level::Shape, &example).is_ok(),
                "{standard}"
            );
            let meaning = standard.check_value(Level::Meaning, &example);
            match standard {
                // Its Base64 is cut short in print: `SGVsbG8gV29ybGQg...`.
                StandardType::ChunkedData => {
                    assert_eq!(
                        meaning.unwrap_err().to_string(),
                        "error[returns-base64] at /data: \
                         expected Base64, found '.' after 16 characters"
                    );
                }
                _ => assert!(meaning.is_ok(), "{standard}: {meaning:?}"),
            }
        }
    }
}

/// If a schema notes another format, the rules of meaning have to look at it.
#[test]
fn formats_are_where_meaning_looks() {
    let vectors = vectors("adl_schemas.json");
    let mut found = Vec::new();
    let mut open: Vec<(String, &Json)> = vec![(String::new(), &vectors)];
    while let Some((path, json)) = open.pop() {
        if let Some(format) = json.get("format").and_then(Json::as_str) {
            found.push(format!("{path}: {format}"));
        }
        let members = json.as_object().into_iter().flatten();
        open.extend(members.map(|(key, member)| match key.as_str() {
            "properties" => (path.clone(), member),
            key => (format!("{path}/{key}"), member),
        }));
    }
    found.sort();
    let expected = [
        "/FileResult/file/url: uri",
        "/MediaResult/media/url: uri",
        "/ObjectResult/metadata/timestamp: date-time",
        "/OperationStatus/completed_at: date-time",
        "/OperationStatus/created_at: date-time",
        "/OperationStatus/updated_at: date-time",
    ];
    assert_eq!(found, expected);
}

/// The fourteen types that the vectors are about.
fn of_the_specification() -> Vec<StandardType> {
    let names = vectors("adl_schemas.json");
    let names = names.as_object().unwrap().keys();
    names
        .map(|name| StandardType::from_name(name).unwrap())
        .collect()
}

fn vectors(name: &str) -> Json {
    let path = format!("{}/../../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the vectors are there");
    serde_json::from_str(&text).expect("the vectors are JSON")
}

fn value(json: &Json) -> Value {
    Value::from_json(json.to_string()).expect("the vectors are strict JSON")
}
