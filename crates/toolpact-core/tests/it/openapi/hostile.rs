//! Documents that mean harm: each is read or refused soon, and nothing is fetched.

use std::time::{Duration, Instant};

use toolpact_core::dialect::{Dialect, Import};
use toolpact_core::json::{Document, Limits};

use super::import_text;
use crate::differential::with_bytes;

/// Most that any of them may take, on a slow machine that has other things to do.
const LONGEST: Duration = Duration::from_secs(60);

fn soon(text: &str) -> Import {
    let start = Instant::now();
    let limits = Limits::default().depth(usize::MAX);
    let document = Document::json(text.as_bytes(), &limits);
    let import = Dialect::OpenApi.import(&document).unwrap();
    assert!(start.elapsed() < LONGEST, "{:?}", start.elapsed());
    import
}

fn joined(count: usize, one: impl Fn(usize) -> String) -> String {
    let all: Vec<String> = (0..count).map(one).collect();
    all.join(",")
}

fn document(paths: &str, components: &str) -> String {
    format!(r#"{{"openapi":"3.1.0","paths":{{{paths}}},"components":{{{components}}}}}"#)
}

fn get(operation: &str) -> String {
    format!(r#""/a":{{"get":{{"operationId":"a",{operation}}}}}"#)
}

#[test]
fn long_chains_of_references() {
    let chain = |kind: &str| {
        let next = |i: usize| format!(r##""x{i}":{{"$ref":"#/components/{kind}/x{}"}}"##, i + 1);
        format!(r#""{kind}":{{{}}}"#, joined(10_000, next))
    };
    let parameters = get(r##""parameters":[{"$ref":"#/components/parameters/x0"}]"##);
    let import = soon(&document(&parameters, &chain("parameters")));
    assert_eq!(import.left_out().len(), 1);
    let returns = get(
        r##""responses":{"200":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/x0"}}}}}"##,
    );
    assert_eq!(
        soon(&document(&returns, &chain("schemas")))
            .left_out()
            .len(),
        1
    );
    let body = get(
        r##""requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/x0"}}}}"##,
    );
    assert_eq!(
        soon(&document(&body, &chain("schemas"))).left_out().len(),
        1
    );
}

#[test]
fn deep_schemas() {
    let deep = r#"{"items":"#.repeat(100_000) + "{}" + &"}".repeat(100_000);
    let operation = get(&format!(
        r#""parameters":[{{"name":"a","in":"query","schema":{deep}}}]"#
    ));
    assert_eq!(soon(&document(&operation, "")).left_out().len(), 1);
    let operation = get(
        r##""parameters":[{"name":"a","in":"query","schema":{"$ref":"#/components/schemas/a"}}]"##,
    );
    let import = soon(&document(
        &operation,
        &format!(r#""schemas":{{"a":{deep}}}"#),
    ));
    assert_eq!(import.left_out().len(), 1);
}

/// Every operation has everything, of which there is one.
#[test]
fn many_operations_with_one_large_schema() {
    let paths = joined(200, |i| {
        format!(
            r##""/{i}":{{"get":{{"operationId":"o{i}","responses":{{"200":{{"content":{{"application/json":{{"schema":{{"$ref":"#/components/schemas/L"}}}}}}}}}}}}}}"##
        )
    });
    let large = "x".repeat(1 << 20);
    let components = format!(r#""schemas":{{"L":{{"description":"{large}"}}}}"#);
    let import = soon(&document(&paths, &components));
    assert_eq!((import.tools().len(), import.left_out().len()), (200, 0));
    let whole = import.tools()[199].contract.to_json();
    assert!(whole.len() > 1 << 20, "{}", whole.len());
}

#[test]
fn many_of_everything() {
    let parameters = joined(20_000, |i| {
        format!(r#"{{"name":"p{i}","in":"query","schema":{{"type":"string"}}}}"#)
    });
    assert_eq!(
        soon(&document(
            &get(&format!(r#""parameters":[{parameters}]"#)),
            ""
        ))
        .tools()
        .len(),
        1
    );
    let variables = joined(20_000, |i| format!("{{v{i}}}"));
    let path = format!(r#""/{variables}":{{"get":{{"operationId":"a"}}}}"#);
    assert_eq!(soon(&document(&path, "")).tools().len(), 1);
    let paths = joined(20_000, |i| {
        format!(r#""/{{x}}{}":{{"get":{{}}}}"#, "/".repeat(i % 50))
    });
    let import = import_text(&document(&paths, ""));
    assert!(import.is_err(), "the same path again");
    let paths = joined(5_000, |i| {
        format!(r##""/{i}":{{"$ref":"#/paths/~1{}"}}"##, i + 1)
    });
    assert_eq!(soon(&document(&paths, "")).left_out().len(), 5_000);
}

/// What is not a document of this kind, but nearly one, in a hundred ways.
#[test]
fn nonsense() {
    let values = [
        "null",
        "true",
        "1",
        "\"x\"",
        "[]",
        "{}",
        "[1]",
        r##"{"$ref":"#"}"##,
        r#"{"$ref":1}"#,
    ];
    for value in values {
        for text in [
            format!(r#"{{"openapi":{value}}}"#),
            format!(r#"{{"openapi":"3.0.0","paths":{value}}}"#),
            format!(r#"{{"openapi":"3.0.0","paths":{{"/a":{value}}}}}"#),
            format!(r#"{{"openapi":"3.0.0","paths":{{"/a":{{"get":{value}}}}}}}"#),
            format!(
                r#"{{"openapi":"3.0.0","paths":{{"/a":{{"get":{{}}}}}},"components":{value},"servers":{value},"security":{value}}}"#
            ),
        ] {
            let _ = import_text(&text);
        }
        for field in [
            "operationId",
            "description",
            "summary",
            "parameters",
            "requestBody",
            "responses",
            "security",
            "servers",
            "deprecated",
            "callbacks",
            "x-toolpact",
        ] {
            for value in [
                value.to_owned(),
                format!("[{value}]"),
                format!(r#"{{"200":{value},"content":{value},"name":{value},"in":{value}}}"#),
                format!(
                    r#"{{"200":{{"content":{{"application/json":{value}}}}},"content":{{"a":{value}}}}}"#
                ),
                format!(
                    r#"[{{"name":"a","in":"query","schema":{value}}},{{"name":"b","in":"path","content":{value}}}]"#
                ),
            ] {
                let _ = import_text(&document(&get(&format!(r#""x":1,"{field}":{value}"#)), ""));
            }
        }
    }
}

/// A document with some bytes changed is read or refused.
#[test]
fn changed_bytes() {
    with_bytes(512, |bytes| {
        let mut text = include_bytes!("../../cases/openapi/orders-3.1.json").to_vec();
        for change in bytes.chunks_exact(3).take(5) {
            let place = usize::from(u16::from_le_bytes([change[0], change[1]])) % text.len();
            text[place] = change[2];
        }
        let document = Document::json(&text, &Limits::default());
        let _ = toolpact_core::dialect::import(&document);
    });
}

/// So is one with parts in the place of others.
#[test]
fn moved_parts() {
    let text = include_str!("../../cases/openapi/orders-3.1.json");
    let original: serde_json::Value = serde_json::from_str(text).unwrap();
    with_bytes(512, |bytes| {
        let mut value = original.clone();
        for change in bytes.chunks_exact(4).take(5) {
            let places = places(&value, "");
            let place = |a, b| &places[usize::from(u16::from_le_bytes([a, b])) % places.len()];
            let (from, to) = (place(change[0], change[1]), place(change[2], change[3]));
            let part = value.pointer(from).unwrap().clone();
            if let Some(place) = value.pointer_mut(to).filter(|_| !to.is_empty()) {
                *place = part;
            }
        }
        let _ = import_text(&value.to_string());
    });
}

fn places(value: &serde_json::Value, at: &str) -> Vec<String> {
    let mut found = vec![at.to_owned()];
    match value {
        serde_json::Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                found.extend(places(item, &format!("{at}/{i}")));
            }
        }
        serde_json::Value::Object(members) => {
            for (key, member) in members {
                let key = key.replace('~', "~0").replace('/', "~1");
                found.extend(places(member, &format!("{at}/{key}")));
            }
        }
        _ => {}
    }
    found
}
