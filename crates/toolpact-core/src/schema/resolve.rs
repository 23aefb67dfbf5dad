//! Resolves references.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::HashMap;

use crate::json::{Kind, Node, NodeId};

use super::walk::applied_schemas;

/// Resolves the references of a schema to places inside it.
///
/// Supports `#`, pointers, anchors, and the URIs of embedded resources as they are written, which
/// is how a bundle refers to the standard types. The time of a lookup does not depend on the size
/// of the schema.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::schema::Resolver;
///
/// let schema = Value::from_json(r#"{"$defs": {"name": {"$anchor": "n", "type": "string"}}}"#)?;
/// let resolver = Resolver::new(schema.root());
/// let target = resolver.resolve(schema.root(), "#/$defs/name").ok_or("nothing there")?;
/// assert_eq!(target.text(), r#"{"$anchor": "n", "type": "string"}"#);
/// assert!(resolver.resolve(schema.root(), "#n").is_some());
/// assert!(resolver.resolve(schema.root(), "#/$defs/other").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Resolver<'a> {
    /// Schemas with an `$id`, in document order; the first is the root.
    resources: Vec<Resource<'a>>,
    /// By resource and name; `None` if the name is not unique.
    anchors: HashMap<(NodeId, Cow<'a, str>), Option<Node<'a>>>,
    /// By `$id` as it is written; `None` if it is not unique.
    identifiers: HashMap<Cow<'a, str>, Option<Node<'a>>>,
    /// Schemas with a `$dynamicAnchor`.
    dynamic: Vec<Node<'a>>,
    children: RefCell<HashMap<NodeId, Children<'a>>>,
}

#[derive(Debug)]
struct Resource<'a> {
    root: Node<'a>,
    /// The index of the enclosing resource.
    outer: usize,
}

impl<'a> Resolver<'a> {
    /// Collects the identifiers and anchors of a schema, which is the root of its own document.
    #[must_use]
    pub fn new(root: Node<'a>) -> Self {
        let mut resolver = Self {
            resources: vec![Resource { root, outer: 0 }],
            anchors: HashMap::new(),
            identifiers: HashMap::new(),
            dynamic: Vec::new(),
            children: RefCell::default(),
        };
        for schema in applied_schemas(root) {
            resolver.note(schema);
        }
        resolver
    }

    /// The target of a `$ref` in the schema `from`: a part of the same schema, but not necessarily
    /// a schema. `None` if it cannot be resolved here.
    #[must_use]
    pub fn resolve(&self, from: Node<'a>, reference: &str) -> Option<Node<'a>> {
        let (identifier, fragment) = match reference.split_once('#') {
            Some((identifier, fragment)) => (identifier, fragment),
            None => (reference, ""),
        };
        let resource = match identifier {
            "" if reference.is_empty() => return None,
            "" => self.resources[self.resource_of(from)].root,
            _ => (*self.identifiers.get(identifier)?)?,
        };
        let fragment = percent_decode(fragment)?;
        match fragment.strip_prefix('/') {
            None if fragment.is_empty() => Some(resource),
            None => *self.anchors.get(&(resource.id(), fragment))?,
            Some(pointer) => pointer
                .split('/')
                .try_fold(resource, |node, token| self.child(node, token)),
        }
    }

    pub(super) fn dynamic_anchors(&self) -> impl Iterator<Item = Node<'a>> {
        self.dynamic.iter().copied()
    }

    fn note(&mut self, schema: Node<'a>) {
        let (mut identifier, mut names) = (None, [None, None]);
        for (key, value) in schema.members() {
            match &*key {
                "$id" => identifier = value.as_str(),
                "$anchor" => names[0] = value.as_str(),
                "$dynamicAnchor" => names[1] = value.as_str(),
                _ => {}
            }
        }
        if let Some(identifier) = identifier {
            if schema.id() != self.resources[0].root.id() {
                let outer = self.resource_of(schema);
                let root = schema;
                self.resources.push(Resource { root, outer });
            }
            let identifier = match identifier.strip_suffix('#') {
                Some(without) => Cow::Owned(without.to_owned()),
                None => identifier,
            };
            once(&mut self.identifiers, identifier, schema);
        }
        if names[1].is_some() {
            self.dynamic.push(schema);
        }
        let resource = self.resources[self.resource_of(schema)].root.id();
        for name in names.into_iter().flatten() {
            once(&mut self.anchors, (resource, name), schema);
        }
    }

    /// The index of the innermost resource that contains a schema.
    fn resource_of(&self, schema: Node<'a>) -> usize {
        let after = self
            .resources
            .partition_point(|r| r.root.id() <= schema.id());
        let mut number = after.saturating_sub(1);
        while number > 0 && self.resources[number].root.entry().next <= schema.id() {
            number = self.resources[number].outer;
        }
        number
    }

