//! Operations of OpenAPI documents, against a real server that tells what arrived.

use axum::Router;
use axum::extract::Request;
use serde_json::{Value as Json, json};
use tokio::net::TcpListener;

use crate::support::Running;

/// A server that tells what it was sent.
async fn echo() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = Router::new().fallback(told);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

async fn told(request: Request) -> ([(&'static str, &'static str); 1], String) {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let all = |name: &str| {
        let values = parts.headers.get_all(name).iter();
        let values = values.map(|value| value.to_str().unwrap().to_owned());
        values.collect::<Vec<_>>()
    };
    let told = json!({
        "asked": format!("{} {}", parts.method, parts.uri),
        "type": all("content-type"),
        "key": all("x-key"),
        "cookie": all("cookie"),
        "body": String::from_utf8(body.to_vec()).unwrap(),
    });
    ([("content-type", "application/json")], told.to_string())
}

/// A document with the operation `ask`.
fn document(server: &str, operation: Json) -> Json {
    let mut operation = operation;
    operation["operationId"] = json!("ask");
    operation["responses"] = json!({"200": {"description": "Fine.", "content": {"*/*": {"schema": {"type": "object"}}}}});
    json!({
        "openapi": "3.0.3", "info": {"title": "t", "version": "1"},
        "servers": [{"url": server}],
        "paths": {"/ask": {"post": operation}},
    })
}

async fn asked(api: Json, document: Json, args: Json) -> (u16, Json) {
    let sources = json!([{"files": {"paths": ["api.json"], "api": api}}]);
    let files = [("api.json", document.to_string())];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let server = Running::of(&format!("sources: {sources}"), &files).await;
    server.call("ask", args).await
}

async fn told_of(operation: Json, args: Json) -> Json {
    let document = document(&echo().await, operation);
    let (status, told) = asked(json!({}), document, args).await;
    assert_eq!(status, 200, "{told}");
    told
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "it is made where it is passed"
)]
fn body(kind: &str, schema: Json) -> Json {
    json!({"requestBody": {"required": true, "content": {kind: {"schema": schema}}}})
}

fn pet() -> Json {
    json!({"type": "object", "properties": {
        "name": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}},
        "owner": {"type": "object", "properties": {"name": {"type": "string"}}},
    }})
}

