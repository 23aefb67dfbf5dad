//! Who may call which tool with which arguments: policies in [Cedar](https://www.cedarpolicy.com), checked
//! against contracts.
//!
//! Each tool is an action, `Action::"create_order"`, in groups by its source (`source:shop`) and its effects
//! (`effects:read_only`); the resource is the source; `context.input` has the arguments, typed by the contract.
//! Once there is a policy, what is not permitted is denied, and forbid wins.
//!
//! Cedar is behind the feature `cedar`. Without it, configs with policies are read, and refused.

#[cfg(not(feature = "cedar"))]
mod absent;
mod action;
mod approval;
mod cases;
mod catalogue;
mod config;
#[cfg(feature = "cedar")]
mod engine;
mod guard;
mod principal_id;
mod problem;
mod quote;
mod shape;
mod short_form;
mod verdict;

#[cfg(not(feature = "cedar"))]
pub use absent::{CallFacts, Checked, Policies};
pub use action::action_of;
pub use approval::{Approval, Approvers, ClientApproval, HeldApproval, PeopleApproval};
pub use cases::{Case, CaseCaller, CaseClient, Cases, Expected};
pub use catalogue::Catalogue;
pub use config::{Allow, PolicyConfig, ToolEffects};
#[cfg(feature = "cedar")]
pub use engine::{CallFacts, Checked, Policies};
pub use guard::{Asks, PolicyGuard};
pub use principal_id::principal_id;
pub use problem::{PolicyError, PolicyOrigin, Problem};
pub use shape::Loss;
pub use verdict::{LookedAt, PolicyOutcome, Verdict};
