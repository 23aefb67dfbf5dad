//! The error for a result that breaks its contract.

use toolpact_core::Violations;
use toolpact_core::contract::Contract;
use toolpact_core::returns::{Returns, StandardError};

use crate::ToolError;
use crate::broken_rules::broken_rules;

/// Names the tool, the rules and their places, but nothing of the result.
pub(super) fn error(contract: &Contract, violations: &Violations) -> ToolError {
    let name = contract.name();
    tracing::error!(target: "toolpact", tool = %name, %violations, "broken contract");
    let rules = broken_rules(violations, &promised(contract.returns()));
    let error = StandardError::withheld(name.as_str(), None).with_detail("broken", rules.as_str());
    ToolError::from(error).with_source(violations.clone())
}

/// The text of the schemas that a result is checked against.
fn promised(returns: &Returns) -> String {
    match returns {
        Returns::Standard {
            standard,
            refinement,
        } => {
            let refinement = refinement
                .as_ref()
                .map(|schema| schema.to_value().to_string());
            format!(
                "{}{}",
                standard.schema_text(),
                refinement.unwrap_or_default()
            )
        }
        Returns::Custom(schema) => schema.to_value().to_string(),
        Returns::Opaque | Returns::Legacy { .. } | Returns::Undeclared => String::new(),
    }
}
