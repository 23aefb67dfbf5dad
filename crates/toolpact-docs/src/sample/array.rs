use toolpact_core::schema::Keyword;
use toolpact_core::schema::view::View;

use super::Sampler;
use crate::json;

/// The longest array that is generated.
const MOST: usize = 50;

impl<'v> Sampler<'_, 'v> {
    /// An array as JSON: one item, unless more are required or none can be generated.
    pub(super) fn array(&mut self, view: &View<'v>, depth: usize) -> Option<String> {
        let mut items = Vec::new();
        for list in view.all(Keyword::PrefixItems) {
            for part in list.items() {
                let item = self.sources.view([part]);
                items.push(self.value(&item, 0, depth + 1)?);
            }
        }
        for part in view.all(Keyword::Contains) {
            let item = self.sources.view([part]);
            items.push(self.value(&item, 0, depth + 1)?);
        }
        let least = view.count(Keyword::MinItems).unwrap_or(0).min(MOST);
        let most = view.count(Keyword::MaxItems).unwrap_or(usize::MAX);
        let wanted = least.max(usize::from(items.is_empty())).min(most);
        let rest = self.sources.view(view.rest(Keyword::Items));
        let is_closed = view.refuses_other_items();
        while items.len() < wanted && !is_closed {
            match self.value(&rest, items.len(), depth + 1) {
                Some(item) => items.push(item),
                None if items.len() >= least => break,
                None => return None,
            }
        }
        Some(json::array(&items))
    }
}
