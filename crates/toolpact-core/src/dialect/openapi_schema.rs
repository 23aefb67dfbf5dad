//! Keywords that OpenAPI 3.0 adds to schemas, which Gemini shares.

use super::tree::{Map, Tree};

/// Rewrites `nullable: true` as null in `type`, `enum` or `anyOf`.
pub(super) fn nullable(map: &mut Map) {
    if map.take("nullable") != Some(Tree::Bool(true)) {
        return;
    }
    super::transform::allow_null(map);
}
