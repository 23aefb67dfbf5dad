//! Keeps the tool that runs scripts up to date with the tools that scripts can call.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;
use toolpact::code::{Sandbox, ScriptTools};
use toolpact::core::memory::MemoryBudget;
use toolpact::{Registry, Session};

use super::{CurrentTools, current, definitions};
use crate::config::CodeConfig;
use crate::memory::Memory;
use crate::sources::{Health, Installed, SourceState};

/// How often the worker is looked for while it is not there.
const LOOK_AGAIN: Duration = Duration::from_secs(5);

/// Changes that come one after the other are one.
const SETTLE: Duration = Duration::from_millis(50);

/// How many times as long as describing all tools took they are left alone.
const PAUSES: u32 = 4;

pub(crate) struct CodeHost {
    config: CodeConfig,
    registry: Registry,
    /// For messages of workers that are not taken yet.
    memory: Arc<MemoryBudget>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    sandbox: Option<Arc<Sandbox>>,
    tools: Option<CurrentTools>,
    /// The digests of the contracts that are served.
    served: Vec<String>,
    installed: Installed,
    /// Why it is not served, for everybody.
    why: Option<&'static str>,
    /// What was told of it last.
    told: Vec<String>,
}

impl CodeHost {
    pub(crate) fn new(config: &CodeConfig, registry: &Registry, memory: &Memory) -> Self {
        Self {
            config: config.clone(),
            registry: registry.clone(),
            memory: Arc::clone(&memory.answers),
            state: Mutex::default(),
        }
    }

    /// Registers the tool as it has to be now. Returns what is wrong.
    pub(crate) fn refresh(&self) -> Vec<String> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let wrong = match state.update(&self.config, &self.registry, &self.memory) {
            Ok(()) => Vec::new(),
            Err((why, wrong)) => {
                state.why = Some(why);
                vec![wrong]
            }
        };
        if wrong != state.told {
            for error in &wrong {
                tracing::error!(error, "the tool that runs scripts is left out");
            }
            state.told.clone_from(&wrong);
        }
        wrong
    }

    /// Follows the tools of the registry until it is told to stop.
    pub(crate) async fn follow(self: Arc<Self>, stop: CancellationToken) {
        let mut tools = self.registry.changes();
        // Something may have changed before this was watched.
        tools.mark_changed();
        let mut pause = SETTLE;
        loop {
            let is_missing = self.health().state == SourceState::Failing;
            let wait = async {
                tokio::select! {
                    changed = tools.changed() => changed.is_ok(),
                    () = tokio::time::sleep(LOOK_AGAIN), if is_missing => true,
                }
            };
            match stop.run_until_cancelled(wait).await {
                Some(true) => tokio::time::sleep(pause).await,
                _ => return,
            }
            let (host, began) = (Arc::clone(&self), Instant::now());
            if toolpact::background::spawn(move || host.refresh())
                .await
                .is_err()
            {
                return;
            }
            pause = (began.elapsed() * PAUSES).clamp(SETTLE, LOOK_AGAIN);
        }
    }

    /// How it is, as if it were a source.
    pub(crate) fn health(&self) -> Health {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Health {
            source: "code".to_owned(),
            state: match state.why {
                Some(_) => SourceState::Failing,
                None => SourceState::Ready,
            },
            tools: state.installed.len(),
            left_out: usize::from(state.why.is_some()),
            reasons: Vec::new(),
            lock: None,
            why: state.why,
            runtimes: None,
        }
    }
}

impl State {
    fn update(
        &mut self,
        config: &CodeConfig,
        registry: &Registry,
        memory: &Arc<MemoryBudget>,
    ) -> Result<(), (&'static str, String)> {
        let sandbox = match &self.sandbox {
            Some(sandbox) => Arc::clone(sandbox),
            None => {
                let missing = |error: toolpact::Error| {
                    let wrong = format!("the tool `{}`: {error}", config.name);
                    ("the program that runs scripts is not there", wrong)
                };
                let found = Sandbox::find().map_err(missing)?;
                let found = found.allow_unconfined(config.allow_unconfined);
                let found = found.memory(Arc::clone(memory));
                Arc::clone(self.sandbox.insert(Arc::new(found)))
            }
        };
        let hidden = [config.name.clone(), config.declarations_name()];
        let session = registry.session().qualified().without(hidden);
        let session = session.leave_out_clashes().open();
        let unclear =
            |error: toolpact::Error| ("two tools cannot be told apart", error.to_string());
        let session = session.map_err(unclear)?;
        let before = self.tools.as_ref().map(current);
        if self.why.is_none()
            && before.is_some_and(|tools| {
                has_same_tools(&tools.session().unfiltered(), &session.unfiltered())
            })
        {
            return Ok(());
        }
        let tools = Arc::new(ScriptTools::of(&session));
        let shared = self
            .tools
            .get_or_insert_with(|| Arc::new(RwLock::new(Arc::clone(&tools))));
        *shared.write().unwrap_or_else(PoisonError::into_inner) = tools;
        let made = definitions(config, &sandbox, shared, !registry.has_tool_filter());
        let made = made.map_err(|error| ("it cannot be described", error.to_string()))?;
        let served = made.iter().map(|one| one.contract().digest().to_string());
        let served: Vec<String> = served.collect();
        if served != self.served || self.why.is_some() {
            self.installed.update(registry, made);
            self.served = served;
        }
        if let Some(name) = self.installed.taken().first() {
            let message = format!(
                "another tool has the name `{name}` of the one that runs scripts; give `code` another `name`"
            );
            return Err(("another tool has its name", message));
        }
        self.why = None;
        Ok(())
    }
}

/// Whether calls go to the very same tools, whoever sees them: one that was replaced has another body, even if its contract
/// is the same.
fn has_same_tools(one: &Session, other: &Session) -> bool {
    let is_same = |name| match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        _ => false,
    };
    one.names().eq(other.names()) && one.names().all(is_same)
}
