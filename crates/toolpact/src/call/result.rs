//! Checks the result of a tool against its contract.

use std::any::Any;
use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use toolpact_core::Violations;
use toolpact_core::json::Value;
use toolpact_core::memory::MemoryShare;
use toolpact_core::returns::{ErrorKind, Level, Lifted, RawOutput};

use super::{Enforcement, catch_panic, contract_violation, reported_failure};
use crate::registry::{RegisteredTool, SMALL};
use crate::typed::AnyValue;
use crate::{ToolError, define::UntypedOutput};

/// From so many bytes on, a result is kept as it is spelled.
const LONG: usize = 64 << 10;

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
    /// The typed result and nothing else.
    Output,
    /// The result as JSON, and the text that the tool itself makes of it.
    Views,
    /// The JSON of the result and nothing else.
    Json,
    /// The result as the tool gave it, and its text: neither checked nor lifted.
    Given,
}

/// A result that passed.
pub(crate) struct CheckedOutput {
    pub(crate) input: Option<AnyValue>,
    pub(crate) result: KeptResult,
    /// The text that an untyped tool returned beside its value.
    pub(crate) text: Option<String>,
    /// Whether an untyped tool returned text, and no value: known of results as they were given.
    pub(crate) is_text: bool,
    /// The rules that the result breaks, if it passes nevertheless.
    pub(crate) violations: Violations,
    /// What it takes of the memory for results. Small ones take nothing.
    pub(crate) share: Option<MemoryShare>,
}

/// A result in one form, of which the others are made on demand.
#[derive(Debug)]
pub(crate) enum KeptResult {
    /// The value that the tool returned. The JSON of a small one is there, too.
    Typed {
        value: AnyValue,
        json: Option<Vec<u8>>,
        /// Whether it keeps to the contract, and so has to when it is written again.
        is_checked: bool,
    },
    /// The value that an untyped tool returned, which is written as it was checked.
    Value(Value),
    /// The JSON that was checked, and the text that the tool itself makes of the value.
    Json(WrittenResult, Option<String>),
}

/// The JSON of a result.
#[derive(Debug)]
pub(crate) enum WrittenResult {
    Text(Vec<u8>),
    /// With the index that other views need, made while it was written.
    Value(Value),
}

impl WrittenResult {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(json) => json,
            Self::Value(value) => value.text().as_bytes(),
        }
    }

    fn into_bytes(self) -> Vec<u8> {
        match self {
            Self::Text(json) => json,
            Self::Value(value) => value.text().as_bytes().to_vec(),
        }
    }
}

impl ResultChecker {
    pub(crate) fn keeps_input(&self) -> bool {
        self.keep == Keep::Typed
    }

    /// Checks the output of an untyped tool, lifted into the type that is promised.
    pub(crate) fn check_untyped_result(
        &self,
        input: Option<AnyValue>,
        untyped_output: UntypedOutput,
    ) -> Result<CheckedOutput, ToolError> {
        let contract = self.entry.contract();
        let (output, text) = untyped_output.into_raw(contract.returns());
        if self.keep == Keep::Given {
            return self.given(input, output, text);
        }
        let lifted = contract.lift().apply(contract.returns(), &output);
        let checked = match self.is_good_as_it_is(&lifted) {
            true => self.passed(input, lifted.value().clone()),
            false => self.check(input, lifted.value().clone(), Some(&lifted)),
        };
        let mut product = checked.map_err(|error| match &output {
            RawOutput::Text(text) => not_json(error, text),
            RawOutput::Json(_) => error,
        })?;
        product.text = match output {
            RawOutput::Text(text) if !contract.returns().is_structure() => Some(text),
            // How a result reads that was made of text, the contract says.
            _ => text,
        };
        Ok(product)
    }

    /// Checks the output of an untyped tool that is a result already.
    pub(crate) fn check_finished_result(
        &self,
        input: Option<AnyValue>,
        output: UntypedOutput,
    ) -> Result<CheckedOutput, ToolError> {
        let (value, text) = output.into_finished();
        let product = self.check(input, value, None)?;
        Ok(CheckedOutput { text, ..product })
    }

    /// Whether a long result keeps to the contract and need not be written again, which would take as long as all the rest.
    fn is_good_as_it_is(&self, lifted: &Lifted) -> bool {
        let json = lifted.value().text().as_bytes();
        (LONG..=self.most).contains(&json.len())
            && lifted.is_output()
            && self.enforcement != Enforcement::Off
            && self.entry.function().promise().is_valid(json)
    }

