use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};

use conformance::judge;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use toolpact_serve::{Config, Service};

#[test]
fn documents() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let input = "/paths/~1tools~1find/post/requestBody/content/application~1json/schema";
    let operation = "/paths/~1tools~1find/post";
    for (place, value, expected) in [
        ("", json!(null), ""),
        ("/openapi", json!("3.0.4"), "'3.0.4' does not match"),
        ("/info", json!({}), "'title' is a required property"),
        ("/components/schemas", json!({}), "leads nowhere"),
        (
            "/components/schemas/Found",
            json!({"type": "text"}),
            "'text' is not valid",
        ),
        (
            input,
            json!({"type": "text"}),
            "schema/type: 'text' is not valid",
        ),
        (
            operation,
            json!({"operationId": "f", "tool": 1}),
            "'tool' was unexpected",
        ),
        ("/paths/~1other", again(), "Operation ID 'find' for 'post'"),
    ] {
        let mut document = document();
        if let Some(spot) = document.pointer_mut(place).filter(|_| !place.is_empty()) {
            *spot = value;
        }
        let verdicts = judge::dialect(&package, "openapi", &document.to_string());
        let [verdict] = verdicts.as_slice() else {
            panic!("one verdict on the document: {verdicts:?}");
        };
        let as_expected = verdict.problems.iter().any(|p| p.contains(expected));
        assert!(as_expected != expected.is_empty(), "{place}: {verdict:?}");
        assert_eq!(verdict.ok, expected.is_empty());
    }
}

/// The routes of a server, which are made of Rust types.
#[tokio::test(flavor = "multi_thread")]
async fn the_document_of_a_server() {
    let Some(package) = conformance::suite("provider-sdks").or_leave_out() else {
        return;
    };
    let config = Config::default().with_port(0);
    let listener = Service::bind(&config).await.unwrap();
    let address = listener.local_addr().unwrap();
    let stop = CancellationToken::new();
    let service = Service::start(config, None, stop.clone()).await.unwrap();
    let serving = tokio::spawn(async move { service.listen(listener).await.unwrap() });
    let document = tokio::task::spawn_blocking(move || get(address))
        .await
        .unwrap();
    assert!(document.contains("\"/sessions/{id}\""), "{document}");
    let verdicts = judge::dialect(&package, "openapi", &document);
    for verdict in &verdicts {
        assert!(verdict.ok, "{verdict:?}");
    }
    assert_eq!(verdicts.len(), 1);
    stop.cancel();
    serving.await.unwrap();
}

fn get(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let request = "GET /v1/openapi.json HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    body.to_owned()
}

fn document() -> Value {
    let found = json!({"$ref": "#/components/schemas/Found"});
    json!({
        "openapi": "3.1.1",
        "info": {"title": "Tools", "version": "1"},
        "paths": {"/tools/find": {"post": {
            "operationId": "find",
            "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
            "responses": {"200": {
                "description": "Found.",
                "content": {"application/json": {"schema": found}},
            }},
        }}, "/other": {}},
        "components": {"schemas": {"Found": {"type": ["array", "null"], "items": found}}},
    })
}

/// A second operation of the same name.
fn again() -> Value {
    json!({"post": {"operationId": "find", "responses": {"200": {"description": "Again."}}}})
}
