//! Durable calls: calls that outlive the host, the runtime and the server.
//!
//! A host writes a record and puts the call into a queue (a JetStream stream). A runtime takes it, claims it, runs the
//! tool and writes the outcome. All that is written about a call is written once, under the invocation: see
//! [`operations`].

mod operations;
mod queue;
mod records;

use std::time::Duration;

use toolpact::Principal;
use toolpact::core::contract::Contract;

pub(crate) use operations::{Created, Operations, Unreachable};
pub(crate) use queue::{NotQueued, Queue, consumer_of};
pub(crate) use records::{Claim, Outcome, Record, StoredProgress};

use crate::contracts::sha256;
use crate::error::Error;
use crate::subject::random_hex;

/// The feature of runtimes that take durable calls.
pub(crate) const FEATURE: &str = "durable";

/// Asks for a durable call, or says how one is to be made: a value of the call, see
/// [`Call::with`](toolpact::Call::with).
///
/// ```
/// use toolpact::Call;
/// use toolpact::core::json::Value;
/// use toolpact_grid::Durable;
///
/// let args = Value::from_json(r#"{"order": 17}"#)?;
/// let call = Call::new("charge", args).with(Durable::new().key("order-17").without_waiting());
/// # Ok::<(), toolpact::core::Violations>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Durable {
    key: Option<Box<str>>,
    without_waiting: bool,
}

impl Durable {
    /// A durable call, whose caller waits for the outcome until its deadline.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls of one principal with the same key are one call, made once: whoever does not know whether a call was
    /// queued makes it again.
    pub fn key(mut self, key: impl Into<Box<str>>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// The caller does not wait: it gets the id of the operation, in an error with the detail `operation`.
    pub fn without_waiting(mut self) -> Self {
        self.without_waiting = true;
        self
    }

    pub(crate) fn waits(&self) -> bool {
        !self.without_waiting
    }

    /// Random without a key. With one, the same for the same principal, tool and key.
    pub(crate) fn invocation(&self, principal: &Principal, tool: &str) -> Result<Box<str>, Error> {
        let Some(key) = &self.key else {
            return Ok(random_hex()?.into());
        };
        let all = format!("{}\n{tool}\n{key}", principal.key());
        let digest = sha256(all.as_bytes());
        Ok(digest.get(..32).unwrap_or(&digest).into())
    }
}

/// Which calls of a host are durable, and for how long.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct DurableCalls {
    tools: Tools,
    within: Duration,
    keep: Duration,
    most_queued: i64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Tools {
    Declared,
    Named(Vec<Box<str>>),
    /// Of any tool, if the call asks for it.
    Any,
}

impl Default for DurableCalls {
    fn default() -> Self {
        Self {
            tools: Tools::Declared,
            within: Duration::from_secs(60 * 60),
            keep: Duration::from_secs(24 * 60 * 60),
            most_queued: 100_000,
        }
    }
}

impl DurableCalls {
    /// Of the tools whose contracts say `durable`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Of these tools, too, whatever their contracts say.
    pub fn of<N: Into<Box<str>>>(mut self, tools: impl IntoIterator<Item = N>) -> Self {
        self.tools = Tools::Named(tools.into_iter().map(Into::into).collect());
        self
    }

    /// Of any tool, where a call asks for it. Runtimes then wait at a queue for each of their tools.
    pub fn on_demand(mut self) -> Self {
        self.tools = Tools::Any;
        self
    }

    /// How long after it was made a call may still be executed: an hour without this. The tool's own
    /// timeout begins when it is executed.
    pub fn within(mut self, within: Duration) -> Self {
        self.within = within;
        self
    }

    /// How long outcomes are kept, from when the call was made: a day without this, and never less than
    /// [`within`](Self::within). Of two hosts, the longer time holds.
    pub fn keep(mut self, keep: Duration) -> Self {
        self.keep = keep;
        self
    }

    /// How many calls may be in the queue: 100,000 without this. Those beyond are refused.
    pub fn most_queued(mut self, calls: u32) -> Self {
        self.most_queued = calls.into();
        self
    }

    pub(crate) fn is_needed_for(&self, mut contracts: impl Iterator<Item = bool>) -> bool {
        self.tools != Tools::Declared || contracts.any(|declared| declared)
    }

    /// Whether runtimes wait at a queue for it.
    pub(crate) fn has_queue(&self, contract: &Contract) -> bool {
        self.tools == Tools::Any || self.is_always_durable(contract)
    }

    /// Whether calls of it are durable also if they do not ask for it.
    pub(crate) fn is_always_durable(&self, contract: &Contract) -> bool {
        let name = contract.name().as_str();
        contract.effects().durable() == Some(true)
            || matches!(&self.tools, Tools::Named(names) if names.iter().any(|one| **one == *name))
    }

    pub(crate) fn time_within(&self) -> Duration {
        self.within
    }

    pub(crate) fn time_kept(&self) -> Duration {
        self.keep.max(self.within)
    }
}

#[cfg(test)]
mod tests {
    use super::Durable;
    use toolpact::Principal;

    #[test]
    fn a_key_is_one_call_of_one_principal_and_tool() {
        let (ada, bob) = (Principal::new("ada"), Principal::new("bob"));
        let with = |key: &str, principal: &Principal, tool: &str| {
            Durable::new().key(key).invocation(principal, tool).unwrap()
        };
        let one = with("order-17", &ada, "charge");
        assert!(crate::subject::is_hex(&one, 32), "{one}");
        assert_eq!(one, with("order-17", &ada, "charge"));
        for other in [
            with("order-18", &ada, "charge"),
            with("order-17", &bob, "charge"),
            with("order-17", &ada, "refund"),
            Durable::new().invocation(&ada, "charge").unwrap(),
        ] {
            assert_ne!(one, other);
        }
    }
}
