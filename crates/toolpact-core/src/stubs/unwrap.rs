//! What code gets of a result: the success itself.

use crate::json::{Kind, Node, Value, Writer};
use crate::returns::{Returns, StandardType};
use crate::schema::JsonSchema;
use crate::schema::view::Sources;
use crate::schema::{JsonType, Keyword};

use super::build::Builder;
use super::names::TypeNames;
use super::place::Place;
use super::types::{Declaration, Type};

/// What code gets of a successful result: the value that its declaration promises.
///
/// A failure is none: it is raised. Where a value is not of the form that its contract promises,
/// which is possible if that is not enforced, it is handed over as it is.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::{Returns, StandardType};
/// use toolpact_core::stubs::success_value;
///
/// let returns = Returns::Standard { standard: StandardType::NumberValue, refinement: None };
/// let result = Value::from_json(r#"{"success": true, "value": 98.6, "unit": "fahrenheit"}"#)?;
/// assert_eq!(success_value(&returns, &result).text(), "98.6");
/// assert_eq!(success_value(&returns, &Value::from(5)).text(), "5");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn success_value(returns: &Returns, result: &Value) -> Value {
    let Returns::Standard { standard, .. } = returns else {
        return result.clone();
    };
    let root = result.root();
    let member = |key| root.get(key).map(Node::to_value);
    match wanted(*standard) {
        Wanted::Nothing => Value::from(()),
        Wanted::Member(key) => member(key).unwrap_or_else(|| result.clone()),
        Wanted::Without(keys) if root.kind() == Kind::Object => without(root, keys),
        Wanted::Whole | Wanted::Without(_) => result.clone(),
    }
}

fn without(object: Node<'_>, keys: &[&str]) -> Value {
    let mut writer = Writer::default();
    writer.begin_object();
    let kept = object.members().filter(|(key, _)| !keys.contains(&&**key));
    for (key, value) in kept {
        writer.key(&key).raw(value.text());
    }
    writer.end_object();
    Value::trusted(writer)
}

/// The part of a standard type that code wants.
enum Wanted {
    Whole,
    /// The value of a key, or the bare value where the type may be one.
    Member(&'static str),
    /// All but whether it worked, which is known by then.
    Without(&'static [&'static str]),
    Nothing,
}

fn wanted(standard: StandardType) -> Wanted {
    use StandardType as T;
    match standard {
        T::StringValue | T::NumberValue | T::BooleanValue => Wanted::Member("value"),
        T::IdentifierValue => Wanted::Member("id"),
        T::ObjectResult => Wanted::Member("data"),
        T::FileResult => Wanted::Member("file"),
        T::MediaResult => Wanted::Member("media"),
        T::ListResult => Wanted::Without(&["success", "error"]),
        T::VoidResult => Wanted::Nothing,
        // `success` of a batch is about its items, and an operation that failed is no failed call.
        T::EntityResult | T::OperationStatus | T::BatchResult | T::EventStream | T::ChunkedData => {
            Wanted::Whole
        }
    }
}

/// The type of what code gets, and what is declared for it.
pub(super) fn returned(
    returns: &Returns,
    name: &str,
    names: &mut TypeNames,
) -> (Vec<Declaration>, Type) {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let schema = standard.schema();
            let refinement = refinement.as_ref().map(JsonSchema::to_bundle);
            // What refines a type says more about a key than the type does, so it comes first.
            let both: Vec<&Value> = refinement.into_iter().chain([schema.to_bundle()]).collect();
            of_schemas(&both, name, names, &wanted(*standard))
        }
        Returns::Custom(schema) => of_schemas(&[schema.to_bundle()], name, names, &Wanted::Whole),
        Returns::Opaque => (Vec::new(), Type::Str),
        Returns::Legacy { .. } | Returns::Undeclared => (Vec::new(), Type::Any),
    }
}

fn of_schemas(
    schemas: &[&Value],
    name: &str,
    names: &mut TypeNames,
    wanted: &Wanted,
) -> (Vec<Declaration>, Type) {
    let bytes = schemas.iter().map(|schema| schema.text().len()).sum();
    let sources = Sources::new(schemas.iter().copied());
    let mut builder = Builder::new(&sources, names, bytes);
    let root = Place::new(sources.root());
    let what = match wanted {
        Wanted::Whole => builder.of(&root, name),
        Wanted::Nothing => Type::Null,
        Wanted::Member(key) => {
            let all = root.alternatives(&sources);
            let types = all.iter().map(|place| builder.member(place, key, name));
            Type::union(types.collect::<Vec<_>>())
        }
        Wanted::Without(keys) => {
            let all = root.alternatives(&sources);
            let types = all.iter().map(|place| builder.object(place, name, keys));
            Type::union(types.collect::<Vec<_>>())
        }
    };
    (builder.declared, what)
}

impl<'v> Builder<'_, 'v> {
    /// The type of a key of objects, and of the value itself where it is none.
    fn member(&mut self, place: &Place<'v>, key: &str, name: &str) -> Type {
        let is_object = place
            .types()
            .is_none_or(|types| types == [JsonType::Object]);
        let is_named = place.view.values().is_some();
        if place.view.is_impossible() || !is_object || is_named {
            return self.of(place, name);
        }
        match place.view.named(Keyword::Properties).shift_remove(key) {
            Some(parts) => self.of_view(self.sources.view(parts), name),
            None => Type::Any,
        }
    }
}
