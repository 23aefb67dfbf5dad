//! Declarations for Python, as the text of a `.pyi` file.
//!
//! | schema | hint |
//! |---|---|
//! | `string`, `integer`, `number`, `boolean`, `null` | `str`, `int`, `float`, `bool`, `None` |
//! | `enum`, `const` | `Literal["a", 1, True]`; a fraction is `float`, an object a `TypedDict` |
//! | array | `list[T]`; where items differ by place, a list of any of them |
//! | object with properties | a `TypedDict`, `NotRequired` for optional keys |
//! | object without | `dict[str, T]`, `dict[str, Any]` if values are not described, or are lists or objects and a `TypedDict` is possible, too |
//! | `anyOf`, `oneOf`, several types | `A \| B`, each once, `None` last |
//! | `allOf`, `$ref` | the combined type |
//! | recursive types | by name, which in a `.pyi` may be declared later |
//! | `false` | `Never` |
//! | nothing, or too much (see [`stubs`](super)) | `Any` |
//!
//! Required parameters come first, then optional ones as `name: T | None = None`, or with the
//! default of the schema if it has the right type. All can be passed by keyword. Python keywords
//! and names that are not identifiers or begin with an underscore are renamed
//! ([`Parameter`](super::Parameter)); functions also avoid the names of builtins. Keys of
//! dictionaries are never renamed.

mod client;
mod declare;
mod default;
mod doc;
mod function;
mod hint;
mod words;

use crate::contract::{Contract, Parameters};
use crate::returns::Returns;
use crate::schema::JsonSchema;

use super::arguments::arguments;
use super::names::{TypeNames, type_name};
use super::tool::Functions;
use super::types::{Declaration, Type};
use super::unwrap::{about_whole, returned, returned_both};
use super::{Language, Signature, Stubs, ToolStub};
use hint::Hints;

/// The hint for values of a schema. Objects with keys get this name, extended by the keys that lead
/// to them.
///
/// ```
/// use toolpact_core::json::Value;
/// use toolpact_core::schema::JsonSchema;
/// use toolpact_core::stubs::python;
///
/// let schema = Value::from_json(r#"{"type": "array", "items": {"enum": ["a", "b", null]}}"#)?;
/// let schema = JsonSchema::from_value(&schema)?;
/// assert_eq!(python::type_hint(&schema, "Letters"), r#"list[Literal["a", "b"] | None]"#);
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn type_hint(schema: &JsonSchema, name: &str) -> String {
    let returns = Returns::Custom(schema.clone());
    let (_, what) = returned(&returns, name, &mut names());
    Hints::default().of(&what)
}

/// The parameters of a function: `(path: str, limit: int | None = None)`.
///
/// ```
/// use toolpact_core::contract::Contract;
/// use toolpact_core::stubs::python;
///
/// let contract = Contract::from_json(r#"{
///     "name": "read_file",
///     "description": "Reads a file.",
///     "parameters": {
///         "type": "object",
///         "properties": {"limit": {"type": "integer"}, "path": {"type": "string"}},
///         "required": ["path"]
///     }
/// }"#)?;
/// let signature = python::signature("read_file", contract.parameters());
/// assert_eq!(signature, "(path: str, limit: int | None = None)");
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn signature(function: &str, parameters: &Parameters) -> String {
    let name = type_name(function, "");
    let arguments = arguments(parameters, &name, &mut names(), false);
    function::signature(&arguments, &mut Hints::default()).0
}

/// The name of the response of a function, if it needs one.
///
/// ```
/// use toolpact_core::stubs::python::response_name;
///
/// assert_eq!(response_name("read_file"), "ReadFileResponse");
/// assert_eq!(response_name("URLFetch"), "UrlFetchResponse");
/// assert_eq!(response_name("search_v2"), "SearchV2Response");
/// ```
#[must_use]
pub fn response_name(function: &str) -> String {
    type_name(function, "Response")
}

/// The declarations of the response of a function, children before parents. Empty if a hint says it
/// all.
#[must_use]
pub fn response_lines(function: &str, returns: &Returns) -> Vec<String> {
    let (declared, _) = returned(returns, &response_name(function), &mut names());
    let text = declarations(&declared, &mut Hints::default());
    text.lines().map(ToOwned::to_owned).collect()
}

/// The declarations of these tools: a function for each, and the types they take and return.
#[must_use]
pub fn preamble<'c>(contracts: impl IntoIterator<Item = &'c Contract>) -> Stubs {
    Language::Python.declare(contracts, (words::DECLARED, words::is_reserved), stub)
}

