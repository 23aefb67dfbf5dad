//! Results that declare themselves failures.

use crate::json::{Kind, Node};

/// An object with `success: false` and an `error` object is a failure, whatever the contract.
pub(crate) fn is_failure(node: Node<'_>) -> bool {
    let says_no = node.get("success").and_then(Node::as_bool) == Some(false);
    says_no
        && node
            .get("error")
            .is_some_and(|error| error.kind() == Kind::Object)
}
