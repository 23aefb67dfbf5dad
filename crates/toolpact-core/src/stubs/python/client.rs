//! Functions that call the tools of a server: a module that Python runs.

use crate::contract::Contract;
use crate::returns::{Envelope, Returns};
use crate::stubs::types::Type;
use crate::stubs::{Parameter, Signature, ToolStub};

use super::hint::string;

/// What comes before the functions. It has no names that a tool could have.
const HEAD: &str = include_str!("client.py");
const SERVER: &str = "\"@SERVER@\"";

/// What is left to do where no result can keep to the contract.
const NO_RESULT: &str =
    r#"ToolError("INTERNAL_CONTRACT", "The contract allows no result.", {}, False)"#;

/// What a function does.
pub(super) fn body(
    contract: &Contract,
    signature: &Signature,
    returned: &Type,
    is_whole: bool,
) -> String {
    let effects = contract.effects();
    let repeatable = effects.idempotent() == Some(true) || effects.read_only() == Some(true);
    let (required, optional): (Vec<&Parameter>, Vec<&Parameter>) = signature
        .parameters()
        .iter()
        .partition(|one| one.is_required());
    let call = format!(
        "_call({}, {}, {}, {})",
        string(contract.name().as_str()),
        dict(&required, None),
        dict(&optional, signature.others()),
        if repeatable { "True" } else { "False" },
    );
    if *returned == Type::Never {
        return format!("    {call}\n    raise {NO_RESULT}\n");
    }
    let envelope = match contract.returns() {
        Returns::Standard { standard, .. } => standard.envelope(),
        _ => Envelope::None,
    };
    match (envelope, is_whole) {
        (Envelope::Payload(key), true) => format!("    return _whole({call}, {})\n", string(key)),
        (Envelope::Status, true) => format!("    return _whole({call}, None)\n"),
        (Envelope::Payload(key), false) => {
            format!("    return _payload({call}, {})\n", string(key))
        }
        (Envelope::Status, false) => format!("    {call}\n"),
        (Envelope::RequiredPayload(_), false) => format!("    return _success({call})\n"),
        (Envelope::None | Envelope::RequiredPayload(_), _) => format!("    return {call}\n"),
    }
}

/// `{"from": from_, **kwargs}`
fn dict(parameters: &[&Parameter], others: Option<&str>) -> String {
    let named = parameters.iter();
    let named = named.map(|one| format!("{}: {}", string(one.name()), one.alias()));
    let others = others.map(|others| format!("**{others}"));
    let all: Vec<String> = named.chain(others).collect();
    format!("{{{}}}", all.join(", "))
}

/// Types that only a checker reads. They may name each other in any order.
pub(super) fn types(declarations: &str) -> String {
    if declarations.is_empty() {
        return String::new();
    }
    let lines = declarations.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    format!("if _typing.TYPE_CHECKING:\n{}", lines.collect::<String>())
}

pub(super) fn header(tools: &[&ToolStub], server: &str) -> String {
    let uses = super::uses(tools);
    let mut out = HEAD.replace(SERVER, &string(server));
    if !uses.is_empty() {
        let uses = uses.join(", ");
        out.push_str(&format!(
            "\n\nif _typing.TYPE_CHECKING:\n    from typing import {uses}\n"
        ));
    }
    out
}
