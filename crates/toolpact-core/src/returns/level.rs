use std::sync::OnceLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::standard::COUNT;
use super::{StandardType, meaning};
use crate::check::Checker;
use crate::json::report::Report;
use crate::json::{Document, Limits, Node, Value};
use crate::violation::Checked;
use crate::{Pointer, Violations};

/// How much of the contract of a standard type is checked.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The schema of the specification, literally. Formats are annotations.
    Shape,
    /// The shape, and what the prose requires: counts that add up, data that matches its
    /// description, valid formats.
    #[default]
    Meaning,
}

impl StandardType {
    /// Checks a value of this type, and returns every violation. Warnings alone are no error.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::{Level, StandardType};
    ///
    /// let value = Value::from_json(r#"{"success": true, "error": {"message": "Lost."}}"#)?;
    /// assert!(StandardType::VoidResult.check_value(Level::Shape, &value).is_ok());
    ///
    /// let violations = StandardType::VoidResult.check_value(Level::Meaning, &value).unwrap_err();
    /// assert_eq!(
    ///     violations.to_string(),
    ///     "error[returns-error-on-success] at /error: expected no `error` beside `success: true`, \
    ///      found an object; leave it out, or change `success`"
    /// );
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn check_value(self, level: Level, value: &Value) -> Result<(), Violations> {
        checked(value, |node, report| {
            self.check_node(level, node, report);
        })
    }

    /// Checks a value of this type in a document. Every error and warning has its position.
    #[must_use]
    pub fn check_document(self, level: Level, document: &Document) -> Checked<Value> {
        document.check(|node, report| {
            self.check_node(level, node, report)
                .then(|| node.to_value())
        })
    }

    /// Checks a part of a document. Returns whether it is valid.
    pub(crate) fn check_node(self, level: Level, node: Node<'_>, report: &mut Report) -> bool {
        let before = report.errors();
        self.shape().check_node(node, report);
        if level == Level::Meaning {
            meaning::check(self, node, report);
        }
        report.errors() == before
    }

    /// Compiled on first use.
    fn shape(self) -> &'static Checker {
        static CHECKERS: [OnceLock<Checker>; COUNT] = [const { OnceLock::new() }; COUNT];
        CHECKERS[self as usize].get_or_init(|| self.schema().shape_checker())
    }
}

/// Everything that `check` finds in a value, if any of it is an error.
pub(super) fn checked(
    value: &Value,
    check: impl FnOnce(Node<'_>, &mut Report),
) -> Result<(), Violations> {
    let mut report = Report::new(Limits::default().violations);
    check(value.root(), &mut report);
    match report.errors() {
        0 => Ok(()),
        _ => Err(report.finish_value(value, &Pointer::root())),
    }
}
