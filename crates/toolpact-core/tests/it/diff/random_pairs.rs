//! Thousands of random pairs of contracts, and another validator that judges what is said of them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::Value as Json;
use toolpact_core::diff::{ToolDiff, Verdict, Witness, WitnessKind};

use crate::differential::with_bytes;

use super::case::{Case, Judges};
use super::is_rounded;
use super::places::Place;
use super::{search, unheard_of};

/// What was judged.
#[derive(Default)]
struct Counts {
    verdicts: BTreeMap<Verdict, u32>,
    witnesses: u32,
    /// Witnesses that the other validator would round.
    rounded: u32,
    /// Possible values that were made to refute a verdict.
    searched: u32,
    /// Those among them that are refused, and left out by decision 411.
    left_out: u32,
    /// Pairs with such values.
    lenient: u32,
    unknown: Vec<String>,
}

/// The witness of every breaking change is one by another validator, and for what is compatible nobody finds one.
/// Every run makes other pairs.
#[test]
fn random_pairs() {
    let counts = RefCell::new(Counts::default());
    with_bytes(9_000, |bytes| {
        if let Some(case) = Case::random(bytes) {
            counts.borrow_mut().judge(&case, bytes);
        }
    });
    let counts = counts.into_inner();
    counts.show();
    let all = counts.pairs();
    assert!(all >= 5_000, "{all} pairs");
    assert!(counts.of(Verdict::Unknown) * 20 < all);
    // The test would say nothing if one side were empty.
    assert!(counts.of(Verdict::Breaking) * 10 > all && counts.of(Verdict::Compatible) * 10 > all);
    assert!(counts.searched > 50 * counts.of(Verdict::Compatible));
    assert!(counts.left_out * 20 < counts.searched && counts.left_out > 0);
    // Integers of ADM have bounds of 19 digits.
    assert!(counts.rounded * 20 < counts.witnesses);
}

impl Counts {
    fn judge(&mut self, case: &Case, bytes: &[u8]) {
        let (diff, judges) = (case.diff(), case.judges());
        self.witnesses(case, &judges, &diff);
        match diff.verdict() {
            Verdict::Breaking => {}
            Verdict::Unknown => self.unknown.push(case.shown()),
            _ => self.refute(case, &judges, bytes),
        }
        *self.verdicts.entry(diff.verdict()).or_default() += 1;
    }

    /// Every breaking change has a witness, and no other change has one.
    fn witnesses(&mut self, case: &Case, judges: &Judges, diff: &ToolDiff) {
        for change in diff.changes() {
            let is_breaking = change.verdict() == Verdict::Breaking;
            assert_eq!(change.witness().is_some(), is_breaking, "{}", case.shown());
            let Some(witness) = change.witness() else {
                continue;
            };
            // As it is written: parsed, it would be rounded already.
            if is_rounded(witness.value().text()) {
                self.rounded += 1;
                continue;
            }
            let value = broken(witness);
            self.witnesses += 1;
            assert!(
                judges.is_possible(&value) && !judges.is_accepted(&value),
                "{value} is no witness:\n{}",
                case.shown()
            );
        }
    }

    /// Searches for a value that is possible and refused. One is left out by decision 411 if it is possible and
    /// accepted as soon as the keys that nobody has heard of have other names.
    fn refute(&mut self, case: &Case, judges: &Judges, bytes: &[u8]) {
        let before = self.left_out;
        for value in search::values(case, bytes) {
            if is_rounded(&value.to_string()) || !judges.is_possible(&value) {
                continue;
            }
            self.searched += 1;
            if judges.is_accepted(&value) {
                continue;
            }
            let [from, to] = [case.from(), case.to()].map(Place::root);
            let renamed = unheard_of::renamed(&from, &to, &value);
            assert!(
                judges.is_possible(&renamed) && judges.is_accepted(&renamed),
                "{value} breaks, as does {renamed}:\n{}",
                case.shown()
            );
            self.left_out += 1;
            assert!(
                case.shown().contains("(taken for granted: "),
                "{value} breaks, and nobody says so:\n{}",
                case.shown()
            );
        }
        self.lenient += u32::from(self.left_out > before);
    }

    fn of(&self, verdict: Verdict) -> u32 {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    fn pairs(&self) -> u32 {
        self.verdicts.values().sum()
    }

    fn show(&self) {
        for case in self.unknown.iter().take(15) {
            eprintln!("unknown:\n{case}");
        }
        eprintln!("{} pairs: {:?}", self.pairs(), self.verdicts);
        eprintln!(
            "{} witnesses, and {} more that the other validator would round",
            self.witnesses, self.rounded
        );
        eprintln!(
            "{} values searched, {} of them left out by decision 411, in {} pairs",
            self.searched, self.left_out, self.lenient
        );
    }
}

/// The value that is refused.
fn broken(witness: &Witness) -> Json {
    let value: Json = serde_json::from_str(witness.value().text()).unwrap();
    match witness.kind() {
        WitnessKind::Call => value["args"].clone(),
        WitnessKind::Result => value,
        WitnessKind::Promise => panic!("schemas have no witness of that kind: {witness}"),
    }
}
