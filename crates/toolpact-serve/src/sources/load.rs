//! The tools of a config for a program that calls them itself and serves nothing.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::future::join_all;
use toolpact::call::{CallGuard, Decision, Proposal};
use toolpact::registry::RegistryBuilder;
use toolpact::{Registry, Session};
use toolpact_audit::{AuditLog, Recorder};
use toolpact_identity::{ProtectedResource, ScopeGuard};
use toolpact_policy::PolicyGuard;

use super::build::build;
use super::lock::{LockError, LockKeeper};
use super::shelf::{Place, Shelf};
use super::supervisor::labelled;
use crate::code::CodeHost;
use crate::config::Config;
use crate::memory::Memory;
use crate::policy::PolicyHost;

/// The tools of a config.
#[derive(Debug)]
pub struct Loaded {
    /// It sees the tools under the names that a server of the config gives them.
    pub session: Session,
    /// What is missing: the sources that do not start and the tools that are left out, and why.
    pub wrong: Vec<String>,
}

/// Why the tools of a config cannot be called.
#[derive(Debug)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no session with them.
    Tools(toolpact::Error),
    /// The lock cannot be used.
    Lock(LockError),
}

impl std::fmt::Display for LoadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LoadError::Tools(error) => error.fmt(f),
            LoadError::Lock(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// Starts the sources of a config, once.
pub async fn load(config: &Config) -> Result<Loaded, LoadError> {
    load_recorded(config, None).await
}

/// The same; calls are recorded, if there is a recorder.
pub async fn load_recorded(
    config: &Config,
    recorder: Option<Arc<Recorder>>,
) -> Result<Loaded, LoadError> {
    let memory = Memory::new(&config.limits);
    // Whoever starts the sources of a config is not one of its callers: neither scopes nor policies hold.
    let registry = match recorder {
        Some(recorder) => builder(config, &memory).log(recorder),
        None => builder(config, &memory),
    };
    let (registry, data) = (registry.build(), config.data_folder());
    let sources = labelled(&config.sources);
    let limits = &config.limits;
    let built = { sources.iter() }
        .map(|(_, source)| build(source, &data, limits, &memory, config.mock.as_ref()));
    let built = join_all(built).await;
    // A program that only calls tools agrees to nothing.
    let keeper = LockKeeper::reading(config).map_err(LoadError::Lock)?;
    let (shelf, mut wrong) = (Shelf::new(registry.clone(), keeper, None), Vec::new());
    for ((label, source), built) in sources.iter().zip(built) {
        let place = Place {
            id: label,
            label,
            trust: source.trust(),
        };
        shelf.add(place, source.name());
        match built {
            Ok(built) => {
                wrong.extend(built.left_out);
                wrong.extend(built.excess.map(|excess| format!("{label}: {excess}")));
                wrong.extend(shelf.offer(label, built.definitions));
            }
            Err(error) => {
                let reason = error.reason;
                wrong.push(format!("the source {label} does not start: {reason}"));
                shelf.release(label);
            }
        }
    }
    for (label, _) in &sources {
        let verdict = shelf.verdict(label);
        let quarantined = verdict.differences.iter().filter(|one| one.is_there());
        wrong.extend(quarantined.map(|difference| {
            format!(
                "the source {label}: {difference}, which is not what the lock says, so it is in quarantine; \
                 `toolpact lock` shows what is another, and accepts it"
            )
        }));
        wrong.extend(shelf.verdict(label).taken.into_iter().map(|name| {
            format!(
                "the tool `{name}` of the source {label} is left out, since another source has one of \
                 this name; give a source a `name`, which becomes a part of the names of its tools"
            )
        }));
    }
    if let Some(code) = &config.code {
        wrong.extend(CodeHost::new(code, &registry, &memory).refresh());
    }
    let session = registry.session().qualified().leave_out_clashes().open();
    let session = session.map_err(LoadError::Tools)?;
    wrong.extend(session.left_out().map(ToString::to_string));
    Ok(Loaded { session, wrong })
}

/// An empty registry with the limits of a config, for callers that have to have the scopes that tools need, and whom
/// its policies have to permit what they do. Their calls are recorded.
pub(crate) fn served_registry(
    config: &Config,
    memory: &Memory,
    policy: Option<&PolicyHost>,
    logs: (Option<AuditLog>, Option<Arc<Recorder>>),
) -> Registry {
    let resource = ProtectedResource::of(&config.identity);
    let scopes = resource.map(|resource| resource.scopes().clone());
    let scopes = scopes.filter(|scopes| !scopes.is_empty()).map(ScopeGuard);
    let mut registry = builder(config, memory);
    if let Some(policy) = policy {
        registry = registry
            .tool_filter(policy.guard().clone())
            .approver(policy.approvals().clone());
    }
    registry = match logs {
        (Some(audit), Some(recorder)) => registry.log((audit, recorder)),
        (Some(audit), None) => registry.log(audit),
        (None, Some(recorder)) => registry.log(recorder),
        (None, None) => registry,
    };
    let policy = policy.map(PolicyHost::guard).cloned();
    match (scopes, policy) {
        (Some(scopes), Some(policy)) => registry.guard(ScopesAndPolicy { scopes, policy }).build(),
        (Some(scopes), None) => registry.guard(scopes).build(),
        (None, Some(policy)) => registry.guard(policy).build(),
        (None, None) => registry.build(),
    }
}

/// Scopes first; a call that they allow is for the policies to decide.
struct ScopesAndPolicy {
    scopes: ScopeGuard,
    policy: PolicyGuard,
}

impl CallGuard for ScopesAndPolicy {
    fn decide<'a>(
        &'a self,
        proposal: &'a Proposal<'a>,
    ) -> Pin<Box<dyn Future<Output = Decision> + Send + 'a>> {
        Box::pin(async move {
            match self.scopes.decide(proposal).await {
                Decision::Allow => self.policy.decide(proposal).await,
                refused => refused,
            }
        })
    }
}

fn builder(config: &Config, memory: &Memory) -> RegistryBuilder {
    let (calls, timeout) = (&config.calls, config.limits.call());
    let mut registry = Registry::builder()
        .limits(calls.of_each(timeout))
        .limits_of_all(&calls.of_all())
        .result_memory(Arc::clone(&memory.results))
        .answer_memory(Arc::clone(&memory.answers));
    for (name, limits) in calls.of_sources(timeout) {
        registry = registry.limits_of_toolset(name, limits);
    }
    for (name, limits) in calls.of_tools(timeout, &config.sources) {
        registry = registry.limits_of(name, limits);
    }
    registry = config.results.apply(registry);
    match &calls.each_principal {
        Some(principals) => principals.apply(registry),
        None => registry,
    }
}
