//! Bodies that are no messages, and requests that are none.

use super::{DOORS, answer, goes_on, raw};
use crate::support::Running;

/// What is wrong at every door.
fn nonsense() -> Vec<Vec<u8>> {
    let texts = [
        "nonsense".to_owned(),
        "{".to_owned(),
        "[]".to_owned(),
        "null".to_owned(),
        "5".to_owned(),
        "\"echo\"".to_owned(),
        "{\"name\": \"echo\"} {}".to_owned(),
        "{'name': 'echo'}".to_owned(),
        "\u{feff}{}x".to_owned(),
        "[".repeat(9000),
        "{\"a\":".repeat(1500),
        format!("{}{}", "[".repeat(4000), "]".repeat(4000)),
        "{\"jsonrpc\": \"2.0\", \"name\": \"echo\", \"name\": \"liar\"}".to_owned(),
        format!("{{\"name\": {}}}", "9".repeat(5000)),
    ];
    let bytes: [&[u8]; 4] = [
        b"\xff\xfe{\x00}\x00",
        b"{\"name\": \"\xc3\x28\"}",
        b"{\"name\": \"\xed\xa0\x80\"}",
        b"{\"name\": \"a\x00b\"}",
    ];
    let texts = texts.into_iter().map(String::into_bytes);
    texts.chain(bytes.map(<[u8]>::to_vec)).collect()
}

async fn post(server: &Running, door: &str, body: Vec<u8>) -> (u16, serde_json::Value) {
    let request = server.client.post(server.url(door)).body(body);
    let request = request.header("content-type", "application/json");
    let accept = match door {
        "/mcp" => "application/json, text/event-stream",
        _ => "application/json",
    };
    answer(request.header("accept", accept)).await
}

#[tokio::test]
async fn bodies_that_are_nonsense() {
    let server = Running::with("").await;
    for door in DOORS {
        for body in nonsense() {
            let shown = String::from_utf8_lossy(&body[..body.len().min(40)]).into_owned();
            let (status, said) = post(&server, door, body).await;
            assert_eq!(status, 400, "{door} {shown}: {said}");
            let message = said.get("message").or_else(|| said["error"].get("message"));
            assert!(
                message.is_some_and(serde_json::Value::is_string),
                "{door} {shown}: {said}"
            );
            assert!(said.to_string().len() < 2000, "{door} {shown}: {said}");
        }
        goes_on(&server).await;
    }
}

#[tokio::test]
async fn messages_of_json_rpc_that_are_none() {
    let server = Running::with("").await;
    let huge = format!("1{}", "0".repeat(400));
    let message = |id: &str, rest: &str| format!("{{\"jsonrpc\": \"2.0\", \"id\": {id}, {rest}}}");
    let ping = "\"method\": \"ping\"";
    for (body, code) in [
        (format!("[{}]", message("1", ping)), -32600),
        ("[]".to_owned(), -32600),
        (message("{}", ping), -32600),
        (message("[1]", ping), -32600),
        (message("true", ping), -32600),
        (message("1.5", ping), -32600),
        (message("null", ping), -32600),
        (message(&huge, ping), -32700),
        (message("1e999", ping), -32700),
        (message("18446744073709551616", ping), -32600),
        (message("1", "\"id\": 2, \"method\": \"ping\""), -32700),
        (
            message("1", "\"method\": \"ping\", \"method\": \"tools/call\""),
            -32700,
        ),
        (message("1", "\"method\": 5"), -32600),
        (message("1", "\"method\": null"), -32600),
        (message("1", "\"params\": {}"), -32600),
        (message("1", "\"method\": \"ping\", \"params\": []"), -32602),
        (
            message("1", "\"method\": \"ping\", \"params\": \"x\""),
            -32602,
        ),
        (
            "{\"jsonrpc\": \"1.0\", \"id\": 1, \"method\": \"ping\"}".to_owned(),
            -32600,
        ),
        (
            "{\"jsonrpc\": 2.0, \"id\": 1, \"method\": \"ping\"}".to_owned(),
            -32600,
        ),
        ("{\"id\": 1, \"method\": \"ping\"}".to_owned(), -32600),
    ] {
        let (status, said) = post(&server, "/mcp", body.clone().into_bytes()).await;
        assert_eq!(status, 400, "{body:.80}: {said}");
        assert_eq!(said["error"]["code"], code, "{body:.80}: {said}");
    }
    goes_on(&server).await;
}

