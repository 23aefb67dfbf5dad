use crate::json::Writer;

use super::{Sampler, size};
use crate::schema::view::View;

/// No array is longer than this.
const MOST: usize = 50;

impl<'v> Sampler<'_, 'v> {
    /// An array as JSON: one item, unless there have to be more or none can be made.
    pub(super) fn array(&mut self, view: &View<'v>, depth: usize) -> Option<String> {
        let mut items = Vec::new();
        for list in view.all("prefixItems") {
            for part in list.items() {
                let item = self.sources.view([part]);
                items.push(self.value(&item, 0, depth + 1)?);
            }
        }
        for part in view.all("contains") {
            let item = self.sources.view([part]);
            items.push(self.value(&item, 0, depth + 1)?);
        }
        let (least, most) = (size(view, "minItems", MOST), size(view, "maxItems", MOST));
        let least = least.unwrap_or(0);
        let wanted = least
            .max(usize::from(items.is_empty()))
            .min(most.unwrap_or(usize::MAX));
        let rest = self.sources.view(view.rest("items"));
        let is_closed = view.is_closed(["items", "unevaluatedItems"]);
        while items.len() < wanted && !is_closed {
            match self.value(&rest, items.len(), depth + 1) {
                Some(item) => items.push(item),
                None if items.len() >= least => break,
                None => return None,
            }
        }
        let mut writer = Writer::default();
        writer.begin_array();
        for item in &items {
            writer.raw(item);
        }
        writer.end_array();
        Some(writer.finish())
    }
}
