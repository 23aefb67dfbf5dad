//! The same thing written with and without being checked.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::hint::black_box;

use toolpact_core::check::Checker;
use toolpact_core::json::Value;
use toolpact_core::returns::{Enforcer, Level};
use toolpact_core::schema::JsonSchema;

use super::ours::enforcer;
use super::{Case, Subject};

/// A Rust struct of whatever type.
pub(crate) trait Payload {
    fn plain(&self) -> Option<Vec<u8>>;
    fn checked(&self, writer: &Writer) -> Option<Vec<u8>>;
}

impl<T: Serialize> Payload for T {
    fn plain(&self) -> Option<Vec<u8>> {
        serde_json::to_vec(self).ok()
    }

    fn checked(&self, writer: &Writer) -> Option<Vec<u8>> {
        match writer {
            Writer::Arguments(checker) => checker.to_vec(self).ok(),
            Writer::Result(enforcer) => enforcer.to_vec(self).ok(),
        }
    }
}

/// What checks while it writes: the schema of the arguments, or the promise about results.
pub(crate) enum Writer {
    Arguments(Box<Checker>),
    Result(Box<Enforcer>),
}

impl Writer {
    pub(crate) fn new(case: &Case) -> Result<Self, Box<dyn Error>> {
        Ok(match &case.subject {
            Subject::Call { .. } => {
                let schema = Value::from_json(case.schema.to_string())?;
                Self::Arguments(Box::new(JsonSchema::from_value(&schema)?.checker()))
            }
            Subject::Result(standard) => {
                Self::Result(Box::new(enforcer(*standard, Level::Meaning)))
            }
        })
    }

    pub(crate) fn is_valid(&self, json: &[u8]) -> bool {
        match self {
            Self::Arguments(checker) => checker.is_valid(json),
            Self::Result(enforcer) => enforcer.is_valid(json),
        }
    }
}

pub(super) fn decode<T: DeserializeOwned>(json: &[u8]) -> bool {
    black_box(serde_json::from_slice::<T>(json)).is_ok()
}
