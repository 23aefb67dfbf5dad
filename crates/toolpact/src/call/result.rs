//! Checks the result of a tool against its contract.

use std::sync::Arc;

use serde::Serialize;
use toolpact_core::Violations;
use toolpact_core::returns::{ErrorKind, Level};

use super::{Enforcement, contract_violation, reported_failure};
use crate::registry::RegisteredTool;
use crate::typed::AnyValue;
use crate::{ToolError, define::UntypedOutput};

/// What the result of a call is checked against, and what of it is kept.
#[derive(Clone)]
pub(crate) struct ResultChecker {
    pub(crate) entry: Arc<RegisteredTool>,
    pub(crate) enforcement: Enforcement,
    pub(crate) keep: Keep,
    /// Most bytes of a result.
    pub(crate) most: usize,
}

/// What of a call is kept.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The typed values, of which everything else can be made.
    Typed,
    /// The text of the result and nothing else.
    Json,
}

/// A result that passed.
pub(crate) struct CheckedOutput {
    pub(crate) input: Option<AnyValue>,
    /// The typed result, if it is kept.
    pub(crate) output: Option<AnyValue>,
    /// The JSON that was checked. All views are made of it.
    pub(crate) json: Vec<u8>,
    /// The text that an untyped tool returned beside its value.
    pub(crate) text: Option<String>,
    /// The rules that the result breaks, if it passes nevertheless.
    pub(crate) violations: Violations,
}

impl ResultChecker {
    pub(crate) fn keeps_input(&self) -> bool {
        self.keep == Keep::Typed
    }

    /// Checks the output of an untyped tool.
    pub(crate) fn check_untyped_result(
        &self,
        input: Option<AnyValue>,
        untyped_output: UntypedOutput,
    ) -> Result<CheckedOutput, ToolError> {
        let only_text = untyped_output.is_only_text();
        let (value, text) = untyped_output.resolve(self.entry.contract().returns());
        let mut product = self
            .check_result(input, value)
            .map_err(|error| match only_text {
                true => not_json(error, text.as_deref()),
                false => error,
            })?;
        product.text = text;
        Ok(product)
    }

    /// Checks a result.
    pub(crate) fn check_result<O>(
        &self,
        input: Option<AnyValue>,
        output: O,
    ) -> Result<CheckedOutput, ToolError>
    where
        O: Serialize + Send + Sync + 'static,
    {
        let (json, violations) = self.to_checked_json(&output)?;
        if json.len() > self.most {
            return Err(too_large(json.len(), self.most));
        }
        if let Some(error) = reported_failure::of(&json, self.entry.contract().returns()) {
            return Err(error);
        }
        let output = match self.keep {
            Keep::Typed => Some(AnyValue::new(output)),
            Keep::Json => {
                crate::typed::drop_catching(output);
                None
            }
        };
        Ok(CheckedOutput {
            input,
            output,
            json,
            text: None,
            violations,
        })
    }

    /// Checks an event or a chunk that comes before the result.
    pub(crate) fn check_item<T: Serialize>(&self, item: &T) -> Result<Vec<u8>, ToolError> {
        let (json, violations) = self.to_checked_json(item)?;
        if json.len() > self.most {
            return Err(too_large(json.len(), self.most));
        }
        if !violations.is_empty() {
            let tool = self.entry.contract().name();
            tracing::warn!(target: "toolpact", %tool, %violations, "a part of a result passed");
            self.entry.metrics().count_warning();
        }
        Ok(json)
    }

    /// The JSON of a result, and the rules that it breaks if it passes nevertheless.
    fn to_checked_json<O: Serialize>(
        &self,
        output: &O,
    ) -> Result<(Vec<u8>, Violations), ToolError> {
        let promise = self.entry.function().promise();
        let checked = match self.enforcement {
            Enforcement::Off => Err(Violations::default()),
            Enforcement::Enforce | Enforcement::Warn => promise.to_vec(output),
        };
        match (checked, self.enforcement) {
            (Ok(json), _) => Ok((json, Violations::default())),
            (Err(violations), Enforcement::Enforce) => Err(self.refused(output, &violations)),
            (Err(violations), _) => Ok((serde_json::to_vec(output)?, violations)),
        }
    }

    /// Why a result is withheld. A result that reports a failure is that failure, even if only shapes are
    /// checked, which know no failures.
    #[cold]
    fn refused<O: Serialize>(&self, output: &O, violations: &Violations) -> ToolError {
        let is_shape = self.entry.function().promise().level() == Level::Shape;
        let json = is_shape.then(|| serde_json::to_vec(output).ok()).flatten();
        let contract = self.entry.contract();
        json.and_then(|json| reported_failure::of(&json, contract.returns()))
            .unwrap_or_else(|| contract_violation::error(contract, violations))
    }
}

/// Adds that JSON was promised, and the tool returned text.
#[cold]
fn not_json(error: ToolError, text: Option<&str>) -> ToolError {
    if error.kind() != ErrorKind::ContractViolation {
        return error;
    }
    let found = match text {
        None | Some("") => "nothing at all",
        Some(_) => "text that is no JSON",
    };
    tracing::error!(target: "toolpact", found, "expected JSON; a tool whose result is text promises `opaque`");
    error.with_detail("found", found)
}

fn too_large(found: usize, most: usize) -> ToolError {
    ToolError::with_code(
        "INTERNAL_RESULT_SIZE",
        format!(
            "The result has {found} bytes, more than the {most} that are allowed. Ask for less."
        ),
    )
}
