use std::fmt::Write as _;
use std::path::Path;

use toolpact_core::dialect::{Dialect, Import, RequestPart};
use toolpact_core::json::{Document, Limits};

use super::{import_one, import_text};

/// What a reader has to know of an import, in the order of the document.
fn told(import: &Import) -> String {
    let mut out = String::new();
    for tool in import.tools() {
        let value: serde_json::Value = tool.contract.to_value().deserialize().unwrap();
        let route = tool.route.as_ref().unwrap();
        let server = route.server.as_deref().unwrap_or_default();
        let _ = writeln!(out, "# {} {server}{}", route.method, route.path);
        for placement in &route.placements {
            let (name, style) = (&placement.name, &placement.style);
            let explode = if placement.explode { " exploded" } else { "" };
            let content = placement.content.as_deref().unwrap_or_default();
            let to = format!(
                "{} {name} {style}{explode}{content}",
                placement.part.as_str()
            );
            let _ = writeln!(out, "#   {} -> {to}", placement.argument);
        }
        if let Some(body) = &route.body {
            let _ = writeln!(out, "#   body: {body}");
        }
        for loss in &tool.losses {
            let _ = writeln!(out, "# {loss}");
        }
        let _ = writeln!(out, "{}\n", serde_json::to_string_pretty(&value).unwrap());
    }
    for left_out in import.left_out() {
        let _ = writeln!(out, "LEFT OUT {}\n{}\n", left_out.name, left_out.violations);
    }
    out
}

#[test]
fn cases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/openapi");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.contains(".snap") {
            continue;
        }
        count += 1;
        let import = import_text(&std::fs::read_to_string(&path).unwrap()).unwrap();
        assert!(
            import
                .tools()
                .iter()
                .all(|tool| tool.dialect == Dialect::OpenApi)
        );
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path("../../cases/openapi");
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, told(&import)));
    }
    assert_eq!(count, 6);
}

#[test]
fn other_versions_are_refused() {
    let refused = |text: &str| import_text(text).unwrap_err().to_string();
    insta::assert_snapshot!(refused("swagger: '1.2'\npaths: {}"), @r#"1:10: error[unknown-document] at /swagger: expected `openapi` to be 3.0 or 3.1, or `swagger` to be 2.0, found Swagger 1.2"#);
    insta::assert_snapshot!(refused("openapi: 3.2.0\npaths: {}"), @r#"1:10: error[unknown-document] at /openapi: expected `openapi` to be 3.0 or 3.1, found the string "3.2.0""#);
    insta::assert_snapshot!(refused("openapi: 3.1.0\npaths: {}"), @"1:1: error[unknown-document]: expected operations under `paths`, found none");
    insta::assert_snapshot!(refused(
        "openapi: 3.1.0\njsonSchemaDialect: https://example.com/mine\npaths: {/a: {get: {}}}"
    ), @r#"2:20: error[json-schema-dialect] at /jsonSchemaDialect: expected schemas in JSON Schema 2020-12, found the string "https://example.com/mine"; leave `jsonSchemaDialect` out: nothing is ever fetched"#);
    let document = Document::json(b"[]", &Limits::default());
    insta::assert_snapshot!(Dialect::OpenApi.import(&document).unwrap_err(), @"1:1: error[unknown-document]: expected `openapi` to be 3.0 or 3.1, found none");
    // In YAML a version may look like a number.
    assert_eq!(
        import_text("openapi: 3.1\npaths: {/a: {get: {}}}")
            .unwrap()
            .tools()
            .len(),
        1
    );
}

/// The names of arguments depend on the document alone, and every one of them has its place.
#[test]
fn arguments_have_places() {
    let text = include_str!("../../cases/openapi/clashes.yaml");
    let import = import_text(text).unwrap();
    let route = import.get("get_thing").unwrap().route.as_ref().unwrap();
    let part = |argument: &str| route.placement(argument).map(|placement| placement.part);
    assert_eq!(part("id"), Some(RequestPart::Path));
    assert_eq!(part("query_id"), Some(RequestPart::Query));
    assert_eq!(part("header_id"), Some(RequestPart::Header));
    assert_eq!(part("lang"), Some(RequestPart::Query));
    assert_eq!(route.placements.len(), 4);
}

/// References count from the innermost identifier, and identifiers can be referred to.
#[test]
fn identifiers() {
    let (contract, _) = import_one(
        r##"{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {
            "content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "https://example.com/item"}}}}
        }}}}}, "components": {"schemas": {"Item": {
            "$id": "https://example.com/item",
            "properties": {"sku": {"$ref": "#/$defs/Sku"}, "self": {"$ref": "#"}},
            "$defs": {"Sku": {"type": "string"}}
        }}}}"##,
    );
    let canonical = contract.to_canonical();
    assert!(
        canonical.contains(
            r##""schema":{"$defs":{"Item":{"$defs":{"Sku":{"type":"string"}},"properties":{"self":{"$ref":"#/$defs/Item"},"sku":{"$ref":"#/$defs/Item/$defs/Sku"}}}},"items":{"$ref":"#/$defs/Item"},"type":"array"}"##
        ),
        "{canonical}"
    );
}

/// Schemas that were made for somewhere else refer to their own root, or to what they are in.
#[test]
fn schemas_as_if_they_were_documents() {
    let (contract, _) = import_one(
        r##"{"openapi": "3.1.0", "paths": {"/a": {"post": {"operationId": "a", "requestBody": {"required": true, "content": {
            "application/json": {"schema": {
                "type": "object",
                "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/components/schemas/B"}},
                "$defs": {"A": {"type": "integer"}}
            }}
        }}}}}, "components": {"schemas": {
            "B": {"$recursiveAnchor": true, "properties": {"b": {"$recursiveRef": "#"}, "n": {"minimum": 0, "exclusiveMinimum": true}}}
        }}}"##,
    );
    assert_eq!(
        contract.parameters().to_json_schema().to_canonical(),
        r##"{"$defs":{"A":{"type":"integer"},"B":{"properties":{"b":{"$ref":"#/$defs/B"},"n":{"exclusiveMinimum":0}}}},"properties":{"a":{"$ref":"#/$defs/A"},"b":{"$ref":"#/$defs/B"}},"type":"object"}"##
    );
}

/// A component whose name means a standard type in a contract gets another.
#[test]
fn names_that_mean_something_else() {
    let (contract, _) = import_one(
        r##"{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "a", "parameters": [
            {"name": "a", "in": "query", "schema": {"$ref": "#/components/schemas/VoidResultSchema"}},
            {"name": "b", "in": "query", "schema": {"$ref": "#/components/schemas/a%20b~1c"}}
        ]}}}, "components": {"schemas": {"VoidResultSchema": {"type": "string"}, "a b/c": {"type": "integer"}}}}"##,
    );
    assert_eq!(
        contract.parameters().to_json_schema().to_canonical(),
        r##"{"$defs":{"VoidResultSchema_2":{"type":"string"},"a b/c":{"type":"integer"}},"additionalProperties":false,"properties":{"a":{"$ref":"#/$defs/VoidResultSchema_2"},"b":{"$ref":"#/$defs/a%20b~1c"}},"type":"object"}"##
    );
}