#[tokio::test]
async fn json_by_any_of_its_names() {
    let args = json!({"name": "Rex", "tags": ["a"]});
    for (kind, sent) in [
        ("*/*", "application/json"),
        ("application/*", "application/json"),
        (
            "application/json; charset=utf-8",
            "application/json; charset=utf-8",
        ),
        (
            "application/merge-patch+json",
            "application/merge-patch+json",
        ),
    ] {
        let told = told_of(body(kind, pet()), args.clone()).await;
        assert_eq!(told["type"], json!([sent]));
        assert_eq!(told["body"], r#"{"name":"Rex","tags":["a"]}"#, "{kind}");
    }
}

#[tokio::test]
async fn forms() {
    let kind = "application/x-www-form-urlencoded";
    let args = json!({"name": "R & x", "tags": ["a", "b"], "owner": {"name": "Ann"}});
    let told = told_of(body(kind, pet()), args.clone()).await;
    assert_eq!(told["type"], json!([kind]));
    assert_eq!(
        told["body"],
        "name=R%20%26%20x&tags=a&tags=b&owner[name]=Ann"
    );
    // An object that is more than its members is one argument.
    let mut whole = pet();
    whole["minProperties"] = json!(1);
    let told = told_of(body(kind, whole), json!({"body": args})).await;
    assert_eq!(
        told["body"],
        "name=R%20%26%20x&tags=a&tags=b&owner[name]=Ann"
    );
    let mut deep = body(kind, pet());
    deep["requestBody"]["content"][kind]["encoding"] =
        json!({"tags": {"style": "deepObject", "explode": true}});
    let told = told_of(deep, json!({"tags": ["a", "b"]})).await;
    assert_eq!(told["body"], "tags[0]=a&tags[1]=b");
}

#[tokio::test]
async fn files() {
    let schema = json!({"type": "object", "properties": {
        "note": {"type": "string"}, "meta": {"type": "object"},
        "file": {"type": "string", "format": "binary"},
    }});
    let args = json!({"note": "n", "meta": {"a": 1}, "file": "data:text/csv;base64,YSxiCg=="});
    let told = told_of(body("multipart/form-data", schema), args).await;
    let kind = told["type"][0].as_str().unwrap();
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").unwrap();
    let expected = [
        "Content-Disposition: form-data; name=\"note\"\r\n\r\nn\r\n",
        "Content-Disposition: form-data; name=\"meta\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n",
        "Content-Disposition: form-data; name=\"file\"; filename=\"file\"\r\nContent-Type: text/csv\r\n\r\na,b\n\r\n",
    ];
    let expected = expected
        .map(|part| format!("--{boundary}\r\n{part}"))
        .concat();
    assert_eq!(told["body"], format!("{expected}--{boundary}--\r\n"));
    let raw = body(
        "application/octet-stream",
        json!({"type": "string", "format": "binary"}),
    );
    let told = told_of(raw, json!({"body": "data:;base64,YSxiCg=="})).await;
    assert_eq!(told["type"], json!(["application/octet-stream"]));
    assert_eq!(told["body"], "a,b\n");
}

#[tokio::test]
async fn styles_of_queries() {
    let list = json!({"type": "array", "items": {"type": "string"}});
    let object = json!({"type": "object"});
    for (schema, style, explode, value, query) in [
        (&list, "form", true, json!(["a", "b,c"]), "x=a&x=b%2Cc"),
        (&list, "form", false, json!(["a", "b,c"]), "x=a,b%2Cc"),
        (&list, "spaceDelimited", false, json!(["a", "b"]), "x=a%20b"),
        (&list, "pipeDelimited", false, json!(["a", "b"]), "x=a%7Cb"),
        (
            &object,
            "form",
            true,
            json!({"a": 1, "b": true}),
            "a=1&b=true",
        ),
        (&object, "form", false, json!({"a": 1}), "x=a,1"),
        (
            &object,
            "deepObject",
            true,
            json!({"a": {"b": [1, 2]}}),
            "x[a][b][0]=1&x[a][b][1]=2",
        ),
    ] {
        let parameter = json!({"name": "x", "in": "query", "schema": schema, "style": style, "explode": explode});
        let told = told_of(json!({"parameters": [parameter]}), json!({"x": value})).await;
        assert_eq!(
            told["asked"],
            format!("POST /ask?{query}"),
            "{style} {explode}"
        );
    }
    let content = json!({"application/json": {"schema": object}});
    let parameter = json!({"name": "x", "in": "query", "content": content});
    let told = told_of(json!({"parameters": [parameter]}), json!({"x": {"a": 1}})).await;
    assert_eq!(told["asked"], "POST /ask?x=%7B%22a%22%3A1%7D");
    let cookie = json!({"name": "s", "in": "cookie", "schema": {"type": "string"}});
    let told = told_of(json!({"parameters": [cookie]}), json!({"s": "a; b"})).await;
    assert_eq!(told["cookie"], json!(["s=a%3B%20b"]));
}

/// Secrets go where the config says, and nowhere else.
#[tokio::test]
async fn a_document_does_not_choose_who_gets_the_secrets() {
    let (ours, theirs) = (echo().await, echo().await);
    let headers = json!({"X-Key": "${env:CARGO_PKG_NAME}"});
    let mut document = document(&ours, json!({"servers": [{"url": theirs}]}));
    let api = json!({"headers": headers});
    let (status, told) = asked(api, document.clone(), json!({})).await;
    assert_eq!(status, 404, "{told}");
    let api = json!({"headers": headers, "url": ours});
    let (status, told) = asked(api.clone(), document.clone(), json!({})).await;
    assert_eq!(
        (status, &told["key"]),
        (200, &json!(["toolpact-serve"])),
        "{told}"
    );
    // Nor does a caller send another one beside it.
    document["paths"]["/ask"]["post"]["parameters"] =
        json!([{"name": "x-KEY", "in": "header", "schema": {"type": "string"}}]);
    let (status, told) = asked(api, document, json!({"x-KEY": "mine"})).await;
    assert_eq!(
        (status, &told["key"]),
        (200, &json!(["toolpact-serve"])),
        "{told}"
    );
    assert_eq!(told["body"], "");
}
