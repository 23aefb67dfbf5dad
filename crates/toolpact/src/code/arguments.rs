//! Binds the arguments of a Python call to the parameters of a tool.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use toolpact_core::json::Value;
use toolpact_core::stubs::Parameter;

use super::tools::Function;
use super::wire::ToolCall;

/// Why a call cannot be made: the message of a `TypeError`, as Python words it.
#[derive(Debug)]
pub(super) struct ArgumentError(pub(super) String);

/// The arguments of a call, as a JSON object, or what is wrong with them in the words of Python.
pub(super) fn bind(function: &Function<'_>, call: &ToolCall) -> Result<Value, ArgumentError> {
    let mut given = by_alias(function, call)?;
    let signature = function.stub.signature();
    let mut bound: Vec<(&str, &RawValue)> = Vec::new();
    for parameter in signature.parameters() {
        match given.remove(parameter.alias()) {
            Some(value) if !means_absent(parameter, value) => {
                bound.push((parameter.name(), value));
            }
            None if parameter.is_required() => {
                let alias = parameter.alias();
                return Err(wrong(
                    function,
                    &format!("missing required argument: '{alias}'"),
                ));
            }
            _ => {}
        }
    }
    for (name, value) in given {
        if signature.others().is_none() {
            let known = signature.parameters().iter().map(Parameter::alias);
            let known = known.collect::<Vec<_>>().join(", ");
            let what = format!("got an unexpected keyword argument '{name}'; it takes {known}");
            return Err(wrong(function, &what));
        }
        bound.push((name, value));
    }
    Value::from_json(object(&bound)).map_err(|violations| wrong(function, &violations.to_string()))
}

/// What was given, by the names that the function knows.
fn by_alias<'c>(
    function: &'c Function<'_>,
    call: &'c ToolCall,
) -> Result<BTreeMap<&'c str, &'c RawValue>, ArgumentError> {
    let parameters = function.stub.signature().parameters();
    if call.args.len() > parameters.len() {
        let (takes, given) = (parameters.len(), call.args.len());
        let what = format!("takes {takes} positional arguments but {given} were given");
        return Err(wrong(function, &what));
    }
    let places = parameters.iter().map(Parameter::alias).zip(&call.args);
    let mut given: BTreeMap<&str, &RawValue> =
        places.map(|(alias, value)| (alias, &**value)).collect();
    for (name, value) in &call.named {
        if given.insert(name, value).is_some() {
            return Err(wrong(
                function,
                &format!("got multiple values for argument '{name}'"),
            ));
        }
    }
    Ok(given)
}

fn object(members: &[(&str, &RawValue)]) -> String {
    let members = members.iter().map(|(name, value)| {
        let name = Value::from(*name);
        format!("{}:{}", name.text(), value.get())
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(","))
}

/// `None` for an optional parameter that does not take null means that it is not given.
fn means_absent(parameter: &Parameter, value: &RawValue) -> bool {
    !parameter.is_required() && !parameter.takes_null() && value.get() == "null"
}

fn wrong(function: &Function<'_>, what: &str) -> ArgumentError {
    ArgumentError(format!("{}() {what}", function.alias))
}
