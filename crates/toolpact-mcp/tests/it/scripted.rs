//! Servers that answer as they are told.

use std::sync::Arc;

use serde_json::{Value as Json, json};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::{TcpListener, TcpStream};
use toolpact_upstream::Upstream;

type Answers = Arc<dyn Fn(&str, &Json) -> Result<Json, Json> + Send + Sync>;

/// A server of 2025-11-25 that answers as it is told. It ends with the task.
pub(crate) struct Scripted {
    pub(crate) url: String,
    pub(crate) task: tokio::task::JoinHandle<()>,
}

impl Scripted {
    pub(crate) async fn start(
        capabilities: Json,
        answers: impl Fn(&str, &Json) -> Result<Json, Json> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/mcp", listener.local_addr().unwrap());
        let answers: Answers = Arc::new(move |method, params| match method {
            "initialize" => Ok(json!({
                "protocolVersion": "2025-11-25",
                "capabilities": capabilities,
                "serverInfo": {"name": "scripted", "version": "1"},
            })),
            method => answers(method, params),
        });
        let task = tokio::spawn(async move {
            let mut connections = tokio::task::JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                connections.spawn(answer(stream, Arc::clone(&answers)));
            }
        });
        Self { url, task }
    }

    pub(crate) async fn upstream(&self) -> Upstream {
        Upstream::http(&*self.url).connect().await.unwrap()
    }
}

async fn answer(stream: TcpStream, answers: Answers) -> Option<()> {
    let mut stream = BufReader::new(stream);
    loop {
        let (is_post, request) = read(&mut stream).await?;
        let answer = match (is_post, request.get("id")) {
            (false, _) => "405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n".to_owned(),
            (true, None) => "202 Accepted\r\ncontent-length: 0\r\n\r\n".to_owned(),
            (true, Some(id)) => {
                let method = request["method"].as_str().unwrap();
                let (key, value) = match answers(method, &request["params"]) {
                    Ok(result) => ("result", result),
                    Err(error) => ("error", error),
                };
                let body = json!({"jsonrpc": "2.0", "id": id, key: value}).to_string();
                let kind = "content-type: application/json";
                format!(
                    "200 OK\r\n{kind}\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                )
            }
        };
        stream
            .write_all(format!("HTTP/1.1 {answer}").as_bytes())
            .await
            .ok()?;
    }
}

/// Whether the next request is a POST, and its message.
pub(crate) async fn read(stream: &mut BufReader<TcpStream>) -> Option<(bool, Json)> {
    let (mut line, mut length) = (String::new(), 0);
    (stream.read_line(&mut line).await.ok()? > 0).then_some(())?;
    let is_post = line.starts_with("POST");
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await.ok()?;
        let header = line.to_ascii_lowercase();
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some((is_post, serde_json::from_slice(&body).unwrap_or_default()))
}
