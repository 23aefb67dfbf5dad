//! All that applies to one value: a schema, the targets of its references, and its `allOf`.
//!
//! ```
//! use toolpact_core::json::Value;
//! use toolpact_core::schema::view::Sources;
//! use toolpact_core::schema::{JsonType, Keyword};
//!
//! let schema = Value::from_json(r##"{
//!     "properties": {"name": {"$ref": "#/$defs/name", "maxLength": 20}},
//!     "required": ["name"],
//!     "$defs": {"name": {"type": "string", "minLength": 1}}
//! }"##)?;
//! let sources = Sources::new([&schema]);
//! let root = sources.root();
//! assert!(root.required().contains("name"));
//!
//! let name = sources.view(root.named(Keyword::Properties)["name"].clone());
//! assert_eq!(name.types(), Some(vec![JsonType::String]));
//! assert_eq!((name.count(Keyword::MinLength), name.count(Keyword::MaxLength)), (Some(1), Some(20)));
//! # Ok::<(), toolpact_core::Violations>(())
//! ```

use std::borrow::Cow;
use std::collections::HashSet;

use indexmap::{IndexMap, IndexSet};

use super::json_type::JsonType;
use super::keyword::{Keyword, keywords};
use super::resolve::Resolver;
use crate::json::{Kind, Node, NodeId, Value, Whole};

/// Schemas that apply to one value together, each with its own references: the parameters of a
/// tool, or a standard type and a schema that refines it.
#[derive(Debug)]
pub struct Sources<'v> {
    roots: Vec<Node<'v>>,
    resolvers: Vec<Resolver<'v>>,
}

/// A schema, or the value of a keyword, and which of the sources it is in.
#[derive(Debug, Clone, Copy)]
pub struct Part<'v> {
    pub(crate) node: Node<'v>,
    source: usize,
}

/// All schemas that apply to one value.
#[derive(Debug, Clone)]
pub struct View<'v> {
    parts: Vec<Part<'v>>,
}

/// Identifies a part among all parts of the same sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartId(usize, NodeId);

/// The parts of a view, so that two views of the same sources can be compared.
pub type Identity = Vec<PartId>;

impl<'v> Sources<'v> {
    /// Creates the sources from these schemas.
    #[must_use]
    pub fn new(schemas: impl IntoIterator<Item = &'v Value>) -> Self {
        let roots: Vec<Node<'v>> = schemas.into_iter().map(Value::root).collect();
        let resolvers = roots.iter().map(|root| Resolver::new(*root)).collect();
        Self { roots, resolvers }
    }

    /// How many schemas there are.
    pub(crate) fn len(&self) -> usize {
        self.roots.len()
    }

    /// The view of the root value.
    #[must_use]
    pub fn root(&self) -> View<'v> {
        let roots = self.roots.iter().enumerate();
        let parts = roots.map(|(source, node)| Part {
            node: *node,
            source,
        });
        self.view(parts)
    }

    /// The view of these parts, with the targets of their references and their `allOf`, each once.
    #[must_use]
    pub fn view(&self, parts: impl IntoIterator<Item = Part<'v>>) -> View<'v> {
        let mut todo: Vec<Part<'v>> = parts.into_iter().collect();
        todo.reverse();
        let (mut seen, mut parts) = (HashSet::new(), Vec::new());
        while let Some(part) = todo.pop() {
            if !seen.insert(part.id()) {
                continue;
            }
            parts.push(part);
            let mut more = Vec::new();
            for keyword in [Keyword::Ref, Keyword::DynamicRef] {
                more.extend(self.referred(part, keyword));
            }
            more.extend(part.get(Keyword::AllOf).into_iter().flat_map(Part::items));
            todo.extend(more.into_iter().rev());
        }
        View { parts }
    }

    /// The source of this number.
    pub(crate) fn part(&self, source: usize) -> Option<Part<'v>> {
        let node = *self.roots.get(source)?;
        Some(Part { node, source })
    }

    /// Whether the `$ref` of a schema leads to one, if there is any.
    pub(crate) fn is_resolved(&self, part: Part<'v>) -> bool {
        part.get(Keyword::Ref).is_none() || self.referred(part, Keyword::Ref).is_some()
    }

    /// Whether there may be references that depend on where they are followed from. An escaped dollar
    /// could hide one.
    pub(crate) fn are_dynamic(&self) -> bool {
        let names = ["$dynamicRef", "$recursiveRef", "\\u0024"];
        let mut texts = self.roots.iter().map(|root| root.text());
        texts.any(|text| names.iter().any(|name| text.contains(name)))
    }

    fn referred(&self, part: Part<'v>, keyword: Keyword) -> Option<Part<'v>> {
        let reference = part.get(keyword)?.node.as_str()?;
        let resolver = self.resolvers.get(part.source)?;
        Some(part.beside(resolver.resolve(part.node, &reference)?))
    }
}

