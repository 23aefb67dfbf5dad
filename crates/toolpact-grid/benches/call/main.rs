//! The grid beside raw async-nats, on one server of its own and in one run:
//! `cargo bench -p toolpact-grid --bench call -- [calls|long|soak|growth]`. Without a word, `calls` and `long`.
//! `NATS_URL` is a server that is there already.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    reason = "a benchmark prints, and ends where something is wrong"
)]

mod calls;
mod growth;
mod long;
mod process;
#[path = "../../tests/it/kit/server.rs"]
#[expect(dead_code, reason = "tests do more with it")]
mod server;
mod soak;

use server::NatsServer;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if let ["process", role, url, rest @ ..] = &*words {
        return process::act(role, url, rest).await;
    }
    // `cargo test --benches` runs this too, and is not to measure.
    if !std::env::args().any(|word| word == "--bench") {
        return;
    }
    let server = match std::env::var("NATS_URL") {
        Ok(_) => None,
        Err(_) => match NatsServer::start() {
            Some(server) => Some(server),
            None => return,
        },
    };
    let url = server.as_ref().map(|server| server.url().to_owned());
    let url = url.unwrap_or_else(|| std::env::var("NATS_URL").unwrap());
    print_load();
    match &*words {
        [] => {
            calls::run(&url).await;
            long::run(&url).await;
        }
        ["calls"] => calls::run(&url).await,
        ["long"] => long::run(&url).await,
        ["soak", rest @ ..] => soak::run(&url, rest).await,
        ["growth", rest @ ..] => growth::run(&url, rest).await,
        other => eprintln!("expected `calls`, `long`, `soak` or `growth`, found {other:?}"),
    }
    print_load();
}

/// How busy the machine is with this and everything else.
fn print_load() {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load of the machine: {}", load.trim());
}