    /// Resolves one token of a pointer.
    fn child(&self, node: Node<'a>, token: &str) -> Option<Node<'a>> {
        let mut children = self.children.borrow_mut();
        let children = children
            .entry(node.id())
            .or_insert_with(|| Children::of(node));
        match children {
            Children::Members(members) => {
                let token = token.replace("~1", "/").replace("~0", "~");
                members.get(&*token).copied()
            }
            Children::Items(items) => {
                let plain = token.bytes().all(|b| b.is_ascii_digit());
                let plain = plain && (token == "0" || !token.starts_with('0'));
                items
                    .get(token.parse::<usize>().ok().filter(|_| plain)?)
                    .copied()
            }
        }
    }
}

/// The children of a container, memoised for later lookups.
#[derive(Debug)]
enum Children<'a> {
    Members(HashMap<Cow<'a, str>, Node<'a>>),
    Items(Vec<Node<'a>>),
}

impl<'a> Children<'a> {
    fn of(node: Node<'a>) -> Self {
        match node.kind() {
            Kind::Object => Children::Members(node.members().collect()),
            _ => Children::Items(node.items().collect()),
        }
    }
}

fn once<'a, K: Eq + std::hash::Hash>(
    map: &mut HashMap<K, Option<Node<'a>>>,
    key: K,
    schema: Node<'a>,
) {
    map.entry(key)
        .and_modify(|known| *known = known.filter(|known| known.id() == schema.id()))
        .or_insert(Some(schema));
}

/// Decodes the percent-encoding of a URI fragment. `None` if a `%` is not followed by two hex
/// digits, which the `percent-encoding` crate would keep as it is, or if the bytes are not UTF-8.
///
/// ```
/// use toolpact_core::schema::percent_decode;
///
/// assert_eq!(percent_decode("/%24defs/a").as_deref(), Some("/$defs/a"));
/// assert_eq!(percent_decode("/%zz"), None);
/// ```
#[must_use]
pub fn percent_decode(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            bytes.push(*byte);
            continue;
        }
        let digit = |at: usize| char::from(*rest.get(at)?).to_digit(16);
        bytes.push(u8::try_from(digit(0)? * 16 + digit(1)?).ok()?);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::Resolver;
    use crate::json::{Node, Value};

    const SCHEMA: &str = r##"{
        "$id": "https://example.com/root",
        "$defs": {
            "a": {"$anchor": "here", "title": "a"},
            "b/~c": {"title": "b"},
            "é %": {"title": "e"},
            "twice": {"$anchor": "same"},
            "again": {"$anchor": "same"},
            "inner": {
                "$id": "https://example.com/inner",
                "title": "inner",
                "$defs": {"a": {"title": "inner a", "$dynamicAnchor": "here"}},
                "items": {"$ref": "#/$defs/a"}
            }
        },
        "allOf": [{"title": "first"}]
    }"##;

    fn title(from: &[&str], reference: &str) -> Option<String> {
        let value = Value::from_json(SCHEMA).unwrap();
        let resolver = Resolver::new(value.root());
        let from = from.iter().fold(value.root(), |n, k| n.get(k).unwrap());
        let target = resolver.resolve(from, reference)?;
        let title = target.get("title").and_then(Node::as_str);
        Some(title.unwrap_or(Cow::Borrowed("none")).into_owned())
    }

    #[test]
    fn follows_pointers_anchors_and_identifiers() {
        for (reference, expected) in [
            ("#", "none"),
            ("#/$defs/a", "a"),
            ("#/%24defs/a", "a"),
            ("#/$defs/b~1~0c", "b"),
            ("#/$defs/%C3%A9%20%25", "e"),
            ("#/allOf/0", "first"),
            ("#here", "a"),
            ("https://example.com/inner", "inner"),
            ("https://example.com/inner#", "inner"),
            ("https://example.com/inner#/$defs/a", "inner a"),
            ("https://example.com/inner#here", "inner a"),
        ] {
            assert_eq!(
                title(&[], reference).as_deref(),
                Some(expected),
                "{reference}"
            );
        }
    }

    #[test]
    fn counts_from_the_resource_around() {
        let inside = ["$defs", "inner", "items"];
        assert_eq!(title(&inside, "#/$defs/a").as_deref(), Some("inner a"));
        assert_eq!(title(&inside, "#here").as_deref(), Some("inner a"));
        assert_eq!(title(&inside, "#").as_deref(), Some("inner"));
        assert_eq!(title(&["allOf"], "#here").as_deref(), Some("a"));
    }

    #[test]
    fn finds_nothing_where_it_is_not_sure() {
        for reference in [
            "",
            "inner",
            "#nowhere",
            "#/nowhere",
            "#/allOf/00",
            "#/allOf/1",
            "#/allOf/-1",
            "#same",
            "#/%",
            "#/%zz",
            "#/%ff",
            "https://example.com/other",
        ] {
            assert_eq!(title(&[], reference), None, "{reference}");
        }
    }
}
