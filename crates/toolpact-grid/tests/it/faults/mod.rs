//! Hosts, runtimes and servers that die under load, with a ledger of effects outside of them.
//!
//! The short form is a test; `scripts/grid-faults` runs the long one.

mod check;
mod ledger;
mod load;
mod proxy;
mod run;
mod tools;

use std::path::Path;

use toolpact_grid::{Runtime, connect};

pub(crate) use ledger::{LEDGER, Ledger};
pub(crate) use tools::registry;

/// The process of a runtime.
pub(crate) const RUNTIME: &str = "faults::runtime_process";
/// The process of a host, which makes calls until it is told to end.
const HOST: &str = "faults::host_process";

const SERVER: &str = "GRID_TEST_FAULTS_SERVER";
/// The name of a host, which stays when it is started again.
const NAME: &str = "GRID_TEST_FAULTS_HOST";

pub(crate) fn runtime_variables(server: &str, ledger: &Path) -> Vec<(&'static str, String)> {
    let ledger = ledger.to_str().unwrap().to_owned();
    vec![(SERVER, server.to_owned()), (LEDGER, ledger)]
}

fn host_variables(server: &str, ledger: &Path, name: &str) -> Vec<(&'static str, String)> {
    let mut variables = runtime_variables(server, ledger);
    variables.push((NAME, name.to_owned()));
    variables
}

/// Not a test: see [`RUNTIME`].
#[tokio::test(flavor = "multi_thread")]
async fn runtime_process() {
    let Ok(server) = std::env::var(SERVER) else {
        return;
    };
    tokio::spawn(end_with_the_test());
    loop {
        // The server may be away.
        let Ok(client) = connect(&server).await else {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
            continue;
        };
        let builder = Runtime::builder(client).capacity(32);
        if let Ok(_runtime) = builder.join(&registry()).await {
            std::future::pending::<()>().await;
        }
    }
}

/// Not a test: see [`HOST`].
#[tokio::test(flavor = "multi_thread")]
async fn host_process() {
    let (Ok(server), Ok(name)) = (std::env::var(SERVER), std::env::var(NAME)) else {
        return;
    };
    tokio::spawn(end_with_the_test());
    load::run(&server, &name).await;
}

/// A test that is killed cannot end its processes.
async fn end_with_the_test() {
    let test = std::os::unix::process::parent_id();
    while std::os::unix::process::parent_id() == test {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    std::process::exit(1);
}
