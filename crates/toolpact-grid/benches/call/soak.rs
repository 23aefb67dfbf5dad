//! Three runtimes and a host, each a process of its own: at 80 % of what they take at once, then five times what they
//! can do, then at 80 % again. `soak [SECONDS]`, 600 without.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use toolpact::returns::StringValue;
use toolpact::{Call, Registry, Session, tool};

use crate::process::{self, Process};

/// Calls that a runtime takes at once.
pub(crate) const CAPACITY: usize = 32;
const RUNTIMES: usize = 3;
const STEADY: usize = RUNTIMES * CAPACITY * 8 / 10;
const TIMES: f64 = 5.0;
const OVERLOAD: Duration = Duration::from_secs(20);

/// Takes 20 ms.
#[tool]
async fn work(text: String) -> StringValue {
    tokio::time::sleep(Duration::from_millis(20)).await;
    StringValue::success(text)
}

pub(crate) fn registry() -> Registry {
    let registry = Registry::new();
    registry.add(work::tool()).unwrap();
    registry
}

pub(crate) async fn run(url: &str, rest: &[&str]) {
    let seconds: u64 = rest.first().map_or(600, |seconds| seconds.parse().unwrap());
    let mut host = Process::start("soak-host", url, &[]);
    let mut runtimes: Vec<_> = (0..RUNTIMES)
        .map(|_| Process::start("soak-runtime", url, &[]))
        .collect();
    for runtime in &mut runtimes {
        runtime.line().await;
    }
    println!("{}", host.line().await);
    let all = |host: &Process, runtimes: &[Process]| {
        let mut all = vec![host.memory("VmRSS")];
        all.extend(runtimes.iter().map(|one| one.memory("VmRSS")));
        all.iter()
            .map(|mib| format!("{mib:6.1}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    println!("MiB of memory of the host and of each runtime:");
    let parts = 10.min(seconds / 2).max(1);
    let mut rate = 0.0;
    for part in 1..=parts {
        host.tell(&format!("steady {}", seconds / parts)).await;
        let said = host.line().await;
        rate = said.split_whitespace().next().unwrap().parse().unwrap();
        println!(
            "{:4} s: {} | {said}",
            part * seconds / parts,
            all(&host, &runtimes)
        );
    }
    let over = rate * TIMES * (RUNTIMES * CAPACITY) as f64 / STEADY as f64;
    let span = OVERLOAD.as_secs().min(seconds);
    host.tell(&format!("overload {span} {over}")).await;
    println!("overload, {over:.0} calls/s: {}", host.line().await);
    println!("        {}", all(&host, &runtimes));
    host.tell("steady 2").await;
    println!("the 2 s after it: {}", host.line().await);
    host.tell(&format!("steady {}", span.max(2))).await;
    println!(
        "after that: {} | {}",
        all(&host, &runtimes),
        host.line().await
    );
}

/// The process of the host: does as it is told, and says what came of it.
pub(crate) async fn host(url: &str) {
    let (host, session) = process::host(url, "soak", &registry()).await;
    while host.runtimes().len() < RUNTIMES || !host.wait_for("work", Duration::from_secs(1)).await {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    println!("{STEADY} calls at a time on {RUNTIMES} runtimes of {CAPACITY} places");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split(' ').collect();
        let span = Duration::from_secs(words[1].parse().unwrap());
        let said = match words[0] {
            "steady" => steady(&session, span).await,
            _ => overload(&session, span, words[2].parse().unwrap()).await,
        };
        println!("{said}");
    }
}

struct Told {
    took: Duration,
    error: Option<String>,
}

async fn call(session: Session) -> Told {
    let args = format!(
        r#"{{"name":"work","args":{{"text":"{}"}}}}"#,
        "x".repeat(100)
    );
    let start = Instant::now();
    let completed = session
        .call(Call::from_json(args).unwrap().json_only())
        .await;
    let error = completed.error().map(|error| error.code().to_owned());
    Told {
        took: start.elapsed(),
        error,
    }
}

async fn steady(session: &Session, span: Duration) -> String {
    let over = Arc::new(AtomicBool::new(false));
    let callers: Vec<_> = (0..STEADY)
        .map(|_| {
            let (session, over) = (session.clone(), Arc::clone(&over));
            tokio::spawn(async move {
                let mut all = Vec::new();
                while !over.load(Ordering::Relaxed) {
                    all.push(call(session.clone()).await);
                }
                all
            })
        })
        .collect();
    tokio::time::sleep(span).await;
    over.store(true, Ordering::Relaxed);
    let mut all = Vec::new();
    for caller in callers {
        all.extend(caller.await.unwrap());
    }
    let errors = all.iter().filter(|one| one.error.is_some()).count();
    let took = times(&all, |one| one.error.is_none());
    format!(
        "{:.0} calls/s, {errors} errors of {}, p50 {:.1} ms, p99 {:.1} ms",
        all.len() as f64 / span.as_secs_f64(),
        all.len(),
        part(&took, 50),
        part(&took, 99)
    )
}

/// Makes so many calls each second, whatever becomes of them.
async fn overload(session: &Session, span: Duration, rate: f64) -> String {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(Duration::from_millis(1));
    let (mut made, mut open) = (0.0, tokio::task::JoinSet::new());
    let mut all = Vec::new();
    while start.elapsed() < span {
        ticks.tick().await;
        // What this process could not make in time is left out rather than made at once.
        made = f64::max(made, start.elapsed().as_secs_f64() * rate - rate / 100.0);
        while made < start.elapsed().as_secs_f64() * rate {
            made += 1.0;
            open.spawn(call(session.clone()));
        }
        while let Some(done) = open.try_join_next() {
            all.push(done.unwrap());
        }
    }
    while let Some(done) = open.join_next().await {
        all.push(done.unwrap());
    }
    let is_full = |one: &Told| one.error.as_deref() == Some("RATE_LIMIT_CONCURRENCY");
    let accepted = times(&all, |one| one.error.is_none());
    let refused = times(&all, is_full);
    format!(
        "{} made, {} accepted in p50 {:.1} ms, p99 {:.1} ms; {} refused in p50 {:.2} ms, p99 {:.2} ms, at most {:.1} ms; {} other errors",
        all.len(),
        accepted.len(),
        part(&accepted, 50),
        part(&accepted, 99),
        refused.len(),
        part(&refused, 50),
        part(&refused, 99),
        part(&refused, 100),
        all.len() - accepted.len() - refused.len()
    )
}

/// Milliseconds, from the least to the most.
fn times(all: &[Told], of: impl Fn(&Told) -> bool) -> Vec<f64> {
    let mut times: Vec<f64> = all
        .iter()
        .filter(|one| of(one))
        .map(|one| one.took.as_secs_f64() * 1000.0)
        .collect();
    times.sort_by(f64::total_cmp);
    times
}

fn part(times: &[f64], percent: usize) -> f64 {
    let place = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(place).copied().unwrap_or(f64::NAN)
}
