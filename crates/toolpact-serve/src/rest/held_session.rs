//! A session that holds what the results of a plan take of the memory, until the answer is sent.

use std::sync::{Arc, Mutex, PoisonError};

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::memory::{MemoryBudget, MemoryShare};
use toolpact::core::returns::{ErrorKind, StandardError};
use toolpact::{Call, Session, ToolError};
use toolpact_plan::Host;

pub(super) struct HeldSession {
    pub(super) session: Session,
    held: Mutex<Held>,
}

struct Held {
    large: Vec<Arc<MemoryShare>>,
    /// Small results take nothing each, but a plan has many of them.
    small: Option<MemoryShare>,
}

impl HeldSession {
    pub(super) fn new(session: Session, memory: &Arc<MemoryBudget>) -> Self {
        let held = Mutex::new(Held {
            large: Vec::new(),
            small: memory.take(0),
        });
        Self { session, held }
    }

    /// What the results take.
    pub(super) fn into_shares(self) -> Vec<Arc<MemoryShare>> {
        let held = self.held.into_inner();
        let Held { mut large, small } = held.unwrap_or_else(PoisonError::into_inner);
        large.extend(small.map(Arc::new));
        large
    }

    /// `false` if there is no memory for it.
    fn hold(&self, share: Option<Arc<MemoryShare>>, bytes: usize) -> bool {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match share {
            Some(share) => {
                held.large.push(share);
                true
            }
            None => held.small.as_mut().is_none_or(|small| small.grow(bytes)),
        }
    }
}

impl Host for HeldSession {
    fn contract(&self, tool: &str) -> Option<Arc<Contract>> {
        self.session.contract(tool)
    }

    fn names(&self) -> Vec<String> {
        Host::names(&self.session)
    }

    async fn call(&self, tool: &str, args: Value) -> Result<Value, StandardError> {
        let completed = self.session.call(Call::new(tool, args).json_only()).await;
        if let Some(error) = completed.error() {
            return Err(error.to_standard());
        }
        let value = completed.to_value();
        let value = value.ok_or_else(|| StandardError::new(ErrorKind::Internal, ""))?;
        match self.hold(completed.memory(), value.text().len()) {
            true => Ok(value),
            false => Err(ToolError::no_memory().to_standard()),
        }
    }
}
