//! Which standard type fits: the selection tree and the selection matrix of the specification, for
//! a use case in words, a sample result, a schema, or a tool of ADL 1.0.
//!
//! ```
//! use toolpact_core::json::Value;
//! use toolpact_core::returns::StandardType;
//! use toolpact_core::returns::choose::{self, Confidence};
//!
//! let choice = choose::for_use_case("search products");
//! assert_eq!(choice.standard(), StandardType::ListResult);
//! assert_eq!(choice.confidence(), Confidence::Likely);
//! assert_eq!(choice.alternatives(), [StandardType::BatchResult]);
//! assert_eq!(choice.reasons()[0], "it begins with `search`");
//!
//! let sample = Value::from_json(r#"{"success": true, "value": 98.6, "unit": "fahrenheit"}"#)?;
//! let choice = choose::for_sample(&sample);
//! assert_eq!(choice.standard(), StandardType::NumberValue);
//! assert_eq!(choice.confidence(), Confidence::Certain);
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

mod clues;
mod fit;
mod matrix;
mod outline;
mod schema;
mod signatures;
mod structure;
mod tally;
#[cfg(test)]
mod tests;
mod tool;
mod words;

use std::fmt;

use super::StandardType;

pub use fit::SampleFit;
pub use matrix::{MATRIX, MatrixRow, Question, category, path_to, questions};
pub use schema::for_schema;
pub use structure::for_sample;
pub use tool::{for_tool, for_use_case};

/// A suggested type, with the confidence, the reasons and the alternatives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    standard: StandardType,
    confidence: Confidence,
    reasons: Vec<String>,
    alternatives: Vec<StandardType>,
}

/// The confidence in a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Confidence {
    /// The evidence is weak or contradicts itself: a person should decide.
    Unsure,
    /// The evidence points one way: right for 7 of 8 tools of the corpus it was tuned on.
    Likely,
    /// No other type is possible.
    Certain,
}

impl Choice {
    /// The type that fits best.
    #[must_use]
    pub fn standard(&self) -> StandardType {
        self.standard
    }

    /// The confidence in it.
    #[must_use]
    pub fn confidence(&self) -> Confidence {
        self.confidence
    }

    /// The reasons, the strongest first.
    #[must_use]
    pub fn reasons(&self) -> &[String] {
        &self.reasons
    }

    /// The alternatives, the best first.
    #[must_use]
    pub fn alternatives(&self) -> &[StandardType] {
        &self.alternatives
    }

    /// A choice with the alternative of the matrix.
    fn new(standard: StandardType, confidence: Confidence, reason: impl Into<String>) -> Self {
        Self {
            standard,
            confidence,
            reasons: vec![reason.into()],
            alternatives: vec![matrix::alternative(standard)],
        }
    }

    /// The same with these alternatives before the others.
    fn or(mut self, alternatives: impl IntoIterator<Item = StandardType>) -> Self {
        let mut all: Vec<StandardType> = Vec::new();
        for standard in alternatives.into_iter().chain(self.alternatives) {
            if standard != self.standard && !all.contains(&standard) {
                all.push(standard);
            }
        }
        self.alternatives = all;
        self
    }
}

/// `ListResult (likely): it begins with `search`; or BatchResult`
impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): ", self.standard, self.confidence)?;
        f.write_str(&self.reasons.join(", "))?;
        let names: Vec<&str> = self.alternatives.iter().map(|s| s.name()).collect();
        match names.is_empty() {
            true => Ok(()),
            false => write!(f, "; or {}", names.join(", ")),
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Confidence::Unsure => "unsure",
            Confidence::Likely => "likely",
            Confidence::Certain => "certain",
        })
    }
}
