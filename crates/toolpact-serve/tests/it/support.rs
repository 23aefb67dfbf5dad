//! A server on a port of its own, and a client.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use reqwest::{Client, Method};
use serde_json::{Value as Json, json};
use tempfile::TempDir;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use toolpact_serve::{Config, Service};

/// Longest wait for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Tools that are programs.
pub(crate) const TOOLS: &str = r#"
toolpact: 1
tools:
  - name: echo
    description: Says what it was told.
    parameters: { type: object, properties: { text: { type: string } }, required: [text] }
    returns: { type: object, properties: { text: { type: string } }, required: [text] }
    run: { command: [cat] }
  - name: liar
    description: Promises a number and returns something else.
    parameters: { type: object, properties: {} }
    returns: NumberValue
    run: { command: [echo, '{"no": "number"}'] }
  - name: sleepy
    description: Takes its time.
    parameters: { type: object, properties: {} }
    returns: StringValue
    run: { command: [sh, -c, 'sleep 1; echo \"awake\"'] }
"#;

/// A server that runs.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) stop: CancellationToken,
    pub(crate) served: JoinHandle<()>,
    pub(crate) folder: TempDir,
    pub(crate) client: Client,
}

impl Running {
    /// A server of [`TOOLS`] with more in its config.
    pub(crate) async fn with(more: &str) -> Self {
        let config = format!("{more}\nsources:\n  - files: {{ paths: [tools.yaml] }}\n");
        Self::of(&config, &[("tools.yaml", TOOLS)]).await
    }

    pub(crate) async fn of(config: &str, files: &[(&str, &str)]) -> Self {
        Self::start(config, files, None).await
    }

    /// A server whose config changes after it was read.
    pub(crate) async fn of_changed(before: &str, after: &str) -> Self {
        Self::start(before, &[], Some(after)).await
    }

    async fn start(config: &str, files: &[(&str, &str)], changed: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let path = folder.path().join("toolpact.yaml");
        let text = |config: &str| format!("listen: 127.0.0.1:0\ndata: data\n{config}");
        std::fs::write(&path, text(config)).unwrap();
        let config = Config::from_file(&path).unwrap();
        if let Some(changed) = changed {
            std::fs::write(&path, text(changed)).unwrap();
        }
        let stop = CancellationToken::new();
        let listener = Service::bind(&config).await.unwrap();
        let service = Service::start(config, Some(path), stop.clone())
            .await
            .unwrap();
        let address = listener.local_addr().unwrap();
        let served = tokio::spawn(async move { service.listen(listener).await.unwrap() });
        let client = toolpact_http::outgoing::client()
            .no_proxy()
            .build()
            .unwrap();
        Self {
            address,
            stop,
            served,
            folder,
            client,
        }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn file(&self, name: &str) -> std::path::PathBuf {
        Path::new(self.folder.path()).join(name)
    }

    pub(crate) async fn ask(&self, method: Method, path: &str, body: &str) -> (u16, String) {
        let request = self
            .client
            .request(method, self.url(path))
            .body(body.to_owned());
        let response = request.timeout(PATIENCE).send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    pub(crate) async fn get(&self, path: &str) -> (u16, Json) {
        let (status, text) = self.ask(Method::GET, path, "").await;
        (
            status,
            serde_json::from_str(&text).unwrap_or(Json::String(text)),
        )
    }

    pub(crate) async fn post(&self, path: &str, body: &Json) -> (u16, Json) {
        let (status, text) = self.ask(Method::POST, path, &body.to_string()).await;
        (
            status,
            serde_json::from_str(&text).unwrap_or(Json::String(text)),
        )
    }

    pub(crate) async fn call(&self, name: &str, args: Json) -> (u16, Json) {
        self.post("/v1/call", &json!({"name": name, "args": args}))
            .await
    }

    /// The names of the tools that are served.
    pub(crate) async fn names(&self) -> Vec<String> {
        let (_, list) = self.get("/v1/contracts").await;
        let contracts = list["contracts"].as_array().unwrap().iter();
        contracts
            .map(|one| one["name"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Waits until these tools are served.
    pub(crate) async fn until(&self, names: &[&str]) {
        let all = async {
            while self.names().await != names {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(PATIENCE, all).await.unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
