//! What takes the place of policies in a program that was built without them.

use toolpact::registry::RegisteredTool;
use toolpact::session::ClientInfo;
use toolpact_core::Principal;
use toolpact_core::json::Value;

use crate::catalogue::Catalogue;
use crate::config::PolicyConfig;
use crate::problem::{PolicyError, PolicyOrigin, Problem};
use crate::verdict::{LookedAt, Verdict};

/// The policies of a config. This program was built without the feature `cedar`, so there are none, and a config
/// with a policy is refused.
#[derive(Debug)]
pub enum Policies {}

/// What was found out about policies that can be used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// What is odd, but not wrong.
    pub warnings: Vec<Problem>,
}

/// A call that policies decide about.
#[derive(Debug, Clone, Copy)]
pub struct CallFacts<'a> {
    /// Who makes it.
    pub principal: &'a Principal,
    /// The arguments, an object.
    pub args: &'a Value,
    /// The number of its session.
    pub session: u64,
    /// What the client says about itself.
    pub client: Option<&'a ClientInfo>,
}

const ABSENT: &str = "this program was built without policies, so it cannot serve a config with a `policy`; build it \
                      with `cargo build --features policy`";

impl Policies {
    /// Refuses: see [`Policies`].
    pub fn read(_: &PolicyConfig) -> Result<Self, PolicyError> {
        Err(PolicyError::new(PolicyOrigin::All, ABSENT))
    }

    /// The patterns of names that policies use.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        match *self {}
    }

    /// How many policies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match *self {}
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match *self {}
    }

    /// How many calls were looked at, and how.
    #[must_use]
    pub fn looked_at(&self) -> LookedAt {
        match *self {}
    }

    /// Whether the policies fit the tools.
    pub fn check(&self, _: &Catalogue) -> Result<Checked, PolicyError> {
        match *self {}
    }

    /// Decides about a call of a tool.
    #[must_use]
    pub fn decide(&self, _: &RegisteredTool, _: CallFacts<'_>) -> Verdict {
        match *self {}
    }

    /// Whether there may be a call of the tool by this caller that is not denied.
    #[must_use]
    pub fn may_call(&self, _: &Principal, _: &RegisteredTool) -> bool {
        match *self {}
    }
}
