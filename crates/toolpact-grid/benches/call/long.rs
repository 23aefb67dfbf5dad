//! A stream of 1 GiB through a host and a runtime, each a process of its own, and long results, beside the same bytes in
//! the same parts by async-nats with the same window. Of a result, both sides make the whole text, and put it together again.

use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::future::join_all;
use toolpact::returns::{EventStream, StringValue};
use toolpact::session::Update;
use toolpact::{Call, Context, Registry, ToolError, tool, tools};
use toolpact_grid::async_nats::Client;
use toolpact_grid::connect;

use crate::process::{self, Process};

const PART: usize = 256 << 10;
/// What may be on its way without credit, and how many parts are credited at once.
const WINDOW: usize = 16;
const CREDIT_EACH: usize = 4;
const ROUNDS: usize = 5;
/// 1 GiB.
const STREAM_PARTS: usize = 4096;

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
    println!(
        "{:35} | raw MiB/s | grid MiB/s | ratio | peak memory of host, runtime",
        ""
    );
    for what in [Long::STREAM, Long::RESULTS, Long::RESULTS_TOGETHER] {
        for _ in 0..ROUNDS {
            let raw = raw_time(&client, url, what).await;
            host.tell(&format!("{} {} {}", what.parts, what.repeat, what.at_once))
                .await;
            let grid: f64 = host.line().await.parse().unwrap();
            let mib = (what.parts * what.repeat) as f64 / 4.0;
            let (raw, grid) = (mib / raw.as_secs_f64(), mib / grid);
            let ratio = grid / raw;
            let (host, runtime) = (host.memory("VmHWM"), runtime.memory("VmHWM"));
            println!(
                "{:35} | {raw:9.0} | {grid:10.0} | {ratio:5.2} | {host:.1}, {runtime:.1} MiB",
                what.name
            );
        }
    }
}

/// What is sent: so many parts, so often, and so many of these at the same time.
#[derive(Clone, Copy)]
struct Long {
    name: &'static str,
    parts: usize,
    repeat: usize,
    at_once: usize,
}

impl Long {
    const STREAM: Self = Self {
        name: "stream of 1 GiB",
        parts: STREAM_PARTS,
        repeat: 1,
        at_once: 1,
    };
    const RESULTS: Self = Self {
        name: "results of 8 MiB, one at a time",
        parts: 32,
        repeat: 32,
        at_once: 1,
    };
    const RESULTS_TOGETHER: Self = Self {
        name: "results of 8 MiB, four at a time",
        at_once: 4,
        ..Self::RESULTS
    };
}

/// Does it so often, so many at the same time, and says how long that took.
async fn time<F: Future<Output = ()> + Send + 'static>(
    what: Long,
    one: impl Fn(usize) -> F,
) -> Duration {
    let start = Instant::now();
    let all = (0..what.at_once).map(|place| tokio::spawn(one(place)));
    for each in join_all(all).await {
        each.unwrap();
    }
    start.elapsed()
}

async fn raw_time(client: &Client, url: &str, what: Long) -> Duration {
    let receivers = (0..what.at_once).map(|_| async { connect(url).await.unwrap() });
    let receivers = join_all(receivers).await;
    time(what, |place| {
        let (sender, receiver) = (client.clone(), receivers[place].clone());
        async move {
            for _ in 0..what.repeat / what.at_once {
                raw_parts(&sender, &receiver, what.parts).await;
            }
        }
    })
    .await
}

/// The process of the host: takes streams and results as it is told, and says how many seconds that took.
pub(crate) async fn host(url: &str, _: &[&str]) {
    let (host, session) = process::host(url, "long", &registry()).await;
    assert!(host.wait_for("stream", Duration::from_secs(30)).await);
    println!("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let mut numbers = line.split(' ').map(|word| word.parse().unwrap());
        let [parts, repeat, at_once] = std::array::from_fn(|_| numbers.next().unwrap());
        let what = Long {
            name: "",
            parts,
            repeat,
            at_once,
        };
        let took = time(what, |_| {
            let session = session.clone();
            async move {
                for _ in 0..repeat / at_once {
                    match parts {
                        STREAM_PARTS => take_stream(&session, parts).await,
                        _ => take_result(&session, parts).await,
                    }
                }
            }
        });
        println!("{}", took.await.as_secs_f64());
    }
}

async fn take_result(session: &toolpact::Session, parts: usize) {
    let bytes = PART * parts;
    let call = format!(r#"{{"name":"text","args":{{"bytes":{bytes}}}}}"#);
    let call = Call::from_json(call).unwrap().json_only();
    let completed = session.call(call).await;
    assert!(completed.is_success(), "{:?}", completed.error());
}

async fn take_stream(session: &toolpact::Session, parts: usize) {
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
async fn raw_parts(sender: &Client, receiver: &Client, parts: usize) {
    let (data, credit) = (receiver.new_inbox(), receiver.new_inbox());
    let mut parts_in = receiver.subscribe(data.clone()).await.unwrap();
    // The server may take the subscription of one connection after what another has published.
    receiver.publish(data.clone(), "".into()).await.unwrap();
    parts_in.next().await.unwrap();
    let mut credits = sender.subscribe(credit.clone()).await.unwrap();
    // A result is there as a whole, before and after; a stream never is.
    let whole = if parts == STREAM_PARTS { 1 } else { parts };
    let sending = async {
        let body: bytes::Bytes = "x".repeat(PART * whole).into();
        let mut credited = 0;
        for number in 1..=parts {
            while number > credited + WINDOW {
                credits.next().await.unwrap();
                credited += CREDIT_EACH;
            }
            let start = PART * ((number - 1) % whole);
            let part = body.slice(start..start + PART);
            sender.publish(data.clone(), part).await.unwrap();
        }
    };
    let taking = async {
        let mut body = Vec::with_capacity(PART * whole);
        for number in 1..=parts {
            let part = parts_in.next().await.unwrap();
            if whole > 1 {
                body.extend_from_slice(&part.payload);
            }
            if number % CREDIT_EACH == 0 {
                receiver.publish(credit.clone(), "".into()).await.unwrap();
            }
        }
        body
    };
    let ((), body) = tokio::join!(sending, taking);
    assert_eq!(body.len() % (PART * whole), 0);
}
