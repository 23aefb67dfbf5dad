//! What is left of policies once the caller and the tool are known: conditions on the call, which are quicker to
//! evaluate than the policies.

mod compile;
mod condition;
mod evaluate;

use cedar_policy::{Effect, PartialResponse, Policy};

use super::Policies;
use super::context::CedarValue;
use super::standing::as_str;
use crate::shape::Shape;
use crate::verdict::Verdict;
use condition::Condition;

/// The policies that may decide about calls of a tool by a caller, in the order they are written.
pub(super) struct Residual(Vec<OpenPolicy>);

struct OpenPolicy {
    id: Box<str>,
    is_permit: bool,
    condition: Condition,
}

impl Residual {
    /// What is left of the policies, for calls whose context is read by this shape.
    pub(super) fn new(policies: &Policies, response: &PartialResponse, context: &Shape) -> Self {
        let satisfied = response
            .definitely_satisfied()
            .map(|policy| OpenPolicy::new(&policy, Condition::ALWAYS));
        let open = response
            .nontrivial_residuals()
            .map(|policy| OpenPolicy::new(&policy, compile::condition(&policy, context)));
        let mut left: Vec<OpenPolicy> = satisfied.chain(open).collect();
        let place = |id: &str| policies.order.iter().position(|one| one == id);
        left.sort_by_cached_key(|policy| place(&policy.id));
        Self(left)
    }

    /// What the policies decide about a call. `None` if only Cedar can tell: where something fails, or has no
    /// quicker form.
    pub(super) fn decide(&self, policies: &Policies, context: &CedarValue<'_>) -> Option<Verdict> {
        let (mut permits, mut forbids) = (Vec::new(), Vec::new());
        // All of them, since Cedar tells of each that fails.
        for policy in &self.0 {
            if policy.condition.holds(context)? {
                let those = match policy.is_permit {
                    true => &mut permits,
                    false => &mut forbids,
                };
                those.push(String::from(&*policy.id));
            }
        }
        let is_permitted = forbids.is_empty() && !permits.is_empty();
        let deciding = match forbids.is_empty() {
            true => permits,
            false => forbids,
        };
        Some(policies.verdict(is_permitted, deciding, Vec::new()))
    }

    /// Roughly how much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        let bytes = |policy: &OpenPolicy| {
            size_of::<OpenPolicy>() + policy.id.len() + policy.condition.bytes()
        };
        self.0.iter().map(bytes).sum()
    }
}

impl OpenPolicy {
    fn new(policy: &Policy, condition: Condition) -> Self {
        Self {
            id: as_str(policy.id()).into(),
            is_permit: policy.effect() == Effect::Permit,
            condition,
        }
    }
}
