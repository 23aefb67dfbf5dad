//! Resolves references.

use super::constraints::within;
use super::{Compiler, SubschemaId, Supported, unsupported};
use crate::json::{Kind, Node as Json};

impl Compiler<'_, '_> {
    /// The target of a `$ref` in the subschema `from`.
    pub(super) fn target(&self, from: SubschemaId, reference: Json<'_>) -> Supported<SubschemaId> {
        let resolver = &self.resolvers[usize::from(from.source)];
        let text = reference.as_str().unwrap_or_default();
        let target =
            (resolver.as_ref()).and_then(|resolver| resolver.resolve(self.json(from), &text));
        match target {
            Some(target) if matches!(target.kind(), Kind::Object | Kind::Bool) => {
                Ok(within(from, target))
            }
            _ => Err(unsupported(within(from, reference), "an unusual reference")),
        }
    }
}
