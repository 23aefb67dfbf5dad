//! Three public MCP servers behind our contracts: their tools listed and called, their results held
//! to what they promise.

use std::path::Path;
use toolpact::{Call, Completed, Registry, Session};
use toolpact_core::contract::Contract;
use toolpact_core::json::Value;
use toolpact_upstream::{Upstream, UpstreamBuilder};

/// One of the servers, which keeps what it keeps in `sandbox`.
fn server(package: &Path, name: &str, sandbox: &Path) -> UpstreamBuilder {
    let folder = format!("node_modules/@modelcontextprotocol/server-{name}/dist/index.js");
    let builder = Upstream::command("node")
        .arg(package.join(folder))
        .env("MEMORY_FILE_PATH", sandbox.join("memory.jsonl"))
        .folder(sandbox);
    match name {
        "filesystem" => builder.arg(sandbox),
        _ => builder,
    }
}

/// A session that sees the tools of a server.
fn open(upstream: &Upstream) -> Session {
    let registry = Registry::new();
    registry.add_all(upstream.definitions()).unwrap();
    registry.session().open().unwrap()
}

async fn call(session: &Session, name: &str, args: &str) -> Completed {
    session
        .call(Call::new(name, Value::from_json(args).unwrap()))
        .await
}

fn told(completed: &Completed) -> String {
    assert!(completed.is_success(), "{:?}", completed.error());
    completed.text()
}

#[tokio::test]
async fn memory() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let sandbox = tempfile::tempdir().unwrap();
    let upstream = server(&package, "memory", sandbox.path())
        .connect()
        .await
        .unwrap();
    assert!(upstream.left_out().is_empty(), "{:?}", upstream.left_out());
    let session = open(&upstream);
    assert_eq!(session.names().count(), 9);
    let entities = r#"{"entities": [{"name": "Ada", "entityType": "person", "observations": ["wrote programs"]}]}"#;
    let created = call(&session, "create_entities", entities).await;
    assert_eq!(
        created.to_value().unwrap().to_canonical(),
        Value::from_json(entities).unwrap().to_canonical()
    );
    let found = call(&session, "search_nodes", r#"{"query": "programs"}"#).await;
    assert!(told(&found).contains("Ada"), "{}", found.text());

    // Arguments are checked before the server sees them.
    let wrong = call(&session, "search_nodes", r#"{"query": 5}"#).await;
    assert_eq!(wrong.error().unwrap().code(), "VALIDATION_FORMAT");
    assert!(sandbox.path().join("memory.jsonl").exists());

    // A server that is gone is started again, and knows what it kept.
    upstream.close().await;
    let found = call(&session, "open_nodes", r#"{"names": ["Ada"]}"#).await;
    assert!(told(&found).contains("wrote programs"), "{}", found.text());
}

#[tokio::test]
async fn filesystem() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let (outside, sandbox) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(outside.path().join("secret.txt"), "s3cret").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(outside.path(), sandbox.path().join("link")).unwrap();
    let upstream = server(&package, "filesystem", sandbox.path())
        .connect()
        .await
        .unwrap();
    let session = open(&upstream);
    let here = sandbox.path().join("note.txt");
    let written = format!(r#"{{"path": {here:?}, "content": "one line\n"}}"#);
    told(&call(&session, "write_file", &written).await);
    let read = call(
        &session,
        "read_text_file",
        &format!(r#"{{"path": {here:?}}}"#),
    )
    .await;
    assert!(told(&read).contains("one line"));

    let up = sandbox
        .path()
        .join("..")
        .join(outside.path().file_name().unwrap());
    for path in [
        outside.path().join("secret.txt"),
        up.join("secret.txt"),
        sandbox.path().join("link/secret.txt"),
        "/etc/passwd".into(),
        format!("file://{}", outside.path().join("secret.txt").display()).into(),
    ] {
        let refused = call(
            &session,
            "read_text_file",
            &format!(r#"{{"path": {path:?}}}"#),
        )
        .await;
        let error = refused.error().unwrap();
        assert_eq!(error.code(), "EXTERNAL_API_ERROR", "{path:?}");
        assert!(
            !refused.text().contains("s3cret"),
            "{path:?}: {}",
            refused.text()
        );
    }
}

#[tokio::test]
async fn everything() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let sandbox = tempfile::tempdir().unwrap();
    let upstream = server(&package, "everything", sandbox.path())
        .connect()
        .await
        .unwrap();
    let session = open(&upstream);
    let echoed = call(&session, "echo", r#"{"message": "hi"}"#).await;
    assert_eq!(told(&echoed), "Echo: hi");
    let weather = call(
        &session,
        "get-structured-content",
        r#"{"location": "New York"}"#,
    )
    .await;
    told(&weather);
    assert!(
        weather
            .to_value()
            .unwrap()
            .root()
            .get("temperature")
            .is_some()
    );
    let image = call(&session, "get-tiny-image", "{}").await;
    assert!(image.to_value().unwrap().text().contains("image/png"));
}

/// The same tool under a contract of our own, which it breaks.
#[tokio::test]
async fn a_stricter_contract() {
    let Some(package) = conformance::suite("mcp-servers").or_leave_out() else {
        return;
    };
    let sandbox = tempfile::tempdir().unwrap();
    let contract = |most: i64| {
        let text = format!(
            r#"{{"name": "get-structured-content", "description": "The weather.",
                "parameters": {{"type": "object", "properties": {{"location": {{"enum": ["Chicago", "Los Angeles"]}}}}, "required": ["location"]}},
                "returns": {{"type": "object", "properties": {{"temperature": {{"type": "number", "maximum": {most}}}}}, "required": ["temperature"]}}}}"#
        );
        Contract::from_json(text).unwrap()
    };
    for (most, code) in [(1000, None), (-1000, Some("INTERNAL_CONTRACT"))] {
        let builder = server(&package, "everything", sandbox.path()).contract(contract(most));
        let session = open(&builder.connect().await.unwrap());
        let called = call(
            &session,
            "get-structured-content",
            r#"{"location": "Chicago"}"#,
        )
        .await;
        assert_eq!(called.error().map(toolpact::ToolError::code), code);
        let refused = call(
            &session,
            "get-structured-content",
            r#"{"location": "New York"}"#,
        )
        .await;
        assert_eq!(refused.error().unwrap().code(), "VALIDATION_FORMAT");
    }
    let nobody = Contract::from_json(
        r#"{"name": "nobody", "description": "Is not there.", "parameters": {"type": "object"}}"#,
    );
    let refused = server(&package, "everything", sandbox.path())
        .contract(nobody.unwrap())
        .connect()
        .await;
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("no such tool on the program `node`"),
        "{message}"
    );
}
