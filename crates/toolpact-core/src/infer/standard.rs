//! Which standard return type all results are of, as they are.

use std::sync::LazyLock;

use crate::json::{Node, Value};
use crate::returns::choose::{self, Confidence};
use crate::returns::{Enforcer, Level, Returns, StandardType};
use crate::schema::JsonSchema;

/// The types that every result so far was of, by shape and by meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fits(Vec<StandardType>);

static ENFORCERS: LazyLock<Vec<(StandardType, Enforcer)>> = LazyLock::new(|| {
    let enforcer = |standard| {
        let returns = Returns::Standard {
            standard,
            refinement: None,
        };
        (standard, returns.enforcer(Level::Meaning))
    };
    StandardType::all().map(enforcer).collect()
});

impl Default for Fits {
    fn default() -> Self {
        Self(StandardType::all().collect())
    }
}

impl Fits {
    pub(super) fn add(&mut self, result: Node<'_>) {
        let is_valid = |standard: &StandardType| {
            let mut all = ENFORCERS.iter();
            let own = all.find(|(known, _)| known == standard);
            own.is_some_and(|(_, enforcer)| enforcer.is_valid(result.text().as_bytes()))
        };
        self.0.retain(is_valid);
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.0.retain(|standard| other.0.contains(standard));
    }

    /// The type that results of this schema are meant to be, if all were.
    pub(super) fn chosen(&self, schema: &Value) -> Option<StandardType> {
        if self.0.is_empty() {
            return None;
        }
        let choice = choose::for_schema(&JsonSchema::from_value(schema).ok()?);
        let is_meant = choice.confidence() >= Confidence::Likely;
        (is_meant && self.0.contains(&choice.standard())).then_some(choice.standard())
    }
}
