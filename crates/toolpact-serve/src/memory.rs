//! The memory of a server, and which part of it is for what.

use std::sync::Arc;

use toolpact::core::memory::MemoryBudget;

use crate::config::{CallsConfig, Limits};

/// The whole without a setting: the parts are then as large as what they hold needs to be for clients and servers
/// that mean no harm, a result of 16 MiB eight times over.
const WHOLE: usize = 1 << 30;

/// What is not for results then. If there is a setting for results alone, this stays as it is.
const OTHERS: usize = WHOLE - WHOLE / 4;

/// What of the whole the parts are besides results. One that is full leaves the others what is theirs.
const REQUESTS: usize = 2;
const STREAMS: usize = 1;
const ANSWERS: usize = 1;
const LISTS: usize = 1;
const DOCUMENTS: usize = 1;
const SIXTHS: usize = REQUESTS + STREAMS + ANSWERS + LISTS + DOCUMENTS;

/// The budgets of a server. Cloning is cheap.
#[derive(Debug, Clone)]
pub(crate) struct Memory {
    whole: Arc<MemoryBudget>,
    /// Requests that are not answered.
    pub(crate) requests: Arc<MemoryBudget>,
    /// Results that are not sent, or that sessions keep.
    pub(crate) results: Arc<MemoryBudget>,
    /// Events that nobody has read.
    pub(crate) streams: Arc<MemoryBudget>,
    /// What is being read of programs and other servers.
    pub(crate) answers: Arc<MemoryBudget>,
    /// What other servers list.
    pub(crate) lists: Arc<MemoryBudget>,
    /// Documents made of all tools.
    pub(crate) documents: Arc<MemoryBudget>,
}

/// How large the whole is, and the parts of it.
struct Sizes {
    whole: usize,
    results: usize,
    /// Of what is not for results.
    sixth: usize,
}

impl Memory {
    pub(crate) fn new(limits: &Limits) -> Self {
        let Sizes {
            whole,
            results,
            sixth,
        } = Sizes::of(limits);
        let whole = Arc::new(MemoryBudget::new(whole));
        let part = |sixths: usize| whole.part(sixth.saturating_mul(sixths));
        Self {
            requests: part(REQUESTS),
            results: whole.part(results),
            streams: part(STREAMS),
            answers: part(ANSWERS),
            lists: part(LISTS),
            documents: part(DOCUMENTS),
            whole,
        }
    }

    /// The whole and its parts, by their names.
    pub(crate) fn budgets(&self) -> [(&'static str, &MemoryBudget); 7] {
        [
            ("all", &self.whole),
            ("requests", &self.requests),
            ("results", &self.results),
            ("streams", &self.streams),
            ("answers", &self.answers),
            ("lists", &self.lists),
            ("documents", &self.documents),
        ]
    }
}

impl Sizes {
    fn of(limits: &Limits) -> Self {
        let results = limits.results_bytes;
        let (whole, results, others) = match (limits.memory_bytes, results) {
            (None, None) => (WHOLE, WHOLE - OTHERS, OTHERS),
            (None, Some(results)) => (results.saturating_add(OTHERS), results, OTHERS),
            (Some(whole), None) => (whole, whole / 4, whole - whole / 4),
            (Some(whole), Some(results)) => (whole, results, whole.saturating_sub(results)),
        };
        let sixth = others / SIXTHS;
        Self {
            whole,
            results,
            sixth,
        }
    }
}

/// Why the whole is too small, if it is: each part has to have room for one thing of the largest size.
pub(crate) fn too_small(limits: &Limits, calls: &CallsConfig) -> Option<String> {
    let whole = limits.memory_bytes?;
    let result = calls.largest_result();
    let sixth = result.max(limits.body_bytes.div_ceil(REQUESTS));
    let others = sixth.saturating_mul(SIXTHS);
    let least = match limits.results_bytes {
        Some(results) => others.checked_add(results),
        // The fourth for results has then room for one, too.
        None => others.div_ceil(3).checked_mul(4),
    };
    let is_enough = least.is_some_and(|least| whole >= least);
    let least = least.unwrap_or(usize::MAX);
    (!is_enough).then(|| {
        format!(
            "expected at least {least}, so that a result of {result} bytes (`calls.each.result_bytes`) and a request \
             of {} (`body_bytes`) fit into their parts, found {whole}",
            limits.body_bytes
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(limits: &Limits) -> Vec<usize> {
        let memory = Memory::new(limits);
        memory
            .budgets()
            .map(|(_, budget)| budget.most() >> 20)
            .to_vec()
    }

    #[test]
    fn the_parts_are_the_whole() {
        let mut limits = Limits::default();
        assert_eq!(parts(&limits), [1024, 256, 256, 128, 128, 128, 128]);
        limits.memory_bytes = Some(256 << 20);
        assert_eq!(parts(&limits), [256, 64, 64, 32, 32, 32, 32]);
        limits.results_bytes = Some(16 << 20);
        assert_eq!(parts(&limits), [256, 80, 16, 40, 40, 40, 40]);
        limits.memory_bytes = None;
        assert_eq!(parts(&limits), [784, 256, 16, 128, 128, 128, 128]);
        limits.results_bytes = Some(usize::MAX);
        assert_eq!(parts(&limits)[1], 256);
        limits.memory_bytes = Some(1);
        assert_eq!(parts(&limits)[1], 0);
    }

    #[test]
    fn the_least_is_one_result_for_each_part() {
        let (mut limits, calls) = (Limits::default(), CallsConfig::default());
        assert_eq!(too_small(&limits, &calls), None);
        limits.memory_bytes = Some(128 << 20);
        assert_eq!(too_small(&limits, &calls), None);
        limits.memory_bytes = Some((128 << 20) - 1);
        let why = too_small(&limits, &calls).unwrap();
        assert!(why.starts_with("expected at least 134217728, "), "{why}");
        limits.results_bytes = Some(1 << 20);
        assert_eq!(too_small(&limits, &calls), None);
        limits.body_bytes = 64 << 20;
        assert!(too_small(&limits, &calls).is_some());
    }
}
