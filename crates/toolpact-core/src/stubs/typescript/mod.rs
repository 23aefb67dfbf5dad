//! Declarations for TypeScript, as the text of a `.d.ts` file.
//!
//! | schema | type |
//! |---|---|
//! | `string`, `integer`, `number`, `boolean`, `null` | `string`, `number`, `number`, `boolean`, `null` |
//! | `enum`, `const` | the values |
//! | array | `T[]`; a tuple where items differ by place |
//! | object with properties | an `interface`, with `?` for optional keys |
//! | object without | `Record<string, T>`, `Record<string, unknown>` if values are not described |
//! | `anyOf`, `oneOf`, several types | `A \| B` |
//! | nothing, or too much (see [`stubs`](super)) | `unknown` |
//!
//! A `number` holds integers exactly only up to 2^53; larger ones are rounded by JavaScript itself,
//! which the file says.
//!
//! A function takes one object, so arguments keep their names. A function is renamed if its name is
//! not an identifier or is a reserved word. It returns a promise, which is rejected with a
//! `ToolError` if the tool fails.

mod doc;
mod hint;
mod words;

use crate::contract::{Contract, Parameters};
use crate::returns::Returns;
use crate::schema::JsonSchema;

use super::arguments::{Arguments, arguments};
use super::names::{TypeNames, is_identifier, type_name};
use super::tool::Functions;
use super::types::{Declaration, Field, Object, Type, What};
use super::unwrap::{about_whole, returned, returned_both};
use super::{Language, Parameter, Signature, Stubs, ToolStub};
use doc::comment;
use hint::{hint, hint_in_alias, string};

/// The type of values of a schema. Objects with keys get this name, extended by the keys that lead
/// to them.
#[must_use]
pub fn type_hint(schema: &JsonSchema, name: &str) -> String {
    let returns = Returns::Custom(schema.clone());
    let (_, what) = returned(&returns, name, &mut names());
    hint(&what)
}

/// The parameters of a function: one object, `(args: { … })`.
#[must_use]
pub fn signature(function: &str, parameters: &Parameters) -> String {
    let name = type_name(function, "");
    parameter_list(&arguments(parameters, &name, &mut names(), true))
}

/// The name of the response of a function, if it needs one: `ReadFileResponse`.
#[must_use]
pub fn response_name(function: &str) -> String {
    type_name(function, "Response")
}

/// The declarations of the response of a function, children before parents. Empty if a type says it
/// all.
#[must_use]
pub fn response_lines(function: &str, returns: &Returns) -> Vec<String> {
    let (declared, _) = returned(returns, &response_name(function), &mut names());
    let text = declarations(&declared);
    text.lines().map(ToOwned::to_owned).collect()
}

/// The declarations of these tools: a function for each, and the types they take and return.
#[must_use]
pub fn preamble<'c>(contracts: impl IntoIterator<Item = &'c Contract>) -> Stubs {
    Language::TypeScript.declare(contracts, (words::DECLARED, words::is_reserved), stub)
}

fn stub(contract: &Contract, functions: Functions, names: &mut TypeNames) -> ToolStub {
    let tool = contract.name().as_str();
    let arguments = arguments(contract.parameters(), &type_name(tool, ""), names, true);
    let whole = functions.whole.as_ref().map(|_| type_name(tool, "Result"));
    let name = response_name(tool);
    let returned = returned_both(contract.returns(), &name, whole.as_deref(), names);
    let mut text = declarations(&arguments.declared);
    text.push_str(&declarations(&returned.declared));
    text.push_str(&comment(Some(contract.description()), None, ""));
    let list = parameter_list(&arguments);
    let returns = match returned.value {
        Type::Null if is_void(contract.returns()) => "void".to_owned(),
        value => hint(&value),
    };
    let alias = functions.value;
    text.push_str(&format!(
        "export declare function {alias}{list}: Promise<{returns}>;\n"
    ));
    if let (Some(name), Some(whole)) = (&functions.whole, &returned.whole) {
        let about = about_whole(&alias, contract.returns());
        text.push('\n');
        text.push_str(&comment(Some(&about), None, ""));
        let whole = hint(whole);
        text.push_str(&format!(
            "export declare function {name}{list}: Promise<{whole}>;\n"
        ));
    }
    ToolStub {
        alias,
        result_alias: functions.whole,
        name: contract.name().clone(),
        signature: same_names(&arguments),
        text,
        uses: std::collections::BTreeSet::new(),
    }
}

