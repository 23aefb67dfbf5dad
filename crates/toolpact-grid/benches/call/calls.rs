//! Calls over the grid beside raw request/reply of async-nats, with the same headers and the same payload, in turns.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use toolpact::returns::StringValue;
use toolpact::{Call, Registry, Session, tool};
use toolpact_grid::async_nats::{Client, HeaderMap};
use toolpact_grid::{Host, Runtime, connect};

/// Gives back what it is given.
#[tool(read_only, inline)]
async fn echo(text: String) -> StringValue {
    StringValue::success(text)
}

const ROUNDS: usize = 5;
const SPAN: Duration = Duration::from_secs(2);

pub(crate) async fn run(url: &str) {
    let args = format!(
        r#"{{"name":"echo","args":{{"text":"{}"}}}}"#,
        "x".repeat(360)
    );
    let raw = Arc::new(Raw::start(url, &args).await);
    let (session, _host, _runtime) = grid(url).await;
    let call = Call::from_json(&args).unwrap();
    println!(
        "in flight |  raw calls/s | grid calls/s | ratio |  raw p50, p99 us | grid p50, p99 us"
    );
    for in_flight in [1, 16, 64, 256] {
        let (mut raws, mut grids) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            raws.push(
                {
                    let raw = Arc::clone(&raw);
                    measure(in_flight, move || Arc::clone(&raw).call())
                }
                .await,
            );
            grids.push(
                {
                    let (session, call) = (session.clone(), call.clone());
                    measure(in_flight, move || ask(session.clone(), call.clone()))
                }
                .await,
            );
        }
        let (raw, grid) = (median(raws), median(grids));
        println!(
            "{in_flight:9} | {:12.0} | {:12.0} | {:5.2} | {:7}, {:7} | {:7}, {:7}",
            raw.0,
            grid.0,
            grid.0 / raw.0,
            raw.1,
            raw.2,
            grid.1,
            grid.2
        );
    }
}

async fn grid(url: &str) -> (Session, Host, Runtime) {
    let registry = Registry::new();
    registry.add(echo::tool()).unwrap();
    let contracts: Vec<_> = registry
        .list()
        .iter()
        .map(|tool| tool.contract().clone())
        .collect();
    let host = Host::builder(connect(url).await.unwrap())
        .prefix("bench")
        .open(contracts)
        .await
        .unwrap();
    let runtime = Runtime::builder(connect(url).await.unwrap())
        .prefix("bench")
        .capacity(1024);
    let runtime = runtime.join(&registry).await.unwrap();
    assert!(host.wait_for("echo", Duration::from_secs(10)).await);
    let remote = Registry::new();
    remote.add_all(host.definitions()).unwrap();
    (remote.session().open().unwrap(), host, runtime)
}

async fn ask(session: Session, call: Call) {
    let completed = session.call(call.json_only()).await;
    assert!(completed.is_success(), "{completed:?}");
}

/// The same without anything of ours.
struct Raw {
    client: Client,
    headers: HeaderMap,
    body: bytes::Bytes,
}

impl Raw {
    async fn start(url: &str, body: &str) -> Self {
        let server = connect(url).await.unwrap();
        let mut calls = server.subscribe("raw.call").await.unwrap();
        server.flush().await.unwrap();
        let answer: bytes::Bytes = format!(
            r#"{{"name":"echo","status":"SUCCESS","content":{{"success":true,"value":"{}"}}}}"#,
            "x".repeat(360)
        )
        .into();
        tokio::spawn(async move {
            while let Some(call) = calls.next().await {
                server
                    .publish(call.reply.unwrap(), answer.clone())
                    .await
                    .unwrap();
            }
        });
        let mut headers = HeaderMap::new();
        headers.insert("Toolpact-Invocation", "0".repeat(32));
        headers.insert("Toolpact-Attempt", "1");
        headers.insert("Toolpact-Digest", "0".repeat(64));
        headers.insert("Toolpact-Deadline", "1763480000000");
        headers.insert("Toolpact-Start-By", "1763480000000");
        Self {
            client: connect(url).await.unwrap(),
            headers,
            body: body.to_owned().into(),
        }
    }

    async fn call(self: Arc<Self>) {
        let (headers, body) = (self.headers.clone(), self.body.clone());
        self.client
            .request_with_headers("raw.call", headers, body)
            .await
            .unwrap();
    }
}

/// Calls per second, and the latencies of the middle call and of the slowest hundredth.
type Figures = (f64, u128, u128);

async fn measure<F: Future<Output = ()> + Send + 'static>(
    in_flight: usize,
    call: impl Fn() -> F + Clone + Send + 'static,
) -> Figures {
    let (start, over) = (Instant::now(), Arc::new(AtomicBool::new(false)));
    let callers: Vec<_> = (0..in_flight)
        .map(|_| {
            let (call, over) = (call.clone(), Arc::clone(&over));
            tokio::spawn(async move {
                let mut took = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    let start = Instant::now();
                    call().await;
                    took.push(start.elapsed());
                }
                took
            })
        })
        .collect();
    tokio::time::sleep(SPAN).await;
    over.store(true, Ordering::Relaxed);
    let mut took = Vec::new();
    for caller in callers {
        took.extend(caller.await.unwrap());
    }
    let rate = took.len() as f64 / start.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |part: usize| {
        took.get(took.len() * part / 100)
            .map_or(0, Duration::as_micros)
    };
    (rate, at(50), at(99))
}

fn median(mut figures: Vec<Figures>) -> Figures {
    figures.sort_by(|one, other| one.0.total_cmp(&other.0));
    figures.swap_remove(figures.len() / 2)
}