    /// A result that keeps to the contract.
    fn passed(&self, input: Option<AnyValue>, value: Value) -> Result<CheckedOutput, ToolError> {
        let json = value.text().as_bytes();
        if let Some(error) = reported_failure::of(json, self.entry.contract().returns()) {
            return Err(error);
        }
        Ok(CheckedOutput {
            input,
            share: self.entry.share(json.len())?,
            result: KeptResult::Value(value),
            text: None,
            is_text: false,
            violations: Violations::default(),
        })
    }

    /// The output of an untyped tool as it is spelled, for those who check it.
    fn given(
        &self,
        input: Option<AnyValue>,
        output: RawOutput,
        text: Option<String>,
    ) -> Result<CheckedOutput, ToolError> {
        let (value, is_text) = match output {
            RawOutput::Json(value) => (value, false),
            RawOutput::Text(text) => (Value::from(&*text), true),
        };
        let length = value.text().len();
        if length > self.most {
            return Err(too_large(length, self.most));
        }
        let passed = self.passed(input, value)?;
        Ok(CheckedOutput {
            text,
            is_text,
            ..passed
        })
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
        self.check(input, output, None)
    }

    fn check<O>(
        &self,
        input: Option<AnyValue>,
        output: O,
        lifted: Option<&Lifted>,
    ) -> Result<CheckedOutput, ToolError>
    where
        O: Serialize + Send + Sync + 'static,
    {
        // The text for a model is made of the index.
        let is_indexed = self.keep == Keep::Views;
        let (json, violations) = self.to_checked_json(&output, lifted, is_indexed)?;
        let length = json.bytes().len();
        if length > self.most {
            return Err(too_large(length, self.most));
        }
        let share = self.entry.share(length)?;
        let is_checked = violations.is_empty() && self.enforcement != Enforcement::Off;
        if let Some(error) = reported_failure::of(json.bytes(), self.entry.contract().returns()) {
            return Err(error);
        }
        Ok(CheckedOutput {
            input,
            result: self.kept(output, json, is_checked),
            text: None,
            is_text: false,
            violations,
            share,
        })
    }

    fn kept<O>(&self, output: O, json: WrittenResult, is_checked: bool) -> KeptResult
    where
        O: Serialize + Send + Sync + 'static,
    {
        let verbatim = (&output as &dyn Any).downcast_ref::<Value>();
        let verbatim = verbatim.filter(|value| value.text().as_bytes() == json.bytes());
        if let (Some(value), true) = (verbatim, self.keep != Keep::Json) {
            return KeptResult::Value(value.clone());
        }
        if self.keep == Keep::Json {
            crate::typed::drop_catching(output);
            return KeptResult::Json(json, None);
        }
        let value = AnyValue::new(output);
        if matches!(self.keep, Keep::Views | Keep::Given) {
            let text = own_text(&self.entry, &value);
            return KeptResult::Json(json, text);
        }
        let is_small = self.keep == Keep::Typed && json.bytes().len() <= SMALL;
        KeptResult::Typed {
            value,
            json: is_small.then(|| json.into_bytes()),
            is_checked,
        }
    }

    /// Checks an event or a chunk that comes before the result.
    pub(crate) fn check_item<T: Serialize>(&self, item: &T) -> Result<Value, ToolError> {
        let (json, violations) = self.to_checked_json(item, None, true)?;
        let length = json.bytes().len();
        if length > self.most {
            return Err(too_large(length, self.most));
        }
        if !violations.is_empty() {
            let tool = self.entry.contract().name();
            tracing::warn!(target: "toolpact", %tool, %violations, "a part of a result passed");
            self.entry.metrics().count_warning();
        }
        match json {
            WrittenResult::Value(value) => Ok(value),
            WrittenResult::Text(json) => Ok(Value::from_json(json)?),
        }
    }

    /// The same of one that is JSON already, which need not be written again where it keeps to the contract.
    pub(crate) fn check_value(&self, item: Value) -> Result<Value, ToolError> {
        let json = item.text().as_bytes();
        let promise = self.entry.function().promise();
        let is_good = self.enforcement != Enforcement::Off && promise.is_valid(json);
        match is_good && json.len() <= self.most {
            true => Ok(item),
            false => self.check_item(&item),
        }
    }

