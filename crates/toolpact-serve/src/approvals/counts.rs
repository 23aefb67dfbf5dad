use std::sync::atomic::{AtomicU64, Ordering};

use toolpact::observe::Reading;

/// What becomes of calls that need an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It waits for somebody.
    Held,
    Approved,
    Denied,
    /// Nobody has decided in time.
    Expired,
    /// Its caller is gone, or the server ends.
    Withdrawn,
    /// Too many were held.
    Refused,
}

impl Outcome {
    const ALL: [Outcome; 6] = [
        Outcome::Held,
        Outcome::Approved,
        Outcome::Denied,
        Outcome::Expired,
        Outcome::Withdrawn,
        Outcome::Refused,
    ];

    pub(super) fn as_str(self) -> &'static str {
        match self {
            Outcome::Held => "held",
            Outcome::Approved => "approved",
            Outcome::Denied => "denied",
            Outcome::Expired => "expired",
            Outcome::Withdrawn => "withdrawn",
            Outcome::Refused => "refused",
        }
    }
}

/// How often each was.
#[derive(Default)]
pub(super) struct Counts([AtomicU64; Outcome::ALL.len()]);

impl Counts {
    pub(super) fn count(&self, outcome: Outcome) {
        if let Some((_, count)) = self.all().find(|(other, _)| *other == outcome) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn all(&self) -> impl Iterator<Item = (Outcome, &AtomicU64)> {
        Outcome::ALL.into_iter().zip(&self.0)
    }

    pub(super) fn readings(&self, waiting: usize) -> Vec<Reading> {
        let waiting = Reading {
            name: "toolpact.approvals.waiting",
            description: "Calls that are held until somebody has decided.",
            is_counter: false,
            label: None,
            value: u64::try_from(waiting).unwrap_or(u64::MAX),
        };
        let counts = self.all().map(|(outcome, count)| Reading {
            name: "toolpact.approvals",
            description: "What became of calls that need an approval.",
            is_counter: true,
            label: Some(("outcome", outcome.as_str().into())),
            value: count.load(Ordering::Relaxed),
        });
        std::iter::once(waiting).chain(counts).collect()
    }
}
