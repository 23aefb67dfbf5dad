//! How many servers of a cluster have what is stored.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::{Context, ContextBuilder};

use crate::subject::Subjects;

/// In a cluster of three or more, one may die.
pub(crate) const IN_A_CLUSTER: usize = 3;

/// How soon it is looked for the first time whether there could be more, and how often at last.
const FIRST: Duration = Duration::from_secs(2);
const LAST: Duration = Duration::from_secs(60);

/// How long an answer of NATS may take.
const ANSWER: Duration = Duration::from_secs(2);

/// For what is made now. What the server said when we connected may be too few: it may not have found the others yet.
pub(crate) fn for_new(client: &Client) -> usize {
    let server = client.server_info();
    // A server alone may have as many addresses.
    match is_cluster(client) && server.connect_urls.len() >= IN_A_CLUSTER {
        true => IN_A_CLUSTER,
        false => 1,
    }
}

/// Raises the replicas of all streams of a grid as soon as the cluster has servers enough. Every host does so, and it does not
/// matter which is the first.
pub(crate) async fn keep(client: Client, subjects: Subjects) {
    let jetstream = ContextBuilder::new().timeout(ANSWER).build(client.clone());
    let (mut wait, mut has_warned) = (FIRST, false);
    loop {
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(LAST);
        if !is_cluster(&client) {
            continue;
        }
        for name in streams(&subjects) {
            match raise(&jetstream, &name).await {
                Ok(None) => {}
                Ok(Some(before)) => {
                    let (stream, after) = (name, IN_A_CLUSTER);
                    tracing::info!(target: "toolpact::grid", %stream, before, after, "more servers of the cluster have a stream");
                }
                Err(why) if has_warned => {
                    tracing::debug!(target: "toolpact::grid", stream = %name, %why, "fewer servers have a stream than could");
                }
                Err(why) => {
                    has_warned = true;
                    tracing::warn!(target: "toolpact::grid", stream = %name, %why, "one server alone has what is stored: the cluster has fewer than three yet, or this may not be changed");
                }
            }
        }
    }
}

/// The streams, of which some may not be there.
fn streams(subjects: &Subjects) -> [String; 5] {
    let bucket = |name| format!("KV_{}", subjects.bucket(name));
    [
        bucket("contracts"),
        bucket("presence"),
        bucket("hosts"),
        bucket("operations"),
        subjects.bucket("calls"),
    ]
}

/// Returns how many a stream had before, if those are more now. The server refuses what it has not the servers for.
async fn raise(
    jetstream: &Context,
    name: &str,
) -> Result<Option<usize>, async_nats::jetstream::context::UpdateStreamError> {
    let Ok(stream) = jetstream.get_stream(name).await else {
        return Ok(None);
    };
    let mut config = stream.cached_info().config.clone();
    let before = config.num_replicas;
    if before >= IN_A_CLUSTER {
        return Ok(None);
    }
    config.num_replicas = IN_A_CLUSTER;
    jetstream.update_stream(config).await?;
    Ok(Some(before))
}

fn is_cluster(client: &Client) -> bool {
    client.server_info().cluster.is_some()
}
