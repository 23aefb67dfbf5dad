//! Results that say of themselves that they are failures.

use crate::json::{Kind, Node};

use super::StandardType;

/// An object with `success: false` and an `error` object is a failure, whatever was promised.
pub(crate) fn is_failure(node: Node<'_>) -> bool {
    let says_no = node.get("success").and_then(Node::as_bool) == Some(false);
    says_no
        && node
            .get("error")
            .is_some_and(|error| error.kind() == Kind::Object)
}

impl StandardType {
    /// Whether a failure has a form of its own in this type: `success: false` with an `error`.
    #[must_use]
    pub fn has_error_envelope(self) -> bool {
        use StandardType as T;
        match self {
            T::ObjectResult
            | T::StringValue
            | T::NumberValue
            | T::BooleanValue
            | T::IdentifierValue
            | T::FileResult
            | T::MediaResult
            | T::VoidResult => true,
            // ListResult and BatchResult require more than a plain failure has.
            T::EntityResult
            | T::OperationStatus
            | T::ListResult
            | T::BatchResult
            | T::EventStream
            | T::ChunkedData => false,
        }
    }
}
