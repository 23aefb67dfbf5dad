//! The schemas of both sides, so that one proof can use both.

use crate::contract::Contract;
use crate::json::Value;
use crate::returns::{Returns, StandardType};
use crate::schema::view::{Part, Sources, View};

/// The schemas for the arguments or results of two contracts.
#[derive(Debug)]
pub(super) struct Schemas {
    values: Vec<Value>,
    /// Which of them the old contract has, by number.
    old: Vec<usize>,
    /// Which of them the new contract has.
    new: Vec<usize>,
    /// The schema `false`.
    never: usize,
}

impl Schemas {
    /// Arguments are objects, whatever else is said.
    pub(super) fn of_arguments(old: &Contract, new: &Contract) -> Self {
        let object = Value::embedded(r#"{"type":"object"}"#);
        let [before, after] = [old, new].map(|one| one.parameters().to_json_schema());
        Self {
            values: vec![before, after, object, Value::embedded("false")],
            old: vec![0, 2],
            new: vec![1, 2],
            never: 3,
        }
    }

    /// A standard type that both return is there once.
    pub(super) fn of_results(old: &Returns, new: &Returns) -> Self {
        let mut schemas = Self {
            values: vec![Value::embedded("false")],
            old: Vec::new(),
            new: Vec::new(),
            never: 0,
        };
        let [was, is] = [old, new].map(standard);
        let old_standard = was.map(|one| schemas.add(one.schema().to_bundle()));
        let new_standard = match is {
            Some(one) if was == is => {
                old_standard.or_else(|| Some(schemas.add(one.schema().to_bundle())))
            }
            Some(one) => Some(schemas.add(one.schema().to_bundle())),
            None => None,
        };
        let old_own = own(old).map(|value| schemas.add(value));
        let new_own = own(new).map(|value| schemas.add(value));
        schemas.old = old_standard.into_iter().chain(old_own).collect();
        schemas.new = new_standard.into_iter().chain(new_own).collect();
        schemas
    }

    fn add(&mut self, value: Value) -> usize {
        self.values.push(value);
        self.values.len() - 1
    }

    pub(super) fn sources(&self) -> Sources<'_> {
        Sources::new(&self.values)
    }

    /// The schemas by number.
    pub(super) fn values(&self) -> &[Value] {
        &self.values
    }

    pub(super) fn never<'v>(&self, sources: &Sources<'v>) -> Option<Part<'v>> {
        sources.part(self.never)
    }

    pub(super) fn old_view<'v>(&self, sources: &Sources<'v>) -> View<'v> {
        sources.view(self.old.iter().filter_map(|one| sources.part(*one)))
    }

    pub(super) fn new_view<'v>(&self, sources: &Sources<'v>) -> View<'v> {
        sources.view(self.new.iter().filter_map(|one| sources.part(*one)))
    }
}

/// The standard type that is promised, whose rules no schema says in full.
pub(super) fn standard(returns: &Returns) -> Option<StandardType> {
    match returns {
        Returns::Standard { standard, .. } => Some(*standard),
        _ => None,
    }
}

/// The schema beside the standard type. Nothing is said where nothing is enforced.
fn own(returns: &Returns) -> Option<Value> {
    match returns {
        Returns::Standard { refinement, .. } => Some(refinement.as_ref()?.to_bundle()),
        Returns::Custom(schema) => Some(schema.to_bundle()),
        Returns::Opaque => Some(Value::embedded(r#"{"type":"string"}"#)),
        Returns::Legacy { .. } | Returns::Undeclared => None,
    }
}
