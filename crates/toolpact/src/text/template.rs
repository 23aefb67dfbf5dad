//! Templates of contract documents, held to bounds.
//!
//! Steps are bounded by fuel and the text by its size, whether it ends up in the result or in a
//! variable.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fmt, io};

use minijinja::value::ValueKind;
use minijinja::{Environment, ErrorKind, UndefinedBehavior, Value};
use toolpact_core::json::{Kind, Node};

use crate::Error;

/// Steps of a template: enough for some hundred thousand items.
const FUEL: u64 = 2_000_000;
/// Most bytes that a template may write.
const BYTES: usize = 16 << 20;
/// Most bytes of its own text that a template may put into variables.
const CAPTURED: u64 = 256 << 20;

/// Why a template made no text of a value.
pub(crate) struct TemplateFault {
    /// From 1.
    line: usize,
    /// The part of the template, where it is known: `data.nme`.
    part: Option<Box<str>>,
    problem: Box<str>,
    source: minijinja::Error,
}

impl TemplateFault {
    pub(crate) fn place(&self) -> String {
        match &self.part {
            Some(part) => format!("line {}, at `{part}`", self.line),
            None => format!("line {}", self.line),
        }
    }

    pub(crate) fn source(&self) -> &minijinja::Error {
        &self.source
    }
}

impl fmt::Display for TemplateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the text template", self.line)?;
        if let Some(part) = &self.part {
            write!(f, ", at `{part}`")?;
        }
        write!(f, ": {}", self.problem)
    }
}

pub(super) fn render(template: &str, value: Node<'_>) -> Result<String, Error> {
    let environment = environment(template.len());
    let mut out = Bounded(Vec::new());
    environment
        .template_from_str(template)
        .and_then(|compiled| compiled.render_captured_to(context(value), &mut out))
        .map_err(|error| explain(template, error))?;
    Ok(String::from_utf8_lossy(&out.0).into_owned())
}

fn environment<'a>(length: usize) -> Environment<'a> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    // A step can put all text of the template into a variable.
    let steps = CAPTURED / u64::try_from(length.max(1)).unwrap_or(u64::MAX);
    environment.set_fuel(Some(FUEL.min(steps)));
    environment.set_debug(true);
    // It would show everything there is.
    environment.remove_global("debug");
    let emitted = AtomicUsize::new(0);
    environment.set_formatter(move |out, _, value| {
        let text = shown(value)?;
        let before = emitted.fetch_add(text.len(), Ordering::Relaxed);
        match before.saturating_add(text.len()) > BYTES {
            true => Err(ErrorKind::WriteFailure.into()),
            false => Ok(out.write_str(&text)?),
        }
    });
    environment
}

/// A value as the other texts have it: anything but a string as JSON.
fn shown(value: &Value) -> Result<Cow<'_, str>, minijinja::Error> {
    Ok(match (value.kind(), value.as_str()) {
        (_, Some(text)) => text.into(),
        (ValueKind::None, _) => "null".into(),
        (ValueKind::Undefined, _) => return Err(ErrorKind::UndefinedError.into()),
        (ValueKind::Bool | ValueKind::Seq | ValueKind::Map, _) => serde_json::to_string(value)
            .unwrap_or_else(|_| value.to_string())
            .into(),
        _ => value.to_string().into(),
    })
}

/// Takes no more than so many bytes.
struct Bounded(Vec<u8>);

impl io::Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0.len() + bytes.len() > BYTES {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The fields of an object are the variables; anything else is called `value`.
fn context(value: Node<'_>) -> Value {
    let whole = Value::from_serialize(value.to_value());
    match value.kind() {
        Kind::Object => whole,
        _ => Value::from_iter([("value", whole)]),
    }
}

/// The engine points at the last step of a path: `.nme` of `order.nme`.
fn whole_path(template: &str, range: Range<usize>) -> Option<&str> {
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let before = template.get(..range.start)?.trim_end_matches(is_path);
    let start = match template.get(range.clone())?.starts_with(['.', '[']) {
        true => before.len(),
        false => range.start,
    };
    template.get(start..range.end)
}

fn explain(template: &str, error: minijinja::Error) -> Error {
    let part = error.range().and_then(|range| whole_path(template, range));
    let part = part.filter(|part| !part.is_empty() && part.len() <= 120);
    let problem = match (error.kind(), error.detail()) {
        (ErrorKind::UndefinedError, _) => "there is no such field in the result".to_owned(),
        (ErrorKind::OutOfFuel, _) => "it takes too many steps".to_owned(),
        (ErrorKind::WriteFailure, _) => format!("it makes more than {BYTES} bytes of text"),
        (_, Some(detail)) => detail.to_owned(),
        (kind, None) => kind.to_string(),
    };
    Error::template(TemplateFault {
        line: error.line().unwrap_or(1),
        part: part.map(Into::into),
        problem: problem.into(),
        source: error,
    })
}
