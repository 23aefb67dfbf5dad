//! OpenAPI: every operation is a tool.
//!
//! # Reading 3.0 and 3.1
//!
//! Swagger 2.0 is read as what it is in OpenAPI 3.0.
//!
//! - The name is the `operationId`, or made from method and path: `get_orders_orderId`.
//! - Parameters become arguments with the same names. If a name occurs twice, the first of path,
//!   query, header and cookie keeps it, and the others are called `header_id` and so on.
//! - The members of the request body become arguments too, if the body is a plain object: it has
//!   rules only for `properties`, `required` and `additionalProperties: false`; it is required, or
//!   has no required members; and it shares no name with the parameters. Any other body is one
//!   argument, `body`.
//! - Additional arguments are refused, unless they go into an open body.
//! - The result is the first response from 200 to 299, then `2XX`. Text is opaque; 204 and 205 are
//!   a `VoidResult`, because they have no content by definition; for other responses without
//!   content, the result is undeclared.
//! - `readOnly` members are dropped from requests, and `writeOnly` members from responses.
//! - Nothing is ever fetched. Schemas of the document are shared by all operations that refer to them; what each
//!   operation has of its own is bounded in total.
//!
//! Tags, examples of responses, links, error responses and webhooks do not affect a successful
//! call; they are ignored without a loss.
//!
//! # Writing 3.1 and 3.0
//!
//! A tool is `POST /tools/{name}` with its arguments as the body. Definitions are shared among all
//! tools under `components`. What OpenAPI cannot express is under `x-toolpact`, and an operation
//! with it round-trips to the same contract, with the same digest.
//!
//! The definition of a single tool is its path item, with the definitions inside its schemas: only
//! a document can share them.

mod read;
mod route;
mod write;

use read::is_json;
pub(super) use read::{Operation, operations, upgraded};
pub use route::{Placement, RequestPart, Route};
use write::{LAYOUT, LAYOUT_3_0, Version};

use super::spec::{List, Spec};

pub(super) const SPEC: Spec = Spec {
    layout: Some(&LAYOUT),
    list: List::Shared(|tools| write::document(tools, Version::V3_1)),
    // Operations are read together with their document.
    read: super::json_schema::SPEC.read,
    claims: |_| None,
    list_keys: &[],
    input_keys: &[],
    output_keys: &[],
    messages: None,
    any_name: true,
    limits: None,
};

/// Both read both versions; a document is detected as `openapi` in either.
pub(super) const SPEC_3_0: Spec = Spec {
    layout: Some(&LAYOUT_3_0),
    list: List::Shared(|tools| write::document(tools, Version::V3_0)),
    ..SPEC
};

/// Our extension of an operation, for what OpenAPI has no field for.
const OURS: &str = "x-toolpact";
/// The name of a tool in its contract, where `operationId` is another.
const NAME: &str = "name";
/// The names of component schemas in the contract, where they differ.
const NAMES: &str = "names";
/// Where definitions are, in a document and in a schema.
const COMPONENTS: &str = "/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// Escapes a key as a JSON Pointer token.
fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn unescape(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}
