//! Declarations of types.

use crate::stubs::names::is_identifier;
use crate::stubs::types::{Declaration, Field, Object, What};

use super::doc::{docstring, section};
use super::hint::{Hints, string};
use super::words::{is_keyword, is_type_word};

/// A `TypedDict`, or another name for a type.
pub(super) fn declaration(one: &Declaration, hints: &mut Hints) -> String {
    let object = match &one.what {
        What::Object(object) => object,
        What::Alias(what) => {
            let alias = hints.typing("TypeAlias");
            return format!("{}: {alias} = {}\n", one.name, hints.of(what));
        }
    };
    let typed_dict = hints.typing("TypedDict");
    let about = about(one, object, hints);
    match object.fields.iter().all(|field| is_plain(field, object)) {
        true => class(&one.name, object, &about, typed_dict, hints),
        false => functional(&one.name, object, about, typed_dict, hints),
    }
}

fn about(one: &Declaration, object: &Object, hints: &mut Hints) -> Vec<String> {
    let mut about: Vec<String> = one.about.iter().cloned().collect();
    // No `TypedDict` can say so.
    if let Some(rest) = &object.rest
        && *rest != crate::stubs::types::Type::Any
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
        out.push_str(&format!("    {}: {}\n", field.key, value(field, hints)));
        let about: Vec<String> = field.about.iter().cloned().collect();
        out.push_str(&docstring(&about, "    "));
    }
    out
}

/// For keys that are no names.
fn functional(
    name: &str,
    object: &Object,
    mut about: Vec<String>,
    typed_dict: &str,
    hints: &mut Hints,
) -> String {
    let mut out = format!("{name} = {typed_dict}(\"{name}\", {{\n");
    for field in &object.fields {
        let hint = value(field, hints);
        out.push_str(&format!("    {}: {hint},\n", string(&field.key)));
    }
    out.push_str("})\n");
    let fields = object.fields.iter();
    let entries = fields.map(|field| (&*field.key, field.about.as_deref().unwrap_or_default()));
    about.extend(section("Keys", entries));
    out + &docstring(&about, "")
}

fn value(field: &Field, hints: &mut Hints) -> String {
    let hint = hints.of(&field.what);
    match field.required {
        true => hint,
        false => format!("{}[{hint}]", hints.typing("NotRequired")),
    }
}

/// Whether a key can be a name in a class: one that is also the name of a type would take its
/// place there, and two underscores are changed by Python.
fn is_plain(field: &Field, object: &Object) -> bool {
    let key = field.key.as_str();
    let is_type = || object.fields.iter().any(|field| field.what.names_one(key));
    is_identifier(key)
        && !is_keyword(key)
        && !is_type_word(key)
        && !key.starts_with("__")
        && (key.starts_with(|c: char| c.is_ascii_lowercase()) || !is_type())
}