/// They are well-formed, but nobody asked for them or they lead nowhere.
#[tokio::test]
async fn messages_out_of_place() {
    let server = Running::with("").await;
    let long = "x".repeat(100_000);
    for body in [
        r#"{"jsonrpc": "2.0", "id": 1, "result": {}}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}"#
            .to_owned(),
        r#"{"jsonrpc": "2.0", "method": "notifications/nothing"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "__proto__"}"#.to_owned(),
        r#"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 5}}"#
            .to_owned(),
        format!(r#"{{"jsonrpc": "2.0", "id": "{long}", "method": "nothing"}}"#),
        format!(r#"{{"jsonrpc": "2.0", "id": 1, "method": "{long}"}}"#),
    ] {
        let (status, said) = post(&server, "/mcp", body.clone().into_bytes()).await;
        let shown = body.chars().take(80).collect::<String>();
        assert!(status < 500, "{shown}: {status} {said}");
        assert!(said.get("result").is_none(), "{shown}: {said}");
    }
    let guess = server
        .client
        .post(server.url("/mcp"))
        .header("mcp-session-id", "guess");
    let guess = guess.header("accept", "application/json, text/event-stream");
    let guess = guess.header("content-type", "application/json");
    let list = r#"{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}"#;
    let (status, said) = answer(guess.body(list)).await;
    assert_eq!(status, 404, "{said}");
    goes_on(&server).await;
}

#[tokio::test]
async fn requests_that_are_none() {
    let server = Running::with("").await;
    let many = "x: 1\r\n".repeat(200);
    let local = "host: localhost\r\nconnection: close\r\n";
    for (request, expected) in [
        ("nonsense\r\n\r\n".to_owned(), "HTTP/1.1 400"),
        ("GET /v1/health HTTP/9.9\r\n\r\n".to_owned(), "HTTP/1.1 400"),
        (
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n".to_owned(),
            "HTTP/1.1 400",
        ),
        (
            format!("GET /v1/health HTTP/1.1\r\n{local}a b: c\r\n\r\n"),
            "HTTP/1.1 400",
        ),
        (
            format!("GET /v1/health HTTP/1.1\r\n{local}{many}\r\n"),
            "HTTP/1.1 431",
        ),
        ("GET /v1/health HTTP/1.1\r\n\r\n".to_owned(), "HTTP/1.1 403"),
        (
            format!("GET /v1/health HTTP/1.1\r\n{local}{local}\r\n"),
            "HTTP/1.1 400",
        ),
        (format!("PUT /mcp HTTP/1.1\r\n{local}\r\n"), "HTTP/1.1 405"),
        (
            format!("TRACE /v1/call HTTP/1.1\r\n{local}\r\n"),
            "HTTP/1.1 405",
        ),
        (
            format!("GET /v1/../../etc/passwd HTTP/1.1\r\n{local}\r\n"),
            "HTTP/1.1 404",
        ),
        (
            format!("GET /v1/contracts/..%2f..%2fetc%2fpasswd HTTP/1.1\r\n{local}\r\n"),
            "HTTP/1.1 404",
        ),
        (
            format!("GET //v1/health HTTP/1.1\r\n{local}\r\n"),
            "HTTP/1.1 404",
        ),
        (
            format!("CONNECT evil.example:80 HTTP/1.1\r\n{local}\r\n"),
            "HTTP/1.1 4",
        ),
    ] {
        let said = raw(&server, request.as_bytes()).await;
        assert!(said.starts_with(expected), "{request:.60}: {said}");
    }
    goes_on(&server).await;
}
