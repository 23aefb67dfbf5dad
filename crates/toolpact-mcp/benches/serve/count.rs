//! How many instructions a call takes in the server, which a busy machine does not change.

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Result;
use crate::load::Connection;
use crate::measure::{Pipes, Place};
use crate::modes::Mode;
use crate::servers::Kind;
use crate::stdio::Client;

/// Enough for the first calls not to matter, few enough for callgrind to be done soon.
const CALLS: usize = 1000;

/// Counts the calls of each mode. With a directory, the profiles are kept there.
pub(crate) fn print(kind: Kind, directory: Option<&Path>) -> Result<()> {
    let modes = Mode::ALL.map(Some).into_iter();
    let modes = modes.filter(|_| !matches!(kind, Kind::Plain));
    for mode in [None].into_iter().chain(modes) {
        let name = mode.map_or_else(|| "pipes".to_owned(), |mode| mode.to_string());
        let profile = match directory {
            Some(directory) => directory.join(format!("{}-{}", kind.name(), file_name(mode))),
            None => "/dev/null".into(),
        };
        // The difference, so that starting up cancels out.
        let once = count(kind, mode, CALLS, Path::new("/dev/null"))?;
        let twice = count(kind, mode, 2 * CALLS, &profile)?;
        let each = twice.saturating_sub(once) / u64::try_from(CALLS)?;
        println!("{kind:<27} {name:<50} {each:>9}");
    }
    Ok(())
}

fn file_name(mode: Option<Mode>) -> &'static str {
    match mode {
        None => "pipes",
        Some(Mode::Sessions) => "sessions",
        Some(Mode::Alone) => "alone",
        Some(Mode::Progress) => "progress",
    }
}

/// The instructions of a server from its start to its end, with so many calls one after the other.
fn count(kind: Kind, mode: Option<Mode>, calls: usize, profile: &Path) -> Result<u64> {
    let how = match mode {
        Some(_) => "--server",
        None => "--stdio-server",
    };
    let mut child = Command::new("valgrind")
        .args(["--tool=callgrind", "--separate-threads=no"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(std::env::current_exe()?)
        .args([how, kind.name()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    match mode {
        Some(mode) => over_http(&mut child, mode, calls)?,
        None => over_pipes(&mut child, kind, calls)?,
    }
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

fn over_http(child: &mut Child, mode: Mode, calls: usize) -> Result<()> {
    let place = Place::read(child.stdout.take().ok_or("expected an output")?)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let mut connection = Connection::open(&place, mode).await?;
        connection.warm_up(calls).await
    })
}

fn over_pipes(child: &mut Child, kind: Kind, calls: usize) -> Result<()> {
    let pipes = Pipes {
        input: child.stdin.take().ok_or("expected an input")?,
        output: child.stdout.take().ok_or("expected an output")?,
    };
    let mut client = Client::begin(pipes, !matches!(kind, Kind::Echo))?;
    client.warm_up(calls)
}
