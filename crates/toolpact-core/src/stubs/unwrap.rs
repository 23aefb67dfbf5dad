//! What code receives of a result: the success value.

use crate::json::{Kind, Node, Value, Writer};
use crate::returns::{Envelope, Returns};
use crate::schema::JsonSchema;
use crate::schema::view::Sources;
use crate::schema::{JsonType, Keyword};

use super::build::Builder;
use super::names::TypeNames;
use super::narrowed_view::NarrowedView;
use super::types::{Declaration, Type};

/// What code receives of a successful result: the value of the declared type.
///
/// A failure has none: it is raised. A value that does not have the form of its contract, which is
/// possible if that is not enforced, is returned unchanged.
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
    match standard.envelope() {
        Envelope::Status => Value::from(()),
        // A bare value is returned unchanged.
        Envelope::Payload(key) => root.get(key).map_or_else(|| result.clone(), Node::to_value),
        Envelope::RequiredPayload(_) if root.kind() == Kind::Object => without(root, &KNOWN),
        Envelope::RequiredPayload(_) | Envelope::None => result.clone(),
    }
}

/// Members that a success with a required payload does not need. The payload stays under its key,
/// because there is more beside it, such as the page of a list.
const KNOWN: [&str; 2] = ["success", "error"];

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

/// The type of what code receives, and its declarations.
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
            // The refinement describes a key more exactly than the type, so it comes first.
            let both: Vec<&Value> = refinement.into_iter().chain([schema.to_bundle()]).collect();
            of_schemas(&both, name, names, standard.envelope())
        }
        Returns::Custom(schema) => of_schemas(&[schema.to_bundle()], name, names, Envelope::None),
        Returns::Opaque => (Vec::new(), Type::Str),
        Returns::Legacy { .. } | Returns::Undeclared => (Vec::new(), Type::Any),
    }
}

fn of_schemas(
    schemas: &[&Value],
    name: &str,
    names: &mut TypeNames,
    envelope: Envelope,
) -> (Vec<Declaration>, Type) {
    let bytes = schemas.iter().map(|schema| schema.text().len()).sum();
    let sources = Sources::new(schemas.iter().copied());
    let mut builder = Builder::new(&sources, names, bytes);
    let root = NarrowedView::new(sources.root());
    let what = match envelope {
        Envelope::None => builder.of(&root, name),
        Envelope::Status => Type::Null,
        Envelope::Payload(key) => {
            let all = root.alternatives(&sources);
            let types = all.iter().map(|place| builder.member(place, key, name));
            Type::union(types.collect::<Vec<_>>())
        }
        Envelope::RequiredPayload(_) => {
            let all = root.alternatives(&sources);
            let types = all.iter().map(|place| builder.object(place, name, &KNOWN));
            Type::union(types.collect::<Vec<_>>())
        }
    };
    (builder.declared, what)
}

impl<'v> Builder<'_, 'v> {
    /// The type of a key of objects, or of the value itself if it is not an object.
    fn member(&mut self, place: &NarrowedView<'v>, key: &str, name: &str) -> Type {
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
