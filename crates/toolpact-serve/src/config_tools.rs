//! The tools of a config: sources that run, the tool that runs scripts, and the policies.

use std::path::Path;
use std::sync::Arc;

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use toolpact::Registry;
use toolpact::Session;
use toolpact_audit::{AuditLog, AuditMetrics, Recorder};
use toolpact_upstream::Upstreams;

use crate::approvals::Approvals;
use crate::code::CodeHost;
use crate::config::{Config, Source};
use crate::memory::Memory;
use crate::policy::PolicyHost;
use crate::reload::Followers;
use crate::sources::{LockKeeper, PATIENCE, Shelf, Supervisor, served_registry};
use crate::start_error::{Reason, StartError};

/// The tools of a config, which are kept up to date.
pub(crate) struct ConfigTools {
    pub(crate) registry: Registry,
    pub(crate) upstreams: Upstreams,
    pub(crate) memory: Memory,
    pub(crate) supervisor: Arc<Supervisor>,
    pub(crate) approvals: Option<Approvals>,
    pub(crate) audit_metrics: Option<AuditMetrics>,
    code: Option<Arc<CodeHost>>,
    recorder: Option<Arc<Recorder>>,
    policy: Option<PolicyHost>,
}

impl ConfigTools {
    /// Makes everything ready for the sources, whose tools join those of a registry, if one is given. Calls are recorded
    /// in a folder, if one is given.
    pub(crate) fn new(
        config: &Config,
        registry: Option<Registry>,
        record: Option<&Path>,
    ) -> Result<Self, StartError> {
        let data = config.data_folder();
        // A server without data may run where nothing can be written.
        let has_data = |source: &Source| matches!(source, Source::Shop(_));
        if config.mock.is_none() && config.sources.iter().any(has_data) {
            make_folder(&data)?;
        }
        let memory = Memory::new(&config.limits);
        let policy = PolicyHost::of(config).map_err(StartError::policy)?;
        if policy.is_some() && registry.is_some() {
            return Err(StartError::new(Reason::OwnRegistry));
        }
        let audit = audit(config, registry.is_some())?;
        let audit_metrics = audit.as_ref().map(AuditLog::metrics);
        let events = audit.as_ref().map(AuditLog::events);
        let keeper = LockKeeper::writing(config);
        let keeper = keeper.map_err(|error| StartError::new(Reason::Lock(error)))?;
        let recorder = recorder(config, record, registry.is_some())?;
        let logs = (audit, recorder.clone());
        let own = || served_registry(config, &memory, policy.as_ref(), logs);
        let registry = registry.unwrap_or_else(own);
        let upstreams = Upstreams::default();
        let code = config.code.as_ref();
        let code = code.map(|code| Arc::new(CodeHost::new(code, &registry, &memory)));
        let supervisor = Supervisor::new(
            Shelf::new(registry.clone(), keeper, events),
            upstreams.clone(),
            data,
            config.limits,
            memory.clone(),
            code.clone(),
        );
        Ok(Self {
            supervisor: Arc::new(supervisor.mocking(config.mock.clone())),
            approvals: policy.as_ref().map(PolicyHost::approvals).cloned(),
            registry,
            upstreams,
            memory,
            audit_metrics,
            code,
            recorder,
            policy,
        })
    }

    /// Starts the sources, waits a while until they are there, and puts the policies in force. Returns what is to
    /// follow the config.
    pub(crate) async fn start(
        &mut self,
        config: &Config,
        stop: &CancellationToken,
    ) -> Result<Followers, StartError> {
        // Before the sources, so that its name is its own.
        if let Some(code) = &self.code {
            drop(code.refresh());
        }
        if let Some(mock) = &config.mock {
            let seed = mock.seed;
            tracing::warn!(
                seed,
                "this is a mock: answers are made from the contracts, and no tool runs"
            );
        }
        self.supervisor.apply(&config.sources);
        stop.run_until_cancelled(self.supervisor.settled(PATIENCE))
            .await;
        if let Some(code) = self.code.take() {
            drop(code.refresh());
            tokio::spawn(code.follow(stop.clone()));
        }
        if let Some(recorder) = self.recorder.take() {
            let (registry, stop) = (self.registry.clone(), stop.clone());
            let changes = registry.changes();
            recorder.offer(&all_tools(&registry).map_err(StartError::tools)?);
            let following = follow(recorder, registry, changes);
            tokio::spawn(async move { stop.run_until_cancelled(following).await });
        }
        let started =
            |policy: PolicyHost| policy.start(&self.registry, self.supervisor.not_ready());
        let policy = self.policy.take().map(started);
        Ok(Followers {
            supervisor: Arc::clone(&self.supervisor),
            policy: policy.transpose().map_err(StartError::policy)?,
            mcp: None,
        })
    }
}

/// Records tools that come later.
async fn follow(recorder: Arc<Recorder>, registry: Registry, mut changes: watch::Receiver<u64>) {
    // It ends with the registry.
    while changes.changed().await.is_ok() {
        let (recorder, all) = (Arc::clone(&recorder), all_tools(&registry));
        // The disk may be slow.
        let offered = toolpact::background::spawn(move || match all {
            Ok(all) => recorder.offer(&all),
            Err(error) => tracing::error!(%error, "the tools cannot be recorded"),
        });
        drop(offered.await);
    }
}

/// All tools of a registry, whoever may see them.
pub(crate) fn all_tools(registry: &Registry) -> Result<Session, toolpact::Error> {
    let session = registry.session().qualified().leave_out_clashes().open()?;
    Ok(session.unfiltered())
}

/// What the audit leaves out, a record leaves out, too.
fn recorder(
    config: &Config,
    folder: Option<&Path>,
    has_registry: bool,
) -> Result<Option<Arc<Recorder>>, StartError> {
    match folder {
        Some(_) if has_registry => Err(StartError::new(Reason::AuditOfRegistry)),
        Some(folder) => match Recorder::open(folder, config.audit.as_ref()) {
            Ok(recorder) => Ok(Some(Arc::new(recorder))),
            Err(error) => Err(StartError::new(Reason::Audit(error))),
        },
        None => Ok(None),
    }
}

/// The folder for data.
fn make_folder(path: &Path) -> Result<(), StartError> {
    toolpact::private_files::create_folder(path).map_err(|error| {
        StartError::new(match path.is_file() {
            true => Reason::NoFolder(path.to_owned()),
            false => Reason::Data(path.to_owned(), error),
        })
    })
}

/// Calls of a registry that is given are recorded by the log it has, or by none.
fn audit(config: &Config, has_registry: bool) -> Result<Option<AuditLog>, StartError> {
    match &config.audit {
        Some(_) if has_registry => Err(StartError::new(Reason::AuditOfRegistry)),
        Some(audit) => match AuditLog::open(audit) {
            Ok(log) => Ok(Some(log)),
            Err(error) => Err(StartError::new(Reason::Audit(error))),
        },
        None => Ok(None),
    }
}
