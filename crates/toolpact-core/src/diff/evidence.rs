//! Witnesses: values that one contract accepts and another refuses.

use std::cell::OnceCell;

use crate::contract::Contract;
use crate::json::{Value, Writer};
use crate::returns::{Enforcer, Level, Returns};
use crate::toolset::Function;

/// The checkers of two contracts.
pub(super) struct Evidence<'c> {
    old: &'c Contract,
    new: &'c Contract,
    functions: OnceCell<[Function; 2]>,
    enforcers: OnceCell<[Enforcer; 2]>,
}

impl<'c> Evidence<'c> {
    pub(super) fn new(old: &'c Contract, new: &'c Contract) -> Self {
        Self {
            old,
            new,
            functions: OnceCell::new(),
            enforcers: OnceCell::new(),
        }
    }

    /// The checkers of arguments, the old one first.
    pub(super) fn functions(&self) -> &[Function; 2] {
        self.functions.get_or_init(|| {
            [self.old, self.new].map(|one| Function::of_contract(one, Level::Meaning))
        })
    }

    /// The checkers of results, the old one first.
    pub(super) fn enforcers(&self) -> &[Enforcer; 2] {
        self.enforcers
            .get_or_init(|| [self.old, self.new].map(|one| one.returns().enforcer(Level::Meaning)))
    }

    /// What both promise about results.
    pub(super) fn returns(&self) -> [&'c Returns; 2] {
        [self.old.returns(), self.new.returns()]
    }

    /// A call by the old name that both contracts accept.
    pub(super) fn common_call(&self) -> Option<Value> {
        let [old, new] = self.functions();
        let accepts = |args: &[u8]| old.accepts(args) && new.accepts(args);
        let args = Value::embedded("{}");
        accepts(args.text().as_bytes()).then(|| call(self.old.name().as_str(), &args))
    }

    /// A call by a name that the old contract accepts.
    pub(super) fn call_as(&self, name: &str) -> Option<Value> {
        let [old, _] = self.functions();
        let args = Value::embedded("{}");
        old.accepts(args.text().as_bytes())
            .then(|| call(name, &args))
    }
}

/// A call as a value.
pub(super) fn call(name: &str, args: &Value) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    writer.key("name").string(name);
    writer.key("args").raw(args.text());
    writer.end_object();
    Value::trusted(writer)
}
