//! How many instructions a call takes in the server, which a busy machine does not change.

use std::io::Read as _;
use std::process::{Command, Stdio};

use crate::Result;
use crate::load::Connection;
use crate::measure::Place;
use crate::modes::Mode;
use crate::servers::Kind;

/// Enough for the first calls not to matter, few enough for callgrind to be done soon.
const CALLS: usize = 1000;

pub(crate) fn print(kind: Kind) -> Result<()> {
    // The difference, so that starting up cancels out.
    let (once, twice) = (count(kind, CALLS)?, count(kind, 2 * CALLS)?);
    let each = twice.saturating_sub(once) / u64::try_from(CALLS)?;
    println!("{kind:<27} {each:>9}");
    Ok(())
}

/// The instructions of a server from its start to its end, with so many calls one after the other.
fn count(kind: Kind, calls: usize) -> Result<u64> {
    let profile = std::env::var("CALLGRIND_OUT").unwrap_or_else(|_| "/dev/null".to_owned());
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--separate-threads=no"])
        .arg(format!("--callgrind-out-file={profile}"))
        .arg(std::env::current_exe()?)
        .args(["--server", kind.name()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let place = Place::read(child.stdout.take().ok_or("expected an output")?)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut connection = Connection::open(&place, Mode::Sessions).await?;
        connection.warm_up(calls).await
    })?;
    // The end of its input ends a server.
    drop(child.stdin.take());
    let mut said = String::new();
    if let Some(mut errors) = child.stderr.take() {
        errors.read_to_string(&mut said)?;
    }
    child.wait()?;
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.ok_or("expected callgrind to say what it collected")?;
    Ok(count.trim().parse()?)
}
