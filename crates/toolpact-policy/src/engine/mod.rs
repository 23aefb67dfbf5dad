//! Policies in Cedar: read, checked and asked.

mod check;
mod context;
mod decide;
mod decisions;
mod entities;
mod number;
mod read;
mod residual;
mod standing;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};

use cedar_policy::PolicySet;
use toolpact::session::ClientInfo;
use toolpact_core::Principal;

use crate::action::pattern_of;
use crate::config::PolicyConfig;
use crate::problem::{PolicyError, PolicyOrigin};
use crate::verdict::LookedAt;
pub use check::Checked;
use decisions::Decisions;
use uses::Uses;

/// The policies of a config, ready to decide.
///
/// Decisions need no schema. Whether the policies fit the tools is what [`Policies::check`] says.
pub struct Policies {
    set: PolicySet,
    infos: HashMap<String, PolicyInfo>,
    /// In the order they are written.
    order: Vec<String>,
    patterns: Vec<String>,
    uses: Uses,
    texts: BTreeMap<PolicyOrigin, String>,
    decisions: Decisions,
    evaluated: AtomicU64,
    asked: AtomicU64,
}

/// What is known about a policy besides what Cedar knows.
#[derive(Debug, Clone)]
struct PolicyInfo {
    id: String,
    origin: PolicyOrigin,
    is_permit: bool,
    ask: Option<String>,
}

impl Policies {
    /// Reads the policies of a config: its files, whose paths begin at the working directory, and its short form.
    pub fn read(config: &PolicyConfig) -> Result<Self, PolicyError> {
        let read::ReadPolicies {
            policies,
            infos,
            texts,
        } = read::read(config)?;
        Ok(Self {
            patterns: patterns(&policies),
            uses: Uses::of(&policies),
            order: infos.iter().map(|info| info.id.clone()).collect(),
            infos: { infos.into_iter() }
                .map(|info| (info.id.clone(), info))
                .collect(),
            set: policies,
            texts,
            decisions: Decisions::default(),
            evaluated: AtomicU64::new(0),
            asked: AtomicU64::new(0),
        })
    }

    /// The patterns of names that policies use, as in `Action::"tools:search_*"`.
    #[must_use]
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// How many policies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none, so that nothing is permitted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// How many calls were looked at, and how.
    #[must_use]
    pub fn looked_at(&self) -> LookedAt {
        LookedAt {
            evaluated: self.evaluated.load(Ordering::Relaxed),
            asked_cedar: self.asked.load(Ordering::Relaxed),
        }
    }

    fn info(&self, id: &str) -> Option<&PolicyInfo> {
        self.infos.get(id)
    }

    /// Ids in the order the policies are written.
    fn sorted<'a>(&self, ids: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let ids: BTreeSet<&str> = ids.into_iter().collect();
        let known = self.order.iter().filter(|id| ids.contains(id.as_str()));
        known.cloned().collect()
    }
}

/// A call that policies decide about.
#[derive(Debug, Clone, Copy)]
pub struct CallFacts<'a> {
    /// Who makes it.
    pub principal: &'a Principal,
    /// The arguments, an object.
    pub args: &'a toolpact_core::json::Value,
    /// The number of its session.
    pub session: u64,
    /// What the client says about itself.
    pub client: Option<&'a ClientInfo>,
}

fn patterns(policies: &PolicySet) -> Vec<String> {
    let literals = policies
        .policies()
        .flat_map(cedar_policy::Policy::entity_literals);
    let patterns: BTreeSet<String> = literals
        .filter(|literal| literal.type_name().to_string() == "Action")
        .filter_map(|literal| pattern_of(literal.id().unescaped()).map(ToOwned::to_owned))
        .collect();
    patterns.into_iter().collect()
}

impl std::fmt::Debug for Policies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Policies").field(&self.order).finish()
    }
}