impl<'v> Part<'v> {
    /// The schema, or the value of a keyword.
    #[must_use]
    pub fn node(self) -> Node<'v> {
        self.node
    }

    /// The number of the source it is in.
    pub(crate) fn source(self) -> usize {
        self.source
    }

    /// The value of a keyword of this schema.
    #[must_use]
    pub fn get(self, keyword: Keyword) -> Option<Self> {
        keyword.get(self.node).map(|node| self.beside(node))
    }

    /// The schemas in this list.
    #[must_use]
    pub fn items(self) -> Vec<Self> {
        self.node.items().map(|node| self.beside(node)).collect()
    }

    /// The schema of this name, of the value of a keyword such as `properties`.
    #[must_use]
    pub fn member(self, name: &str) -> Option<Self> {
        self.node.get(name).map(|node| self.beside(node))
    }

    /// The named schemas of such a value.
    #[must_use]
    pub fn members(self) -> Vec<(Cow<'v, str>, Self)> {
        let members = self.node.members();
        members
            .map(|(name, node)| (name, self.beside(node)))
            .collect()
    }

    /// Identifies it among the other parts.
    #[must_use]
    pub fn id(self) -> PartId {
        PartId(self.source, self.node.id())
    }

    pub(crate) fn beside(self, node: Node<'v>) -> Self {
        Self { node, ..self }
    }

    fn says_something(self) -> bool {
        self.node.kind() == Kind::Object && self.node.members().next().is_some()
    }

    /// Whether it constrains the members or elements of the value.
    fn has_inside(self) -> bool {
        keywords(self.node).any(|(keyword, value)| {
            let is_inside = matches!(
                keyword,
                Keyword::Properties
                    | Keyword::Required
                    | Keyword::PatternProperties
                    | Keyword::AdditionalProperties
                    | Keyword::Items
                    | Keyword::PrefixItems
                    | Keyword::AnyOf
                    | Keyword::OneOf
            );
            is_inside && value.kind() != Kind::Bool
        })
    }
}

impl<'v> View<'v> {
    /// The schemas that apply, each once.
    #[must_use]
    pub fn parts(&self) -> &[Part<'v>] {
        &self.parts
    }

