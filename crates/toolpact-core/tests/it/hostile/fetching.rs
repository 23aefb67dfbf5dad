//! Nothing is fetched, from the network or from the file system.

use std::io::ErrorKind;
use std::net::TcpListener;

use super::{read, refused};

#[test]
fn no_reference_opens_a_connection() {
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let address = server.local_addr().unwrap();
    for schema in [
        r#"{"$ref": "http://ADDRESS/a.json"}"#,
        r#"{"$ref": "http://ADDRESS/a.json#/$defs/a"}"#,
        r#"{"$ref": "//ADDRESS/a.json"}"#,
        r#"{"$id": "http://ADDRESS/a.json", "$ref": "b.json"}"#,
        r#"{"$id": "http://ADDRESS/a.json", "properties": {"a": {"$ref": "/b.json"}}}"#,
        r#"{"$id": "http://ADDRESS/a.json", "properties": {"a": {"$ref": "?b"}}}"#,
        r#"{"$dynamicRef": "http://ADDRESS/a.json#a"}"#,
        r#"{"$defs": {"a": {"$ref": "http://ADDRESS/a.json"}}}"#,
        r#"{"unknown": {"$ref": "http://ADDRESS/a.json"}}"#,
    ] {
        let schema = schema.replace("ADDRESS", &address.to_string());
        assert_eq!(refused(&schema), ["json-schema-reference"], "{schema}");
    }
    let meta = format!(r#"{{"$schema": "http://{address}/meta.json"}}"#);
    assert_eq!(refused(&meta), ["json-schema-dialect"]);
    let vocabulary = format!(r#"{{"$vocabulary": {{"http://{address}/v": true}}}}"#);
    drop(read(&vocabulary));
    let identifier = format!(r#"{{"$id": "http://{address}/a.json", "type": "string"}}"#);
    assert!(read(&identifier).is_ok(), "an identifier is a name");
    assert_eq!(server.accept().unwrap_err().kind(), ErrorKind::WouldBlock);
}

#[test]
fn no_reference_reads_a_file() {
    // A file that is there, and is a schema.
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/src/returns/catalogue/VoidResult.schema.json"
    );
    assert!(std::fs::exists(file).unwrap());
    for schema in [
        format!(r#"{{"$ref": "file://{file}"}}"#),
        format!(r#"{{"$ref": "{file}"}}"#),
        format!(r#"{{"$id": "file://{file}", "items": {{"$ref": "StringValue.schema.json"}}}}"#),
        format!(r#"{{"$dynamicRef": "file://{file}#a"}}"#),
    ] {
        assert_eq!(refused(&schema), ["json-schema-reference"], "{schema}");
    }
    let meta = format!(r#"{{"$schema": "file://{file}"}}"#);
    assert_eq!(refused(&meta), ["json-schema-dialect"]);
}

#[test]
fn a_reference_says_what_to_do() {
    let violations = read(r#"{"$ref": "https://example.com/a.json"}"#).unwrap_err();
    insta::assert_snapshot!(violations, @"error[json-schema-reference] at /$ref: expected a reference into the schema or to a standard return type, found `https://example.com/a.json`; write the schema out under `$defs`: nothing is ever fetched");
    let violations = read(r##"{"$ref": "#/$defs/b", "$defs": {"a": {}}}"##).unwrap_err();
    insta::assert_snapshot!(violations, @"error[json-schema-reference] at /$ref: expected a reference to a schema, found `#/$defs/b`, which leads to none; write the schema there, usually under `$defs`");
}

/// An identifier is relative to the one around it, so that a schema could pass for a standard one.
#[test]
fn no_identifier_takes_the_place_of_a_standard_type() {
    let uses = r#""items": {"$ref": "VoidResult"}"#;
    for ids in [
        (
            "https://example.com/",
            "https://adl.io/schemas/returns/VoidResult",
        ),
        ("https://adl.io/schemas/returns/mine", "VoidResult"),
        ("https://adl.io/", "schemas/returns/VoidResult"),
        ("https://adl.io/", "schemas/returns/VoidResult#"),
        (
            "https://example.com/",
            "//adl.io/schemas/returns/VoidResult",
        ),
        (
            "https://example.com/",
            "HTTPS://ADL.IO/schemas/returns/VoidResult",
        ),
        (
            "https://example.com/",
            "https://adl.io/x/../schemas/returns/VoidResult",
        ),
        ("https://adl.io/", "schemas/returns/%56oidResult"),
    ] {
        let (root, inner) = ids;
        let schema =
            format!(r#"{{"$id": "{root}", {uses}, "$defs": {{"a": {{"$id": "{inner}"}}}}}}"#);
        assert_eq!(refused(&schema), ["json-schema-reference"], "{schema}");
    }
    let own = format!(r#"{{"$id": "https://example.com/VoidResult", {uses}}}"#);
    assert!(read(&own).is_ok());
}
