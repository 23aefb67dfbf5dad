//! Tools of a program, served with everything that tools of a config are.

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::returns::NumberValue;
use toolpact::{Registry, tool};
use toolpact_serve::{Config, Service};

use crate::support::{PATIENCE, TOOLS};

/// Adds two numbers.
#[tool(read_only)]
async fn add(a: i64, b: i64) -> NumberValue {
    NumberValue::success(a + b)
}

/// Doubles a number.
#[tool(read_only)]
async fn double(a: i64) -> NumberValue {
    NumberValue::success(2 * a)
}

/// A server with a registry and a config file, which has no sources at first.
struct Server {
    url: String,
    registry: Registry,
    folder: tempfile::TempDir,
    client: reqwest::Client,
    stop: CancellationToken,
}

impl Server {
    async fn start() -> Self {
        let registry = Registry::new();
        registry.add(add::tool()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("toolpact.yaml");
        std::fs::write(folder.path().join("tools.yaml"), TOOLS).unwrap();
        std::fs::write(&file, "listen: 127.0.0.1:0\n").unwrap();
        let config = Config::from_file(&file).unwrap();
        let stop = CancellationToken::new();
        let listener = Service::bind(&config).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let builder = Service::builder().registry(registry.clone()).config(config);
        let service = builder.config_file(file).stop(stop.clone()).start().await;
        let service = service.unwrap();
        tokio::spawn(async move { service.listen(listener).await.unwrap() });
        let client = toolpact_http::outgoing::client().no_proxy();
        Self {
            url,
            registry,
            folder,
            client: client.timeout(PATIENCE).build().unwrap(),
            stop,
        }
    }

    async fn get(&self, path: &str) -> String {
        let response = self.client.get(format!("{}{path}", self.url)).send().await;
        response
            .unwrap()
            .error_for_status()
            .unwrap()
            .text()
            .await
            .unwrap()
    }

    async fn call(&self, tool: &str, args: &Json) -> (u16, Json) {
        let url = format!("{}/v1/tools/{tool}", self.url);
        let response = self
            .client
            .post(url)
            .body(args.to_string())
            .send()
            .await
            .unwrap();
        let status = response.status().as_u16();
        (
            status,
            serde_json::from_str(&response.text().await.unwrap()).unwrap(),
        )
    }
}

#[tokio::test]
async fn rust_tools_are_served_with_everything() {
    let server = Server::start().await;
    let (status, sum) = server.call("add", &json!({"a": 2, "b": 3})).await;
    assert_eq!((status, &sum["value"]), (200, &json!(5)), "{sum}");
    assert_eq!(server.call("add", &json!({"a": "2"})).await.0, 400);
    let metrics = server.get("/v1/metrics").await;
    let counted = r#"toolpact_calls_total{tool="add",outcome="SUCCESS"} 1"#;
    assert!(metrics.contains(counted), "{metrics}");
    let health: Json = serde_json::from_str(&server.get("/v1/health").await).unwrap();
    assert_eq!(
        (&health["status"], &health["tools"]),
        (&json!("ok"), &json!(1))
    );
    assert!(
        server
            .get("/v1/stubs?lang=python")
            .await
            .contains("def add(")
    );
    assert!(server.get("/v1/openapi.json").await.contains("/tools/add"));
    assert!(server.get("/").await.contains("1 tool"));
    let upstream = toolpact_upstream::Upstream::http(format!("{}/mcp", server.url));
    let upstream = upstream.connect().await.unwrap();
    assert_eq!(upstream.definitions().len(), 1);
    server.stop.cancel();
}

#[tokio::test]
async fn tools_of_the_program_and_of_its_config_come_and_go() {
    let server = Server::start().await;
    server.registry.add(double::tool()).unwrap();
    let (status, twice) = server.call("double", &json!({"a": 21})).await;
    assert_eq!((status, &twice["value"]), (200, &json!(42)), "{twice}");
    let file = server.folder.path().join("toolpact.yaml");
    let config = "listen: 127.0.0.1:0\nsources: [{ files: { paths: [tools.yaml] } }]\n";
    std::fs::write(file, config).unwrap();
    let followed = async {
        while server.call("echo", &json!({"text": "hi"})).await.0 != 200 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(PATIENCE, followed).await.unwrap();
    assert_eq!(server.call("add", &json!({"a": 1, "b": 1})).await.0, 200);
    server.registry.remove("double").unwrap();
    assert_eq!(server.call("double", &json!({"a": 1})).await.0, 404);
}
