//! The policies of a server, and how they follow the config and the tools.

use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use toolpact::Registry;
use toolpact_policy::{
    Approval, Catalogue, Checked, Policies, PolicyConfig, PolicyError, PolicyGuard,
};

use crate::approvals::Approvals;
use crate::config::Config;
use crate::memory::Memory;

/// Policies that were read, before there are tools.
pub(crate) struct PolicyHost {
    config: PolicyConfig,
    guard: PolicyGuard,
    policies: Policies,
    approvals: Approvals,
}

/// Policies that fit the tools and are in force.
pub(crate) struct StartedPolicy {
    registry: Registry,
    guard: PolicyGuard,
    approvals: Approvals,
    /// What was read last, good or not.
    fingerprint: Vec<u8>,
    /// After how many changes of the tools the policies were checked against them.
    generation: u64,
    /// When they may be checked again.
    rested: Instant,
    told: Vec<String>,
}

/// How many times as long as a check took the policies are not checked again.
const PAUSES: u32 = 20;

impl PolicyHost {
    /// Reads the policies of a config, if it has any. Until they are in force, everything is denied.
    pub(crate) fn of(config: &Config) -> Result<Option<Self>, PolicyError> {
        let (audit, Some(config)) = (&config.audit, &config.policy) else {
            return Ok(None);
        };
        let guard = PolicyGuard::default();
        Ok(Some(Self {
            policies: Policies::read(config)?,
            approvals: Approvals::new(guard.clone(), audit.clone()),
            guard,
            config: config.clone(),
        }))
    }

    pub(crate) fn guard(&self) -> &PolicyGuard {
        &self.guard
    }

    pub(crate) fn approvals(&self) -> &Approvals {
        &self.approvals
    }

    /// Puts the policies in force, if they fit the tools.
    pub(crate) fn start(
        self,
        registry: &Registry,
        unknown: Vec<Option<String>>,
    ) -> Result<StartedPolicy, PolicyError> {
        let mut started = StartedPolicy {
            registry: registry.clone(),
            guard: self.guard,
            approvals: self.approvals,
            fingerprint: fingerprint(&self.config),
            generation: 0,
            rested: Instant::now(),
            told: Vec::new(),
        };
        let checked = started.check(&self.policies, unknown)?;
        started.tell(&checked);
        started.put_in_force(self.policies, &self.config);
        Ok(started)
    }
}

impl StartedPolicy {
    /// Reads the policies again if they have changed. If they are wrong, the old ones stay.
    pub(crate) fn follow(
        &mut self,
        config: Option<&PolicyConfig>,
        unknown: impl FnOnce() -> Vec<Option<String>>,
    ) {
        // A config without a policy needs a restart, which is told where configs are compared.
        let Some(config) = config else { return };
        let now = fingerprint(config);
        if now != self.fingerprint {
            self.fingerprint = now;
            match self.read(config, unknown()) {
                Ok(policies) => self.put_in_force(policies, config),
                Err(error) => {
                    tracing::error!(target: "toolpact::policy", %error, "the new policies are wrong, so the old ones stay");
                }
            }
        } else if *self.registry.changes().borrow() != self.generation
            && self.rested <= Instant::now()
            && let Some(policies) = self.guard.policies()
        {
            let checked = self.check(&policies, unknown());
            match checked {
                Ok(checked) => self.tell(&checked),
                Err(error) => {
                    self.tell_all(error.problems().iter().map(ToString::to_string).collect());
                }
            }
        }
    }

    fn read(
        &mut self,
        config: &PolicyConfig,
        unknown: Vec<Option<String>>,
    ) -> Result<Policies, PolicyError> {
        let policies = Policies::read(config)?;
        let checked = self.check(&policies, unknown)?;
        self.tell(&checked);
        Ok(policies)
    }

    fn put_in_force(&mut self, policies: Policies, config: &PolicyConfig) {
        let approval = config.approval.as_ref();
        self.approvals.configure(approval.and_then(Approval::held));
        self.guard
            .ask(approval.map(Approval::asks).unwrap_or_default());
        tracing::info!(target: "toolpact::policy", policies = policies.len(), "the policies are in force");
        self.guard.replace(policies);
        self.registry.refresh();
        self.generation = *self.registry.changes().borrow();
    }

    fn check(
        &mut self,
        policies: &Policies,
        unknown: Vec<Option<String>>,
    ) -> Result<Checked, PolicyError> {
        let began = Instant::now();
        self.generation = *self.registry.changes().borrow();
        let mut catalogue = Catalogue::of_tools(&self.registry.list());
        for source in unknown {
            catalogue.add_unknown(source.as_deref());
        }
        let checked = policies.check(&catalogue);
        self.rested = Instant::now() + (began.elapsed() * PAUSES).max(Duration::from_secs(1));
        checked
    }

    fn tell(&mut self, checked: &Checked) {
        self.tell_all(checked.warnings.iter().map(ToString::to_string).collect());
    }

    /// Logs what was not logged the last time.
    fn tell_all(&mut self, warnings: Vec<String>) {
        for warning in warnings.iter().filter(|one| !self.told.contains(one)) {
            tracing::warn!(target: "toolpact::policy", "{warning}");
        }
        self.told = warnings;
    }
}

/// The tools of a config that can be told without starting anything, for policies. MCP servers are not asked.
#[must_use]
pub fn catalogue(config: &Config) -> Catalogue {
    let (mut catalogue, memory) = (Catalogue::default(), Memory::new(&config.limits));
    for source in &config.sources {
        match crate::sources::contracts_of(source, &memory) {
            Some(contracts) => {
                for contract in contracts {
                    catalogue.add(source.name(), contract);
                }
            }
            None => catalogue.add_unknown(source.name()),
        }
    }
    for contract in config.code.iter().flat_map(crate::code::contracts) {
        catalogue.add(None, Arc::new(contract));
    }
    catalogue
}

/// What is wrong with the policies of a config, as far as can be told without starting anything.
pub(crate) fn check(config: &Config) -> Vec<String> {
    let Some(policy) = &config.policy else {
        return Vec::new();
    };
    let checked = Policies::read(policy).and_then(|read| read.check(&catalogue(config)));
    let problems = checked.err().map(|error| error.problems().to_vec());
    let problems = problems.unwrap_or_default();
    problems.iter().map(ToString::to_string).collect()
}

/// What the policies say, with the texts of their files.
fn fingerprint(config: &PolicyConfig) -> Vec<u8> {
    let mut digest = Sha256::new();
    digest.update(serde_json::to_vec(config).unwrap_or_default());
    for path in &config.files {
        let text = std::fs::read(path).unwrap_or_default();
        digest.update(u64::try_from(text.len()).unwrap_or(u64::MAX).to_le_bytes());
        digest.update(text);
    }
    digest.finalize().to_vec()
}
