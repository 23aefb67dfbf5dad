//! Functions.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::contract::Contract;
use crate::returns::ReturnType;
use crate::stubs::arguments::Arguments;
use crate::stubs::names::python_parameters;
use crate::stubs::types::{Field, Type};
use crate::stubs::{Parameter, Signature};

use super::default::expression;
use super::doc::{docstring, section};
use super::hint::Hints;
use super::words::is_keyword;

/// The name of arguments without letters in their name.
const FALLBACK: &str = "arg";
/// The parameter for arguments that are not described.
const OTHERS: &str = "kwargs";

/// The parameters, required ones first.
pub(super) fn signature(arguments: &Arguments, hints: &mut Hints) -> (String, Signature) {
    let (required, optional): (Vec<&Field>, Vec<&Field>) =
        arguments.fields.iter().partition(|field| field.required);
    let fields: Vec<&Field> = required.into_iter().chain(optional).collect();
    let keys: Vec<&str> = fields.iter().map(|field| &*field.key).collect();
    let names = python_parameters(&keys, FALLBACK, is_keyword);
    let written = fields.iter().zip(&names).map(|(field, name)| {
        let (hint, default) = hint_and_default(field, arguments, hints);
        match default {
            None => format!("{name}: {hint}"),
            Some(default) => format!("{name}: {hint} = {default}"),
        }
    });
    let mut written: Vec<String> = written.collect();
    let others = arguments.rest.as_ref().map(|rest| {
        let all: Vec<&str> = names.iter().map(String::as_str).chain([OTHERS]).collect();
        let name = python_parameters(&all, FALLBACK, is_keyword).pop();
        let name = name.unwrap_or_default();
        written.push(format!("**{name}: {}", hints.of(rest)));
        name
    });
    let parameters = fields.iter().zip(names).map(|(field, alias)| Parameter {
        alias,
        name: field.key.clone(),
        required: field.required,
        takes_null: field.what.takes_null(),
    });
    let signature = Signature {
        parameters: parameters.collect(),
        others,
    };
    (format!("({})", written.join(", ")), signature)
}

fn hint_and_default(
    field: &Field,
    arguments: &Arguments,
    hints: &mut Hints,
) -> (String, Option<String>) {
    if field.required {
        return (hints.of(&field.what), None);
    }
    let value = field.default.as_ref().map(crate::json::Value::root);
    let default = value.and_then(|value| expression(value, &field.what, &arguments.declared));
    match default {
        Some(default) => (hints.of(&field.what), Some(default)),
        None => {
            let hint = hints.of(&field.what.clone().or_null());
            (hint, Some("None".to_owned()))
        }
    }
}

/// The function with its docstring, and without a body.
pub(super) fn function(
    alias: &str,
    contract: &Contract,
    arguments: &Arguments,
    returns: &Type,
    hints: &mut Hints,
) -> (String, Signature) {
    let (written, signature) = signature(arguments, hints);
    let result = hints.of(returns);
    let mut out = format!("def {alias}{written} -> {result}:\n");
    let mut about = vec![contract.description().to_owned()];
    let described = described(arguments, &signature);
    let entries = described.iter().map(|(name, about)| (*name, &**about));
    about.extend(section("Args", entries));
    let returned = contract.return_type().and_then(ReturnType::description);
    about.extend(section("Returns", returned.map(|text| ("", text))));
    out.push_str(&docstring(&about, "    "));
    (out, signature)
}

/// The function that takes the same and returns the whole result, without a body.
pub(super) fn second(
    alias: &str,
    about: &str,
    arguments: &Arguments,
    returns: &Type,
    hints: &mut Hints,
) -> String {
    let (written, _) = signature(arguments, hints);
    let result = hints.of(returns);
    let about = docstring(&[about.to_owned()], "    ");
    format!("def {alias}{written} -> {result}:\n{about}")
}

/// The names of parameters and their descriptions, which say what a parameter is called in calls if
/// Python does not allow that name.
fn described<'a>(
    arguments: &'a Arguments,
    signature: &'a Signature,
) -> Vec<(&'a str, Cow<'a, str>)> {
    let fields = arguments.fields.iter();
    let about: HashMap<&str, &str> = fields
        .filter_map(|field| Some((&*field.key, field.about.as_deref()?)))
        .collect();
    let parameters = signature.parameters.iter();
    let describe = |one: &'a Parameter| {
        let about = about.get(&*one.name).copied();
        if one.alias == one.name {
            return about.map(Cow::from);
        }
        let about = about.map(|about| format!("{}\n", about.trim_end()));
        let (about, name) = (about.unwrap_or_default(), &one.name);
        Some(Cow::from(format!("{about}It is sent as `{name}`.")))
    };
    parameters
        .filter_map(|one| Some((&*one.alias, describe(one)?)))
        .collect()
}
