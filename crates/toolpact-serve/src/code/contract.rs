//! What models are told about scripts.

use serde_json::json;
use toolpact::ToolError;
use toolpact::code::ScriptTools;
use toolpact::core::contract::Contract;

use crate::config::CodeConfig;

/// Most names that are listed where the declarations are too long.
const LISTED: usize = 300;

pub(super) struct Described {
    pub(super) run: Contract,
    /// Of the tool that gives declarations, if it is needed.
    pub(super) declarations: Option<Contract>,
}

/// Where callers see different tools, there is still one description for all, so it names none: what nobody may see is
/// in no description.
pub(super) fn describe(
    config: &CodeConfig,
    tools: &ScriptTools,
    is_same_for_all: bool,
) -> Result<Described, ToolError> {
    let names: Vec<&str> = tools.names().collect();
    let all = tools.declarations(&names.join(" "));
    let is_short = all.chars().count() <= config.declarations_chars;
    let look_up = config.declarations_name();
    let functions = match (is_same_for_all, names.is_empty(), is_short) {
        (false, _, _) => format!(
            "The functions are the other tools that you can call here, by their names, with `_` for `-`. Before you \
             call one of them, get its declaration with the tool `{look_up}`."
        ),
        (_, true, _) => "There are no tools to call by now.".to_owned(),
        (_, _, true) => format!(
            "The functions are declared so:\n\n```python\n{}\n```",
            all.trim()
        ),
        (_, _, false) => listed(&names, &look_up),
    };
    let mut run = json!({
        "name": config.name,
        "description": format!("{}\n\n{functions}", introduction(config)),
        "parameters": {
            "type": "object",
            "properties": {"script": {"type": "string", "minLength": 1,
                "description": "Python. The value of its last expression is the result."}},
            "required": ["script"],
            "additionalProperties": false,
        },
        "returns": {"type": "Custom", "schema": result_schema()},
    });
    if let Some(timeout) = config.timeout_ms {
        run["timeout_ms"] = timeout.into();
    }
    let whole = tools.session().unfiltered();
    let contracts = whole.contracts();
    if contracts
        .map(|(_, contract)| contract.effects())
        .all(|effects| effects.read_only() == Some(true))
    {
        run["effects"] = json!({"read_only": true});
    }
    let declarations = json!({
        "name": look_up,
        "description": format!("Gives the Python declarations of functions that scripts of `{}` can call: \
            their parameters and what they return. Look up the functions you need before you write a script.",
            config.name),
        "parameters": {
            "type": "object",
            "properties": {"tools": {"type": "array", "items": {"type": "string"}, "minItems": 1,
                "description": "The names of functions."}},
            "required": ["tools"],
            "additionalProperties": false,
        },
        "returns": "opaque",
        "effects": {"read_only": true},
    });
    let needs_declarations = !is_same_for_all || !names.is_empty() && !is_short;
    Ok(Described {
        run: read(&run)?,
        declarations: needs_declarations
            .then(|| read(&declarations))
            .transpose()?,
    })
}

fn read(contract: &serde_json::Value) -> Result<Contract, ToolError> {
    Ok(Contract::from_json(contract.to_string())?)
}

fn introduction(config: &CodeConfig) -> String {
    let limits = &config.limits;
    format!(
        "Runs a Python script that calls the other tools of this server as functions. Use it in place of many \
         single calls: to loop, filter, combine results, and return only what matters.\n\
         - The value of the last expression is the result; what is printed is returned beside it.\n\
         - A call returns the value of the tool's success. A tool that fails raises ToolError: \
         `except ToolError as error: tool_error(error)[\"code\"]`.\n\
         - Several at once: `import asyncio`, then \
         `await asyncio.gather(*[tool_task(tool, x) for x in xs])`.\n\
         - There are no files, no network, no clock, no `class` inheritance, `match` or `yield`. Modules: asyncio, \
         base64, collections, dataclasses, datetime, functools, itertools, json, math, re, typing.\n\
         - The script is type-checked against the declarations first; if that fails nothing is called, and the \
         error names lines.\n\
         - Limits: {} ms of its own, {} calls, {} bytes printed and returned.",
        limits.time.as_millis(),
        limits.calls,
        limits.output,
    )
}

fn listed(names: &[&str], look_up: &str) -> String {
    let shown: Vec<&str> = names.iter().copied().take(LISTED).collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(
        "Before you call one of these functions, get its declaration with the tool `{look_up}`: {}{more}.",
        shown.join(", ")
    )
}

fn result_schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {
            "value": {"description": "The value of the last expression."},
            "printed": {"type": "string"},
            "calls": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "tool": {"type": "string"},
                        "error": {"type": "string", "description": "The code of its error, if it failed."},
                    },
                    "required": ["tool"],
                },
            },
        },
        "required": ["value", "printed", "calls"],
    })
}
