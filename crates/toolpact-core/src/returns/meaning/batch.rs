//! `BatchResult`.

use super::numbers::{count, exact, whole};
use super::{Broken, Envelope, Facts, Found, error};
use crate::json::report::Report;
use crate::json::{Kind, Node};
use crate::violation::rules::meaning as rules;

/// The declared counts of a batch, and those of its listed items.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Batch {
    pub(crate) total: Option<i128>,
    pub(crate) successful: Option<i128>,
    pub(crate) failed: Option<i128>,
    /// How many items are listed. They may be only some of the batch.
    pub(crate) items: Option<i128>,
    /// How many of them are successes.
    pub(crate) successes: u32,
    pub(crate) failures: u32,
    /// The `count`s of `errors` together.
    pub(crate) errors: i128,
}

impl Batch {
    pub(in crate::returns) fn of(value: Node<'_>) -> Self {
        let items = array(value, "items");
        let outcomes = |outcome: bool| {
            let all = items.into_iter().flat_map(Node::items);
            let some =
                all.filter(|item| item.get("success").and_then(Node::as_bool) == Some(outcome));
            u32::try_from(some.count()).unwrap_or(u32::MAX)
        };
        let groups = array(value, "errors").into_iter().flat_map(Node::items);
        let counts = groups.filter_map(|one| whole(one, "count"));
        Self {
            total: whole(value, "total"),
            successful: whole(value, "successful"),
            failed: whole(value, "failed"),
            items: items.map(|items| count(items.items())),
            successes: outcomes(true),
            failures: outcomes(false),
            errors: counts.fold(0, |sum: i128, count| sum.saturating_add(count.max(0))),
        }
    }

    /// Whether the counts agree.
    fn counts(&self, tell: &mut dyn FnMut(Broken<'_>)) -> bool {
        let Some(total) = exact(self.total) else {
            return true;
        };
        let mut expect = |agree: bool, expected: std::fmt::Arguments<'_>| {
            if !agree {
                let found = Found::Said(&total);
                tell(Broken::wrong(
                    &rules::BATCH_COUNTS,
                    &["total"],
                    expected,
                    found,
                ));
            }
            agree
        };
        match (exact(self.successful), exact(self.failed)) {
            (Some(successful), Some(failed)) => {
                // Items may be left over: skipped, or not done yet.
                let sum = successful.saturating_add(failed);
                let expected = format_args!("at least `successful` and `failed` together, {sum}");
                expect(sum <= total, expected)
            }
            (Some(part), None) => {
                expect(part <= total, format_args!("at least `successful`, {part}"))
            }
            (None, Some(part)) => expect(part <= total, format_args!("at least `failed`, {part}")),
            (None, None) => true,
        }
    }

    /// The listed items may be only some of the batch, but must fit the counts.
    fn tally(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        let (Some(items), Some(total)) = (self.items, self.total) else {
            return;
        };
        let mut complain = |expected: std::fmt::Arguments<'_>, found: i128| {
            let found = Found::Said(&found);
            tell(Broken::wrong(
                &rules::BATCH_ITEMS,
                &["items"],
                expected,
                found,
            ));
        };
        if items > total.max(0) {
            return complain(
                format_args!("at most {total} items, going by `total`"),
                items,
            );
        }
        for (key, outcome, expected, some) in [
            ("successful", true, self.successful, self.successes),
            ("failed", false, self.failed, self.failures),
        ] {
            let (Some(expected), some) = (expected, i128::from(some)) else {
                continue;
            };
            let how_many = match (some > expected, items == total && some < expected) {
                (true, _) => "at most",
                (_, true) => "all",
                _ => continue,
            };
            return complain(
                format_args!(
                    "{how_many} {expected} items with `success: {outcome}`, going by `{key}`"
                ),
                some,
            );
        }
    }

    /// The errors, multiplied by their counts, must not exceed the failed items.
    fn failures(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        if let Some(failed) = self.failed.filter(|failed| *failed >= 0)
            && self.errors > failed
        {
            tell(Broken::wrong(
                &rules::BATCH_ERRORS,
                &["errors"],
                format_args!("counts that add up to at most `failed`, {failed}"),
                Found::Said(&self.errors),
            ));
        }
    }
}

impl Facts for Batch {
    fn broken(&self, tell: &mut dyn FnMut(Broken<'_>)) {
        // Counts that contradict each other say nothing about the items.
        if self.counts(tell) {
            self.tally(tell);
        }
        self.failures(tell);
    }
}

pub(super) fn check(value: Node<'_>, report: &mut Report) {
    Batch::of(value).explain(value, report);
    for item in array(value, "items").into_iter().flat_map(Node::items) {
        Envelope::of(item, None).explain(item, report);
        error::check(item.get("error"), report);
    }
    for group in array(value, "errors").into_iter().flat_map(Node::items) {
        error::check(Some(group), report);
    }
}

fn array<'a>(object: Node<'a>, key: &str) -> Option<Node<'a>> {
    object.get(key).filter(|node| node.kind() == Kind::Array)
}
