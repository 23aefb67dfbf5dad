//! Results whose text was truncated, kept so that they can be read page by page.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use toolpact_core::json::{Kind, Node, Value};
use toolpact_core::memory::{MemoryBudget, MemoryShare};
use toolpact_core::returns::Returns;

use crate::text::{self, Budget};

/// Most bytes of results that a session keeps.
const BYTES: usize = 64 << 20;

/// The results of a session, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct ResultStore(Mutex<Results>);

#[derive(Debug, Default)]
struct Results {
    kept: VecDeque<StoredResult>,
    bytes: usize,
    last: u64,
}

#[derive(Debug)]
struct StoredResult {
    number: u64,
    value: Value,
    _share: MemoryShare,
}

/// One page of a stored result.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResultPage {
    /// What a model reads.
    pub text: String,
    /// Where the next page begins, if there is one.
    pub next: Option<usize>,
    /// How many items there are in all.
    pub total: usize,
}

impl ResultStore {
    /// Keeps a result, and returns its handle. Older ones make room for it; `None` if even that is not
    /// enough, since other sessions have taken all the memory.
    pub(crate) fn keep(&self, value: Value, memory: &Arc<MemoryBudget>) -> Option<String> {
        let mut results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The index of a list of small numbers is larger than its text.
        let bytes = value.memory();
        while results.bytes + bytes > BYTES && results.drop_oldest() {}
        let share = loop {
            match memory.take(bytes) {
                Some(share) => break share,
                None => results.drop_oldest().then_some(())?,
            }
        };
        results.last += 1;
        results.bytes += bytes;
        let number = results.last;
        results.kept.push_back(StoredResult {
            number,
            value,
            _share: share,
        });
        Some(format!("result_{number}"))
    }

    pub(crate) fn get(&self, handle: &str) -> Option<Value> {
        let number: u64 = handle.strip_prefix("result_")?.parse().ok()?;
        let results = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let place = results
            .kept
            .binary_search_by_key(&number, |stored| stored.number);
        let stored = results.kept.get(place.ok()?)?;
        Some(stored.value.clone())
    }
}

impl Results {
    /// `false` if there is none.
    fn drop_oldest(&mut self) -> bool {
        let oldest = self.kept.pop_front();
        self.bytes -= oldest.as_ref().map_or(0, |old| old.value.memory());
        oldest.is_some()
    }
}

/// One page of a result, from this item on.
pub(crate) fn page(value: Node<'_>, from: usize, chars: usize) -> ResultPage {
    if let Some(text) = value.as_str() {
        return page_of_text(&text, from, chars);
    }
    let small = |list: &Node<'_>| list.items().all(|item| item.text().len() <= chars);
    let Some(items) = list_in(value).filter(small) else {
        return page_of_text(value.text(), from, chars);
    };
    let (mut written, mut next) = (String::new(), from);
    for item in items.items().skip(from) {
        // Its JSON fits, so this is enough for any text of it.
        let budget = Budget::new(chars.saturating_mul(8));
        let item = text::of_value(&Returns::Undeclared, item, &budget).text;
        if next > from && written.chars().count() + item.chars().count() >= chars {
            break;
        }
        written.push_str(&format!("{}. {item}\n", next + 1));
        next += 1;
    }
    let total = items.items().count();
    ResultPage {
        text: written,
        next: (next < total).then_some(next),
        total,
    }
}

/// The list that a result is about: itself, or one that is most of it.
fn list_in(value: Node<'_>) -> Option<Node<'_>> {
    if value.kind() == Kind::Array {
        return Some(value);
    }
    let lists = value.members().map(|(_, member)| member);
    let lists = lists.filter(|member| member.kind() == Kind::Array);
    let longest = lists.max_by_key(|list| list.text().len())?;
    (longest.text().len() >= value.text().len() / 2).then_some(longest)
}

fn page_of_text(text: &str, from: usize, chars: usize) -> ResultPage {
    let total = text.chars().count();
    let page: String = text.chars().skip(from).take(chars.max(1)).collect();
    let end = from.saturating_add(page.chars().count());
    ResultPage {
        text: page,
        next: (end < total && end > from).then_some(end),
        total,
    }
}

#[cfg(test)]
mod tests {
    use super::ResultStore;
    use std::sync::Arc;
    use toolpact_core::json::Value;
    use toolpact_core::memory::MemoryBudget;

    #[test]
    fn old_results_make_room() {
        let result_store = ResultStore::default();
        let memory = Arc::new(MemoryBudget::new(1 << 30));
        let big = Value::from("x".repeat(40 << 20).as_str());
        let first = result_store.keep(big.clone(), &memory).unwrap();
        let second = result_store.keep(big, &memory).unwrap();
        assert!(result_store.get(&first).is_none());
        assert!(result_store.get(&second).is_some());
        for other in ["", "result_", "result_0", "result_99", "result_-1", "x"] {
            assert!(result_store.get(other).is_none());
        }
    }

    /// Of small numbers, the text is the smaller part.
    #[test]
    fn what_a_result_takes_is_counted_and_not_its_text() {
        let (store, memory) = (ResultStore::default(), Arc::new(MemoryBudget::new(1 << 30)));
        let numbers = Value::from_json(format!("[{}1]", "1,".repeat(100_000))).unwrap();
        store.keep(numbers.clone(), &memory).unwrap();
        assert_eq!(memory.used(), numbers.memory());
        assert!(memory.used() > 1_500_000, "{}", memory.used());
    }

    #[test]
    fn sessions_share_the_memory() {
        let memory = Arc::new(MemoryBudget::new(250 << 10));
        let (one, other) = (ResultStore::default(), ResultStore::default());
        let big = Value::from("x".repeat(100 << 10).as_str());
        let first = one.keep(big.clone(), &memory).unwrap();
        let second = one.keep(big.clone(), &memory).unwrap();
        let third = one.keep(big.clone(), &memory).unwrap();
        assert_eq!(other.keep(big.clone(), &memory), None, "nothing is left");
        assert!(one.get(&first).is_some() && one.get(&third).is_some());
        // Its own older ones make room.
        let fourth = one.keep(big.clone(), &memory).unwrap();
        assert!(one.get(&first).is_none() && one.get(&second).is_some());
        assert!(one.get(&fourth).is_some());
        drop(one);
        assert_eq!(memory.used(), 0);
        assert!(other.keep(big, &memory).is_some());
    }
}
