//! Limits of each principal.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use toolpact_core::Principal;

use super::{CallLimits, Gate};

/// From so many principals on, those without a session are forgotten.
const MOST: usize = 10_000;

/// The limits that each principal has.
#[derive(Debug, Default)]
pub(crate) struct PrincipalLimits {
    /// Of all its calls.
    pub(crate) all: Option<CallLimits>,
    /// Of those of single tools, by their names in a qualified session.
    pub(crate) tools: HashMap<Box<str>, CallLimits>,
    known: Mutex<HashMap<Principal, Arc<PrincipalGates>>>,
}

/// The gates of one principal, in all of its sessions.
#[derive(Debug)]
pub(crate) struct PrincipalGates {
    pub(crate) all: Option<Gate>,
    tools: HashMap<Box<str>, Gate>,
}

impl PrincipalLimits {
    pub(crate) fn gates_of(&self, principal: &Principal) -> Arc<PrincipalGates> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(gates) = known.get(principal) {
            return Arc::clone(gates);
        }
        if known.len() >= MOST {
            known.retain(|_, gates| Arc::strong_count(gates) > 1);
        }
        let tools = self.tools.iter();
        let gates = Arc::new(PrincipalGates {
            all: self.all.as_ref().map(Gate::new),
            tools: tools
                .map(|(name, limits)| (name.clone(), Gate::new(limits)))
                .collect(),
        });
        known.insert(principal.clone(), Arc::clone(&gates));
        gates
    }
}

impl PrincipalGates {
    /// The gate for a tool, by its name in a qualified session.
    pub(crate) fn of(&self, tool: Option<&Arc<str>>) -> Option<&Gate> {
        self.tools.get(&**tool?)
    }
}
