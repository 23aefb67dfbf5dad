//! Schemas that leave a few values only.

use std::rc::Rc;
use std::sync::LazyLock;

use crate::check::Checker;
use crate::json::{Node, Value, Writer};
use crate::schema::view::Part;
use crate::schema::{JsonSchema, Keyword, keywords};

use super::{Left, Prover, Types};

/// Most values that are looked at one by one.
const MOST: usize = 2_000;

impl<'v> Left<'v> {
    /// All values, or more, if they are few.
    pub(super) fn values(&self) -> Option<Vec<Node<'v>>> {
        static FEW: LazyLock<[Value; 3]> =
            LazyLock::new(|| ["null", "true", "false"].map(Value::embedded));
        let lists = [Keyword::Const, Keyword::Enum];
        if lists
            .iter()
            .any(|keyword| self.view.get(*keyword).is_some())
        {
            let mut values = self.view.values()?;
            values.retain(|value| Types::of_value(*value).is_in(self.types));
            return (values.len() <= MOST).then_some(values);
        }
        if !self.types.is_in(Types::NULL.or(Types::BOOLEAN)) {
            return None;
        }
        let few = FEW.iter().map(Value::root);
        Some(
            few.filter(|value| Types::of_value(*value).is_in(self.types))
                .collect(),
        )
    }
}

impl<'v> Prover<'v> {
    /// Whether one of the schemas is known to refuse a value.
    pub(super) fn refuses(&mut self, left: &Left<'v>, value: Node<'v>) -> bool {
        let parts = left.view.parts().to_vec();
        parts
            .into_iter()
            .any(|part| self.accepts(part, value) == Some(false))
    }

    /// Whether a schema accepts a value, without the schemas that it refers to; `None` if that is not
    /// known.
    pub(super) fn accepts(&mut self, part: Part<'v>, value: Node<'v>) -> Option<bool> {
        if let Some(says) = part.node.as_bool() {
            return Some(says);
        }
        let types = Types::of_value(value);
        let mut needs_checker = false;
        for (keyword, asked) in keywords(part.node) {
            match keyword {
                _ if !keyword.asserts() || types.and(Types::about(keyword)).is_empty() => {}
                Keyword::Type if !types.is_in(Types::listed(asked)) => return Some(false),
                Keyword::Const if !is_equal(asked, value) => return Some(false),
                Keyword::Enum if !asked.items().any(|one| is_equal(one, value)) => {
                    return Some(false);
                }
                Keyword::AllOf | Keyword::Type | Keyword::Const | Keyword::Enum => {}
                _ => needs_checker = true,
            }
        }
        if !needs_checker {
            return Some(true);
        }
        if !self.spend(1) {
            return None;
        }
        let checker = self.checker(part)?;
        Some(checker.is_valid(value.text().as_bytes()))
    }

    fn checker(&mut self, part: Part<'v>) -> Option<Rc<Checker>> {
        if let Some(known) = self.checkers.get(&part.id()) {
            return known.clone();
        }
        let work = 10 + part.node.text().len() / 100;
        let checker = self
            .spend(work)
            .then(|| checker(part))
            .flatten()
            .map(Rc::new);
        self.checkers.insert(part.id(), checker.clone());
        checker
    }
}

fn is_equal(one: Node<'_>, other: Node<'_>) -> bool {
    one.text() == other.text()
        || one.kind() == other.kind()
            && one.to_value().to_canonical() == other.to_value().to_canonical()
}

/// A checker for the schema without what it refers to, unless something inside of it refers to others.
fn checker(part: Part<'_>) -> Option<Checker> {
    let mut writer = Writer::default();
    writer.begin_object();
    for (keyword, value) in keywords(part.node) {
        if keyword.asserts() && keyword != Keyword::AllOf {
            if super::holds::refers(part.beside(value)) {
                return None;
            }
            writer.key(keyword.name()).raw(value.text());
        }
    }
    writer.end_object();
    Some(JsonSchema::trusted(Value::trusted(writer)).checker())
}
