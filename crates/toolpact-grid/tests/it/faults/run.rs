//! Faults, one after the other, under load.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::check::{Death, Part, check, waits_for_calls};
use super::ledger::{Ledger, now};
use super::proxy::Proxy;
use super::{HOST, RUNTIME, host_variables, runtime_variables};
use crate::kit::{Cluster, NatsServer, Process};

/// The variable of the long form.
const TIMES: &str = "GRID_FAULTS";

/// How often each fault happens: `GRID_FAULTS=runtimes=100,hosts=30,…`, or a few times.
struct Times(Vec<(String, u32)>);

impl Times {
    fn read() -> Self {
        let said = std::env::var(TIMES);
        let said =
            said.unwrap_or_else(|_| "runtimes=3,hosts=2,servers=2,stops=1,cuts=1,leaders=1".into());
        let entries = said.split(',').map(|entry| {
            let (name, number) = entry.split_once('=').unwrap();
            (name.to_owned(), number.parse().unwrap())
        });
        Self(entries.collect())
    }

    fn of(&self, name: &str) -> u32 {
        let entry = self.0.iter().find(|(known, _)| known == name);
        entry.map_or(0, |(_, number)| *number)
    }
}

/// What runs, with the ledger.
struct Grid {
    folder: tempfile::TempDir,
    url: String,
    runtimes: Vec<(Process, String)>,
    hosts: Vec<Process>,
    deaths: Vec<Death>,
    is_connected: bool,
}

impl Grid {
    /// Three runtimes and two hosts. `of_runtime` is where a runtime connects to.
    fn start(url: &str, of_runtime: [&str; 3]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut grid = Self {
            url: url.to_owned(),
            runtimes: Vec::new(),
            hosts: Vec::new(),
            deaths: Vec::new(),
            is_connected: true,
            folder,
        };
        drop(grid.ledger());
        for url in of_runtime {
            let process = Process::start(RUNTIME, &runtime_variables(url, &grid.file()));
            grid.runtimes.push((process, url.to_owned()));
        }
        for number in 0..2 {
            grid.hosts.push(grid.host(number));
        }
        grid
    }

    fn host(&self, number: usize) -> Process {
        let name = format!("h{number}");
        Process::start(HOST, &host_variables(&self.url, &self.file(), &name))
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("ledger")
    }

    fn ledger(&self) -> Ledger {
        Ledger::open(&self.file())
    }

    fn kill_runtime(&mut self, number: usize) {
        let file = self.file();
        let (process, url) = &mut self.runtimes[number];
        let death = Death {
            pid: process.id(),
            at: now(),
        };
        process.kill();
        *process = Process::start(RUNTIME, &runtime_variables(url, &file));
        self.deaths.push(death);
    }

    fn kill_host(&mut self, number: usize) {
        self.hosts[number].kill();
        self.hosts[number] = self.host(number);
    }

