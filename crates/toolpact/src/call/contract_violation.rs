//! The error for a result that breaks its contract.

use toolpact_core::contract::Contract;
use toolpact_core::returns::{Returns, StandardError};
use toolpact_core::violation::Token;
use toolpact_core::{Violation, Violations};

use crate::ToolError;

/// Most rules in one message.
const NAMED: usize = 5;

/// Names the tool, the rules and their places, but nothing of the result.
pub(super) fn error(contract: &Contract, violations: &Violations) -> ToolError {
    let name = contract.name();
    tracing::error!(target: "toolpact", tool = %name, %violations, "broken contract");
    let rules = rules(violations, &promised(contract.returns()));
    let error = StandardError::withheld(name.as_str(), None).with_detail("broken", rules.as_str());
    ToolError::from(error).with_source(violations.clone())
}

/// Which rules are broken and where. Only keys that the schemas name are shown, and nothing of the
/// value.
pub(crate) fn rules(violations: &Violations, known: &str) -> String {
    let rules = violations.iter().take(NAMED);
    let rules: Vec<String> = rules.map(|violation| rule_at(violation, known)).collect();
    rules.join("; ")
}

fn rule_at(violation: &Violation, known: &str) -> String {
    let pointer = violation.pointer();
    if pointer.is_root() {
        return violation.code().to_owned();
    }
    let place = pointer.tokens().into_iter().map(|token| match token {
        Token::Index(index) => format!("/{index}"),
        Token::Key(key) if is_known(key, known) => pointer_of(key),
        // A key that no schema names is data, and may be an address or a password.
        Token::Key(_) => "/*".to_owned(),
    });
    format!("{} at {}", violation.code(), place.collect::<String>())
}

/// The key as a pointer has it.
fn pointer_of(key: &str) -> String {
    toolpact_core::Pointer::root().key(key).to_string()
}

/// Whether a schema names this key.
fn is_known(key: &str, schemas: &str) -> bool {
    let quoted = serde_json::to_string(key).unwrap_or_default();
    schemas.contains(&quoted)
}

/// The text of the schemas that a result is checked against.
fn promised(returns: &Returns) -> String {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let refinement = refinement.as_ref().map(|schema| schema.as_value().text());
            format!(
                "{}{}",
                standard.schema_text(),
                refinement.unwrap_or_default()
            )
        }
        Returns::Custom(schema) => schema.as_value().text().to_owned(),
        Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => String::new(),
    }
}
