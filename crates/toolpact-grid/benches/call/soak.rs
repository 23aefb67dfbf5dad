//! Three runtimes and a host, each a process of its own: at 80 % of what they take at once, then five times what they
//! can do, then at 80 % again. `soak [SECONDS]`, 600 without.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use toolpact::returns::StringValue;
use toolpact::{Call, Registry, Session, ToolError, tool};

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

/// How many calls took how long, in tenths of a millisecond: what is kept does not grow with the calls.
struct Times(Vec<u64>);

impl Times {
    fn new() -> Self {
        Self(vec![0; 100_000])
    }

    fn add(&mut self, took: Duration) {
        let place = usize::try_from(took.as_micros() / 100)
            .unwrap()
            .min(self.0.len() - 1);
        self.0[place] += 1;
    }

    fn count(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Milliseconds that so many hundredths took at most.
    fn at(&self, percent: u64) -> f64 {
        let (most, mut seen) = ((self.count() * percent).div_ceil(100), 0);
        let place = self.0.iter().position(|count| {
            seen += count;
            seen >= most
        });
        place.unwrap_or(0) as f64 / 10.0 + 0.1
    }
}

/// What became of calls.
struct Told {
    done: Times,
    refused: Times,
    errors: u64,
}

impl Told {
    fn new() -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self {
            done: Times::new(),
            refused: Times::new(),
            errors: 0,
        }))
    }
}

async fn call(session: Session, told: Arc<Mutex<Told>>) {
    let args = format!(
        r#"{{"name":"work","args":{{"text":"{}"}}}}"#,
        "x".repeat(100)
    );
    let start = Instant::now();
    let completed = session
        .call(Call::from_json(args).unwrap().json_only())
        .await;
    let took = start.elapsed();
    let mut told = told.lock().unwrap();
    match completed.error().map(ToolError::code) {
        None => told.done.add(took),
        Some("RATE_LIMIT_CONCURRENCY") => told.refused.add(took),
        Some(_) => told.errors += 1,
    }
}

async fn steady(session: &Session, span: Duration) -> String {
    let (over, told) = (Arc::new(AtomicBool::new(false)), Told::new());
    let callers: Vec<_> = (0..STEADY)
        .map(|_| {
            let (session, over, told) = (session.clone(), Arc::clone(&over), Arc::clone(&told));
            tokio::spawn(async move {
                while !over.load(Ordering::Relaxed) {
                    call(session.clone(), Arc::clone(&told)).await;
                }
            })
        })
        .collect();
    tokio::time::sleep(span).await;
    over.store(true, Ordering::Relaxed);
    for caller in callers {
        caller.await.unwrap();
    }
    let told = told.lock().unwrap();
    format!(
        "{:.0} calls/s, {} errors of {}, p50 {:.1} ms, p99 {:.1} ms",
        told.done.count() as f64 / span.as_secs_f64(),
        told.errors + told.refused.count(),
        told.done.count() + told.errors + told.refused.count(),
        told.done.at(50),
        told.done.at(99)
    )
}

/// Makes so many calls each second, whatever becomes of them.
async fn overload(session: &Session, span: Duration, rate: f64) -> String {
    let start = Instant::now();
    let mut ticks = tokio::time::interval(Duration::from_millis(1));
    let (mut made, mut left_out, mut open) = (0.0, 0.0, tokio::task::JoinSet::new());
    let told = Told::new();
    while start.elapsed() < span {
        ticks.tick().await;
        // What this process could not make in time is left out rather than made at once.
        let due = start.elapsed().as_secs_f64() * rate;
        let late = f64::max(0.0, due - made - rate / 100.0);
        (made, left_out) = (made + late, left_out + late);
        while made < due {
            made += 1.0;
            open.spawn(call(session.clone(), Arc::clone(&told)));
        }
        while open.try_join_next().is_some() {}
    }
    while open.join_next().await.is_some() {}
    let told = told.lock().unwrap();
    let (done, refused) = (&told.done, &told.refused);
    format!(
        "{:.0} made, {} accepted in p50 {:.1} ms, p99 {:.1} ms; {} refused in p50 {:.1} ms, p99 {:.1} ms, at most {:.1} ms; {} other errors",
        made - left_out,
        done.count(),
        done.at(50),
        done.at(99),
        refused.count(),
        refused.at(50),
        refused.at(99),
        refused.at(100),
        told.errors
    )
}
