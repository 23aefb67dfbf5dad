//! A compiled schema: the fast path for verdicts, the explain path for reasons.

use std::sync::OnceLock;

use serde::Serialize;

use crate::json::report::Report;
use crate::json::{Document, Limits, Node, Value};
use crate::schema::JsonSchema;
use crate::violation::{Pointer, Violations};

use super::fast::{Program, Source, compile, verdict, with_scratch};
use super::json_schema::Explain;
use super::written::written;

/// A schema compiled for checking values.
///
/// Text is checked in one pass without building a tree; only invalid text is read again, to explain
/// why.
#[derive(Debug)]
pub struct Checker {
    schema: JsonSchema,
    formats: bool,
    explain: OnceLock<Explain>,
    program: OnceLock<Result<Program, Uncovered>>,
}

/// Why a schema is not checked on the fast path.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Uncovered {
    /// Where in the schema.
    pub pointer: Pointer,
    /// What the fast path does not support.
    pub why: String,
}

impl JsonSchema {
    /// Creates a checker that asserts formats.
    #[must_use]
    pub fn checker(&self) -> Checker {
        Checker::new(self, true)
    }

    /// Creates a checker that treats formats as annotations.
    #[must_use]
    pub fn shape_checker(&self) -> Checker {
        Checker::new(self, false)
    }
}

impl Checker {
    fn new(schema: &JsonSchema, formats: bool) -> Self {
        Self {
            schema: schema.clone(),
            formats,
            explain: OnceLock::new(),
            program: OnceLock::new(),
        }
    }

    /// Checks a value, and returns every violation.
    pub fn check(&self, value: &Value) -> Result<(), Violations> {
        let mut report = Report::new(Limits::default().violations);
        self.check_node(value.root(), &mut report);
        match report.errors() {
            0 => Ok(()),
            _ => Err(report.finish_value(value, &Pointer::root())),
        }
    }

    /// Whether a JSON text is valid, in one pass without a tree where the schema allows it.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::schema::JsonSchema;
    ///
    /// let schema = Value::from_json(r#"{"type": "array", "items": {"type": "integer"}}"#)?;
    /// let checker = JsonSchema::from_value(&schema)?.checker();
    /// assert!(checker.uncovered().is_none());
    /// assert!(checker.is_valid(b"[1, 2, 3]"));
    /// assert!(!checker.is_valid(b"[1, 2, 3.5]"));
    /// assert!(!checker.is_valid(b"[1, 2,"));
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn is_valid(&self, json: &[u8]) -> bool {
        self.verdict(json)
            .unwrap_or_else(|| self.check_document(json).is_ok())
    }

    /// Checks a JSON text, and returns every violation.
    pub fn check_json(&self, json: &[u8]) -> Result<(), Violations> {
        match self.verdict(json) {
            Some(true) => Ok(()),
            Some(false) => document(json, |node, report| self.explain_node(node, report)),
            None => self.check_document(json),
        }
    }

    /// The verdict of the fast path; `None` if it leaves the decision to the explain path.
    fn verdict(&self, json: &[u8]) -> Option<bool> {
        let program = self.program().as_ref().ok()?;
        verdict(&with_scratch(|scratch| program.run(json, scratch)))
    }

    pub(crate) fn program(&self) -> &Result<Program, Uncovered> {
        self.program.get_or_init(|| {
            let bundle = self.schema.to_bundle();
            let source = Source {
                schema: bundle.root(),
                formats: self.formats,
            };
            compile(&[source], None)
        })
    }

    /// Writes a value as JSON and checks it while it is written.
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::schema::JsonSchema;
    ///
    /// #[derive(serde::Serialize)]
    /// struct Answer { count: u32 }
    ///
    /// let schema = r#"{"type": "object", "properties": {"count": {"maximum": 10}}}"#;
    /// let checker = JsonSchema::from_value(&Value::from_json(schema)?)?.checker();
    /// assert_eq!(checker.to_vec(&Answer { count: 3 })?, br#"{"count":3}"#);
    ///
    /// let violations = checker.to_vec(&Answer { count: 30 }).unwrap_err();
    /// assert_eq!(violations.to_string(), "1:10: error[value-range] at /count: expected at most 10, found the number 30");
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    pub fn to_vec<T: Serialize + ?Sized>(&self, value: &T) -> Result<Vec<u8>, Violations> {
        if let Ok(program) = self.program()
            && let Ok(json) = with_scratch(|scratch| program.write(value, scratch))
        {
            return Ok(json);
        }
        let json = written(value)?;
        self.check_json(&json)?;
        Ok(json)
    }

    /// The text of typed arguments that are valid, checked while they are written; `None` if they are
    /// not, or if only their text can tell.
    pub(crate) fn args_to_vec<T: Serialize + ?Sized>(&self, args: &T) -> Option<Vec<u8>> {
        let program = self.program().as_ref().ok()?;
        with_scratch(|scratch| program.write_args(args, scratch)).ok()
    }

    /// Whether that is so, without their text.
    pub(crate) fn accepts_args<T: Serialize + ?Sized>(&self, args: &T) -> bool {
        let program = self.program().as_ref();
        program
            .is_ok_and(|program| with_scratch(|scratch| program.check_args(args, scratch)).is_ok())
    }

    /// Why texts are not checked on the fast path, or `None` if they are.
    #[must_use]
    pub fn uncovered(&self) -> Option<&Uncovered> {
        self.program().as_ref().err()
    }

    fn check_document(&self, json: &[u8]) -> Result<(), Violations> {
        document(json, |node, report| self.check_node(node, report))
    }

    /// Explains what is wrong with a part of a document that the fast path refused, without running
    /// the fast path again. Returns whether it is valid after all.
    pub(crate) fn explain_node(&self, node: Node<'_>, report: &mut Report) -> bool {
        self.explain().explain_node(node, report)
    }

    /// Checks a part of a document. Returns whether it is valid.
    pub(crate) fn check_node(&self, node: Node<'_>, report: &mut Report) -> bool {
        self.check_node_unless(node, report, || false)
    }

    /// The same. If even a verdict of the explain path would cost too much, the part is valid if
    /// `sure` or the fast path accepts it.
    pub(crate) fn check_node_unless(
        &self,
        node: Node<'_>,
        report: &mut Report,
        sure: impl FnOnce() -> bool,
    ) -> bool {
        self.explain().check_node(node, report, || {
            sure() || self.verdict(node.text().as_bytes()) == Some(true)
        })
    }

    fn explain(&self) -> &Explain {
        self.explain
            .get_or_init(|| Explain::new(&self.schema.to_bundle(), self.formats))
    }
}

/// Reads a text and checks it.
fn document(
    json: &[u8],
    check: impl FnOnce(Node<'_>, &mut Report) -> bool,
) -> Result<(), Violations> {
    let document = Document::json(json, &Limits::default());
    let checked = document.check(|node, report| check(node, report).then_some(()));
    checked.into_result()
}
