//! The keys of objects.

use std::borrow::Cow;

use indexmap::IndexMap;

use crate::schema::Keyword;
use crate::schema::view::{Part, View};

use super::build::Builder;
use super::names::pascal;
use super::narrowed_view::NarrowedView;
use super::types::{Field, Type};

/// Keys that are described only under a condition are optional.
const CONDITIONS: [Keyword; 2] = [Keyword::Then, Keyword::Else];

impl<'v> Builder<'_, 'v> {
    /// The keys in the order they are described, then those that are only required.
    pub(super) fn fields(
        &mut self,
        place: &NarrowedView<'v>,
        name: &str,
        without: &[&str],
    ) -> Vec<Field> {
        let required = place.view.required();
        let named = self.keys(&place.view);
        let is_kept = |key: &str| !without.contains(&key);
        let mut fields = Vec::new();
        for (key, parts) in named.iter().filter(|(key, _)| is_kept(key)) {
            fields.push(self.field(key, parts, name, required.contains(key)));
        }
        let unknown = required.iter().filter(|key| !named.contains_key(*key));
        fields.extend(unknown.filter(|key| is_kept(key)).map(|key| Field {
            key: key.to_string(),
            what: Type::Any,
            required: true,
            about: None,
            default: None,
        }));
        fields
    }

    /// Whether the budget allows all keys of an object. Checked before they are read: many
    /// alternatives of an object with many keys would take too long otherwise.
    pub(super) fn can_tell_keys(&mut self, view: &View<'v>) -> bool {
        let parts = view.all(Keyword::Properties);
        let bytes = parts.map(|part| {
            let count = || part.node.members().map(|(key, _)| 16 + key.len()).sum();
            *self.key_bytes.entry(part.id()).or_insert_with(count)
        });
        let bytes = bytes.sum();
        self.spend(bytes)
    }

    /// The type of keys that are not described, if the schema gives one.
    pub(super) fn others(&mut self, view: &View<'v>, name: &str) -> Option<Type> {
        const KEYWORDS: [Keyword; 2] = [
            Keyword::AdditionalProperties,
            Keyword::UnevaluatedProperties,
        ];
        let name = format!("{name}Value");
        let patterns = view.named(Keyword::PatternProperties).into_values();
        let mut types: Vec<Type> = patterns
            .map(|parts| self.of_view(self.sources.view(parts), &name))
            .collect();
        if view.refuses_other_keys() {
            return (!types.is_empty()).then(|| Type::union(types));
        }
        let said = KEYWORDS.into_iter().flat_map(|keyword| view.rest(keyword));
        let said: Vec<Part<'v>> = said.collect();
        let speaks = KEYWORDS
            .into_iter()
            .any(|keyword| view.get(keyword).is_some());
        if said.is_empty() {
            return (speaks || !types.is_empty()).then_some(Type::Any);
        }
        types.push(self.of_view(self.sources.view(said), &name));
        Some(Type::union(types))
    }

    fn field(&mut self, key: &str, parts: &[Part<'v>], name: &str, required: bool) -> Field {
        let view = self.sources.view(parts.iter().copied());
        let about = view.text(Keyword::Description).map(Cow::into_owned);
        let default = view.get(Keyword::Default).map(|part| part.node.to_value());
        // If the budget is exhausted, the key stays without its description.
        let about = about.filter(|about| self.spend(about.len()));
        let default = default.filter(|value| self.spend(value.text().len()));
        let what = self.of_view(view, &format!("{name}{}", pascal(key)));
        Field {
            key: key.to_owned(),
            what,
            required,
            about,
            default,
        }
    }

    /// The schemas of each key. Keys that are described only under a condition are included, so
    /// that they can be used.
    pub(super) fn keys(&self, view: &View<'v>) -> IndexMap<Cow<'v, str>, Vec<Part<'v>>> {
        let mut named = view.named(Keyword::Properties);
        let always = named.len();
        let conditions = CONDITIONS.into_iter().flat_map(|keyword| view.all(keyword));
        let dependent = view
            .named(Keyword::DependentSchemas)
            .into_values()
            .flatten();
        for part in conditions.chain(dependent) {
            for (key, parts) in self.sources.view([part]).named(Keyword::Properties) {
                if named.get_index_of(&key).is_none_or(|at| at >= always) {
                    named.entry(key).or_default().extend(parts);
                }
            }
        }
        named
    }
}
