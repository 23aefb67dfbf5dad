//! Calls whose server waits for an answer, while our client has to call again with it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use toolpact::core::json::Value;
use toolpact::{Context, Principal};

use crate::call::RunningCall;
use crate::link::Link;

/// Most calls that are parked; the oldest makes room.
const MOST: usize = 256;

/// How long a client may take to answer.
const LASTS: Duration = Duration::from_secs(10 * 60);

#[derive(Default)]
pub(crate) struct Parked(Mutex<Vec<ParkedCall>>);

struct ParkedCall {
    name: Box<str>,
    tool: Box<str>,
    args: String,
    principal: Principal,
    call: RunningCall,
}

impl Parked {
    /// The call of this tool that a client brings an answer for.
    pub(crate) fn take(&self, tool: &str, args: &Value, context: &Context) -> Option<RunningCall> {
        let mut parked = self.lock();
        if parked.is_empty() {
            return None;
        }
        let args = args.to_canonical();
        let place = parked.iter().position(|parked| {
            let mut names = parked.call.open.keys();
            *parked.tool == *tool
                && parked.args == args
                && parked.principal == *context.principal()
                && names.any(|name| context.has_brought(name))
        });
        Some(parked.remove(place?).call)
    }

    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    fn remove(&self, name: &str) -> Option<RunningCall> {
        let mut parked = self.lock();
        let place = parked.iter().position(|parked| *parked.name == *name)?;
        Some(parked.remove(place).call)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ParkedCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Link {
    /// Keeps a call until its client comes back, or does not.
    pub(crate) fn park(
        self: &Arc<Self>,
        tool: &str,
        args: &Value,
        principal: Principal,
        call: RunningCall,
    ) {
        let name = random_name();
        let mut parked = self.parked.lock();
        let oldest = (parked.len() >= MOST).then(|| parked.remove(0).call);
        parked.push(ParkedCall {
            name: name.clone(),
            tool: tool.into(),
            args: args.to_canonical(),
            principal,
            call,
        });
        drop(parked);
        let link = Arc::downgrade(self);
        tokio::spawn(async move {
            if let Some(mut oldest) = oldest {
                oldest.cancel().await;
            }
            tokio::time::sleep(LASTS).await;
            let late = link.upgrade().and_then(|link| link.parked.remove(&name));
            if let Some(mut late) = late {
                late.cancel().await;
            }
        });
    }
}

/// A name that no other question has, and that nobody can guess.
pub(crate) fn random_name() -> Box<str> {
    let mut bytes = [0; 16];
    // Without randomness nothing else works either.
    let _ = getrandom::fill(&mut bytes);
    format!("upstream-{:032x}", u128::from_be_bytes(bytes)).into()
}
