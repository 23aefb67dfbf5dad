//! Declarations of types.

use std::collections::HashSet;

use crate::stubs::names::is_identifier;
use crate::stubs::types::{Declaration, Field, Object, Type, What};

use super::doc::{docstring, section};
use super::hint::{Hints, string};
use super::words::{is_keyword, is_type_word};

/// A `TypedDict`, or an alias for a type.
pub(super) fn declaration(one: &Declaration, hints: &mut Hints) -> String {
    let object = match &one.what {
        // pyright rejects empty keys.
        What::Object(object) if object.fields.iter().any(|field| field.key.is_empty()) => {
            let types = object.fields.iter().map(|field| &field.what);
            let value = Type::union(types.chain(&object.rest).cloned());
            // It may be used beside a `TypedDict`, as in `Hints::union`.
            let map = Type::Map(Box::new(value)).without_collections();
            return alias(&one.name, &map, hints);
        }
        What::Object(object) => object,
        What::Alias(what) => return alias(&one.name, what, hints),
    };
    let typed_dict = hints.typing("TypedDict");
    let about = about(one, object, hints);
    let mut types = HashSet::new();
    for field in &object.fields {
        field.what.add_names(&mut types);
    }
    match object
        .fields
        .iter()
        .all(|field| is_plain(&field.key, &types))
    {
        true => class(&one.name, object, &about, typed_dict, hints),
        false => functional(&one.name, object, about, typed_dict, hints),
    }
}

fn alias(name: &str, what: &Type, hints: &mut Hints) -> String {
    let alias = hints.typing("TypeAlias");
    format!("{name}: {alias} = {}\n", hints.in_expression(what))
}

fn about(one: &Declaration, object: &Object, hints: &mut Hints) -> Vec<String> {
    let mut about: Vec<String> = one.about.iter().cloned().collect();
    // A `TypedDict` cannot express it.
    if let Some(rest) = &object.rest
        && *rest != Type::Any
    {
        about.push(format!("Other keys: {}.", hints.of(rest)));
    }
    about
}

fn class(
    name: &str,
    object: &Object,
    about: &[String],
    typed_dict: &str,
    hints: &mut Hints,
) -> String {
    let mut out = format!("class {name}({typed_dict}):\n");
    let doc = docstring(about, "    ");
    if !doc.is_empty() {
        out.push_str(&doc);
        out.push('\n');
    }
    for field in &object.fields {
        let hint = hints.of(&field.what);
        let hint = wanted(field, hint, hints);
        out.push_str(&format!("    {}: {hint}\n", field.key));
        let about: Vec<String> = field.about.iter().cloned().collect();
        out.push_str(&docstring(&about, "    "));
    }
    out
}

/// The functional syntax, for keys that are not identifiers.
fn functional(
    name: &str,
    object: &Object,
    mut about: Vec<String>,
    typed_dict: &str,
    hints: &mut Hints,
) -> String {
    let mut out = format!("{name} = {typed_dict}(\"{name}\", {{\n");
    for field in &object.fields {
        let hint = hints.in_expression(&field.what);
        let hint = wanted(field, hint, hints);
        out.push_str(&format!("    {}: {hint},\n", string(&field.key)));
    }
    out.push_str("})\n");
    let fields = object.fields.iter();
    let entries = fields.map(|field| (&*field.key, field.about.as_deref().unwrap_or_default()));
    about.extend(section("Keys", entries));
    out + &docstring(&about, "")
}

/// The hint of a field that may be absent says so.
fn wanted(field: &Field, hint: String, hints: &mut Hints) -> String {
    match field.required {
        true => hint,
        false => format!("{}[{hint}]", hints.typing("NotRequired")),
    }
}

/// Whether a key can be a name in a class: one that is also the name of a type would hide it there,
/// and Python mangles names with two underscores.
fn is_plain(key: &str, types: &HashSet<&str>) -> bool {
    is_identifier(key)
        && !is_keyword(key)
        && !is_type_word(key)
        && !key.starts_with("__")
        && !types.contains(key)
}
