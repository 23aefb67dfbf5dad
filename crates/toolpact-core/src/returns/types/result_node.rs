use std::borrow::Cow;

use serde::de::DeserializeOwned;

use crate::json::{Kind, Node, Value, Whole};
use crate::model::describe;
use crate::returns::StandardError;
use crate::{Error, Pointer};

/// A value inside a result that is being read, and its position.
#[derive(Clone)]
pub(super) struct ResultNode<'a> {
    node: Node<'a>,
    at: Pointer,
}

type Read<T> = Result<T, Error>;

impl<'a> ResultNode<'a> {
    pub(super) fn root(value: &'a Value) -> Self {
        Self {
            node: value.root(),
            at: Pointer::root(),
        }
    }

    pub(super) fn node(&self) -> Node<'a> {
        self.node
    }

    /// Itself, if it is an object.
    pub(super) fn object(self) -> Read<Self> {
        self.expect(Kind::Object)?;
        Ok(self)
    }

    /// The member `key`.
    pub(super) fn get(&self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        let at = self.at.key(key);
        Some(Self { node, at })
    }

    pub(super) fn require(&self, key: &str) -> Read<Self> {
        self.get(key)
            .ok_or_else(|| self.fail(format!("expected the required key `{key}`, found none")))
    }

    /// What `read` makes of the member `key`, if it is there.
    pub(super) fn optional<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Self) -> Read<T>,
    ) -> Read<Option<T>> {
        self.get(key).map(|part| read(&part)).transpose()
    }

    /// Refuses members that must be absent, because of `why`.
    pub(super) fn forbid(&self, keys: &[&str], why: &str) -> Read<()> {
        match keys.iter().find_map(|key| self.get(key)) {
            Some(part) => Err(part.fail(format!("expected nothing here {why}"))),
            None => Ok(()),
        }
    }

    pub(super) fn text(&self) -> Read<Box<str>> {
        self.expect(Kind::String)?;
        Ok(self.node.as_str().unwrap_or_default().into())
    }

    /// A string that is not empty.
    pub(super) fn filled(&self) -> Read<Box<str>> {
        let text = self.text()?;
        match text.is_empty() {
            true => Err(self.fail("expected a string that is not empty")),
            false => Ok(text),
        }
    }

    pub(super) fn flag(&self) -> Read<bool> {
        self.expect(Kind::Bool)?;
        Ok(self.node.as_bool().unwrap_or_default())
    }

    /// A whole number of at least `least`.
    pub(super) fn count(&self, least: u64) -> Read<u64> {
        self.expect(Kind::Number)?;
        let number = self.node.as_number();
        let count = number.and_then(|number| match number.whole() {
            Whole::Integer(integer) => u64::try_from(integer).ok(),
            Whole::TooLarge => number.text().parse().ok(),
            Whole::Fraction => None,
        });
        count
            .filter(|count| *count >= least)
            .ok_or_else(|| self.wrong(format!("expected a whole number of at least {least}")))
    }

    pub(super) fn number(&self) -> Read<serde_json::Number> {
        self.expect(Kind::Number)?;
        serde_json::from_str(self.node.text()).map_err(|error| self.fail(error.to_string()))
    }

    pub(super) fn items(&self) -> Read<impl Iterator<Item = ResultNode<'a>> + use<'a>> {
        self.expect(Kind::Array)?;
        let at = self.at.clone();
        let items = self.node.items().enumerate();
        Ok(items.map(move |(i, node)| ResultNode {
            node,
            at: at.index(i),
        }))
    }

    /// The members of an object.
    pub(super) fn members(
        &self,
    ) -> Read<impl Iterator<Item = (Cow<'a, str>, ResultNode<'a>)> + use<'a>> {
        self.expect(Kind::Object)?;
        let at = self.at.clone();
        Ok(self.node.members().map(move |(key, node)| {
            let at = at.key(&key);
            (key, ResultNode { node, at })
        }))
    }

    /// The payload, as the user's type.
    pub(super) fn payload<T: DeserializeOwned>(&self) -> Read<T> {
        serde_json::from_str(self.node.text())
            .map_err(|error| self.fail(format!("expected the payload of the tool: {error}")))
    }

    /// The same, where the specification requires an object.
    pub(super) fn object_payload<T: DeserializeOwned>(&self) -> Read<T> {
        self.expect(Kind::Object)?;
        self.payload()
    }

    pub(super) fn error(&self) -> Read<StandardError> {
        StandardError::from_value(&self.node.to_value()).map_err(|violations| {
            let first = violations.iter().next();
            self.fail(first.map_or("expected an error", |first| first.message()))
        })
    }

    pub(super) fn fail(&self, message: impl Into<String>) -> Error {
        Error::new(self.at.clone(), message)
    }

    /// As [`ResultNode::fail`], and says what was found.
    pub(super) fn wrong(&self, expected: impl AsRef<str>) -> Error {
        let found = describe(self.node);
        self.fail(format!("{}, found {found}", expected.as_ref()))
    }

    fn expect(&self, kind: Kind) -> Read<()> {
        match self.node.kind() == kind {
            true => Ok(()),
            false => Err(self.wrong(format!("expected {kind}"))),
        }
    }
}
