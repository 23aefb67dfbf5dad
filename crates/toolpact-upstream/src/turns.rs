//! Large messages are read one at a time: rmcp makes trees of them, which may be fifty times as large.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

/// Messages up to this size wait for nobody.
const LARGE: usize = 1 << 20;

/// A server that does not go on must not keep the others waiting for longer.
const PATIENCE: Duration = Duration::from_secs(5);

static TURNS: Semaphore = Semaphore::const_new(1);

/// The turn of a message, until this is dropped.
pub(crate) type Turn = Option<SemaphorePermit<'static>>;

/// Waits for the turn of a message of so many bytes.
pub(crate) async fn turn(bytes: usize) -> Turn {
    if bytes <= LARGE {
        return None;
    }
    let turn = tokio::time::timeout(PATIENCE, TURNS.acquire()).await;
    turn.ok().and_then(Result::ok)
}
