//! OpenAPI: every operation is a tool.
//!
//! # Reading 3.0 and 3.1
//!
//! - The name is the `operationId`, or made from method and path: `get_orders_orderId`.
//! - Parameters are arguments by their own names. Where one name is there twice, the first of path,
//!   query, header and cookie keeps it, and the others are called `header_id` and so on.
//! - The members of the request body are arguments too, if the body is a plain object: of which
//!   nothing is said but its `properties`, `required` ones and that there are no others; which is
//!   required, or has no required members; and which has no name in common with the parameters.
//!   Any other body is one argument, `body`.
//! - No other arguments are taken, unless they go into an open body.
//! - What is returned is the first response from 200 to 299, then `2XX`. Text is opaque; 204 and 205
//!   are a `VoidResult`, because nothing can come but that it is done; other responses without
//!   content say nothing.
//! - What a request or a response may not have (`readOnly`, `writeOnly`) is left out of it.
//! - Nothing is ever fetched, and what the schemas of all operations take together is bounded.
//!
//! Tags, examples of responses, links, error responses and web hooks say nothing about a call that
//! succeeds; nothing is said of them either.
//!
//! # Writing 3.1
//!
//! A tool is `POST /tools/{name}`, its arguments the body. Definitions are shared among all tools
//! under `components`. What OpenAPI has no words for is under `x-toolpact`, and an operation that
//! has it is read back as the contract it was written from, to the digest.
//!
//! The definition of a single tool is its path item, with the definitions inside of its schemas:
//! only a document has a place to share them.

mod read;
mod route;
mod write;

pub(super) use read::{Operation, operations};
pub use route::{Part, Placement, Route};
use write::LAYOUT;

use super::spec::{List, Spec};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Shared(write::document),
    // Operations are read with the document around them.
    read: super::json_schema::SPEC.read,
    claims: |_| None,
    list_keys: &[],
    input_keys: &[],
    output_keys: &[],
    messages: None,
    limits: None,
};

/// What we say of an operation, because OpenAPI has no other place for it.
const OURS: &str = "x-toolpact";
/// What the schemas under `components` are called in the contract, where that is another name.
const NAMES: &str = "names";
/// Where definitions are, in a document and in a schema.
const COMPONENTS: &str = "/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// A key as a step of a pointer.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
