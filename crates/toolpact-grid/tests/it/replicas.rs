//! How many servers of a cluster have what is stored.

use std::time::{Duration, Instant};

use toolpact_grid::async_nats::Client;
use toolpact_grid::async_nats::jetstream::stream::Info;
use toolpact_grid::{DurableCalls, Host, connect};

use crate::kit::{self, Cluster, contracts};

/// Longer than a cluster needs to begin on a busy machine.
const LONG: Duration = Duration::from_secs(60);

const STREAMS: [&str; 5] = [
    "KV_toolpact_v1_contracts",
    "KV_toolpact_v1_hosts",
    "KV_toolpact_v1_presence",
    "KV_toolpact_v1_operations",
    "toolpact_v1_calls",
];

/// Its first server has not found the others when the host connects to it.
#[tokio::test(flavor = "multi_thread")]
async fn a_grid_that_starts_with_its_cluster_is_on_three_servers_in_the_end() {
    let connecting = async |url: &str| connect(url).await.unwrap();
    let Some((_cluster, client)) = Cluster::start_around(connecting).await else {
        return;
    };
    let host = open(&client).await;
    for name in STREAMS {
        assert_eq!(replicas(&client, name).await.config.num_replicas, 1);
    }
    // Another does not mind.
    let other = open(&client).await;
    let start = Instant::now();
    for name in STREAMS {
        while !are_three(&replicas(&client, name).await) {
            assert!(start.elapsed() < LONG, "{name}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    eprintln!("after {:?}", start.elapsed());
    drop((host, other));
}

/// Until the cluster has a leader, nothing can be stored.
async fn open(client: &Client) -> Host {
    let start = Instant::now();
    loop {
        let all = DurableCalls::new().on_demand();
        let host = Host::builder(client.clone()).durable(all);
        match host.open(contracts(&kit::registry())).await {
            Ok(host) => return host,
            Err(error) => assert!(start.elapsed() < LONG, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

async fn replicas(client: &Client, name: &str) -> Info {
    let start = Instant::now();
    loop {
        let jetstream = toolpact_grid::async_nats::jetstream::new(client.clone());
        match jetstream.get_stream(name).await {
            Ok(stream) => return stream.cached_info().clone(),
            Err(error) => assert!(start.elapsed() < LONG, "{name}: {error}"),
        }
    }
}

/// The others have it as well.
fn are_three(info: &Info) -> bool {
    let others = info.cluster.as_ref().map(|cluster| &cluster.replicas);
    let current = others.map_or(0, |others| others.iter().filter(|one| one.current).count());
    info.config.num_replicas == 3 && current == 2
}
