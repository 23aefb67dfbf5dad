//! Where the references of a schema lead.

use std::borrow::Cow;

use toolpact_core::json::{Kind, Node};

/// A schema with the whole that its references count from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'s> {
    pub(super) schema: Node<'s>,
    /// The resource it is in: the nearest schema around it with an identifier, or the outermost.
    resource: Node<'s>,
    /// The outermost schema, a bundle.
    bundle: Node<'s>,
}

impl<'s> Place<'s> {
    /// The outermost schema.
    pub(super) fn bundle(bundle: Node<'s>) -> Self {
        Self {
            schema: bundle,
            resource: bundle,
            bundle,
        }
    }

    /// A schema inside of this one.
    pub(super) fn inside(self, schema: Node<'s>) -> Self {
        let resource = match schema.get("$id") {
            Some(_) => schema,
            None => self.resource,
        };
        Self {
            schema,
            resource,
            ..self
        }
    }

    /// Whether it refers to anything.
    pub(super) fn refers(self) -> bool {
        let reference = self.schema.get("$ref");
        reference
            .or_else(|| self.schema.get("$dynamicRef"))
            .is_some()
    }

    /// What the `$ref` of this schema leads to. `None` if it has none, or one that takes more than
    /// is known here: an anchor, an identifier of somebody's own.
    pub(super) fn referred(self) -> Option<Self> {
        let reference = self.schema.get("$ref")?.as_str()?;
        let Some(fragment) = reference.strip_prefix('#') else {
            // A bundle keeps each standard type under its identifier.
            let standard = self.bundle.get("$defs")?.get(&reference)?;
            return Some(self.inside(standard));
        };
        let fragment = percent_decoded(fragment)?;
        if fragment.is_empty() {
            return Some(self.inside(self.resource));
        }
        let mut place = self.inside(self.resource);
        for token in fragment.strip_prefix('/')?.split('/') {
            place = place.inside(child(place.schema, token)?);
        }
        Some(place)
    }
}

/// One step of a JSON Pointer.
fn child<'s>(node: Node<'s>, token: &str) -> Option<Node<'s>> {
    match node.kind() {
        Kind::Object => node.get(&token.replace("~1", "/").replace("~0", "~")),
        Kind::Array => node.items().nth(token.parse().ok()?),
        _ => None,
    }
}

/// A fragment is a piece of a URI, where any byte may be written as `%` and two digits.
fn percent_decoded(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        bytes.push(u8::try_from(digit()? * 16 + digit()?).ok()?);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}
