//! Definitions that all operations of a document share.

use std::fmt::Write as _;

use toolpact_core::contract::Contract;
use toolpact_core::returns::Returns;

use super::import_text;

/// A document with the structure of a large payment API: every object refers to others, and so at last to all.
fn api(operations: usize, objects: usize, text: usize) -> String {
    let mut paths = String::new();
    for i in 0..operations {
        let object = i % objects;
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            paths,
            r##"{comma}"/v1/object{i}/{{id}}":{{"post":{{"operationId":"update{i}","parameters":[
            {{"name":"id","in":"path","required":true,"schema":{{"type":"string"}}}},
            {{"name":"expand","in":"query","schema":{{"$ref":"#/components/schemas/object{}"}}}}],
            "requestBody":{{"content":{{"application/json":{{"schema":{{"type":"object","properties":
            {{"other":{{"$ref":"#/components/schemas/object{object}"}},"note":{{"type":"string"}}}}}}}}}}}},
            "responses":{{"200":{{"content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/object{object}"}}}}}}}}}}}}}}"##,
            (object + 7) % objects,
        );
    }
    let text = "d".repeat(text);
    let mut schemas = String::new();
    for i in 0..objects {
        let (next, other) = ((i + 1) % objects, (i * 3 + 1) % objects);
        let comma = if i == 0 { "" } else { "," };
        let _ = write!(
            schemas,
            r##"{comma}"object{i}":{{"type":"object","description":"{text}","properties":{{
            "id":{{"type":"string","readOnly":true}},"secret":{{"type":"string","writeOnly":true}},
            "next":{{"anyOf":[{{"type":"string"}},{{"$ref":"#/components/schemas/object{next}"}}]}},
            "list":{{"type":"array","items":{{"$ref":"#/components/schemas/object{other}"}}}},
            "itself":{{"$ref":"#/components/schemas/object{i}"}}}}}}"##
        );
    }
    format!(r#"{{"openapi":"3.0.0","paths":{{{paths}}},"components":{{"schemas":{{{schemas}}}}}}}"#)
}

#[test]
fn a_payment_api_is_read_whole() {
    let document = api(452, 400, 4_000);
    assert!(document.len() < 3 << 20, "{}", document.len());
    let import = import_text(&document).unwrap();
    assert_eq!((import.tools().len(), import.left_out().len()), (452, 0));
    let whole = import.tools()[451].contract.to_json();
    assert!(whole.len() > 3 << 20, "{}", whole.len());
}

/// What is shared is what each tool would have of its own: read alone, as a contract, it is the same.
#[test]
fn shared_definitions_are_those_of_each_tool() {
    let import = import_text(&api(12, 6, 10)).unwrap();
    assert_eq!(import.tools().len(), 12);
    for tool in import.tools() {
        let alone = Contract::from_json(tool.contract.to_json()).unwrap();
        assert_eq!(alone, tool.contract);
        assert_eq!(alone.digest(), tool.contract.digest());
        assert_eq!(alone.to_canonical(), tool.contract.to_canonical());
        assert_eq!(alone.to_json(), tool.contract.to_json());
    }
    insta::assert_snapshot!(import.tools()[1].contract.to_json());
}

#[test]
fn requests_and_responses_have_their_own() {
    let import = import_text(&api(1, 3, 10)).unwrap();
    let contract = &import.tools()[0].contract;
    let parameters = contract.parameters().to_json_schema().to_string();
    assert!(parameters.contains("secret") && !parameters.contains("readOnly"));
    let Returns::Custom(schema) = contract.returns() else {
        panic!("{:?}", contract.returns());
    };
    let returns = schema.to_value().to_string();
    assert!(returns.contains("readOnly") && !returns.contains("secret"));
    let args = br#"{"id": "a", "other": {"next": {"list": [{"next": "x"}]}}}"#;
    assert!(schema.checker().is_valid(args));
    let wrong = br#"{"next": {"list": [{"next": 5}]}}"#;
    assert!(!schema.checker().is_valid(wrong));
}

/// One that is not usable refuses the tools that have it, and no others.
#[test]
fn a_wrong_definition_is_told_where_it_is_used() {
    let path = |name: &str| {
        format!(
            r##""/{name}":{{"get":{{"operationId":"{name}","responses":{{"200":{{"content":{{"application/json":{{"schema":
            {{"type":"object","properties":{{"a":{{"$ref":"#/components/schemas/{name}"}}}}}}}}}}}}}}}}}}"##
        )
    };
    let names = ["good", "typo", "lost", "circle", "inside"];
    let paths = names.map(path).join(",");
    let document = format!(
        r##"{{"openapi":"3.1.0","paths":{{{paths}}},"components":{{"schemas":{{
        "good":{{"type":"string"}},
        "typo":{{"type":"strin"}},
        "lost":{{"items":{{"$ref":"#/components/schemas/nobody"}}}},
        "circle":{{"allOf":[{{"$ref":"#/components/schemas/circle"}}]}},
        "inside":{{"properties":{{"x":{{"$ref":"#/components/schemas/good2/properties/y"}}}}}},
        "good2":{{"properties":{{"y":{{"type":"integer"}}}}}}}}}}}}"##
    );
    let import = import_text(&document).unwrap();
    let read: Vec<&str> = import.tools().iter().map(|tool| &*tool.name).collect();
    assert_eq!(read, ["good", "inside"]);
    let wrong = import.left_out().iter();
    let wrong: Vec<String> = wrong.map(|tool| tool.violations.to_string()).collect();
    insta::assert_snapshot!(wrong.join("\n"));
}
