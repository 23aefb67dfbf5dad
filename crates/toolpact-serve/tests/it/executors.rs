//! Tools that are HTTP calls, against a real server.

use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Redirect;
use axum::routing::any;
use serde_json::{Value as Json, json};
use tokio::io::AsyncReadExt as _;
use tokio::net::TcpListener;

use crate::support::Running;

/// Tells what it was asked, and does what its path says.
async fn behind() -> String {
    let router = Router::new()
        .route(
            "/away",
            any(async || Redirect::temporary("http://127.0.0.1:1/secret")),
        )
        .route("/around", any(async || Redirect::temporary("/told")))
        .route("/big", any(async || "x".repeat(100_000)))
        .route(
            "/slow",
            any(async || tokio::time::sleep(Duration::from_secs(5)).await),
        )
        .route(
            "/wrong",
            any(async || (http::StatusCode::NOT_FOUND, "SELECT * FROM secrets")),
        )
        .route(
            "/html",
            any(async || ([("content-type", "text/html")], "<p>s3cret</p>")),
        )
        .route("/nothing", any(async || http::StatusCode::NO_CONTENT))
        .route("/latin", any(async || &b"caf\xe9"[..]))
        .route("/words", any(async || "some words"))
        .route("/list", any(async || sent(&json!([{"id": 1}]))))
        .route(
            "/page",
            any(async || sent(&json!({"found": {"orders": []}, "n": 0}))),
        )
        // Some servers do not say what they send.
        .route("/raw", any(async || r#"{"id": 1}"#))
        .fallback(told);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

async fn told(request: Request) -> ([(&'static str, &'static str); 1], String) {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, 1 << 20).await.unwrap();
    let header = |name| {
        let value = parts.headers.get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    let told = json!({
        "method": parts.method.as_str(),
        "path": parts.uri.path(),
        "query": parts.uri.query(),
        "trace": header("x-trace"),
        "key": header("x-key"),
        "host": header("host"),
        "headers": parts.headers.keys().map(http::HeaderName::as_str).collect::<Vec<_>>(),
        "body": String::from_utf8(body.to_vec()).unwrap(),
    });
    sent(&told)
}

fn sent(json: &Json) -> ([(&'static str, &'static str); 1], String) {
    ([("content-type", "application/json")], json.to_string())
}

/// A server with one tool, `ask`, which is this call.
async fn with(http: Json) -> Running {
    promising(http, json!({"returns": {"type": "object"}})).await
}

/// The same with what its contract says of results.
async fn promising(http: Json, more: Json) -> Running {
    lifting(http, Json::Null, more).await
}

/// The same with a `lift` of the config.
async fn lifting(http: Json, lift: Json, more: Json) -> Running {
    let mut tool = json!({
        "name": "ask",
        "description": "Asks.",
        "parameters": {"type": "object"},
    });
    for (key, value) in more.as_object().unwrap() {
        tool[key] = value.clone();
    }
    let tools = json!({"toolpact": 1, "tools": [tool]});
    let mut executor = json!({"http": http});
    if !lift.is_null() {
        executor["lift"] = lift;
    }
    let files = json!({"paths": ["tools.json"], "tools": {"ask": executor}});
    // JSON is YAML.
    let sources = json!([{"files": files}]);
    Running::of(
        &format!("sources: {sources}"),
        &[("tools.json", &tools.to_string())],
    )
    .await
}

#[tokio::test]
async fn arguments_go_where_they_belong() {
    let base = behind().await;
    let server = with(json!({
        "method": "POST",
        "url": format!("{base}/orders/{{id}}"),
        "query": ["page", "tag"],
        "headers": {"X-Trace": "{trace}", "X-Key": "k ${env:CARGO_PKG_NAME}"},
    }))
    .await;
    let args =
        json!({"id": "a/../b?c", "page": 2, "tag": ["x", "y&z"], "trace": "t", "more": {"n": 1}});
    let (status, told) = server.call("ask", args).await;
    assert_eq!(status, 200, "{told}");
    assert_eq!(told["path"], "/orders/a%2F..%2Fb%3Fc");
    assert_eq!(told["query"], "page=2&tag=x&tag=y%26z");
    assert_eq!(
        (&told["trace"], &told["key"]),
        (&json!("t"), &json!("k toolpact-serve"))
    );
    assert_eq!(told["body"], r#"{"more":{"n":1}}"#);
}

/// A body has one shape, whether or not its document says `required`.
#[tokio::test]
async fn members_of_a_body_are_arguments_also_where_it_is_optional() {
    let schema =
        json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
    let answer = json!({"description": "Fine.", "content": {"application/json": {"schema": {"type": "object"}}}});
    let operation = |id: &str, required: Json| {
        let mut body = json!({"content": {"application/json": {"schema": schema}}});
        if !required.is_null() {
            body["required"] = required;
        }
        json!({"post": {
            "operationId": id, "description": "Asks.", "requestBody": body,
            "responses": {"200": answer},
        }})
    };
    let document = json!({
        "openapi": "3.1.0", "info": {"title": "t", "version": "1"},
        "servers": [{"url": behind().await}],
        "paths": {
            "/a": operation("without", Json::Null),
            "/b": operation("optional", json!(false)),
            "/c": operation("with", json!(true)),
        },
    });
    let server = Running::of(
        "sources: [{ files: { paths: [api.json] } }]",
        &[("api.json", &document.to_string())],
    )
    .await;
    for tool in ["without", "optional", "with"] {
        let (status, told) = server.call(tool, json!({"n": 5})).await;
        assert_eq!(
            (status, &told["body"]),
            (200, &json!(r#"{"n":5}"#)),
            "{tool}: {told}"
        );
        let (status, _) = server.call(tool, json!({})).await;
        assert_eq!(status, 400, "{tool}");
    }
}

#[tokio::test]
async fn headers_cannot_be_injected() {
    let base = behind().await;
    let server = with(json!({"url": base, "headers": {"X-Trace": "{trace}"}})).await;
    for trace in [
        "a\r\nX-Key: stolen",
        "a\nX-Key: stolen",
        "a\rX-Key: stolen",
        "a\n b",
        "\r\n\r\nGET /stolen HTTP/1.1\r\n\r\n",
        "\u{0}",
        "\u{7f}",
        "\u{1b}[2J",
    ] {
        let (status, error) = server.call("ask", json!({"trace": trace})).await;
        assert_eq!(
            (status, &error["code"]),
            (400, &json!("VALIDATION_FORMAT")),
            "{error}"
        );
    }
    for trace in [json!(["a", "b"]), json!({"a": "b"}), json!(null)] {
        let (status, error) = server.call("ask", json!({"trace": trace})).await;
        assert_eq!(status, 400, "{trace}: {error}");
    }
    let (_, plain) = server.call("ask", json!({"trace": "fine"})).await;
    assert_eq!(plain["trace"], "fine");
    // The last ones would end a line if only their low bytes were sent.
    for trace in [
        "X-Key: stolen",
        "a, b; c=\"d\"",
        "é",
        "嘊嘍X-Key: stolen",
        "\u{10a}\u{10d}",
    ] {
        let (status, told) = server.call("ask", json!({"trace": trace})).await;
        assert_eq!((status, &told["trace"]), (200, &json!(trace)), "{told}");
        assert_eq!(told["headers"], plain["headers"], "{trace}");
    }
}

/// Arguments that have no place are named by whoever calls.
#[tokio::test]
async fn the_names_of_arguments_are_in_no_head() {
    let base = behind().await;
    for body in ["json", "form"] {
        let http = json!({"method": "POST", "url": format!("{base}/here"), "query": ["page"], "body": body});
        let server = with(http).await;
        let names = [
            "X-Key",
            "x-key: a\r\nb",
            "page&admin",
            "{page}",
            "Host",
            "content-length",
        ];
        let args: serde_json::Map<_, _> = names
            .map(|name| (name.to_owned(), json!("1")))
            .into_iter()
            .collect();
        let (status, told) = server.call("ask", Json::Object(args.clone())).await;
        assert_eq!(status, 200, "{told}");
        assert_eq!(
            (&told["path"], &told["query"], &told["key"]),
            (&json!("/here"), &Json::Null, &Json::Null)
        );
        assert_eq!(told["host"], base.strip_prefix("http://").unwrap());
        let sent = told["body"].as_str().unwrap();
        let sent: serde_json::Map<_, _> = match body {
            "json" => serde_json::from_str(sent).unwrap(),
            _ => pairs(sent)
                .into_iter()
                .map(|(name, value)| (name, Json::from(value)))
                .collect(),
        };
        assert_eq!(sent, args);
    }
}

/// What a query or a form means to those who read it.
fn pairs(query: &str) -> Vec<(String, String)> {
    let url = reqwest::Url::parse(&format!("http://localhost/?{query}")).unwrap();
    url.query_pairs().into_owned().collect()
}

#[tokio::test]
async fn paths_cannot_be_left() {
    let base = behind().await;
    let server = with(json!({"url": format!("{base}/orders/{{id}}/lines")})).await;
    for id in ["..", ".", ""] {
        let (status, error) = server.call("ask", json!({"id": id})).await;
        assert_eq!(status, 400, "{error}");
    }
    for id in [
        "../../admin",
        "..\\..\\admin",
        "%2e%2e",
        "%2e%2e%2fadmin",
        "..%00",
        "...",
        ".\t.",
        ".\r\n.",
        "a\u{0}b",
        "//evil.example/",
        "http://evil.example/",
        "@evil.example",
        "?admin=1",
        "#admin",
        ";admin=1",
        "a b",
        "\u{ff0e}\u{ff0e}",
        "\u{2024}\u{2024}\u{2215}",
    ] {
        let (status, told) = server.call("ask", json!({"id": id})).await;
        assert_eq!(
            (status, &told["query"]),
            (200, &Json::Null),
            "{id:?}: {told}"
        );
        let path = told["path"].as_str().unwrap();
        let part = path
            .strip_prefix("/orders/")
            .and_then(|rest| rest.strip_suffix("/lines"));
        let part = part
            .filter(|part| !part.contains('/'))
            .unwrap_or_else(|| panic!("{id:?}: {path}"));
        let read = percent_encoding::percent_decode_str(part).decode_utf8();
        assert_eq!(read.unwrap(), id);
        assert_eq!(told["host"], base.strip_prefix("http://").unwrap());
    }
    // Two that are nothing by themselves.
    let server = with(json!({"url": format!("{base}/orders/{{a}}{{b}}/lines")})).await;
    for (a, b) in [(".", "."), ("", ".."), ("", "")] {
        let (status, error) = server.call("ask", json!({"a": a, "b": b})).await;
        assert_eq!(status, 400, "{error}");
    }
}

#[tokio::test]
async fn queries_cannot_be_left() {
    let base = behind().await;
    let server = with(json!({"url": format!("{base}/orders"), "query": ["page"]})).await;
    for page in [
        "1&admin=1",
        "1;admin=1",
        "1#x",
        "1 HTTP/1.1\r\nX-Key: stolen",
        "=",
        "+ %26",
        "\u{0}",
        "é&",
    ] {
        let (status, told) = server.call("ask", json!({"page": page})).await;
        assert_eq!(status, 200, "{page:?}: {told}");
        let query = told["query"].as_str().unwrap();
        assert_eq!(
            pairs(query),
            [("page".to_owned(), page.to_owned())],
            "{query}"
        );
        assert_eq!(
            (&told["path"], &told["key"]),
            (&json!("/orders"), &Json::Null)
        );
    }
    let (status, error) = server.call("ask", json!({"page": {"admin": 1}})).await;
    assert_eq!(status, 400, "{error}");
}

#[tokio::test]
async fn redirects_are_followed_only_where_they_may_be() {
    let base = behind().await;
    let cases = [("/around", 0, 502), ("/around", 1, 200), ("/away", 1, 502)];
    for (path, redirects, expected) in cases {
        let server = with(json!({"url": format!("{base}{path}"), "redirects": redirects})).await;
        let (status, answer) = server.call("ask", json!({})).await;
        assert_eq!(status, expected, "{path} {redirects}: {answer}");
        assert!(!answer.to_string().contains("127.0.0.1:1"), "{answer}");
    }
}

#[tokio::test]
async fn answers_are_limited_in_size_and_time() {
    let base = behind().await;
    let server = with(json!({"url": format!("{base}/big"), "max_bytes": 1000})).await;
    let (status, error) = server.call("ask", json!({})).await;
    assert_eq!(status, 502, "{error}");
    let server = with(json!({"url": format!("{base}/slow"), "timeout_ms": 100})).await;
    let (status, error) = server.call("ask", json!({})).await;
    assert_eq!(
        (status, &error["code"]),
        (504, &json!("EXTERNAL_TIMEOUT")),
        "{error}"
    );
}

#[tokio::test]
async fn what_a_server_says_about_itself_stays_here() {
    let base = behind().await;
    let server = with(json!({"url": format!("{base}/wrong"), "query": ["key"]})).await;
    let (status, error) = server.call("ask", json!({"key": "s3cret"})).await;
    assert_eq!(status, 404);
    assert!(!error.to_string().contains("SELECT"), "{error}");
    assert_eq!(error["details"], json!({"status": 404}));
}

/// Only what was sent can have taken effect.
#[tokio::test]
async fn connections_that_are_refused_and_those_that_are_lost() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let nowhere = nobody.local_addr().unwrap();
    drop(nobody);
    let somebody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let hangs_up = somebody.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = somebody.accept().await {
            let _ = stream.read(&mut [0; 1024]).await;
        }
    });
    let (refused, retry, advice) = failure(nowhere).await;
    assert_eq!(refused, "The server behind this tool cannot be reached.");
    assert_eq!(retry, "yes");
    assert!(!advice.contains("taken effect"), "{advice}");
    let (_, retry, advice) = failure(hangs_up).await;
    assert_eq!(retry, "if_idempotent");
    assert!(advice.contains("may have taken effect"), "{advice}");
}

/// What is said of a call that has to ask this address: the message, whether to try again, the text.
async fn failure(address: SocketAddr) -> (String, String, String) {
    let http = json!({"method": "POST", "url": format!("http://{address}/orders")});
    let server = with(http).await;
    let (status, error) = server.call("ask", json!({})).await;
    assert_eq!(status, 502, "{error}");
    let body = json!({"name": "ask", "args": {}, "view": "text"});
    let (_, text) = server.post("/v1/call", &body).await;
    let told = |key: &str| error[key].as_str().unwrap().to_owned();
    (told("message"), told("retry"), text.to_string())
}

/// Replaced characters would be a result that no server sent.
#[tokio::test]
async fn answers_that_are_not_text_are_refused() {
    let base = behind().await;
    for returns in ["opaque", "StringValue"] {
        let server = promising(
            json!({"url": format!("{base}/latin")}),
            json!({"returns": returns}),
        )
        .await;
        let (status, answer) = server.call("ask", json!({})).await;
        assert_eq!(status, 502, "{answer}");
        let said = answer["message"].as_str().unwrap();
        assert!(said.contains("an answer that cannot be used"), "{answer}");
    }
}

#[tokio::test]
async fn a_page_of_html_is_no_object() {
    let base = behind().await;
    for returns in [
        json!({"type": "object"}),
        json!({"properties": {"text": {"type": "string"}, "id": {"type": "integer"}}}),
        json!("ObjectResult"),
    ] {
        let server = promising(
            json!({"url": format!("{base}/html")}),
            json!({"returns": returns}),
        )
        .await;
        let (status, error) = server.call("ask", json!({})).await;
        assert_eq!(status, 500, "{error}");
        assert_eq!(error["code"], "INTERNAL_CONTRACT");
        assert_eq!(error["details"]["found"], "text that is no JSON");
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
}

#[tokio::test]
async fn natural_answers_of_servers_are_lifted() {
    let base = behind().await;
    let rows = [
        (
            "/list",
            json!({"returns": "ListResult"}),
            json!({"success": true, "data": [{"id": 1}]}),
        ),
        (
            "/nothing",
            json!({"returns": "VoidResult"}),
            json!({"success": true}),
        ),
        (
            "/words",
            json!({"returns": "StringValue"}),
            json!("some words"),
        ),
        ("/words", json!({"returns": "opaque"}), json!("some words")),
        (
            "/raw",
            json!({"returns": "ObjectResult"}),
            json!({"success": true, "data": {"id": 1}}),
        ),
        (
            "/page",
            json!({"returns": "ListResult", "lift": {"data": "/found/orders", "pagination.total": "/n"}}),
            json!({"success": true, "data": [], "pagination": {"total": 0}}),
        ),
    ];
    for (path, more, expected) in rows {
        let server = promising(json!({"url": format!("{base}{path}")}), more).await;
        let (status, result) = server.call("ask", json!({})).await;
        assert_eq!((status, &result), (200, &expected), "{path}");
    }
}

#[tokio::test]
async fn a_config_can_say_how_answers_are_lifted() {
    let base = behind().await;
    let page = format!("{base}/page");
    let list = json!({"returns": "ListResult"});
    let http = json!({"url": page, "result": "/found"});
    let server = lifting(http, json!({"data": "/orders"}), list.clone()).await;
    let (status, result) = server.call("ask", json!({})).await;
    assert_eq!(
        (status, &result),
        (200, &json!({"success": true, "data": []}))
    );
    let http = json!({"url": format!("{base}/list")});
    let server = lifting(http, json!("never"), list.clone()).await;
    let (status, error) = server.call("ask", json!({})).await;
    assert_eq!((status, &error["code"]), (500, &json!("INTERNAL_CONTRACT")));
    // A tool with a mapping that cannot be is left out.
    let server = lifting(json!({"url": page}), json!({"items": "/orders"}), list).await;
    assert!(server.names().await.is_empty());
}