fn is_void(returns: &Returns) -> bool {
    use crate::returns::StandardType::VoidResult;
    matches!(
        returns,
        Returns::Standard {
            standard: VoidResult,
            ..
        }
    )
}

fn parameter_list(arguments: &Arguments) -> String {
    if let Some(whole) = &arguments.whole {
        return format!("(args: {})", hint(whole));
    }
    let object = Object {
        fields: arguments.fields.clone(),
        rest: arguments.rest.clone(),
    };
    if object.fields.is_empty() && object.rest.is_none() {
        return "()".to_owned();
    }
    let optional = if object.fields.iter().any(|field| field.required) {
        ""
    } else {
        "?"
    };
    format!("(args{optional}: {})", body(&object))
}

/// If the whole is one of several objects, its arguments are not listed one by one.
fn same_names(arguments: &Arguments) -> Signature {
    let parameters = arguments.fields.iter().map(|field| Parameter {
        alias: field.key.clone(),
        name: field.key.clone(),
        required: field.required,
        takes_null: field.what.takes_null(),
    });
    Signature {
        parameters: parameters.collect(),
        others: None,
    }
}

fn declarations(declared: &[Declaration]) -> String {
    let texts = declared.iter().map(|one| {
        let about = comment(one.about.as_deref(), None, "");
        let name = &one.name;
        match &one.what {
            What::Object(object) => format!("{about}export interface {name} {}\n\n", body(object)),
            What::Alias(what) => {
                format!("{about}export type {name} = {};\n\n", hint_in_alias(what))
            }
        }
    });
    texts.collect()
}

fn body(object: &Object) -> String {
    let mut out = String::from("{\n");
    for field in &object.fields {
        out.push_str(&comment(
            field.about.as_deref(),
            field.default.as_ref(),
            "  ",
        ));
        let optional = if field.required { "" } else { "?" };
        out.push_str(&format!(
            "  {}{optional}: {};\n",
            key(field),
            hint(&field.what)
        ));
    }
    if let Some(rest) = &object.rest {
        out.push_str(&format!("  [key: string]: {};\n", other_keys(object, rest)));
    }
    out + "}"
}

/// The type of other keys must also include the types of the known ones.
fn other_keys(object: &Object, rest: &Type) -> String {
    let known = object.fields.iter().map(|field| field.what.clone());
    let all = Type::union([rest.clone()].into_iter().chain(known));
    if object.fields.iter().all(|field| field.required) || all == Type::Any {
        hint(&all)
    } else {
        format!("{} | undefined", hint(&all))
    }
}

fn key(field: &Field) -> String {
    if is_identifier(&field.key) && field.key.is_ascii() {
        field.key.clone()
    } else {
        string(&field.key)
    }
}

fn names() -> TypeNames {
    TypeNames::without(words::DECLARED.iter().copied())
}

pub(super) fn header() -> String {
    "// Tools, declared by their contracts. Made by toolpact.\n\
     // Integers are numbers here: exact up to 2^53.\n\
     \n\
     /** What a promise is rejected with if the tool fails. */\n\
     export declare class ToolError extends Error {\n\
     \x20 readonly code: string;\n\
     \x20 readonly retryable: boolean;\n\
     \x20 readonly details?: unknown;\n\
     }\n"
    .to_owned()
}
