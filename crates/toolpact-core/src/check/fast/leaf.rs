//! A few keywords about one value, held by the `jsonschema` crate. What is unusual ends here, so
//! that both paths give one verdict.

use std::sync::OnceLock;

use jsonschema::Validator;

use crate::check::options::options;

/// A schema that is compiled when it is first needed.
#[derive(Debug)]
pub(super) struct Leaf {
    schema: Box<str>,
    formats: bool,
    validator: OnceLock<Option<Box<Validator>>>,
}

impl Leaf {
    /// Each of `schemas` is the text of an object of keywords. Formats are asserted.
    pub(super) fn new(schemas: &[String]) -> Self {
        Self::with_formats(schemas, true)
    }

    pub(super) fn with_formats(schemas: &[String], formats: bool) -> Self {
        Self {
            formats,
            schema: format!(r#"{{"allOf":[{}]}}"#, schemas.join(",")).into(),
            validator: OnceLock::new(),
        }
    }

    /// Whether the text of a value is valid; `None` if that cannot be said.
    #[cold]
    pub(super) fn accepts_json(&self, text: &[u8]) -> Option<bool> {
        let value = serde_json::from_slice(text).ok()?;
        Some(self.validator()?.is_valid(&value))
    }

    /// Whether a string is valid; `None` if that cannot be said.
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
