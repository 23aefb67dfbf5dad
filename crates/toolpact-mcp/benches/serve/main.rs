//! Calls of an echo tool over HTTP and over pipes, beside the same tool on rmcp alone and beside
//! nothing but an echo.
//!
//! `cargo bench -p toolpact-mcp --bench serve`
//!
//! With `-- --instructions inline` (or `usual`, `plain`, `echo`), the instructions of a call under callgrind
//! instead; with a directory behind it, the profiles are kept there.

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

mod count;
mod load;
mod measure;
mod modes;
mod servers;
mod stdio;
mod tool;

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use load::Connection;
use measure::{Figures, Process};
use modes::Mode;
use servers::Kind;

/// Connections of the client, each of which has one call under way at a time.
const CONNECTIONS: usize = 16;

/// Calls of each connection before it counts, every answer of which is read and compared.
const WARM_UP: usize = 300;

pub(crate) type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if let [_, how, kind, rest @ ..] = &args[..]
        && let Some(kind) = Kind::from_name(kind)
    {
        return match how.as_str() {
            "--server" => servers::http(kind),
            "--stdio-server" => servers::stdio(kind),
            "--instructions" => count::print(
                kind,
                rest.iter()
                    .find(|arg| !arg.starts_with("--"))
                    .map(Path::new),
            ),
            _ => Err("expected a kind of server".into()),
        };
    }
    let (rounds, turn) = match std::env::args().any(|arg| arg == "--bench") {
        true => (40, Duration::from_millis(200)),
        false => (2, Duration::from_millis(50)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for in_flight in [64, 1] {
        stdio::compare(in_flight, rounds, turn)?;
    }
    println!(
        "\n{CONNECTIONS} connections, {rounds} turns of {turn:?} for each server, {} bytes of arguments",
        tool::ARGUMENTS.len()
    );
    for mode in Mode::ALL {
        runtime.block_on(compare(mode, rounds, turn))?;
    }
    Ok(())
}

/// All servers take turns, so that what else the machine does is felt by all alike.
async fn compare(mode: Mode, rounds: usize, turn: Duration) -> Result<()> {
    let mut sides = Vec::new();
    for kind in Kind::ALL {
        let process = Process::start(kind)?;
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            let mut connection = Connection::open(process.place(), mode).await?;
            connection.warm_up(WARM_UP).await?;
            connections.push(connection);
        }
        sides.push((process, connections, Figures::default()));
    }
    for round in 0..rounds {
        let first = round % sides.len();
        for place in 0..sides.len() {
            let place = (first + place) % Kind::ALL.len();
            let (process, connections, figures) = &mut sides[place];
            let before = process.used();
            let turn = load::turn(connections, turn).await?;
            figures.add(turn, process.used().since(before));
        }
    }
    let figures = sides.iter().map(|(_, _, figures)| figures);
    let all: Vec<_> = Kind::ALL.into_iter().zip(figures).collect();
    Figures::print(mode, &all);
    Ok(())
}
