use std::sync::LazyLock;

use serde::Serialize;

use crate::Violations;
use crate::check::{Checker, Uncovered, written};
use crate::json::report::Report;
use crate::json::{Document, Limits, Node, Value};
use crate::schema::JsonSchema;
use crate::violation::Checked;

use super::failure::is_failure;
use super::level::checked;
use super::resolve::referred;
use super::verdict::Verdicts;
use super::{Level, StandardType, meaning};

/// The contract for the results of a tool.
///
/// A failure is never checked against it: failures have their own form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returns {
    /// A standard type, optionally narrowed by a custom schema.
    Standard {
        /// The type.
        standard: StandardType,
        /// A schema that a result must satisfy in addition.
        refinement: Option<JsonSchema>,
    },
    /// A JSON Schema.
    Custom(JsonSchema),
    /// Text without a declared structure, by choice.
    Opaque,
    /// ADL 1.0: documented, not enforced.
    Legacy {
        /// The word it uses for the type.
        type_word: Option<Box<str>>,
        /// What it says about the value.
        description: Option<Box<str>>,
    },
    /// Nothing is declared.
    Undeclared,
}

impl Returns {
    /// Whether a schema is promised: that of a standard type, or one of its own.
    #[must_use]
    pub fn is_structure(&self) -> bool {
        matches!(self, Returns::Standard { .. } | Returns::Custom(_))
    }

    /// Compiles the contract into an [`Enforcer`].
    #[must_use]
    pub fn enforcer(&self, level: Level) -> Enforcer {
        let (standard, custom) = match self {
            Returns::Standard {
                standard,
                refinement,
            } => (Some(*standard), refinement.as_ref()),
            Returns::Custom(schema) => (None, Some(schema)),
            Returns::Opaque => (None, Some(text_schema())),
            Returns::Legacy { .. } | Returns::Undeclared => (None, None),
        };
        // A refinement that refers to its type checks its shape too; once is enough.
        let refines = custom.filter(|_| standard.is_some());
        let refers = refines.is_some_and(|schema| referred(schema.to_value().root()).is_some());
        let verdicts = Verdicts::new(level, standard, !refers, custom.cloned());
        let custom = custom.map(|schema| match level {
            Level::Shape => schema.shape_checker(),
            Level::Meaning => schema.checker(),
        });
        Enforcer {
            level,
            standard,
            refers,
            custom,
            verdicts,
        }
    }
}

/// The schema of opaque results: a string, which promises nothing about what is in it.
fn text_schema() -> &'static JsonSchema {
    static SCHEMA: LazyLock<JsonSchema> =
        LazyLock::new(|| JsonSchema::trusted(Value::embedded(r#"{"type": "string"}"#)));
    &SCHEMA
}

/// Checks results against their contract.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::{Level, Returns, StandardType};
///
/// let returns = Returns::Standard { standard: StandardType::StringValue, refinement: None };
/// let enforcer = returns.enforcer(Level::Meaning);
/// assert!(enforcer.check(&Value::from("hello")).is_ok());
/// assert!(enforcer.check(&Value::from(5)).is_err());
/// ```
#[derive(Debug)]
pub struct Enforcer {
    level: Level,
    standard: Option<StandardType>,
    /// Whether `custom` includes the shape of the standard type.
    refers: bool,
    custom: Option<Checker>,
    verdicts: Verdicts,
}

impl Enforcer {
    /// The level that is checked.
    #[must_use]
    pub fn level(&self) -> Level {
        self.level
    }

    /// Checks a result, and returns every violation.
    pub fn check(&self, value: &Value) -> Result<(), Violations> {
        checked(value, |node, report| self.check_node(node, report))
    }

    /// Whether a JSON text satisfies the contract, in one pass without a tree if possible.
    #[must_use]
    pub fn is_valid(&self, json: &[u8]) -> bool {
        self.verdicts
            .of(json)
            .unwrap_or_else(|| self.check_text(json).is_ok())
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_json(&self, json: &[u8]) -> Result<(), Violations> {
        match self.verdicts.of(json) {
            Some(true) => Ok(()),
            Some(false) | None => self.check_text(json),
        }
    }

    /// Writes a result as JSON and checks it while it is written.
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Violations> {
        if let Some(json) = self.verdicts.written(value) {
            return Ok(json);
        }
        let json = written(value)?;
        self.check_json(&json)?;
        Ok(json)
    }

    /// Writes a result as a value, checked and indexed while it is written.
    ///
    /// ```
    /// use toolpact_core::returns::types::NumberValue;
    /// use toolpact_core::returns::{Level, Returns, StandardType};
    ///
    /// let returns = Returns::Standard { standard: StandardType::NumberValue, refinement: None };
    /// let enforcer = returns.enforcer(Level::Meaning);
    /// let value = enforcer.to_value(&NumberValue::success(3))?;
    /// assert_eq!(value.text(), r#"{"success":true,"value":3}"#);
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn to_value<T: Serialize + ?Sized>(&self, value: &T) -> Result<Value, Violations> {
        if let Some(value) = self.verdicts.written_value(value) {
            return Ok(value);
        }
        let json = written(value)?;
        self.check_json(&json)?;
        Value::from_json(json)
    }

    /// The same, or `None` if the value breaks the promise, or if that is not known quickly.
    pub fn to_value_quickly<T: Serialize + ?Sized>(&self, value: &T) -> Option<Value> {
        self.verdicts.written_value(value)
    }

    /// Why texts are not checked on the fast path, if they are not.
    #[must_use]
    pub fn uncovered(&self) -> Option<&Uncovered> {
        self.verdicts.program().as_ref().err()
    }

    fn check_text(&self, json: &[u8]) -> Result<(), Violations> {
        let document = Document::json(json, &Limits::default());
        self.check_document(&document).into_result().map(drop)
    }

    /// Checks a result in a document.
    #[must_use]
    pub fn check_document(&self, document: &Document) -> Checked<Value> {
        document.check(|node, report| {
            self.check_node(node, report);
            Some(node.to_value())
        })
    }

    pub(crate) fn check_node(&self, node: Node<'_>, report: &mut Report) {
        // A failure is checked against the envelope of the type, if that has one, and nothing else.
        // At `Shape`, it is not special: the schema applies literally.
        if self.level == Level::Meaning && is_failure(node) {
            let envelope = self
                .standard
                .filter(|standard| standard.has_error_envelope());
            match (envelope, self.standard) {
                (Some(standard), _) => drop(standard.check_node(self.level, node, report)),
                (None, Some(_)) => meaning::check_failure(node, report),
                // A schema of one's own may come with codes of one's own.
                (None, None) => {}
            }
            return;
        }
        match (self.standard, self.level) {
            (Some(standard), level) if !self.refers => {
                standard.check_node(level, node, report);
            }
            (Some(standard), Level::Meaning) => meaning::check(standard, node, report),
            _ => {}
        }
        if let Some(custom) = &self.custom {
            custom.check_node_unless(node, report, || {
                self.verdicts.of(node.text().as_bytes()) == Some(true)
            });
        }
    }
}
