//! Arguments that are a value of a type, which the tool gets as it is.

use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::Serialize;
use toolpact_core::json::Value;
use toolpact_core::returns::ErrorKind;
use toolpact_core::toolset::Function;

use super::arguments::{self, Checked};
use super::catch_panic;
use crate::ToolError;
use crate::registry::RegisteredTool;
use crate::typed::drop_catching;

/// The arguments of a call, as its caller has them.
pub(crate) enum CallArgs<'a> {
    Json(&'a [u8]),
    /// JSON that its caller has read.
    Value(&'a Value),
    Typed(TypedInput),
}

/// What a tool is started with: arguments that have been checked.
pub(crate) enum Arguments<'a> {
    Json(&'a [u8]),
    /// A value of the type that the tool takes.
    Value(Box<dyn Any + Send>),
}

/// A typed value, and its JSON once something needs it.
pub(crate) struct TypedInput {
    type_id: TypeId,
    /// Until a tool has taken it.
    value: Mutex<Option<Box<dyn ErasedInput>>>,
    json: OnceLock<Vec<u8>>,
}

/// What checking a value without its text has shown.
enum Verdict {
    Valid,
    /// It is valid, and this is its JSON, which was asked for.
    Written(Vec<u8>),
    /// It is not valid, or only its text can tell.
    Unsure,
}

trait ErasedInput: Send + Sync {
    fn check(&self, function: &Function, wants_json: bool) -> Verdict;
    fn write(&self) -> Result<Vec<u8>, serde_json::Error>;
    fn into_any(self: Box<Self>) -> Box<dyn Any + Send>;
}

impl<T: Serialize + Send + Sync + 'static> ErasedInput for T {
    fn check(&self, function: &Function, wants_json: bool) -> Verdict {
        if wants_json {
            let json = function.typed_to_json(self);
            return json.map_or(Verdict::Unsure, Verdict::Written);
        }
        match function.accepts_typed(self) {
            true => Verdict::Valid,
            false => Verdict::Unsure,
        }
    }

    fn write(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any + Send> {
        self
    }
}

impl CallArgs<'_> {
    /// The arguments as JSON, if they can be written. A value that a tool has taken was written before.
    pub(super) fn json(&self, tool: &str) -> Option<Cow<'_, [u8]>> {
        let input = match self {
            Self::Json(json) => return Some(Cow::Borrowed(json)),
            Self::Value(value) => return Some(Cow::Borrowed(value.text().as_bytes())),
            Self::Typed(input) => input,
        };
        if let Some(json) = input.json.get() {
            return Some(Cow::Borrowed(json));
        }
        let written = input.with(tool, |value| value.write().ok());
        written.ok().flatten().map(Cow::Owned)
    }
}

impl TypedInput {
    pub(crate) fn new<T: Serialize + Send + Sync + 'static>(value: T) -> Self {
        Self {
            type_id: TypeId::of::<T>(),
            value: Mutex::new(Some(Box::new(value))),
            json: OnceLock::new(),
        }
    }

    /// Checks the value while it is written. Its text is made only if something `wants_json`, or if
    /// there is no other way to check it.
    pub(super) fn check(
        &self,
        entry: &RegisteredTool,
        repairs: bool,
        wants_json: bool,
    ) -> Result<Checked, ToolError> {
        let tool = entry.contract().name().as_str();
        let fits = entry.body().takes(self.type_id);
        let wants_json = wants_json || !fits;
        let valid = self.with(tool, |value| value.check(entry.function(), wants_json))?;
        let (checked, json, is_given) = match valid {
            Verdict::Valid => (Checked::Good, None, fits),
            Verdict::Written(json) => (Checked::Good, Some(json), fits),
            Verdict::Unsure => {
                let json = self.with(tool, |value| value.write())?;
                let json = json.map_err(unwritable)?;
                let checked = arguments::check(entry, &json, repairs);
                // What is null here may be a number that JSON does not have, which no tool should get.
                let is_given = fits && matches!(checked, Checked::Good) && !has_null(&json);
                let json = (wants_json || !is_given).then_some(json);
                (checked, json, is_given)
            }
        };
        if let Some(json) = json {
            drop(self.json.set(json));
        }
        if !is_given {
            drop_catching(self.take());
        }
        Ok(checked)
    }

    /// What an attempt starts with: the first with the value, others with its JSON.
    pub(super) fn arguments(&self) -> Result<Arguments<'_>, ToolError> {
        if let Some(value) = self.take() {
            return Ok(Arguments::Value(value.into_any()));
        }
        let json = self.json.get().ok_or_else(|| {
            ToolError::new(ErrorKind::Internal, "").with_source("the arguments are gone")
        })?;
        Ok(Arguments::Json(json))
    }

    /// Runs code of the type of the value.
    fn with<R>(
        &self,
        tool: &str,
        code: impl FnOnce(&dyn ErasedInput) -> R,
    ) -> Result<R, ToolError> {
        let value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        let gone = || ToolError::new(ErrorKind::Internal, "").with_source("the value is gone");
        let value = value.as_deref().ok_or_else(gone)?;
        catch_panic(tool, || code(value))
    }

    fn take(&self) -> Option<Box<dyn ErasedInput>> {
        let mut value = self.value.lock().unwrap_or_else(PoisonError::into_inner);
        value.take()
    }
}

impl Drop for TypedInput {
    fn drop(&mut self) {
        drop_catching(self.take());
    }
}

fn has_null(json: &[u8]) -> bool {
    std::str::from_utf8(json).is_ok_and(|json| json.contains("null"))
}

fn unwritable(error: serde_json::Error) -> ToolError {
    ToolError::invalid(format!(
        "Expected arguments that can be written as JSON, but {error}."
    ))
    .with_source(error)
}
