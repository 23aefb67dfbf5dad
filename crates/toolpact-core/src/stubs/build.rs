//! From schemas to types.

use std::collections::HashMap;

use crate::schema::view::{Identity, Part, PartId, Sources, View};
use crate::schema::{JsonType, Keyword};

use super::names::TypeNames;
use super::narrowed_view::NarrowedView;
use super::types::{Declaration, Object, Tuple, Type, What};

/// The deepest nesting of types; schemas are refused long before that, but references can nest
/// deeper.
const DEEPEST: usize = 200;
/// A type that is longer than this gets a name.
const LONGEST: usize = 2_000;

/// Builds the types of one schema. An object gets a name once, wherever it is referred to.
pub(super) struct Builder<'b, 'v> {
    pub(super) sources: &'b Sources<'v>,
    names: &'b mut TypeNames,
    /// The declarations so far, children before parents.
    pub(super) declared: Vec<Declaration>,
    objects: HashMap<(Identity, &'static [&'static str]), String>,
    /// The types that are finished.
    known: HashMap<Identity, Type>,
    /// The types that are being built.
    open: HashMap<Identity, Open>,
    /// How many bytes the keys of a part take.
    pub(super) key_bytes: HashMap<PartId, usize>,
    depth: usize,
    /// About how many bytes may still be written. The limit is linear in the size of the schema.
    left: usize,
}

/// A type that is being built.
struct Open {
    wanted: String,
    /// Its name, if it refers to itself.
    name: Option<String>,
}

impl<'b, 'v> Builder<'b, 'v> {
    pub(super) fn new(
        sources: &'b Sources<'v>,
        names: &'b mut TypeNames,
        schema_bytes: usize,
    ) -> Self {
        Self {
            sources,
            names,
            declared: Vec::new(),
            objects: HashMap::new(),
            known: HashMap::new(),
            open: HashMap::new(),
            key_bytes: HashMap::new(),
            depth: 0,
            left: schema_bytes.saturating_mul(8).saturating_add(200_000),
        }
    }

    /// The type of a view, under this name if it needs one.
    pub(super) fn of_view(&mut self, view: View<'v>, name: &str) -> Type {
        self.of(&NarrowedView::new(view), name)
    }

    pub(super) fn of(&mut self, place: &NarrowedView<'v>, name: &str) -> Type {
        if self.depth >= DEEPEST || !self.spend(16) {
            return Type::Any;
        }
        if place.view.is_impossible() {
            return Type::Never;
        }
        let identity = place.identity();
        if let Some(known) = self.known.get(&identity) {
            let known = known.clone();
            return if self.spend(known.size()) {
                known
            } else {
                Type::Any
            };
        }
        if let Some(Open { wanted, name }) = self.open.get_mut(&identity) {
            let name = name.get_or_insert_with(|| self.names.take(wanted));
            return Type::Named(name.clone());
        }
        let (wanted, itself) = (name.to_owned(), None);
        let open = Open {
            wanted,
            name: itself,
        };
        self.open.insert(identity.clone(), open);
        self.depth += 1;
        let what = self.shape(place, name);
        self.depth -= 1;
        let alias = self.open.remove(&identity).and_then(|open| open.name);
        let what = match alias {
            None if what.size() <= LONGEST || !self.spend(what.size()) => what,
            alias => {
                let alias = alias.unwrap_or_else(|| self.names.take(name));
                self.alias(alias, what)
            }
        };
        self.known.insert(identity, what.clone());
        what
    }

    /// Takes bytes from the budget; `false` if it is exhausted.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.left.checked_sub(bytes);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    fn alias(&mut self, name: String, what: Type) -> Type {
        let itself = Type::Named(name.clone());
        // A union that contains itself is the union of the other members.
        let what = match what {
            Type::Union(members) => Type::union(members.into_iter().filter(|m| *m != itself)),
            what if what == itself => Type::Never,
            what => what,
        };
        self.declared.push(Declaration {
            name,
            about: None,
            what: What::Alias(what),
        });
        itself
    }

    fn shape(&mut self, place: &NarrowedView<'v>, name: &str) -> Type {
        if let Some(values) = place.view.values() {
            let types = values.into_iter().map(|value| self.value(value, name));
            return Type::union(types.collect::<Vec<_>>());
        }
        if let Some(branches) = place.branches(self.sources) {
            let types = branches.iter().map(|branch| self.of(branch, name));
            return Type::union(types.collect::<Vec<_>>());
        }
        let Some(types) = place.types() else {
            return Type::Any;
        };
        let types = types.into_iter().map(|one| match one {
            JsonType::String => Type::Str,
            JsonType::Integer => Type::Int,
            JsonType::Number => Type::Float,
            JsonType::Boolean => Type::Bool,
            JsonType::Null => Type::Null,
            JsonType::Array => self.array(&place.view, name),
            JsonType::Object => self.object(place, name, &[]),
        });
        Type::union(types.collect::<Vec<_>>())
    }

    fn array(&mut self, view: &View<'v>, name: &str) -> Type {
        let name = format!("{name}Item");
        let is_closed = view.refuses_other_items();
        let prefix = view
            .get(Keyword::PrefixItems)
            .map(Part::items)
            .unwrap_or_default();
        let others = view.rest(Keyword::Items);
        let rest = match (is_closed, others.is_empty()) {
            (true, _) => Type::Never,
            (false, true) => Type::Any,
            (false, false) => self.of_view(self.sources.view(others), &name),
        };
        if prefix.is_empty() {
            return Type::List(Box::new(rest));
        }
        let items = prefix.iter();
        let items = items.map(|item| self.of_view(self.sources.view([*item]), &name));
        let items: Vec<Type> = items.collect();
        let is_full = view
            .count(Keyword::MaxItems)
            .is_some_and(|most| most <= items.len());
        Type::Tuple(Tuple {
            least: view.count(Keyword::MinItems).unwrap_or(0).min(items.len()),
            rest: (!is_closed && !is_full).then(|| Box::new(rest)),
            items,
        })
    }

    /// An object, without some of its keys. One without known keys is a map.
    pub(super) fn object(
        &mut self,
        place: &NarrowedView<'v>,
        name: &str,
        without: &'static [&'static str],
    ) -> Type {
        let identity = (place.object_identity(), without);
        if let Some(name) = self.objects.get(&identity) {
            return Type::Named(name.clone());
        }
        if !self.can_tell_keys(&place.view) {
            return Type::Map(Box::new(Type::Any));
        }
        if self.keys(&place.view).is_empty() {
            let others = self.others(&place.view, name);
            return Type::Map(Box::new(others.unwrap_or(Type::Any)));
        }
        let name = self.names.take(name);
        self.objects.insert(identity, name.clone());
        // A type that refers to itself through an object needs no name of its own.
        let open = std::mem::take(&mut self.open);
        let object = Object {
            fields: self.fields(place, &name, without),
            rest: self.others(&place.view, &name),
        };
        self.open = open;
        self.declare(
            place.view.text(Keyword::Description).as_deref(),
            name,
            object,
        )
    }

    pub(super) fn declare(&mut self, about: Option<&str>, name: String, object: Object) -> Type {
        self.declared.push(Declaration {
            name: name.clone(),
            about: about.map(ToOwned::to_owned),
            what: What::Object(object),
        });
        Type::Named(name)
    }

    pub(super) fn new_name(&mut self, wanted: &str) -> String {
        self.names.take(wanted)
    }
}
