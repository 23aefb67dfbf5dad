//! What the three simple values have in common: bare, or in an envelope.

use serde::{Serialize, Serializer};

use super::envelope;
use super::result_node::ResultNode;
use crate::Error;
use crate::json::Kind;
use crate::returns::StandardError;

/// A simple value, or an error.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scalar<V> {
    pub(super) outcome: Result<V, StandardError>,
    /// Whether a success is written without its envelope.
    bare: bool,
}

impl<V> Scalar<V> {
    pub(super) fn wrapped(outcome: Result<V, StandardError>) -> Self {
        Self {
            outcome,
            bare: false,
        }
    }

    pub(super) fn bare(value: V) -> Self {
        Self {
            outcome: Ok(value),
            bare: true,
        }
    }

    /// Reads it with `value`, which reads a bare value too.
    pub(super) fn read<'a>(
        part: &ResultNode<'a>,
        absent: &[&str],
        value: impl Fn(&ResultNode<'a>) -> Result<V, Error>,
        in_envelope: impl Fn(&ResultNode<'a>, V) -> Result<V, Error>,
    ) -> Result<Self, Error> {
        if part.node().kind() != Kind::Object {
            return value(part).map(Self::bare);
        }
        let outcome = envelope::read(part, absent, |part| {
            in_envelope(part, value(&part.require("value")?)?)
        })?;
        Ok(Self::wrapped(outcome))
    }

    /// `bare` is the value itself, `payload` the members of the envelope.
    pub(super) fn wire<'a, B: Serialize, P: Serialize>(
        &'a self,
        bare: impl FnOnce(&'a V) -> B,
        payload: impl FnOnce(&'a V) -> P,
    ) -> impl Serialize {
        match &self.outcome {
            Ok(value) if self.bare => Wire::Bare(bare(value)),
            outcome => Wire::Wrapped(envelope::wire(outcome, payload)),
        }
    }
}

enum Wire<B, W> {
    Bare(B),
    Wrapped(W),
}

impl<B: Serialize, W: Serialize> Serialize for Wire<B, W> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Wire::Bare(value) => value.serialize(serializer),
            Wire::Wrapped(value) => value.serialize(serializer),
        }
    }
}

/// The member `value` of an envelope.
#[derive(Serialize)]
pub(super) struct Value<V> {
    pub(super) value: V,
}