    /// The first value of a keyword.
    #[must_use]
    pub fn get(&self, keyword: Keyword) -> Option<Part<'v>> {
        self.all(keyword).next()
    }

    /// All values of a keyword.
    pub fn all(&self, keyword: Keyword) -> impl Iterator<Item = Part<'v>> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    /// The first string value of a keyword.
    #[must_use]
    pub fn text(&self, keyword: Keyword) -> Option<Cow<'v, str>> {
        self.all(keyword).find_map(|part| part.node.as_str())
    }

    /// The first value of a keyword that is a count: `minLength`, `maxItems`, …
    #[must_use]
    pub fn count(&self, keyword: Keyword) -> Option<usize> {
        self.counts(keyword).next()
    }

    /// All values of such a keyword.
    pub fn counts(&self, keyword: Keyword) -> impl Iterator<Item = usize> {
        let numbers = self.all(keyword).filter_map(|part| part.node.as_number());
        numbers.filter_map(|number| match number.whole() {
            Whole::Integer(count) => Some(usize::try_from(count).unwrap_or(0)),
            Whole::TooLarge => Some(usize::MAX),
            Whole::Fraction => None,
        })
    }

    /// The allowed types, null last; `None` without a `type`. Integer is not listed beside number.
    #[must_use]
    pub fn types(&self) -> Option<Vec<JsonType>> {
        self.get(Keyword::Type)?;
        let mut allowed = JsonType::ALL.to_vec();
        for part in self.all(Keyword::Type) {
            let listed: Vec<JsonType> = JsonType::listed(part.node).collect();
            let says = |one: JsonType| listed.contains(&one);
            allowed.retain(|one| says(*one) || *one == JsonType::Integer && says(JsonType::Number));
        }
        if allowed.contains(&JsonType::Number) {
            allowed.retain(|one| *one != JsonType::Integer);
        }
        Some(allowed)
    }

    /// The type that the keywords constrain. Without `type` other types are allowed, too.
    #[must_use]
    pub fn likely_type(&self) -> Option<JsonType> {
        const CLUES: [Keyword; 14] = [
            Keyword::Properties,
            Keyword::AdditionalProperties,
            Keyword::PatternProperties,
            Keyword::Required,
            Keyword::Items,
            Keyword::PrefixItems,
            Keyword::MinItems,
            Keyword::MaxItems,
            Keyword::MinLength,
            Keyword::MaxLength,
            Keyword::Pattern,
            Keyword::Format,
            Keyword::Minimum,
            Keyword::Maximum,
        ];
        let clue = CLUES.into_iter().find(|clue| self.get(*clue).is_some())?;
        clue.about().types()?.first().copied()
    }

    /// The allowed types. Without `type`, the keywords decide which one is meant, unless alternatives do.
    #[must_use]
    pub fn meant_types(&self) -> Vec<JsonType> {
        let likely = || self.likely_type().filter(|_| self.choices().is_empty());
        let allowed = self.types();
        allowed.unwrap_or_else(|| likely().into_iter().collect())
    }

    /// The values that `const` and `enum` allow together; `None` if there is neither.
    #[must_use]
    pub fn values(&self) -> Option<Vec<Node<'v>>> {
        let consts = self.all(Keyword::Const).map(|part| vec![part.node]);
        let enums = self.all(Keyword::Enum);
        let enums = enums.map(|part| part.node.items().collect::<Vec<_>>());
        let mut lists = consts.chain(enums);
        let mut values = lists.next()?;
        for list in lists {
            let texts = list.iter().map(|value| value.to_value().to_canonical());
            let texts: HashSet<String> = texts.collect();
            values.retain(|value| texts.contains(&value.to_value().to_canonical()));
        }
        if let Some(types) = self.types() {
            values.retain(|value| types.iter().any(|one| one.accepts(*value)));
        }
        Some(values)
    }

    /// The schemas for each name under a keyword such as `properties`.
    #[must_use]
    pub fn named(&self, keyword: Keyword) -> IndexMap<Cow<'v, str>, Vec<Part<'v>>> {
        let mut named: IndexMap<_, Vec<Part<'v>>> = IndexMap::new();
        for part in self.all(keyword) {
            for (name, node) in part.node.members() {
                named.entry(name).or_default().push(part.beside(node));
            }
        }
        named
    }

    /// The required keys, in the order they are listed.
    #[must_use]
    pub fn required(&self) -> IndexSet<Cow<'v, str>> {
        let lists = self.all(Keyword::Required);
        let names = lists.flat_map(|part| part.node.items());
        names.filter_map(Node::as_str).collect()
    }

    /// The non-empty schemas of all other keys or items (`additionalProperties`, `items`).
    #[must_use]
    pub fn rest(&self, keyword: Keyword) -> Vec<Part<'v>> {
        let all = self.all(keyword);
        all.filter(|part| part.says_something()).collect()
    }

    /// Whether no value is allowed.
    #[must_use]
    pub fn is_impossible(&self) -> bool {
        self.parts.iter().any(|part| refuses(*part))
    }

    /// Whether keys other than the named ones are refused.
    #[must_use]
    pub fn refuses_other_keys(&self) -> bool {
        self.refuses(Keyword::AdditionalProperties) || self.refuses(Keyword::UnevaluatedProperties)
    }

    /// Whether items after those of `prefixItems` are refused.
    #[must_use]
    pub fn refuses_other_items(&self) -> bool {
        self.refuses(Keyword::Items) || self.refuses(Keyword::UnevaluatedItems)
    }

    /// The lists of alternatives: each `oneOf` and `anyOf`.
    #[must_use]
    pub fn choices(&self) -> Vec<Part<'v>> {
        let keywords = [Keyword::OneOf, Keyword::AnyOf].into_iter();
        keywords.flat_map(|keyword| self.all(keyword)).collect()
    }

    /// The parts that constrain members or elements; empty if there are none.
    #[must_use]
    pub fn identity(&self) -> Identity {
        self.identity_by(Part::has_inside)
    }

    /// All parts.
    pub(crate) fn all_identity(&self) -> Identity {
        self.identity_by(|_| true)
    }

    /// The ids of the parts for which `matters` holds, sorted.
    pub(crate) fn identity_by(&self, matters: impl Fn(Part<'v>) -> bool) -> Identity {
        let parts = self.parts.iter().filter(|part| matters(**part));
        let mut identity: Identity = parts.map(|part| part.id()).collect();
        identity.sort_unstable();
        identity
    }

    fn refuses(&self, keyword: Keyword) -> bool {
        self.all(keyword).any(refuses)
    }
}

fn refuses(part: Part<'_>) -> bool {
    part.node.as_bool() == Some(false)
}
