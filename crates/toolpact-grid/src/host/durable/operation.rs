//! What came of a durable call, for whoever has its id and made it.

use toolpact::core::contract::Contract;
use toolpact::core::json::Value;
use toolpact::core::model::{ToolName, ToolResult};
use toolpact::core::returns::{ErrorKind, Level, StandardError};
use toolpact::define::UntypedOutput;
use toolpact::returns::Progress;
use toolpact::{Principal, ToolError};

use crate::clock;
use crate::durable::{Claim, Operations, Outcome, Record, StoredProgress, Unreachable};
use crate::host::Host;
use crate::received::WireProgress;
use crate::remote_tool;
use crate::wire::{self, grid_error};

/// A durable call: how far it is, and what came of it.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Operation {
    /// Its id.
    pub id: Box<str>,
    /// The tool that it calls.
    pub tool: Box<str>,
    /// When it was made, in milliseconds of Unix time.
    pub created: u64,
    /// When it must be over.
    pub deadline: u64,
    /// The runtime that has claimed it last.
    pub runtime: Option<Box<str>>,
    /// How far it is.
    pub progress: Option<Progress>,
    /// When it was over.
    pub ended: Option<u64>,
    /// What came of it, once it is over: the content of the result, as the contract promises it.
    pub outcome: Option<Result<Value, StandardError>>,
}

impl Host {
    /// A durable call of this principal. Those of others are not found.
    pub async fn outcome(&self, id: &str, principal: &Principal) -> Result<Operation, ToolError> {
        let shared = self.shared();
        let durable = shared.durable.as_ref().ok_or_else(not_found)?;
        if !crate::subject::is_hex(id, 32) {
            return Err(not_found());
        }
        let operations = &durable.operations;
        let record = operations.get::<Record>(id).await.map_err(unreachable)?;
        let record = record.filter(|record| record.belongs_to(principal));
        let record = record.ok_or_else(not_found)?;
        let mut operation = Operation {
            id: id.into(),
            tool: record.tool.clone(),
            created: record.created,
            deadline: record.deadline,
            runtime: None,
            progress: None,
            ended: None,
            outcome: None,
        };
        let key = Operations::outcome_key(id);
        let Some(outcome) = operations.get::<Outcome>(&key).await.map_err(unreachable)? else {
            operation.runtime = operations.last_claim(id).await.map_err(unreachable)?;
            let progress = operations.progress(id).await.map_err(unreachable)?;
            operation.progress = progress.and_then(|progress| progress.read());
            return Ok(operation.unless_late());
        };
        operation.ended = Some(outcome.at);
        operation.runtime = Some(outcome.runtime.clone());
        let name = ToolName::new(&record.tool).map_err(ToolError::internal)?;
        let contract = self.manifest().get(&record.tool);
        let contract = contract.filter(|tool| tool.digest == record.digest);
        let content = operations
            .content(&name, id, outcome, shared.result_bytes)
            .await;
        let content = match (content, contract) {
            (Ok((content, _)), Some(tool)) => checked(&tool.contract, content),
            (Ok(_), None) => Err(other_contract()),
            (Err(error), _) => Err(error),
        };
        operation.outcome = Some(content.map_err(|error| error.to_standard()));
        Ok(operation)
    }
}

impl Operation {
    /// A call that nobody has claimed by its deadline is never executed.
    fn unless_late(mut self) -> Self {
        if self.runtime.is_none() && clock::now() > self.deadline {
            self.ended = Some(self.deadline);
            self.outcome = Some(Err(never_executed().to_standard()));
        }
        self
    }
}

impl Operations {
    pub(super) async fn progress(
        &self,
        invocation: &str,
    ) -> Result<Option<StoredProgress>, Unreachable> {
        self.get(&Self::progress_key(invocation)).await
    }

    /// The runtime that has claimed it last.
    async fn last_claim(&self, invocation: &str) -> Result<Option<Box<str>>, Unreachable> {
        let mut last = None;
        for attempt in 1.. {
            let key = Self::claim_key(invocation, attempt);
            match self.get::<Claim>(&key).await? {
                Some(claim) => last = Some(claim.runtime),
                None => break,
            }
        }
        Ok(last)
    }

    /// The output of a tool. The session checks it against the contract.
    pub(super) async fn output(
        &self,
        tool: &ToolName,
        invocation: &str,
        outcome: Outcome,
        most: usize,
    ) -> Result<UntypedOutput, ToolError> {
        let (content, text) = self.content(tool, invocation, outcome, most).await?;
        Ok(remote_tool::output(content, text))
    }

    /// The content of a result and its text, or the error that the call ended with.
    async fn content(
        &self,
        tool: &ToolName,
        invocation: &str,
        outcome: Outcome,
        most: usize,
    ) -> Result<(Value, Option<String>), ToolError> {
        let malformed = remote_tool::malformed;
        let json = match (&outcome.result, outcome.parts) {
            (Some(result), None) => result.get().as_bytes().to_vec(),
            (None, Some(parts)) => {
                let whole = self.joined(invocation, outcome.attempt, parts, most).await;
                whole
                    .map_err(unreachable)?
                    .ok_or_else(|| malformed("a result without its parts"))?
            }
            _ => return Err(malformed("an outcome without a result")),
        };
        let whole = outcome
            .error
            .as_deref()
            .map(serde_json::value::RawValue::get);
        let result = ToolResult::from_json(&json)
            .map_err(|violations| malformed("a result that is none").with_source(violations))?;
        let content = remote_tool::content_of(result, tool, || whole.and_then(wire::read_error))?;
        Ok((content, outcome.text.map(String::from)))
    }

    async fn joined(
        &self,
        invocation: &str,
        attempt: u32,
        parts: u32,
        most: usize,
    ) -> Result<Option<Vec<u8>>, Unreachable> {
        let mut whole = Vec::new();
        for number in 1..=parts {
            let key = Self::part_key(invocation, attempt, number);
            match self.bytes(&key).await? {
                Some(part) if part.len() <= most.saturating_sub(whole.len()) => {
                    whole.extend_from_slice(&part);
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(whole))
    }
}

impl StoredProgress {
    pub(super) fn read(&self) -> Option<Progress> {
        let read: WireProgress = serde_json::from_str(self.progress.get()).ok()?;
        Some(read.into_progress())
    }
}

/// A content that its contract promises: results are not believed because a runtime says so.
fn checked(contract: &Contract, content: Value) -> Result<Value, ToolError> {
    let enforcer = contract.returns().enforcer(Level::Meaning);
    match enforcer.check(&content) {
        Ok(()) => Ok(content),
        Err(violations) => {
            let message = "The result is not what the contract promises, so it was withheld.";
            let error = ToolError::new(ErrorKind::ContractViolation, message);
            Err(error.with_source(violations))
        }
    }
}

fn not_found() -> ToolError {
    ToolError::not_found("There is no such operation, or its outcome is not kept any more.")
}

fn unreachable(error: Unreachable) -> ToolError {
    let message = "The outcomes of operations cannot be read now. Try again.";
    grid_error(ErrorKind::DependencyTimedOut, "disconnected", message).with_source(error)
}

fn never_executed() -> ToolError {
    let message =
        "No runtime took the call before its deadline. It was not and will not be executed.";
    grid_error(ErrorKind::TimedOut, "late", message)
}

fn other_contract() -> ToolError {
    let message =
        "The contract of the tool has changed since the call was made, so its result was withheld.";
    grid_error(ErrorKind::ContractViolation, "other_contract", message)
}