    /// The JSON of a result, with its index if that is needed, and the rules that it breaks if it passes nevertheless.
    fn to_checked_json<O: Serialize>(
        &self,
        output: &O,
        lifted: Option<&Lifted>,
        is_indexed: bool,
    ) -> Result<(WrittenResult, Violations), ToolError> {
        let promise = self.entry.function().promise();
        // Made while it is written, the index costs next to nothing.
        let written = |output: &O| match is_indexed {
            true => promise.to_value(output).map(WrittenResult::Value),
            false => promise.to_vec(output).map(WrittenResult::Text),
        };
        let checked = match (self.enforcement, lifted.and_then(Lifted::refusal)) {
            // To write it with the checks is faster than without, where it passes.
            (Enforcement::Off, _) if self.keep == Keep::Given => promise
                .to_value_quickly(output)
                .map(WrittenResult::Value)
                .ok_or_else(Violations::default),
            (Enforcement::Off, _) => Err(Violations::default()),
            (_, Some(refusal)) => Err(refusal.clone()),
            (_, None) => written(output).map_err(|violations| match lifted {
                Some(lifted) => lifted.explain(violations),
                None => violations,
            }),
        };
        match (checked, self.enforcement) {
            (Ok(json), _) => Ok((json, Violations::default())),
            (Err(violations), Enforcement::Enforce) => Err(self.refused(output, &violations)),
            (Err(violations), _) => match (serde_json::to_vec(output), self.keep) {
                (Ok(json), _) => Ok((WrittenResult::Text(json), violations)),
                // Nobody can check what cannot be written.
                (Err(_), Keep::Given) => match written(output) {
                    Ok(json) => Ok((json, Violations::default())),
                    Err(violations) => Err(self.refused(output, &violations)),
                },
                (Err(error), _) => Err(error.into()),
            },
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

impl KeptResult {
    /// The value as its type.
    pub(crate) fn get<T: 'static>(&self) -> Option<&T> {
        match self {
            Self::Typed { value, .. } => value.get(),
            Self::Value(value) => (value as &dyn Any).downcast_ref(),
            Self::Json(..) => None,
        }
    }

    /// The value itself, if this is its type.
    pub(crate) fn take<T: 'static>(self) -> Option<T> {
        match self {
            Self::Typed { value, .. } => value.take(),
            Self::Value(value) => AnyValue::new(value).take(),
            Self::Json(..) => None,
        }
    }

    /// The JSON that was checked, or as it is now, checked again. `None` if a value has changed so that
    /// it breaks the contract.
    pub(crate) fn json(&self, entry: &RegisteredTool) -> Option<Cow<'_, [u8]>> {
        match self {
            Self::Typed {
                json: Some(json), ..
            } => Some(Cow::Borrowed(json)),
            Self::Json(json, _) => Some(Cow::Borrowed(json.bytes())),
            Self::Value(value) => Some(Cow::Borrowed(value.text().as_bytes())),
            Self::Typed {
                value, is_checked, ..
            } => {
                let promise = is_checked.then(|| entry.function().promise());
                value.to_json(promise).map(Cow::Owned)
            }
        }
    }

    /// The value, if it need not be made.
    pub(crate) fn value(&self) -> Option<Value> {
        match self {
            Self::Value(value) | Self::Json(WrittenResult::Value(value), _) => Some(value.clone()),
            _ => None,
        }
    }

    /// The result as a value of JSON.
    pub(crate) fn to_value(&self, entry: &RegisteredTool) -> Option<Value> {
        match self.value() {
            Some(value) => Some(value),
            None => Value::from_json(self.json(entry)?).ok(),
        }
    }

    /// The text of the tool itself. If that panics, the text of its return type is used.
    pub(crate) fn own_text(&self, entry: &RegisteredTool) -> Option<String> {
        match self {
            Self::Typed { value, .. } => own_text(entry, value),
            Self::Value(_) => None,
            Self::Json(_, text) => text.clone(),
        }
    }
}

fn own_text(entry: &RegisteredTool, output: &AnyValue) -> Option<String> {
    let name = entry.contract().name().as_str();
    catch_panic(name, || entry.body().text(output))
        .ok()
        .flatten()
}

/// Adds that JSON was promised, and the tool returned text. How it begins, the logs have.
#[cold]
fn not_json(error: ToolError, text: &str) -> ToolError {
    if error.kind() != ErrorKind::ContractViolation {
        return error;
    }
    let found = match text.trim().is_empty() {
        true => "nothing at all",
        false => "text that is no JSON",
    };
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
