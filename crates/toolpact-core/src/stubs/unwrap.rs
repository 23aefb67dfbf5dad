//! What code receives of a result: the success value.

use crate::json::{Kind, Node, Value, Writer};
use crate::returns::{Envelope, Returns};
use crate::schema::JsonSchema;
use crate::schema::view::Sources;
use crate::schema::{JsonType, Keyword};

use super::build::Builder;
use super::names::TypeNames;
use super::narrowed_view::NarrowedView;
use super::types::{Declaration, Type, What};

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

/// A successful result in full, as an object: what [`success_value`] is a part of, such as a number
/// with its unit.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::returns::{Returns, StandardType};
/// use toolpact_core::stubs::whole_result;
///
/// let returns = Returns::Standard { standard: StandardType::NumberValue, refinement: None };
/// let result = Value::from_json(r#"{"success": true, "value": 98.6, "unit": "fahrenheit"}"#)?;
/// assert_eq!(whole_result(&returns, &result), result);
/// assert_eq!(whole_result(&returns, &Value::from(5)).text(), r#"{"success":true,"value":5}"#);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn whole_result(returns: &Returns, result: &Value) -> Value {
    let Returns::Standard { standard, .. } = returns else {
        return result.clone();
    };
    let payload = match standard.envelope() {
        Envelope::Payload(key) if result.root().get(key).is_none() => Some(key),
        Envelope::Status if result.root().kind() != Kind::Object => None,
        _ => return result.clone(),
    };
    let mut writer = Writer::default();
    writer.begin_object().key("success").raw("true");
    if let Some(key) = payload {
        writer.key(key).raw(result.text());
    }
    writer.end_object();
    Value::trusted(writer)
}

/// What the second function of a tool is for.
pub(super) fn about_whole(alias: &str, returns: &Returns) -> String {
    let more = left_out(returns).join("`, `");
    format!("The whole result of `{alias}`, with `{more}`.")
}

/// The keys of a success that [`success_value`] leaves out. Types with none of them need no second
/// function.
pub(super) fn left_out(returns: &Returns) -> Vec<String> {
    let Returns::Standard { standard, .. } = returns else {
        return Vec::new();
    };
    if !matches!(standard.envelope(), Envelope::Payload(_) | Envelope::Status) {
        return Vec::new();
    }
    let schema = standard.schema().to_bundle();
    let schema = schema.root();
    let bare = schema.get("oneOf").into_iter().flat_map(Node::items);
    let objects = bare.chain([schema]).filter_map(|one| one.get("properties"));
    let keys = objects
        .flat_map(Node::members)
        .map(|(key, _)| key.into_owned());
    let payload = standard.envelope().payload();
    keys.filter(|key| !KNOWN.contains(&&**key) && payload != Some(&**key))
        .collect()
}

/// Members that a success with a required payload does not need. The payload stays under its key,
/// because there is more beside it, such as the page of a list.
const KNOWN: [&str; 2] = ["success", "error"];

/// What no success has.
const ERROR: [&str; 1] = ["error"];

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
    let both = returned_both(returns, name, None, names);
    (both.declared, both.value)
}

/// What the functions of a tool return.
pub(super) struct Returned {
    pub(super) declared: Vec<Declaration>,
    pub(super) value: Type,
    /// The whole result.
    pub(super) whole: Option<Type>,
}

impl Returned {
    fn plain(value: Type) -> Self {
        Self {
            declared: Vec::new(),
            value,
            whole: None,
        }
    }
}

/// The types of what code receives and, if it has a name, of the whole result.
pub(super) fn returned_both(
    returns: &Returns,
    name: &str,
    whole: Option<&str>,
    names: &mut TypeNames,
) -> Returned {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let schema = standard.schema().to_bundle();
            let refinement = refinement.as_ref().map(JsonSchema::to_bundle);
            // The refinement describes a key more exactly than the type, so it comes first.
            let both: Vec<&Value> = refinement.iter().chain([&schema]).collect();
            of_schemas(&both, (name, whole), names, standard.envelope())
        }
        Returns::Custom(schema) => {
            of_schemas(&[&schema.to_bundle()], (name, None), names, Envelope::None)
        }
        Returns::Opaque => Returned::plain(Type::Str),
        Returns::Legacy { .. } | Returns::Undeclared => Returned::plain(Type::Any),
    }
}

fn of_schemas(
    schemas: &[&Value],
    (name, whole): (&str, Option<&str>),
    names: &mut TypeNames,
    envelope: Envelope,
) -> Returned {
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
    let whole = whole.map(|name| builder.whole(&root, name, envelope));
    Returned {
        declared: builder.declared,
        value: what,
        whole,
    }
}

impl<'v> Builder<'_, 'v> {
    /// The type of the whole result. A success has its payload, though the schema, which is that of
    /// failures too, does not require it.
    fn whole(&mut self, root: &NarrowedView<'v>, name: &str, envelope: Envelope) -> Type {
        let all = root.alternatives(self.sources).into_iter();
        let objects =
            all.filter(|place| place.types().is_some_and(|all| all == [JsonType::Object]));
        let types: Vec<Type> = objects
            .map(|place| self.object(&place, name, &ERROR))
            .collect();
        let is_whole = |one: &&mut Declaration| types.contains(&Type::Named(one.name.clone()));
        for declared in self.declared.iter_mut().filter(is_whole) {
            if let What::Object(object) = &mut declared.what {
                let payload = envelope.payload();
                let fields = object.fields.iter_mut();
                for field in fields.filter(|field| payload == Some(&*field.key)) {
                    field.required = true;
                }
            }
        }
        Type::union(types)
    }

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
