use std::collections::HashSet;

use crate::json::{Value, Writer};
use crate::schema::Keyword;
use crate::schema::view::{Part, View};

use super::make::{Maker, Style};

/// The longest array that is made.
const MOST: usize = 50;
/// How often a random item is made again that is in the array already.
const AGAIN: usize = 8;

impl<'v> Maker<'_, 'v> {
    /// An array as JSON: one item, unless more are required or none can be made; or a random number.
    pub(super) fn array(&mut self, view: &View<'v>, depth: usize) -> Option<String> {
        let unique = view.all(Keyword::UniqueItems);
        let mut items = Items {
            json: Vec::new(),
            seen: HashSet::new(),
            is_unique: unique
                .into_iter()
                .any(|part| part.node().as_bool() == Some(true)),
        };
        let tuples = view.all(Keyword::PrefixItems);
        let tuple = tuples.map(|list| list.items().len()).max().unwrap_or(0);
        let contained = self.contained(view);
        let least = view.count(Keyword::MinItems).unwrap_or(0).min(MOST);
        let most = view.count(Keyword::MaxItems).unwrap_or(usize::MAX);
        let wanted = self.length(least, most, tuple.saturating_add(contained.len()), depth);
        for _ in 0..tuple.min(wanted) {
            self.item(view, None, &mut items, depth)?;
        }
        for part in contained {
            self.item(view, Some(part), &mut items, depth)?;
        }
        while items.json.len() < wanted && !view.refuses_other_items() {
            if self.item(view, None, &mut items, depth).is_none() {
                match items.json.len() >= least {
                    true => break,
                    false => return None,
                }
            }
        }
        let mut writer = Writer::default();
        writer.begin_array();
        for item in &items.json {
            writer.raw(item);
        }
        writer.end_array();
        Some(writer.finish())
    }

    /// What items must match, as often as they must.
    fn contained(&self, view: &View<'v>) -> Vec<Part<'v>> {
        let with = view.parts().iter();
        let each = with.filter_map(|part| {
            let least = self.sources.view([*part]).count(Keyword::MinContains);
            Some((part.get(Keyword::Contains)?, least.unwrap_or(1).min(MOST)))
        });
        each.flat_map(|(part, times)| std::iter::repeat_n(part, times))
            .collect()
    }

    /// How many items are wanted.
    fn length(&mut self, least: usize, most: usize, known: usize, depth: usize) -> usize {
        match &mut self.style {
            Style::Shown(_) => least.max(known).max(1).min(most),
            Style::Random(random, _) => {
                let more = match depth {
                    0..4 => random.below(4),
                    _ => 0,
                };
                // Now and then as short as it may be, or as long.
                match random.below(8) {
                    0 => least,
                    1 if most <= MOST => most,
                    _ => least.max(known).saturating_add(more).min(most),
                }
            }
        }
    }

    /// Adds the next item: of all schemas that apply to it.
    fn item(
        &mut self,
        view: &View<'v>,
        contained: Option<Part<'v>>,
        items: &mut Items,
        depth: usize,
    ) -> Option<()> {
        let at = items.json.len();
        let parts = view.parts().iter().filter_map(|part| {
            let tuple = part.get(Keyword::PrefixItems).map(Part::items);
            let own = tuple.and_then(|list| list.get(at).copied());
            own.or_else(|| part.get(Keyword::Items))
        });
        let item = self.sources.view(parts.chain(contained));
        let tries = match (&self.style, items.is_unique) {
            (Style::Random(..), true) => AGAIN,
            _ => 1,
        };
        (0..tries).find_map(|_| {
            let json = self.value(&item, at, depth + 1)?;
            items.add(json)
        })
    }
}

struct Items {
    json: Vec<String>,
    seen: HashSet<String>,
    is_unique: bool,
}

impl Items {
    /// Adds an item, unless it must be unique and is not.
    fn add(&mut self, json: String) -> Option<()> {
        if self.is_unique {
            let canonical = Value::from_json(&json).ok()?.to_canonical();
            self.seen.insert(canonical).then_some(())?;
        }
        self.json.push(json);
        Some(())
    }
}
