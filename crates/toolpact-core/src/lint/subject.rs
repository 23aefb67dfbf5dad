use crate::Pointer;
use crate::contract::{Contract, Parameters};
use crate::json::report::Place;
use crate::json::{Node, NodeId, Value, node_at};
use crate::returns::Returns;

/// A tool to look at.
pub(super) struct Subject<'a> {
    /// Its name in its own dialect.
    pub(super) name: &'a str,
    /// Its definition as it was written.
    pub(super) source: Node<'a>,
    /// What it promises, if that can be read.
    pub(super) promise: Option<Promise<'a>>,
}

/// The contract of a tool, and where its parts are in the definition.
pub(super) struct Promise<'a> {
    pub(super) contract: &'a Contract,
    pub(super) place_of: Box<dyn Fn(&Pointer) -> NodeId + 'a>,
}

impl Promise<'_> {
    /// The place of a part of the contract, by its keys.
    pub(super) fn place(&self, keys: &[&str]) -> Place {
        let pointer = keys.iter().fold(Pointer::root(), |at, key| at.key(key));
        Place::Node((self.place_of)(&pointer))
    }

    /// What the schema of the arguments says.
    pub(super) fn parameters(&self) -> Value {
        match self.contract.parameters() {
            Parameters::Adm(schema) => schema.to_arguments_json_schema(),
            Parameters::JsonSchema(schema) => schema.outline(),
        }
    }

    /// What the schema of the result says, if it is one of the tool's own.
    pub(super) fn returns(&self) -> Option<Value> {
        match self.contract.returns() {
            Returns::Custom(schema) => Some(schema.outline()),
            _ => None,
        }
    }
}

impl<'a> Subject<'a> {
    /// A contract that is itself the definition.
    pub(super) fn of_contract(contract: &'a Contract, written: &'a Value) -> Self {
        let root = written.root();
        Self {
            name: contract.original_name().unwrap_or(contract.name().as_str()),
            source: root,
            promise: Some(Promise {
                contract,
                place_of: Box::new(move |pointer| node_at(root, pointer).id()),
            }),
        }
    }
}
