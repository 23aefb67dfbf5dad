//! `success` with its payload, or an error.

use serde::Serialize;

use crate::Error;
use crate::returns::StandardError;

use super::result_node::ResultNode;

/// Reads an envelope: `payload` if it is a success; an error, and nothing under `absent`, if not.
pub(super) fn read<'a, P>(
    part: &ResultNode<'a>,
    absent: &[&str],
    payload: impl FnOnce(&ResultNode<'a>) -> Result<P, Error>,
) -> Result<Result<P, StandardError>, Error> {
    let part = part.clone().object()?;
    if part.require("success")?.flag()? {
        part.forbid(&["error"], "in a success")?;
        return payload(&part).map(Ok);
    }
    let error = part.require("error")?.error()?;
    part.forbid(absent, "in a failure")?;
    Ok(Err(error))
}

/// `success`, the members of `P`, and `error`.
#[derive(Serialize)]
pub(super) struct Wire<'a, P> {
    success: bool,
    #[serde(flatten)]
    payload: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a StandardError>,
}

/// The serialized form of an envelope. `payload` is called for a success only.
pub(super) fn wire<'a, T, P>(
    outcome: &'a Result<T, StandardError>,
    payload: impl FnOnce(&'a T) -> P,
) -> Wire<'a, P> {
    match outcome {
        Ok(value) => Wire {
            success: true,
            payload: Some(payload(value)),
            error: None,
        },
        Err(error) => Wire {
            success: false,
            payload: None,
            error: Some(error),
        },
    }
}

/// Getters for a type whose field `outcome` is a `Result<$payload, StandardError>`.
macro_rules! outcome_methods {
    ($payload:ty) => {
        /// A failure.
        #[must_use]
        pub fn failure(error: $crate::returns::StandardError) -> Self {
            Self::from_outcome(Err(error))
        }

        /// The payload of a success, or the error.
        pub fn as_result(&self) -> Result<&$payload, &$crate::returns::StandardError> {
            self.outcome.as_ref()
        }

        /// The payload of a success, or the error.
        pub fn into_result(self) -> Result<$payload, $crate::returns::StandardError> {
            self.outcome
        }
    };
}

pub(super) use outcome_methods;
