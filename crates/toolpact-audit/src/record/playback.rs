//! Tools that are answered from a record.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use toolpact::call::Enforcement;
use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::returns::{Enforcer, Level, StandardError};
use toolpact::define::UntypedOutput;
use toolpact::observe::LoggedCall;
use toolpact::{Context, Definition, ToolError};

use super::Record;
use super::answers::Answers;
use super::read::redacted_places;
use super::verdict::is_success;
use crate::AuditError;

/// The code of the error of calls that a record has no answer to.
const NOT_RECORDED: &str = "NOT_FOUND_RECORDED_CALL";

/// What is said of an answer to a call with other arguments.
const NEAREST: &str = "nearest recorded call";

/// How many recorded calls an error names.
const NAMED: usize = 3;

/// Answers calls from a record: the same arguments have the recorded results, one after the other, and then the last
/// again.
///
/// ```no_run
/// use std::path::Path;
/// use toolpact::Registry;
/// use toolpact_audit::{Match, Playback};
///
/// let registry = Registry::new();
/// let playback = Playback::new().matching(Match::Nearest);
/// for (toolset, tools) in playback.toolsets(Path::new("records"))? {
///     match toolset {
///         Some(name) => registry.toolset(&name)?.add_all(tools)?,
///         None => registry.add_all(tools)?,
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[must_use]
pub struct Playback {
    matching: Match,
    delays: bool,
}

/// Which recorded call answers a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Match {
    /// One with the same arguments, or none.
    #[default]
    Strict,
    /// The one whose arguments differ in the fewest places.
    Nearest,
}

/// The tools of a source, by its name.
type Toolsets = BTreeMap<Option<String>, Vec<Definition>>;

impl Playback {
    /// Calls need the same arguments, and are answered at once.
    pub fn new() -> Self {
        Self::default()
    }

    /// Which recorded call answers a call.
    pub fn matching(mut self, matching: Match) -> Self {
        self.matching = matching;
        self
    }

    /// Answers take as long as they took.
    pub fn delays(mut self, delays: bool) -> Self {
        self.delays = delays;
        self
    }

    /// The tools of a record.
    pub fn toolsets(self, directory: &Path) -> Result<Toolsets, AuditError> {
        let record = Record::read(directory)?;
        self.toolsets_of(directory, record)
    }

    /// The same of a record that was read from this directory.
    pub fn toolsets_of(self, directory: &Path, record: Record) -> Result<Toolsets, AuditError> {
        if record.tools.is_empty() {
            return Err(AuditError::no_contracts(directory));
        }
        let key = |toolset: &Option<String>, contract: &Contract| {
            (toolset.clone(), contract.name().to_string())
        };
        let mut answers: BTreeMap<(Option<String>, String), Answers> = BTreeMap::new();
        for call in &record.calls {
            if call.asked() || call.is_unanswered {
                continue;
            }
            if let Some(contract) = record.contract_of(call) {
                let key = key(&call.toolset, contract);
                answers.entry(key).or_default().add(call.clone());
            }
        }
        // Of several contracts of a tool, the last.
        let mut tools = BTreeMap::new();
        for tool in record.tools {
            tools.insert(key(&tool.name.toolset, &tool.contract), tool.contract);
        }
        let mut toolsets = Toolsets::new();
        for (key, contract) in tools {
            let recorded = Arc::new(RecordedAnswers {
                answers: answers.remove(&key).unwrap_or_default(),
                enforcer: contract.returns().enforcer(Level::default()),
                playback: self,
            });
            let (toolset, name) = key;
            let definition = definition(&contract, name.into(), recorded);
            toolsets.entry(toolset).or_default().push(definition);
        }
        Ok(toolsets)
    }
}

fn definition(contract: &Contract, name: Arc<str>, recorded: Arc<RecordedAnswers>) -> Definition {
    let body = move |args: Value, context: Context| {
        let (recorded, name) = (Arc::clone(&recorded), Arc::clone(&name));
        async move { recorded.answer(&name, &args, &context).await }
    };
    // What passed then passes now.
    Definition::finished(contract.clone(), body).enforcement(Enforcement::Warn)
}

/// The recorded calls of a tool.
struct RecordedAnswers {
    answers: Answers,
    enforcer: Enforcer,
    playback: Playback,
}

impl RecordedAnswers {
    async fn answer(
        &self,
        tool: &str,
        args: &Value,
        context: &Context,
    ) -> Result<UntypedOutput, ToolError> {
        let found = self.answers.find(args, self.playback.matching);
        let found = found.ok_or_else(|| self.unknown(tool, args))?;
        if found.is_nearest {
            context.answered_by(NEAREST);
        }
        let line = found.call.read().map_err(ToolError::internal)?;
        if self.playback.delays {
            tokio::select! {
                () = tokio::time::sleep(line.took) => {}
                () = context.cancelled() => {}
            }
        }
        for item in &line.items {
            context.emit_json(item.clone()).await?;
        }
        self.result(line)
    }

    fn result(&self, line: LoggedCall) -> Result<UntypedOutput, ToolError> {
        let Some(result) = line.result else {
            let message = "This call was recorded without its result, so it cannot be answered.";
            return Err(ToolError::with_code(NOT_RECORDED, message));
        };
        if !is_success(&line.outcome) {
            return Err(match StandardError::from_value(&result) {
                Ok(error) => ToolError::of_standard(error),
                Err(_) => ToolError::with_code(&line.outcome, ""),
            });
        }
        let redacted = redacted_places(result.root());
        if !redacted.is_empty() && self.enforcer.check(&result).is_err() {
            let message = format!(
                "The result of this call was recorded without {}, and breaks its contract without it, so it cannot be \
                 answered.",
                redacted.join(", ")
            );
            return Err(ToolError::with_code(NOT_RECORDED, message));
        }
        let output = UntypedOutput::from(result);
        Ok(match line.text {
            Some(text) => output.with_text(text),
            None => output,
        })
    }

    /// The error for a call that the record has no answer to.
    #[cold]
    fn unknown(&self, tool: &str, args: &Value) -> ToolError {
        if self.answers.is_empty() {
            let message = format!("The record has no call of `{tool}`.");
            return ToolError::with_code(NOT_RECORDED, message);
        }
        let near = self.answers.near(args, NAMED).into_iter();
        let near = near.map(|(args, places)| {
            let places: Vec<String> = places.iter().map(ToString::to_string).collect();
            let places = Value::from(places.join(", ").as_str());
            format!(r#"{{"args":{args},"differs_at":{places}}}"#)
        });
        let near: Vec<String> = near.collect();
        let message = format!(
            "The record has no call of `{tool}` with these arguments. `nearest` has those that differ in the fewest \
             places."
        );
        let error = ToolError::with_code(NOT_RECORDED, message);
        match Value::from_json(format!("[{}]", near.join(","))) {
            Ok(near) => error.with_detail("nearest", near),
            Err(_) => error,
        }
    }
}