    /// Waits until some more calls are done, ordinary ones, too: a fault that meets no load shows nothing.
    async fn some_calls(&self, most: Duration) {
        let (ledger, start) = (self.ledger(), Instant::now());
        let done = |of: &str| {
            ledger.count(&format!(
                "SELECT count(*) FROM calls WHERE outcome = 'done'{of}"
            ))
        };
        let ordinary = " AND tool IN ('post', 'put')";
        let (all, ordinaries) = (done(""), done(ordinary));
        while done("") < all + 20 || done(ordinary) == ordinaries {
            assert!(
                start.elapsed() < most,
                "no calls: {}",
                waits_for_calls(&ledger)
            );
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Lets the hosts end what they have begun, and looks at the ledger.
    async fn end(mut self, what: &str) {
        let stop = self.file().with_extension("stop");
        std::fs::write(stop, "").unwrap();
        let start = Instant::now();
        for host in &mut self.hosts {
            while !host.has_ended() {
                let ledger = Ledger::open(&self.folder.path().join("ledger"));
                let most = Duration::from_secs(60);
                assert!(start.elapsed() < most, "{}", waits_for_calls(&ledger));
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
        self.keep(what);
        let part = Part {
            name: what,
            deaths: &self.deaths,
            is_connected: self.is_connected,
            is_long: std::env::var_os(TIMES).is_some(),
        };
        check(&part, &self.ledger());
    }

    /// For whoever wants to look at a long run.
    fn keep(&self, what: &str) {
        if let Some(folder) = std::env::var_os("GRID_FAULTS_KEEP") {
            let to = Path::new(&folder).join(format!("{}.sqlite", what.replace(' ', "-")));
            let _ = std::fs::remove_file(&to);
            let query = format!("VACUUM INTO '{}'", to.display());
            self.ledger().0.execute_batch(&query).unwrap();
        }
    }
}

/// Longer than anything takes to come back.
const COMES_BACK: Duration = Duration::from_secs(40);

#[tokio::test(flavor = "multi_thread")]
async fn runtimes_that_are_killed() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let mut grid = Grid::start(server.url(), [server.url(); 3]);
    for kill in 0..Times::read().of("runtimes") {
        grid.some_calls(COMES_BACK).await;
        grid.kill_runtime(kill as usize % 3);
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("runtimes killed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_that_are_killed() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let mut grid = Grid::start(server.url(), [server.url(); 3]);
    for kill in 0..Times::read().of("hosts") {
        grid.some_calls(COMES_BACK).await;
        grid.kill_host(kill as usize % 2);
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("hosts killed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_are_killed() {
    let Some(mut server) = NatsServer::start() else {
        return;
    };
    let mut grid = Grid::start(server.url(), [server.url(); 3]);
    grid.is_connected = false;
    for kill in 0..Times::read().of("servers") {
        grid.some_calls(COMES_BACK).await;
        server.kill();
        // Sometimes it is away for a while.
        tokio::time::sleep(Duration::from_millis(u64::from(kill % 3) * 700)).await;
        server.restart();
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("servers killed").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runtimes_that_are_stopped_for_a_while() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let mut grid = Grid::start(server.url(), [server.url(); 3]);
    grid.is_connected = false;
    for stop in 0..Times::read().of("stops") {
        grid.some_calls(COMES_BACK).await;
        let (process, _) = &grid.runtimes[stop as usize % 3];
        process.stop();
        tokio::time::sleep(Duration::from_secs(5)).await;
        process.signal("-CONT");
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("runtimes stopped").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn runtimes_that_are_cut_off() {
    let Some(server) = NatsServer::start() else {
        return;
    };
    let proxy = Proxy::to(server.url()).await;
    let mut grid = Grid::start(server.url(), [server.url(), proxy.url(), proxy.url()]);
    grid.is_connected = false;
    for _ in 0..Times::read().of("cuts") {
        grid.some_calls(COMES_BACK).await;
        proxy.cut(true);
        tokio::time::sleep(Duration::from_secs(4)).await;
        proxy.cut(false);
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("runtimes cut off").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_of_a_cluster_that_are_killed() {
    let Some(mut cluster) = Cluster::start() else {
        return;
    };
    let urls = cluster.urls();
    let mut grid = Grid::start(&urls, [&urls; 3]);
    grid.is_connected = false;
    for kill in 0..Times::read().of("leaders") {
        grid.some_calls(COMES_BACK).await;
        let leader = leader_of_the_queue(&urls).await;
        cluster.kill(leader);
        // The others go on.
        grid.some_calls(COMES_BACK).await;
        cluster.restart(leader);
        tokio::time::sleep(Duration::from_secs(u64::from(kill % 3))).await;
    }
    grid.some_calls(COMES_BACK).await;
    grid.end("leaders of a cluster killed").await;
}

/// The number of the server that leads the stream of durable calls.
async fn leader_of_the_queue(urls: &str) -> usize {
    let start = Instant::now();
    loop {
        let client = toolpact_grid::connect(urls).await.unwrap();
        let jetstream = toolpact_grid::async_nats::jetstream::new(client);
        if let Ok(stream) = jetstream.get_stream("toolpact_v1_calls").await {
            let info = stream.cached_info();
            assert_eq!(info.config.num_replicas, 3);
            if let Some(leader) = info
                .cluster
                .as_ref()
                .and_then(|cluster| cluster.leader.as_deref())
            {
                return leader.trim_start_matches('s').parse().unwrap();
            }
        }
        assert!(start.elapsed() < COMES_BACK, "there is no leader");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}
