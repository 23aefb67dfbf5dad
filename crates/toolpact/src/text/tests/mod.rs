//! Read every snapshot as a model would: is it clear what happened, and what to do next?

mod any_json;
mod budgets;
mod errors;
mod lists;
mod others;
mod standard;
mod templates;

use toolpact_core::json::Value;
use toolpact_core::returns::{Returns, StandardType};

use super::{Budget, Rendered, of_value};

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap()
}

fn standard(standard: StandardType) -> Returns {
    Returns::Standard {
        standard,
        refinement: None,
    }
}

/// The text of a result of a standard type, within the default budget.
fn text(of: StandardType, json: &str) -> String {
    within(&standard(of), json, &Budget::default()).text
}

fn within(returns: &Returns, json: &str, budget: &Budget<'_>) -> Rendered {
    of_value(returns, value(json).root(), budget)
}
