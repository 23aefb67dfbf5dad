//! The checkers of both contracts, which decide what a witness is.

use std::cell::OnceCell;

use crate::Pointer;
use crate::contract::Contract;
use crate::json::{Value, Writer};
use crate::returns::{Enforcer, Level, Returns, is_failure};
use crate::sample::Sampler;
use crate::toolset::Function;
use crate::violation::{Severity, Violation, Violations};

/// How many values are tried for a call that both contracts accept.
const CALLS: u64 = 40;

/// The checkers of two contracts.
pub(super) struct Evidence<'c> {
    old: &'c Contract,
    new: &'c Contract,
    functions: OnceCell<[Function; 2]>,
    enforcers: OnceCell<[Enforcer; 2]>,
    common: OnceCell<Option<Value>>,
}

/// Why and where a value is refused.
pub(super) struct Refusal {
    pub(super) reason: String,
    pub(super) places: Vec<Pointer>,
}

impl<'c> Evidence<'c> {
    pub(super) fn new(old: &'c Contract, new: &'c Contract) -> Self {
        Self {
            old,
            new,
            functions: OnceCell::new(),
            enforcers: OnceCell::new(),
            common: OnceCell::new(),
        }
    }

    /// What both promise about results.
    pub(super) fn returns(&self) -> [&'c Returns; 2] {
        [self.old.returns(), self.new.returns()]
    }

    /// Why a call with these arguments is refused now; `None` if it is not, or was refused before.
    pub(super) fn refused_arguments(&self, args: &Value) -> Option<Refusal> {
        let [old, new] = self.functions();
        let json = args.text().as_bytes();
        if !old.accepts(json) || new.accepts(json) {
            return None;
        }
        new.check_json(json)
            .err()
            .map(|violations| refusal(&violations))
    }

    /// Why a result of a success that is allowed now was refused before; `None` if it was not, or is not
    /// allowed.
    pub(super) fn refused_result(&self, result: &Value) -> Option<Refusal> {
        let [old, new] = self.enforcers();
        let json = result.text().as_bytes();
        let is_success =
            !is_failure(result.root()) && self.new.returns().outcome(result.root()).is_ok();
        if !is_success || !new.is_valid(json) || old.is_valid(json) {
            return None;
        }
        old.check_json(json)
            .err()
            .map(|violations| refusal(&violations))
    }

    /// A call by the old name that both contracts accept.
    pub(super) fn common_call(&self) -> Option<Value> {
        let [old, new] = self.functions();
        let accepts = |args: &Value| {
            let json = args.text().as_bytes();
            old.accepts(json) && new.accepts(json)
        };
        let args = self.common.get_or_init(|| {
            let of_old = Sampler::of_arguments(self.old);
            let of_new = Sampler::of_arguments(self.new);
            let shown = of_old.first().into_iter().chain(of_new.first());
            let mut made = shown.chain((0..CALLS).filter_map(|seed| of_old.nth(seed)));
            made.find(accepts)
        });
        args.as_ref().map(|args| self.call(args))
    }

    /// A call by a name that the old contract accepts.
    pub(super) fn call_as(&self, name: &str) -> Option<Value> {
        Sampler::of_arguments(self.old)
            .first()
            .map(|args| call(name, &args))
    }

    /// A call by the old name.
    pub(super) fn call(&self, args: &Value) -> Value {
        call(self.old.name().as_str(), args)
    }

    /// Makes values that must be accepted, and may not be: old arguments or new results.
    pub(super) fn sampler(&self, is_arguments: bool) -> Sampler {
        match is_arguments {
            true => Sampler::of_arguments(self.old),
            false => Sampler::of_result(self.new),
        }
    }

    /// The checkers of arguments, the old one first.
    fn functions(&self) -> &[Function; 2] {
        self.functions.get_or_init(|| {
            [self.old, self.new].map(|one| Function::of_contract(one, Level::Meaning))
        })
    }

    /// The checkers of results, the old one first.
    fn enforcers(&self) -> &[Enforcer; 2] {
        self.enforcers
            .get_or_init(|| [self.old, self.new].map(|one| one.returns().enforcer(Level::Meaning)))
    }
}

fn refusal(violations: &Violations) -> Refusal {
    let errors = || {
        violations
            .iter()
            .filter(|one| one.severity() == Severity::Error)
    };
    let say = |violation: &Violation| match violation.pointer() {
        place if place.is_root() => violation.message().to_owned(),
        place => format!("at {}: {}", place.brief(), violation.message()),
    };
    Refusal {
        reason: errors().next().map_or_else(String::new, say),
        places: errors().map(|one| one.pointer().clone()).collect(),
    }
}

/// A call as a value.
fn call(name: &str, args: &Value) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    writer.key("name").string(name);
    writer.key("args").raw(args.text());
    writer.end_object();
    Value::trusted(writer)
}
