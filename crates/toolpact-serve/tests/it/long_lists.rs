//! Sources with many tools.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact_serve::{Config, Service};

use crate::scripted::Scripted;
use crate::support::{PATIENCE, Running};

/// A server of MCP whose list of tools is what the test says.
pub(crate) struct Listing {
    server: Scripted,
    delay_ms: Arc<AtomicU64>,
}

impl Listing {
    pub(crate) async fn new(names: &[&str]) -> Self {
        let listed: Vec<Json> = names.iter().map(|name| tool(name)).collect();
        let delay_ms = Arc::new(AtomicU64::new(0));
        let delay = Arc::clone(&delay_ms);
        let server = Scripted::start(json!({"tools": {}}), move |method, _| {
            Ok(match method {
                "tools/list" => {
                    std::thread::sleep(Duration::from_millis(delay.load(Ordering::Relaxed)));
                    json!({"tools": listed})
                }
                _ => json!({
                    "content": [{"type": "text", "text": "{\"who\":\"listing\"}"}],
                    "structuredContent": {"who": "listing"},
                }),
            })
        });
        Self {
            server: server.await,
            delay_ms,
        }
    }

    pub(crate) fn url(&self) -> &str {
        &self.server.url
    }

    pub(crate) fn delay(&self, time: Duration) {
        let ms = u64::try_from(time.as_millis()).unwrap();
        self.delay_ms.store(ms, Ordering::Relaxed);
    }
}

fn tool(name: &str) -> Json {
    json!({
        "name": name,
        "description": "Says who it is.",
        "inputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}},
        "outputSchema": {"type": "object", "properties": {"who": {"type": "string"}}},
    })
}

#[tokio::test]
async fn a_list_beyond_the_limits_is_cut_and_that_is_said() {
    let names: Vec<String> = (0..30).map(|n| format!("tool_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let far = Listing::new(&names).await;
    let config = format!(
        "limits: {{ tools: 10 }}\nsources: [{{ mcp: {{ name: far, url: '{}' }} }}]",
        far.url()
    );
    let server = Running::of(&config, &[]).await;
    assert_eq!(server.names().await.len(), 10);
    assert_eq!(server.call("far__tool_9", json!({})).await.0, 200);
    assert_eq!(server.call("far__tool_10", json!({})).await.0, 404);
    let (_, health) = server.get("/v1/health").await;
    let source = &health["sources"][0];
    assert_eq!(health["status"], "degraded", "{health}");
    assert_eq!(
        (&source["tools"], &source["left_out"]),
        (&json!(10), &json!(20))
    );
    let reasons = json!([{"reason": "limit", "tools": 20}]);
    assert_eq!(source["reasons"], reasons, "{health}");

    let bytes = tool("tool_0").to_string().len() * 3;
    let config = config.replace("tools: 10", &format!("tools_bytes: {bytes}"));
    let server = Running::of(&config, &[]).await;
    assert_eq!(server.names().await.len(), 3);
}

/// Three sources, of which one changes all the time: the tools of the others are not made again, and no call
/// fails.
#[tokio::test(flavor = "multi_thread")]
async fn a_source_that_changes_leaves_the_others_alone() {
    let names: Vec<String> = (0..300).map(|n| format!("tool_{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (one, two) = (Listing::new(&names).await, Listing::new(&names).await);
    // One that announces its changes.
    let files = |extra: usize| {
        let tool = |n: usize| {
            format!(
                "  - {{ name: tool_{n}, description: It says who it is., parameters: {{ type: object, properties: {{}} }}, \
                 returns: StringValue, run: {{ command: [echo, '\"changing\"'] }} }}\n"
            )
        };
        let tools: String = (0..100 + extra).map(tool).collect();
        format!("toolpact: 1\ntools:\n{tools}")
    };
    let config = "sources: [{ files: { paths: [tools.yaml] } }]";
    let changing = Running::of(config, &[("tools.yaml", &files(0))]).await;
    let config = format!(
        "listen: 127.0.0.1:0\nsources:\n  - mcp: {{ name: one, url: '{}' }}\n  \
         - mcp: {{ name: two, url: '{}' }}\n  - mcp: {{ name: three, url: '{}' }}\n",
        one.url(),
        two.url(),
        changing.url("/mcp")
    );
    let config = Config::from_yaml(config.as_bytes()).unwrap();
    let (registry, stop) = (Registry::new(), CancellationToken::new());
    let service = Service::builder().registry(registry.clone()).config(config);
    let service = service.stop(stop.clone()).start().await.unwrap();
    assert_eq!(registry.list().len(), 700);
    let of = |source: &str, name: &str| registry.toolset(source).unwrap().get(name);
    let kept = [("one", "tool_7"), ("two", "tool_299"), ("three", "tool_99")];
    let before = kept.map(|(source, name)| of(source, name).unwrap());

    let is_over = Arc::new(AtomicBool::new(false));
    let calling = tokio::spawn({
        let (registry, is_over) = (registry.clone(), Arc::clone(&is_over));
        async move {
            let mut calls = 0;
            while !is_over.load(Ordering::Relaxed) {
                let session = registry.session().qualified().open().unwrap();
                for name in ["one__tool_7", "two__tool_299", "three__tool_99"] {
                    let call = json!({"name": name, "args": {}}).to_string();
                    let call = toolpact::Call::from_json(&call).unwrap();
                    let completed = session.call(call).await;
                    assert!(completed.error().is_none(), "{:?}", completed.error());
                    calls += 1;
                }
            }
            calls
        }
    });
    for extra in 1..=4 {
        let generation = *registry.changes().borrow();
        std::fs::write(changing.file("tools.yaml"), files(extra)).unwrap();
        let last = format!("tool_{}", 99 + extra);
        let followed = async {
            while of("three", &last).is_none() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, followed).await.unwrap();
        // However many tools a source has, its change is one.
        assert_eq!(*registry.changes().borrow(), generation + 1);
    }
    is_over.store(true, Ordering::Relaxed);
    assert!(calling.await.unwrap() > 0);
    let after = kept.map(|(source, name)| of(source, name).unwrap());
    for ((before, after), kept) in before.iter().zip(&after).zip(kept) {
        assert!(Arc::ptr_eq(before, after), "{kept:?} was made again");
    }
    assert!(service.health().iter().all(toolpact_serve::Health::is_fine));
    stop.cancel();
}
