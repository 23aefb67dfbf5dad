use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use toolpact_core::memory::MemoryBudget;

use super::conversation::{Conversation, ConversationEnd};
use super::snapshot::{Saved, used_once};
use super::worker::Worker;
use super::{RunOptions, RunReport, ScriptError, ScriptLimits, ScriptTools, wire};
use crate::Error;

/// Where scripts are checked and run.
///
/// Each script has a worker of its own while it runs: a process without files and network. Workers are
/// reused unless something went wrong.
///
/// ```no_run
/// use toolpact::code::{RunOptions, Sandbox, ScriptTools};
/// # use toolpact::{Registry, tool, returns::NumberValue};
/// # /// Adds two numbers.
/// # #[tool(read_only)]
/// # async fn add(a: i64, b: i64) -> NumberValue { NumberValue::success(a + b) }
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// # let registry = Registry::new();
/// # registry.add(add::tool())?;
/// let sandbox = Sandbox::find()?;
/// let tools = ScriptTools::of(&registry.session().open()?);
/// let ran = sandbox.run("add(1, 2) * 10", &tools, &RunOptions::default()).await;
/// assert_eq!(ran.value()?.text(), "30.0");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Sandbox {
    program: PathBuf,
    may_be_unconfined: bool,
    memory: Option<Arc<MemoryBudget>>,
    idle: Mutex<Vec<Worker>>,
}

/// Most idle workers that are kept.
const IDLE: usize = 4;

/// The name of the program.
const PROGRAM: &str = "toolpact-code";

/// The variable that names its path.
const VARIABLE: &str = "TOOLPACT_CODE";

impl Sandbox {
    /// A sandbox whose worker is the program at this path.
    #[must_use]
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            may_be_unconfined: false,
            memory: None,
            idle: Mutex::default(),
        }
    }

    /// The same, whose workers also run scripts where the system has no filter for its calls. Usually, a
    /// worker that cannot filter its own refuses to start.
    #[must_use]
    pub fn allow_unconfined(mut self, allowed: bool) -> Self {
        self.may_be_unconfined = allowed;
        self
    }

    /// The same, whose messages of workers that are not taken yet take no more memory together than this. Workers
    /// wait for it.
    #[must_use]
    pub fn memory(mut self, budget: Arc<MemoryBudget>) -> Self {
        self.memory = Some(budget);
        self
    }

    /// A sandbox with the worker that `TOOLPACT_CODE` names, or else the one beside this program,
    /// or else the one on the path.
    pub fn find() -> Result<Self, Error> {
        if let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) {
            let named = PathBuf::from(named);
            return match named.is_file() {
                true => Ok(Self::at(named)),
                false => Err(missing(&format!("{VARIABLE} names {}", named.display()))),
            };
        }
        let beside = env::current_exe()
            .ok()
            .and_then(|exe| Some(exe.parent()?.to_owned()));
        let path = env::var_os("PATH").unwrap_or_default();
        let folders = beside.into_iter().chain(env::split_paths(&path));
        let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
        let found = folders
            .map(|folder| folder.join(&name))
            .find(|program| program.is_file());
        found.map(Self::at).ok_or_else(|| {
            missing(&format!(
                "it is neither beside this program nor on PATH, and {VARIABLE} is not set"
            ))
        })
    }

    /// The program that its workers are.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Checks a script against the contracts of tools, and runs nothing. Returns whether comments in it
    /// silence the type checker.
    pub async fn check(
        &self,
        script: &str,
        tools: &ScriptTools,
        options: &RunOptions,
    ) -> Result<bool, Error> {
        let begin = begin(script, tools, options, true)?;
        let mut worker = self.worker().await?;
        let mut conversation = Conversation::new(script, tools, options);
        let checked = conversation.check(&mut worker, begin).await;
        self.take_back(worker, &checked);
        checked.result.map(|_| conversation.ignores)
    }

    /// Checks a script and runs it.
    pub async fn run(&self, script: &str, tools: &ScriptTools, options: &RunOptions) -> RunReport {
        let mut conversation = Conversation::new(script, tools, options);
        let started = match begin(script, tools, options, false) {
            Ok(begin) => self.worker().await.map(|worker| (worker, begin)),
            Err(error) => Err(error),
        };
        let (mut worker, begin) = match started {
            Ok(started) => started,
            Err(error) => return conversation.into_report(Err(error)),
        };
        let mut ended = conversation.check(&mut worker, begin).await;
        if ended.result.is_ok() {
            ended = conversation.run(&mut worker).await;
        }
        self.take_back(worker, &ended);
        conversation.finish(ended)
    }

    /// Resumes a run from its snapshot. Its limits are those it began with. A snapshot can be resumed again, and
    /// makes its calls again, unless [`RunOptions::once`] says otherwise.
    pub async fn resume(
        &self,
        snapshot: &[u8],
        key: &super::SigningKey,
        tools: &ScriptTools,
        options: &RunOptions,
    ) -> RunReport {
        let saved = match Saved::open(snapshot, key, tools) {
            Ok(saved) => saved,
            Err(error) => {
                let conversation = Conversation::new("", tools, options);
                return conversation.into_report(Err(error.into()));
            }
        };
        let script = saved.script.clone();
        let mut conversation = Conversation::resumed(&script, tools, options, &saved);
        let mut worker = match self.worker().await {
            Ok(worker) => worker,
            Err(error) => return conversation.into_report(Err(error)),
        };
        // Last, so that a run that cannot begin does not use it up.
        if let Some(Err(fault)) = options.once.as_ref().map(|used| used_once(snapshot, used)) {
            return Conversation::new("", tools, options).into_report(Err(fault.into()));
        }
        let ended = conversation.resume(&mut worker, saved).await;
        self.take_back(worker, &ended);
        conversation.finish(ended)
    }

    async fn worker(&self) -> Result<Worker, Error> {
        while let Some(mut worker) = self.next_idle() {
            if worker.is_alive() {
                return Ok(worker);
            }
        }
        Worker::start(&self.program, self.may_be_unconfined, self.memory.clone()).await
    }

    fn next_idle(&self) -> Option<Worker> {
        self.idle().pop()
    }

    /// Only a worker in which nothing went wrong is reused.
    fn take_back(&self, worker: Worker, ended: &ConversationEnd) {
        let mut idle = self.idle();
        if ended.is_clean && idle.len() < IDLE {
            idle.push(worker);
        }
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Worker>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missing(why: &str) -> Error {
    Error::no_worker(
        format!(
            "the program that runs scripts, `{PROGRAM}`, is not there: {why}; \
         build it with: cargo build --release -p toolpact-code"
        ),
        None,
    )
}

fn begin(
    script: &str,
    tools: &ScriptTools,
    options: &RunOptions,
    only_check: bool,
) -> Result<wire::Begin, Error> {
    let (bytes, limit) = (script.len(), wire::LONGEST_SCRIPT);
    if bytes > limit {
        return Err(ScriptError::TooLong { bytes, limit }.into());
    }
    let limits: &ScriptLimits = &options.limits;
    Ok(wire::Begin {
        script: script.to_owned(),
        file: options.file.clone(),
        stubs: tools.declarations(script),
        tools: tools.functions().map(|one| one.alias.to_owned()).collect(),
        budget: limits.budget(),
        only_check,
    })
}
