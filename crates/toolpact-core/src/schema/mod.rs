//! JSON Schema 2020-12: the language of Custom returns and imported tools.
//!
//! A [`JsonSchema`] was checked: it is well-formed, of bounded size and depth, means the same in
//! 2020-12 as in its own dialect, every reference resolves to a schema inside it and never back to
//! itself in place, and every pattern runs in linear time. It never causes a network request, and
//! the work to check a value is bounded.

mod canonical;
mod cost;
mod dialect;
mod expansion;
mod graph;
mod json_type;
mod keyword;
mod pattern;
mod read;
mod refs;
mod resolve;
pub(crate) mod shared;
mod splice;
mod usual;
pub mod view;
mod walk;
mod well_formed;

use std::sync::Arc;

use crate::json::report::Report;
use crate::json::{Node, Value};
use crate::violation::Checked;
use crate::{Pointer, Violations};

pub(crate) use cost::CostModel;
pub use json_type::JsonType;
pub use keyword::{Applies, Holds, Keyword, Role, keywords};
pub(crate) use keyword::{Cost, Shape, assert_known, holds, is_annotation, keyword_names};
pub(crate) use pattern::{
    compile as pattern_regex, expected as expected_pattern, size as pattern_size,
    unusable as unusable_pattern,
};
pub(crate) use read::depth;
pub(crate) use refs::standard_reference;
pub use resolve::{Resolver, percent_decode};
use shared::Shared;
pub(crate) use splice::splice;
pub(crate) use usual::{TYPES, meant_type};
pub(crate) use walk::subschemas;

/// A JSON Schema that is safe to use.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::schema::JsonSchema;
///
/// let schema = Value::from_json(r#"{"type": "integer", "minimum": 1}"#)?;
/// let checker = JsonSchema::from_value(&schema)?.checker();
/// assert!(checker.check(&Value::from(3)).is_ok());
///
/// let violations = checker.check(&Value::from(0)).unwrap_err();
/// assert_eq!(violations.to_string(), "error[value-range]: expected at least 1, found the number 0");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[derive(Debug, Clone)]
pub struct JsonSchema(Form);

#[derive(Debug, Clone)]
enum Form {
    Whole {
        /// As it was written.
        source: Value,
        /// With the standard return types it refers to embedded, so that any validator can use it.
        bundle: Value,
    },
    /// Written out whenever it is asked for.
    Shared(Arc<Shared>),
}

impl PartialEq for JsonSchema {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Shared(one), Form::Shared(two)) if Arc::ptr_eq(one, two) => true,
            _ => self.to_value() == other.to_value(),
        }
    }
}

impl Eq for JsonSchema {}

/// Bounds on the cost of a schema.
pub(crate) mod bounds {
    /// Deepest nesting. The validator recurses once for each level.
    pub(crate) const DEPTH: usize = 100;
    /// Most subschemas that apply to one value in place.
    pub(crate) const EXPANSION: u64 = 10_000;
    /// Most bytes of text.
    pub(crate) const BYTES: usize = 4 << 20;
    /// Most states that all patterns together compile to: memory.
    pub(crate) const PATTERNS: u64 = 500_000;
    /// Most pattern states of one schema that are matched against texts of any length: time.
    pub(crate) const STATES: u64 = 1_000;
    /// If the schema alone bounds the steps per part of a value by this, steps are not counted.
    pub(crate) const REASONS_STATIC: u64 = 100;
    /// Step budget for explaining what is wrong with a value. Each step may keep a reason of half a
    /// kilobyte.
    pub(crate) const REASONS: u64 = 200_000;
    /// Additional such steps per part of the value.
    pub(crate) const REASONS_PER_PART: u64 = 50;
    /// Step budget for a verdict without reasons.
    pub(crate) const VERDICT: u64 = 1_000_000;
    /// Additional such steps per part of the value.
    pub(crate) const VERDICT_PER_PART: u64 = 1_000;
    /// Additional steps of both kinds per byte of the value.
    pub(crate) const STEPS_PER_BYTE: u64 = 16;
    /// Bytes of the schema and the value that reasons may copy.
    pub(crate) const COPIED: u64 = 64 << 20;
    /// Additional such bytes per byte of the value.
    pub(crate) const COPIED_PER_BYTE: u64 = 32;
    /// About how many bytes of memory a byte of text takes as a tree.
    pub(crate) const TREE: u64 = 16;
    /// Deepest nesting of applied schemas. The validator recurses once for each.
    pub(crate) const NESTING: u64 = 1_000;
    /// Most pairs of a schema and a part of a value whose verdicts are kept at a time.
    pub(crate) const PAIRS: usize = 10_000_000;
}

impl JsonSchema {
    /// Checks a schema.
    pub fn from_value(value: &Value) -> Result<Self, Violations> {
        let mut report = Report::new(crate::json::Limits::default().violations);
        Self::read(value.root(), &mut report)
            .ok_or_else(|| report.finish_value(value, &Pointer::root()))
    }

    /// Checks a schema in a document.
    #[must_use]
    pub fn check_document(document: &crate::json::Document) -> Checked<Self> {
        document.check(Self::read)
    }

    /// The schema as it was written. One of many that share definitions, as the operations of an OpenAPI
    /// document do, is written out with them here.
    #[must_use]
    pub fn to_value(&self) -> Value {
        match &self.0 {
            Form::Whole { source, .. } => source.clone(),
            Form::Shared(shared) => shared.to_value(),
        }
    }

    /// The schema without the definitions that it shares with others: what it says itself.
    pub(crate) fn outline(&self) -> Value {
        match &self.0 {
            Form::Whole { source, .. } => source.clone(),
            Form::Shared(shared) => shared.outline(),
        }
    }

    /// The schema with the standard return types it refers to embedded.
    #[must_use]
    pub fn to_bundle(&self) -> Value {
        match &self.0 {
            Form::Whole { bundle, .. } => bundle.clone(),
            Form::Shared(shared) => {
                let source = shared.to_value();
                refs::bundle(&source, &walk::subschemas(source.root()))
            }
        }
    }

    /// A schema whose parts were checked.
    pub(crate) fn shared(shared: Shared) -> Self {
        Self(Form::Shared(Arc::new(shared)))
    }

    fn whole(source: Value, bundle: Value) -> Self {
        Self(Form::Whole { source, bundle })
    }

    pub(crate) fn read(node: Node<'_>, report: &mut Report) -> Option<Self> {
        read::read(node, report)
    }

    /// Whether it has references into itself, so that it cannot be embedded in another schema.
    pub(crate) fn refers_to_itself(&self) -> bool {
        let source = self.to_value();
        let schemas = walk::subschemas(source.root());
        schemas.into_iter().any(|schema| {
            let reference = schema.get("$ref").and_then(Node::as_str);
            reference.is_some_and(|r| r.starts_with('#') && standard_reference(&r).is_none())
        })
    }

    /// A schema that this crate made and knows to be valid.
    pub(crate) fn trusted(source: Value) -> Self {
        let bundle = refs::bundle(&source, &walk::subschemas(source.root()));
        Self::whole(source, bundle)
    }
}
