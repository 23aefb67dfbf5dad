//! Results that declare themselves failures.

use std::collections::HashSet;

use crate::json::{Kind, Node, Value, Writer};
use crate::violation::Token;

use super::{Level, Returns, StandardError};

/// A failure that a result reports.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Failure {
    /// Why the call failed.
    pub error: StandardError,
    /// The result as its type allows it: with the error as callers may read it, and without the
    /// members that break the contract.
    pub result: Value,
}

impl Returns {
    /// The failure that a result reports, if it does: see [`Returns::outcome`].
    ///
    /// ```
    /// use toolpact_core::json::Value;
    /// use toolpact_core::returns::{Returns, StandardType};
    ///
    /// let returns = Returns::Standard { standard: StandardType::ObjectResult, refinement: None };
    /// let result = Value::from_json(r#"{"success": false, "metadata": {"request_id": "r1"},
    ///     "error": {"code": "X", "message": "No.", "stack_trace": "at x.rs:1"}}"#)?;
    /// let failure = returns.failure(&result).unwrap();
    /// assert_eq!(
    ///     failure.result.text(),
    ///     r#"{"success":false,"metadata":{"request_id": "r1"},"error":{"code":"X","message":"No."}}"#
    /// );
    /// # Ok::<(), toolpact_core::Violations>(())
    /// ```
    #[must_use]
    pub fn failure(&self, result: &Value) -> Option<Failure> {
        let error = self.outcome(result.root()).err()?;
        let result = kept(self, result, &error);
        Some(Failure { error, result })
    }
}

/// An object with `success: false` and an `error` object is a failure, whatever the contract.
pub(crate) fn is_failure(node: Node<'_>) -> bool {
    let says_no = node.get("success").and_then(Node::as_bool) == Some(false);
    says_no
        && node
            .get("error")
            .is_some_and(|error| error.kind() == Kind::Object)
}

fn kept(returns: &Returns, result: &Value, error: &StandardError) -> Value {
    let refused = refused_members(returns, result);
    let is_refused = |key: &str| refused.as_ref().is_none_or(|refused| refused.contains(key));
    let mut writer = Writer::default();
    writer.begin_object();
    for (key, value) in result.root().members() {
        match &*key {
            "success" => writer.key(&key).raw("false"),
            "error" => writer.key(&key).raw(&error.to_json()),
            _ if is_refused(&key) => continue,
            _ => writer.key(&key).raw(value.text()),
        };
    }
    writer.end_object();
    Value::trusted(writer)
}

/// The members that break the contract; `None` if there are too many violations to know them all.
/// What is missing breaks nothing: a failure has less than a success.
fn refused_members(returns: &Returns, result: &Value) -> Option<HashSet<String>> {
    let mut others = result.root().members();
    if others.all(|(key, _)| ["success", "error"].contains(&&*key)) {
        return Some(HashSet::new());
    }
    let Err(violations) = returns.enforcer(Level::Shape).check(result) else {
        return Some(HashSet::new());
    };
    let member = |token: &&Token| match token {
        Token::Key(key) => Some(key.to_string()),
        Token::Index(_) => None,
    };
    let refused = violations
        .iter()
        .filter_map(|violation| violation.pointer().tokens().first().and_then(member));
    (violations.omitted() == 0).then(|| refused.collect())
}
