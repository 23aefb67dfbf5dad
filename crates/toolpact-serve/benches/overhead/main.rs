//! Calls over MCP with named tokens, policies and an audit, and without, in one run: the servers take turns. The tool says
//! what it is told; then also one that looks for orders in the shop first, as tools that do something.
//!
//! `cargo bench -p toolpact-serve --features policy --bench overhead`
//!
//! With `-- --instructions off` (or `token`, `policy`, `digest`, `whole`, `all`), the instructions of a call under
//! callgrind instead.

#![expect(clippy::print_stdout, reason = "printing figures is what it is for")]

mod count;
// The client and the measuring are those of the benchmark of the server.
#[path = "../../../toolpact-mcp/benches/serve/load.rs"]
mod load;
#[path = "../../../toolpact-mcp/benches/serve/measure.rs"]
#[expect(dead_code, reason = "pipes are not measured here")]
mod measure;
#[path = "../../../toolpact-mcp/benches/serve/modes.rs"]
#[expect(dead_code, reason = "one mode is enough here")]
mod modes;
mod servers;
mod tool;

use std::error::Error;
use std::time::Duration;

use load::Connection;
use measure::{Figures, Process};
use modes::Mode;
use servers::Kind;

/// Calls of each connection before it counts, every answer of which is read and compared.
const WARM_UP: usize = 300;

pub(crate) type Result<T, E = Box<dyn Error>> = std::result::Result<T, E>;

/// That of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().collect();
    if let [_, how, kind, ..] = &args[..]
        && let Some(kind) = Kind::from_name(kind)
    {
        return match how.as_str() {
            "--server" => servers::http(kind),
            "--instructions" => count::print(kind),
            _ => Err("expected `--server` or `--instructions`".into()),
        };
    }
    let (rounds, turn) = match std::env::args().any(|arg| arg == "--bench") {
        true => (60, Duration::from_millis(200)),
        false => (2, Duration::from_millis(50)),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for (kinds, connections) in [
        (&Kind::ALL[..], 16),
        (&Kind::ALL, 1),
        (&Kind::WITH_SHOP, 16),
    ] {
        println!("\n{connections} connections, {rounds} turns of {turn:?} for each server");
        runtime.block_on(compare(kinds, connections, rounds, turn))?;
    }
    Ok(())
}

async fn compare(kinds: &[Kind], connections: usize, rounds: usize, turn: Duration) -> Result<()> {
    let mut sides = Vec::new();
    for &kind in kinds {
        let process = Process::start(kind)?;
        let mut open = Vec::new();
        for _ in 0..connections {
            let mut connection = Connection::open(process.place(), Mode::Sessions).await?;
            connection.warm_up(WARM_UP).await?;
            open.push(connection);
        }
        sides.push((process, open, Figures::default()));
    }
    for round in 0..rounds {
        for place in 0..sides.len() {
            let place = (round + place) % kinds.len();
            let (process, connections, figures) = &mut sides[place];
            let before = process.used();
            let turn = load::turn(connections, turn).await?;
            figures.add(turn, process.used().since(before));
        }
    }
    let figures = sides.iter().map(|(_, _, figures)| figures);
    let all: Vec<_> = kinds.iter().copied().zip(figures).collect();
    Figures::print(Mode::Sessions, &all);
    Ok(())
}
