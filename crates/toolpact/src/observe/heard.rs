use std::sync::{Arc, Mutex, PoisonError};

use toolpact_core::json::Value;
use toolpact_core::memory::{MemoryBudget, MemoryShare};

/// Most bytes of items that are kept of one call.
const MOST: usize = 4 << 20;

/// What a listener was sent before the result, for a log that wants it.
pub(crate) struct Heard {
    memory: Arc<MemoryBudget>,
    kept: Mutex<HeardItems>,
}

/// Events or chunks that came before a result.
#[derive(Default)]
pub(crate) struct HeardItems {
    pub(crate) items: Vec<Value>,
    /// How many more there were, which had no place.
    pub(crate) left_out: usize,
    bytes: usize,
    shares: Vec<MemoryShare>,
}

impl Heard {
    pub(crate) fn new(memory: &Arc<MemoryBudget>) -> Self {
        Self {
            memory: Arc::clone(memory),
            kept: Mutex::default(),
        }
    }

    /// Of items without a place, none that comes later is kept: what is there has no gaps.
    pub(crate) fn add(&self, item: &Value) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = kept.bytes.saturating_add(item.text().len());
        let is_gap = kept.left_out > 0 || bytes > MOST;
        match (!is_gap)
            .then(|| self.memory.take_strictly(item.text().len()))
            .flatten()
        {
            Some(share) => {
                kept.bytes = bytes;
                kept.items.push(item.clone());
                kept.shares.push(share);
            }
            None => kept.left_out += 1,
        }
    }

    pub(crate) fn take(&self) -> HeardItems {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use toolpact_core::json::Value;
    use toolpact_core::memory::MemoryBudget;

    use super::{Heard, MOST};

    #[test]
    fn what_is_kept_has_no_gaps_and_is_bounded() {
        let heard = Heard::new(&Arc::new(MemoryBudget::new(usize::MAX)));
        let long = Value::from("x".repeat(MOST / 2).as_str());
        for item in [&Value::from(1), &long, &long, &Value::from(2)] {
            heard.add(item);
        }
        let kept = heard.take();
        assert_eq!((kept.items, kept.left_out), (vec![Value::from(1), long], 2));
        let spent = Heard::new(&Arc::new(MemoryBudget::new(0)));
        spent.add(&Value::from(1));
        assert_eq!(spent.take().left_out, 1);
    }
}
