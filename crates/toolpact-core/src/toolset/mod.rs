//! Checks calls and results against tools, whatever kind of document the tools are from.
//!
//! A [`Toolset`] consists of [`Function`]s, which [`AnyDocument::functions`] finds in ADM tools, in
//! contract documents and in ADL agents. Text is checked on the fast path where possible, and read
//! into a document only to explain what is wrong with it.
//!
//! ```
//! use toolpact_core::document::AnyDocument;
//! use toolpact_core::json::{Document, Limits};
//! use toolpact_core::returns::Level;
//! use toolpact_core::toolset::Toolset;
//!
//! let document = Document::yaml(br#"
//! toolpact: 1
//! tools:
//!   - name: count_orders
//!     description: Counts the orders of one customer.
//!     parameters: { type: object, properties: { customer: { type: string } } }
//!     returns: NumberValue
//! "#, &Limits::default());
//! let contracts = AnyDocument::check(&document, None).into_result()?;
//! let tools = Toolset::new(contracts.functions(Level::Meaning))?;
//!
//! assert!(tools.is_valid_call(br#"{"name": "count_orders", "args": {"customer": "C-1"}}"#));
//! let call = br#"{"name": "count_orders", "args": {"customer": 5}}"#;
//! assert_eq!(
//!     tools.check_call_json(call).unwrap_err().to_string(),
//!     "1:47: error[value-type] at /args/customer: expected the type string, found the number 5"
//! );
//! assert!(tools.is_valid_result(br#"{"name": "count_orders", "status": "SUCCESS", "content": 3}"#, None));
//! assert!(!tools.is_valid_result(br#"{"name": "count_orders", "status": "SUCCESS", "content": "3"}"#, None));
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

mod call;
mod envelope;
mod fast_result;
mod function;
mod message;
mod path;
mod result;

use std::borrow::Cow;
use std::collections::HashMap;

use indexmap::IndexMap;

use crate::check::{CallProgram, calls};
use crate::json::report::{Place, Report};
use crate::json::{Limits, Node, Value, Writer};
use crate::model::{ToolName, report_unknown};
use crate::returns::{Enforcer, Level, Returns};
use crate::text::shorten;
use crate::violation::rules::declaration as rules;
use crate::violation::{Pointer, Violations};

pub use call::Accepted;
pub use envelope::{split_call, split_success, success_head};
use fast_result::nothing_found;
pub use function::Function;
pub use path::Path;

#[cfg(doc)]
use crate::document::AnyDocument;

/// Functions that can be called, each name once.
#[derive(Debug)]
pub struct Toolset {
    functions: IndexMap<Box<str>, Function>,
    /// The places of functions by their other names.
    others: HashMap<Box<str>, usize>,
    /// Checks calls in one pass, if the parameters are ADM schemas.
    program: Option<CallProgram>,
    /// Whether all names follow the rule for names. In ADL they need not.
    regular: bool,
    /// Checks results of functions that are not in the set, if they are accepted.
    unknown: Option<Enforcer>,
}

impl Toolset {
    /// The functions as a set, or an error for names that occur more than once.
    pub fn new(functions: impl IntoIterator<Item = Function>) -> Result<Self, Violations> {
        let mut set: IndexMap<Box<str>, Function> = IndexMap::new();
        let mut twice = Vec::new();
        for function in functions {
            let name: Box<str> = function.name().into();
            if set.insert(name.clone(), function).is_some() {
                twice.push(name);
            }
        }
        if !twice.is_empty() {
            return Err(duplicates(&twice));
        }
        let others = set.values().enumerate();
        let others = others.filter_map(|(place, one)| Some((one.other_name()?.into(), place)));
        let others: HashMap<Box<str>, usize> = others.collect();
        let schemas = set.values().map(|f| (f.name(), f.adm()));
        Ok(Self {
            // It knows one name of each.
            program: calls(schemas).filter(|_| others.is_empty()),
            regular: set.keys().all(|name| ToolName::new(name).is_ok()),
            others,
            functions: set,
            unknown: None,
        })
    }

    /// A set without functions that accepts results of every name: for results whose tools are not
    /// available.
    #[must_use]
    pub fn open() -> Self {
        Self {
            functions: IndexMap::new(),
            others: HashMap::new(),
            program: None,
            regular: true,
            unknown: Some(Returns::Undeclared.enforcer(Level::Meaning)),
        }
    }

    /// The functions in the order they were given.
    pub fn functions(&self) -> impl ExactSizeIterator<Item = &Function> {
        self.functions.values()
    }

    /// The function of this name, compared exactly, or of this other name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Function> {
        let other = || self.functions.get_index(*self.others.get(name)?);
        let found = self.functions.get(name);
        found.or_else(|| other().map(|(_, function)| function))
    }

    /// Whether two names are of the same function.
    fn is_same(&self, one: &str, other: &str) -> bool {
        let name = |name: &str| self.get(name).map(Function::name);
        one == other || name(one).is_some_and(|one| Some(one) == name(other))
    }

    /// A name that could be one of these. If a name of the set breaks the rule for names, it is not
    /// checked.
    fn read_name<'a>(&self, node: Node<'a>, report: &mut Report) -> Option<Cow<'a, str>> {
        match node.as_str() {
            Some(name) if !self.regular || self.get(&name).is_some() => Some(name),
            _ => {
                let name = ToolName::read_one_of(node, self.all_names(), report)?;
                Some(Cow::Owned(name.as_str().to_owned()))
            }
        }
    }

    /// The function of this name, or a report.
    fn find(&self, node: Node<'_>, report: &mut Report) -> Option<&Function> {
        let name = self.read_name(node, report)?;
        let function = self.get(&name);
        if function.is_none() {
            self.report_unknown(node, &name, report);
        }
        function
    }

    fn report_unknown(&self, node: Node<'_>, name: &str, report: &mut Report) {
        report_unknown(node, name, self.names(), self.all_names(), report);
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(|name| &**name)
    }

    /// All names that calls can use.
    fn all_names(&self) -> impl Iterator<Item = &str> {
        let others = self.functions().filter_map(Function::other_name);
        self.names().chain(others)
    }
}

/// Whether everything that the fast path accepts is within these limits.
fn fast_within(limits: &Limits, json: &[u8]) -> bool {
    limits.depth >= Limits::default().depth && json.len() <= limits.bytes
}

/// A violation for each of these repeated names.
fn duplicates(names: &[Box<str>]) -> Violations {
    let mut writer = Writer::default();
    writer.strings(names.iter().map(|name| &**name));
    let names = Value::trusted(writer);
    let mut report = Report::new(Limits::default().violations);
    for node in names.root().items() {
        report.add(&rules::DUPLICATE_NAME, Place::Node(node.id()), |finding| {
            let name = node.as_str().unwrap_or_default();
            finding.say(format!(
                "expected each function name once in a set of tools, found `{}` again",
                shorten(&name)
            ));
        });
    }
    report.finish_value(&names, &Pointer::root())
}
