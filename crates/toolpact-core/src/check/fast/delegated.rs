//! A few keywords about one value, checked by the `jsonschema` crate. Unusual cases end up here, so
//! that both paths give the same verdict.

use std::sync::OnceLock;

use jsonschema::Validator;

use crate::check::large;
use crate::check::options::options;

/// A schema that is compiled when it is first needed.
#[derive(Debug)]
pub(super) struct Delegated {
    schema: Box<str>,
    formats: bool,
    /// About how many states its patterns have.
    states: usize,
    /// Whether it has integers that floats cannot hold.
    is_large: bool,
    validator: OnceLock<Option<Box<Validator>>>,
}

/// How many bytes of a list are compared in the time it takes to read one byte of a text.
const COMPARED: usize = 16;
/// How many states of a pattern are followed in that time.
const STATES: usize = 64;

impl Delegated {
    /// Each of `schemas` is the text of an object of keywords. Formats are asserted.
    pub(super) fn new(schemas: &[String]) -> Self {
        Self::with_formats(schemas, true)
    }

    pub(super) fn with_formats(schemas: &[String], formats: bool) -> Self {
        let schema = format!(r#"{{"allOf":[{}]}}"#, schemas.join(","));
        Self {
            formats,
            states: 0,
            is_large: large::may_be_in_schema(schema.as_bytes()),
            schema: schema.into(),
            validator: OnceLock::new(),
        }
    }

    pub(super) fn with_states(self, states: u64) -> Self {
        let states = usize::try_from(states).unwrap_or(usize::MAX);
        Self { states, ..self }
    }

    /// The cost of checking a scalar: a long list is compared one by one.
    pub(super) fn cost(&self) -> usize {
        self.schema.len() / COMPARED
    }

    /// The cost of checking an array or object of this many bytes.
    pub(super) fn cost_of_whole(&self, length: usize) -> usize {
        length.saturating_mul(1 + self.cost() / COMPARED)
    }

    /// The cost of checking a string of this many bytes.
    pub(super) fn cost_of_text(&self, length: usize) -> usize {
        (self.states / STATES).saturating_mul(length)
    }

    /// Whether the text of a value is valid; `None` if that cannot be decided. Integers beyond 64 bits are
    /// compared exactly by the explain path only.
    #[cold]
    pub(super) fn accepts_json(&self, text: &[u8]) -> Option<bool> {
        if self.is_large || large::may_be_in(text) {
            return None;
        }
        let value = serde_json::from_slice(text).ok()?;
        Some(self.validator()?.is_valid(&value))
    }

    /// Whether a string is valid; `None` if that cannot be decided.
    pub(super) fn accepts_string(&self, text: &str) -> Option<bool> {
        let value = serde_json::Value::String(text.to_owned());
        Some(self.validator()?.is_valid(&value))
    }

    fn validator(&self) -> Option<&Validator> {
        let build = || {
            let schema = serde_json::from_str(&self.schema).ok()?;
            options(self.formats).build(&schema).ok().map(Box::new)
        };
        self.validator.get_or_init(build).as_deref()
    }
}