/// A module whose functions call these tools at a server of toolpact: the same functions, for Python
/// outside of the sandbox.
///
/// ```
/// use toolpact_core::contract::Contract;
/// use toolpact_core::stubs::python;
///
/// let contract = Contract::from_json(r#"{
///     "name": "ship-order",
///     "description": "Sends an order.",
///     "parameters": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
///     "returns": "IdentifierValue"
/// }"#)?;
/// let client = python::client([&contract], "http://127.0.0.1:7878").text();
/// assert!(client.contains("def ship_order(order: str"));
/// assert!(client.contains(r#"return _payload(_call("ship-order", {"order": order}"#));
/// # Ok::<(), toolpact_core::Violations>(())
/// ```
#[must_use]
pub fn client<'c>(contracts: impl IntoIterator<Item = &'c Contract>, server: &str) -> Stubs {
    let reserved = (words::DECLARED, words::is_reserved as fn(&str) -> bool);
    let stubs = Language::Python.declare(contracts, reserved, client_stub);
    Stubs {
        server: Some(server.to_owned()),
        ..stubs
    }
}

fn stub(contract: &Contract, functions: Functions, names: &mut TypeNames) -> ToolStub {
    stub_with(
        contract,
        functions,
        names,
        Hints::default(),
        |types| types,
        |_, _, _| DECLARED_ONLY.to_owned(),
    )
}

fn client_stub(contract: &Contract, functions: Functions, names: &mut TypeNames) -> ToolStub {
    let body = |signature: &Signature, returned: &Type, is_whole| {
        client::body(contract, signature, returned, is_whole)
    };
    let hints = Hints {
        is_module: true,
        ..Hints::default()
    };
    stub_with(
        contract,
        functions,
        names,
        hints,
        |types| client::types(&types),
        body,
    )
}

/// The body of a function that is only declared.
const DECLARED_ONLY: &str = "    ...\n";

fn stub_with(
    contract: &Contract,
    functions: Functions,
    names: &mut TypeNames,
    mut hints: Hints,
    types: impl Fn(String) -> String,
    body: impl Fn(&Signature, &Type, bool) -> String,
) -> ToolStub {
    let tool = contract.name().as_str();
    let arguments = arguments(contract.parameters(), &type_name(tool, ""), names, false);
    let whole = functions.whole.as_ref().map(|_| type_name(tool, "Result"));
    let name = response_name(tool);
    let returned = returned_both(contract.returns(), &name, whole.as_deref(), names);
    let mut text = declarations(&arguments.declared, &mut hints);
    text.push_str(&declarations(&returned.declared, &mut hints));
    let mut text = types(text);
    let alias = functions.value;
    let (function, signature) =
        function::function(&alias, contract, &arguments, &returned.value, &mut hints);
    text.push_str(&function);
    text.push_str(&body(&signature, &returned.value, false));
    if let (Some(name), Some(whole)) = (&functions.whole, &returned.whole) {
        let about = about_whole(&alias, contract.returns());
        text.push('\n');
        text.push_str(&function::second(
            name, &about, &arguments, whole, &mut hints,
        ));
        text.push_str(&body(&signature, whole, true));
    }
    ToolStub {
        alias,
        result_alias: functions.whole,
        name: contract.name().clone(),
        signature,
        text,
        uses: hints.uses,
    }
}

fn declarations(declared: &[Declaration], hints: &mut Hints) -> String {
    let texts = declared
        .iter()
        .map(|one| declare::declaration(one, hints) + "\n");
    texts.collect()
}

fn names() -> TypeNames {
    TypeNames::without(words::DECLARED.iter().copied())
}

/// What the tools need from `typing`.
fn uses(tools: &[&ToolStub]) -> Vec<&'static str> {
    let mut uses: Vec<&str> = tools.iter().flat_map(|tool| &tool.uses).copied().collect();
    uses.sort_unstable();
    uses.dedup();
    uses
}

pub(super) fn header(tools: &[&ToolStub], server: Option<&str>) -> String {
    if let Some(server) = server {
        return client::header(tools, server);
    }
    let uses = uses(tools);
    let mut out = String::from("# Tools, declared by their contracts. Made by toolpact.\n");
    if !uses.is_empty() {
        out.push_str(&format!("from typing import {}\n", uses.join(", ")));
    }
    out + "\nToolError = RuntimeError\n\"\"\"What a tool raises that fails.\"\"\"\n"
}
