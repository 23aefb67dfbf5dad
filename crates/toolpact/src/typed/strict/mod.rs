//! From what serde would take to what a contract promises: an optional argument is absent, never
//! null, and there are no arguments that nobody asked for.

mod close;
mod merge;
mod null;

use serde_json::{Map, Value as Json};

use super::walk::each_object;

/// Fixes the schema of an input.
pub(super) fn make_strict(schema: &mut Json) {
    merge::merge(schema);
    each_object(schema, &mut null::forbid);
    if let Json::Object(root) = schema {
        name_nothing(root);
    }
    close::close(schema);
}

/// A tool that takes nothing has no properties, and that should mean: none.
fn name_nothing(root: &mut Map<String, Json>) {
    let is_object = root.get("type").and_then(Json::as_str) == Some("object");
    let says_more = root.contains_key("properties") || close::is_closed(root);
    if is_object && !says_more && !close::is_combined(root) {
        root.insert("properties".to_owned(), Json::Object(Map::new()));
    }
}
