//! A stream of 1 GiB through a host and a runtime, each a process of its own, and long results, beside the same bytes in
//! the same parts by async-nats with the same window.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use toolpact::returns::{EventStream, StringValue};
use toolpact::session::Update;
use toolpact::{Call, Context, Registry, ToolError, tool, tools};
use toolpact_grid::async_nats::Client;
use toolpact_grid::connect;

use crate::process::{self, Process};

const PART: usize = 256 << 10;
/// What may be on its way without credit, and how many parts are credited at once.
const WINDOW: u64 = 16;
const CREDIT_EACH: u64 = 4;
const ROUNDS: usize = 3;

/// Sends so many parts.
#[tool(read_only)]
async fn stream(count: u64, cx: &Context) -> Result<EventStream<String>, ToolError> {
    let part = "x".repeat(PART - 128);
    for number in 0..count {
        let event = EventStream::new("part")?.with_id(&number.to_string())?;
        cx.emit(&event.with_data(&*part)).await?;
    }
    Ok(EventStream::new("end")?)
}

/// Makes a result of so many bytes.
#[tool(read_only)]
async fn text(bytes: usize) -> StringValue {
    StringValue::success("x".repeat(bytes))
}

pub(crate) fn registry() -> Registry {
    let registry = Registry::new();
    registry.add_all(tools![stream, text]).unwrap();
    registry
}

pub(crate) async fn run(url: &str) {
    let mut host = Process::start("long-host", url, &[]);
    let mut runtime = Process::start("long-runtime", url, &[]);
    runtime.line().await;
    host.line().await;
    let client = connect(url).await.unwrap();
    println!("                    | raw MiB/s | grid MiB/s | ratio");
    let mut ratios = Vec::new();
    for (what, parts) in [("stream of 1 GiB", 4096), ("result of 8 MiB", 32)] {
        for _ in 0..ROUNDS {
            let repeat = if parts == 32 { 16 } else { 1 };
            let mut raw = Duration::ZERO;
            for _ in 0..repeat {
                raw += raw_parts(&client, url, parts).await;
            }
            host.tell(&format!("{parts} {repeat}")).await;
            let grid: f64 = host.line().await.parse().unwrap();
            let mib = (parts * repeat) as f64 / 4.0;
            let (raw, grid) = (mib / raw.as_secs_f64(), mib / grid);
            println!("{what:19} | {raw:9.0} | {grid:10.0} | {:5.2}", grid / raw);
            ratios.push(grid / raw);
        }
    }
    let (host, runtime) = (host.memory("VmHWM"), runtime.memory("VmHWM"));
    println!("peak memory: host {host:.1} MiB, runtime {runtime:.1} MiB");
}

/// The process of the host: takes streams and results as it is told, and says how many seconds that took.
pub(crate) async fn host(url: &str, _: &[&str]) {
    let (host, session) = process::host(url, "long", &registry()).await;
    assert!(host.wait_for("stream", Duration::from_secs(30)).await);
    println!("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let (parts, repeat) = line.split_once(' ').unwrap();
        let (parts, repeat): (u64, u64) = (parts.parse().unwrap(), repeat.parse().unwrap());
        let start = Instant::now();
        for _ in 0..repeat {
            match parts {
                32 => {
                    let call = format!(r#"{{"name":"text","args":{{"bytes":{}}}}}"#, PART * 32);
                    let completed = session
                        .call(Call::from_json(call).unwrap().json_only())
                        .await;
                    assert!(completed.is_success(), "{:?}", completed.error());
                }
                _ => take_stream(&session, parts).await,
            }
        }
        println!("{}", start.elapsed().as_secs_f64());
    }
}

async fn take_stream(session: &toolpact::Session, parts: u64) {
    let call = format!(r#"{{"name":"stream","args":{{"count":{parts}}}}}"#);
    let call = Call::from_json(call)
        .unwrap()
        .json_only()
        .timeout(Duration::from_secs(800));
    let mut stream = session.call_streaming(call);
    let mut taken = 0;
    while let Some(update) = stream.next().await {
        let Update::Item(item) = update else { continue };
        let number = item
            .root()
            .get("id")
            .and_then(|id| id.as_str()?.parse().ok());
        assert_eq!(number.unwrap_or(taken), taken, "a part is missing");
        taken += 1;
    }
    let completed = stream.finish().await;
    assert!(completed.is_success(), "{:?}", completed.error());
    assert_eq!(taken, parts);
}

/// The same bytes from one connection to another, as far as there is credit.
async fn raw_parts(sender: &Client, url: &str, parts: u64) -> Duration {
    let receiver = connect(url).await.unwrap();
    let (data, credit) = (receiver.new_inbox(), receiver.new_inbox());
    let mut parts_in = receiver.subscribe(data.clone()).await.unwrap();
    // The server may take the subscription of one connection after what another has published.
    receiver.publish(data.clone(), "".into()).await.unwrap();
    parts_in.next().await.unwrap();
    let mut credits = sender.subscribe(credit.clone()).await.unwrap();
    let start = Instant::now();
    let sending = async {
        let part: bytes::Bytes = "x".repeat(PART).into();
        let mut credited = 0;
        for number in 1..=parts {
            while number > credited + WINDOW {
                credits.next().await.unwrap();
                credited += CREDIT_EACH;
            }
            sender.publish(data.clone(), part.clone()).await.unwrap();
        }
    };
    let taking = async {
        for number in 1..=parts {
            parts_in.next().await.unwrap();
            if number % CREDIT_EACH == 0 {
                receiver.publish(credit.clone(), "".into()).await.unwrap();
            }
        }
    };
    tokio::join!(sending, taking);
    start.elapsed()
}
