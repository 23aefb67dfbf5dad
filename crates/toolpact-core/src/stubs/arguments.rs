//! The arguments of functions.

use indexmap::IndexMap;

use crate::contract::Parameters;
use crate::schema::JsonType;
use crate::schema::view::Sources;

use super::build::Builder;
use super::names::TypeNames;
use super::narrowed_view::NarrowedView;
use super::types::{Declaration, Field, Type};

/// The arguments of a function.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    pub(super) declared: Vec<Declaration>,
    pub(super) fields: Vec<Field>,
    /// The type of arguments that are not described, if the schema gives one.
    pub(super) rest: Option<Type>,
    /// The type of the whole, if it is one of several objects and `apart` was requested.
    pub(super) whole: Option<Type>,
}

/// The arguments of a tool. If they are one of several objects, these are merged, and a key is
/// required only if all of them require it; or, if `apart`, they stay a union.
pub(super) fn arguments(
    parameters: &Parameters,
    name: &str,
    names: &mut TypeNames,
    apart: bool,
) -> Arguments {
    let schema = parameters.to_json_schema();
    let sources = Sources::new([&schema]);
    let mut builder = Builder::new(&sources, names, schema.text().len());
    let mut all = NarrowedView::new(sources.root()).alternatives(&sources);
    all.retain(|place| {
        let may_be = place
            .types()
            .is_none_or(|types| types.contains(&JsonType::Object));
        may_be && !place.view.is_impossible()
    });
    let mut arguments = Arguments::default();
    if apart && all.len() > 1 {
        let types = all.iter().map(|place| builder.object(place, name, &[]));
        arguments.whole = Some(Type::union(types.collect::<Vec<_>>()));
    } else {
        builder.merge(&all, name, &mut arguments);
    }
    arguments.declared = builder.declared;
    arguments
}

impl<'v> Builder<'_, 'v> {
    fn merge(&mut self, all: &[NarrowedView<'v>], name: &str, arguments: &mut Arguments) {
        let (mut each, mut others) = (Vec::new(), Vec::new());
        for place in all {
            if !self.can_tell_keys(&place.view) {
                // Arguments that are not listed are also accepted.
                each.push(Vec::new());
                others.push(Type::Any);
                break;
            }
            each.push(self.fields(place, name, &[]));
            others.extend(self.others(&place.view, name));
        }
        arguments.fields = merged(each);
        arguments.rest = (!others.is_empty()).then(|| Type::union(others));
    }
}

/// Each key once. It is required if it is required everywhere.
fn merged(each: Vec<Vec<Field>>) -> Vec<Field> {
    let count = each.len();
    if count == 1 {
        return each.into_iter().flatten().collect();
    }
    let mut all: IndexMap<String, Vec<Field>> = IndexMap::new();
    for field in each.into_iter().flatten() {
        all.entry(field.key.clone()).or_default().push(field);
    }
    let merge = |(key, fields): (String, Vec<Field>)| Field {
        key,
        required: fields.len() == count && fields.iter().all(|field| field.required),
        about: fields.iter().find_map(|field| field.about.clone()),
        default: fields.iter().find_map(|field| field.default.clone()),
        what: Type::union(fields.into_iter().map(|field| field.what)),
    };
    all.into_iter().map(merge).collect()
}
