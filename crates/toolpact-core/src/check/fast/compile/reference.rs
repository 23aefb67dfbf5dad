//! Where references lead.

use super::facts::within;
use super::{Atom, Compiler, Covered, gap};
use crate::json::{Kind, Node as Json};

impl Compiler<'_, '_> {
    /// The subschema that a `$ref` of `from` leads to.
    pub(super) fn target(&self, from: Atom, reference: Json<'_>) -> Covered<Atom> {
        let resolver = &self.resolvers[usize::from(from.source)];
        let text = reference.as_str().unwrap_or_default();
        let target =
            (resolver.as_ref()).and_then(|resolver| resolver.resolve(self.json(from), &text));
        match target {
            Some(target) if matches!(target.kind(), Kind::Object | Kind::Bool) => {
                Ok(within(from, target))
            }
            _ => Err(gap(within(from, reference), "an unusual reference")),
        }
    }
}
