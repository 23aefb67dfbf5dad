//! A call that another runtime has claimed: whether it is still at it.

use std::time::Duration;

use tokio::time::Instant;

use super::take::TakenCall;
use crate::durable::{Claim, Operations, Unreachable};

/// How often it is looked.
const LOOK: Duration = Duration::from_millis(500);
/// A runtime that does not say in this time that it is there is taken for dead, if no harm is done should it live.
const PATIENCE: Duration = Duration::from_secs(3);
/// The same where the call may not be executed again: nothing is gained by an early answer.
const LONG_PATIENCE: Duration = Duration::from_secs(8);

/// What became of it.
pub(super) enum Attended {
    /// There is an outcome.
    Done,
    /// The runtime that made this attempt, the last one, is gone.
    Dead(u32),
    /// This runtime leaves.
    Leave,
}

/// Waits until the call has an outcome, or the runtime that has claimed it is gone. The queue gives a call to another if
/// nothing was said about it, and that is also so after the server was away.
pub(super) async fn attend(
    taken: &TakenCall,
    invocation: &str,
    mut attempt: u32,
    mut claim: Claim,
) -> Attended {
    let patience = match taken.effects().may_execute_again() {
        true => PATIENCE,
        false => LONG_PATIENCE,
    };
    let mut since = Instant::now();
    let mut presence = None;
    loop {
        if taken.shared.is_draining() {
            return Attended::Leave;
        }
        match look(taken, invocation, attempt, &claim).await {
            Ok(Seen::Outcome) => return Attended::Done,
            Ok(Seen::Claimed(next)) => {
                (attempt, claim) = (attempt + 1, next);
                (since, presence) = (Instant::now(), None);
            }
            Ok(Seen::Presence(now)) => {
                // That it was there says nothing; that it says so again does.
                if presence.is_some_and(|before| before != now) && now.is_some() {
                    since = Instant::now();
                }
                presence = Some(now);
                if since.elapsed() >= patience {
                    return Attended::Dead(attempt);
                }
            }
            // Who is cut off does not know who else is gone.
            Err(_) => (since, presence) = (Instant::now(), None),
        }
        tokio::time::sleep(LOOK).await;
    }
}

enum Seen {
    Outcome,
    /// Another has it now.
    Claimed(Claim),
    /// The revision of the presence of the runtime that has it.
    Presence(Option<u64>),
}

async fn look(
    taken: &TakenCall,
    invocation: &str,
    attempt: u32,
    claim: &Claim,
) -> Result<Seen, Unreachable> {
    let operations = &taken.operations;
    let outcome = Operations::outcome_key(invocation);
    if operations.bytes(&outcome).await?.is_some() {
        return Ok(Seen::Outcome);
    }
    let next = Operations::claim_key(invocation, attempt + 1);
    if let Some(next) = operations.get::<Claim>(&next).await? {
        return Ok(Seen::Claimed(next));
    }
    // Another start of the same runtime has another id, and this one has forgotten what it does not hold.
    if *claim.runtime == *taken.shared.id.as_str() {
        return Ok(Seen::Presence(None));
    }
    let presence = taken.shared.presence.entry(&*claim.runtime).await;
    let presence = presence.map_err(Unreachable::of)?;
    let put = presence.filter(|entry| entry.operation == async_nats::jetstream::kv::Operation::Put);
    Ok(Seen::Presence(put.map(|entry| entry.revision)))
}
