//! What it costs that many runtimes are there: messages, and the memory and time of a host.
//! `growth [RUNTIMES [TOOLS]]`, 1,000 runtimes of 100 tools each without.

use std::time::{Duration, Instant};

use serde_json::json;
use toolpact::core::contract::Contract;
use toolpact_grid::async_nats::jetstream;
use toolpact_grid::{Host, connect};

use crate::process::Process;

/// A manifest has so many times the tools of a runtime.
const VARIETY: usize = 10;
const REFRESH: Duration = Duration::from_secs(2);
const SPAN: Duration = Duration::from_secs(20);

pub(crate) async fn run(url: &str, rest: &[&str]) {
    let number =
        |place: usize, usual: usize| rest.get(place).map_or(usual, |word| word.parse().unwrap());
    let (count, tools) = (number(0, 1000), number(1, 100));
    println!(
        "{count} runtimes of {tools} tools each, of a manifest of {}",
        tools * VARIETY
    );
    let words = [count.to_string(), tools.to_string()];
    let mut host = Process::start("growth-host", url, &words);
    println!("{}", host.line().await);
    let (before, start) = (host.memory("VmRSS"), Instant::now());
    let mut runtimes = Process::start("growth-runtimes", url, &words);
    println!("{}", runtimes.line().await);
    host.tell("all").await;
    println!(
        "{} after {:.1} s",
        host.line().await,
        start.elapsed().as_secs_f64()
    );
    let (busy, start) = (host.seconds(), Instant::now());
    tokio::time::sleep(SPAN).await;
    let busy = (host.seconds() - busy) / start.elapsed().as_secs_f64();
    let after = host.memory("VmRSS");
    println!(
        "host: {before:.1} MiB without runtimes, {after:.1} MiB with them, {:.1} % of a processor",
        busy * 100.0
    );
    println!("runtimes: {}", {
        runtimes.tell("said").await;
        runtimes.line().await
    });
    drop(runtimes);
    let start = Instant::now();
    host.tell("none").await;
    println!(
        "{} after {:.1} s",
        host.line().await,
        start.elapsed().as_secs_f64()
    );
}

fn contracts(tools: usize) -> Vec<Contract> {
    let one = |number: usize| {
        let contract = json!({
            "name": format!("tool_{number:05}"),
            "description": "Does one of many things.",
            "parameters": {"type": "object", "properties": {"text": {"type": "string"}}},
            "returns": "StringValue"
        });
        Contract::from_json(contract.to_string()).unwrap()
    };
    (0..tools * VARIETY).map(one).collect()
}

/// The process of the host.
pub(crate) async fn host(url: &str, rest: &[&str]) {
    let (count, tools): (usize, usize) = (rest[0].parse().unwrap(), rest[1].parse().unwrap());
    let contracts = contracts(tools);
    let start = Instant::now();
    let builder = Host::builder(connect(url).await.unwrap()).prefix("growth");
    let host = builder.open(contracts).await.unwrap();
    println!(
        "the host has published its manifest in {:.1} s",
        start.elapsed().as_secs_f64()
    );
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let wanted = if line == "all" { count } else { 0 };
        while host.runtimes().len() != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        println!("the host knows {wanted} runtimes");
    }
}

/// The process of all runtimes: what they would say, and nothing else of them.
pub(crate) async fn runtimes(url: &str, rest: &[&str]) {
    let (count, tools): (usize, usize) = (rest[0].parse().unwrap(), rest[1].parse().unwrap());
    let contracts = contracts(tools);
    let client = connect(url).await.unwrap();
    let store = jetstream::new(client.clone());
    let store = store.get_key_value("growth_v1_presence").await.unwrap();
    let says = |runtime: usize| {
        let of = (0..tools).map(|tool| &contracts[(runtime * 7 + tool * 13) % contracts.len()]);
        let of = of.map(|one| {
            (
                one.name().as_str().to_owned(),
                one.digest().to_string().into(),
            )
        });
        let of: serde_json::Map<_, _> = of.collect();
        json!({"runtime": format!("runtime-{runtime:06}"), "language": "rust", "version": "1", "protocols": ["v1"],
            "features": ["chunks", "batch"], "capacity": 64, "in_flight": 0, "draining": false, "tools": of})
        .to_string()
    };
    let presences: Vec<String> = (0..count).map(says).collect();
    let start = Instant::now();
    for presence in &presences {
        let asked = client.request("growth.v1.announce", presence.clone().into());
        asked.await.unwrap();
    }
    let bytes: usize = presences.iter().map(String::len).sum();
    println!(
        "they were admitted one after another in {:.1} s, each with {} bytes",
        start.elapsed().as_secs_f64(),
        bytes / count
    );
    std::thread::spawn(move || {
        for line in std::io::stdin().lines().map_while(Result::ok) {
            assert_eq!(line, "said");
            println!(
                "{:.0} presences/s, {:.1} MiB/s",
                count as f64 / REFRESH.as_secs_f64(),
                bytes as f64 / REFRESH.as_secs_f64() / f64::from(1 << 20)
            );
        }
    });
    let between = REFRESH.div_f64(count as f64);
    let start = Instant::now();
    for turn in 0_u32.. {
        let place = turn as usize % count;
        let key = format!("runtime-{place:06}");
        let _ = store.put(key, presences[place].clone().into()).await;
        let next = start + between * turn;
        tokio::time::sleep(next.saturating_duration_since(Instant::now())).await;
    }
}
