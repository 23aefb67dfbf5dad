//! What OpenAPI 3.0 has of its own in schemas, and Gemini with it.

use super::tree::{Map, Tree};

/// `nullable: true` as null among types, values and alternatives.
pub(super) fn nullable(map: &mut Map) {
    if map.take("nullable") != Some(Tree::Bool(true)) {
        return;
    }
    super::transform::allow_null(map);
}
