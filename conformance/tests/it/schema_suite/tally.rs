//! Judges the groups of the suite, and counts.

use super::cases::{Case, Group};
use super::skips::{DIFFERENT, REFUSED, Refusal};
use crate::coverage::Coverage;
use std::collections::BTreeMap;
use toolpact_core::check::Checker;
use toolpact_core::schema::JsonSchema;
use toolpact_core::{Severity, Violations};

#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) complaints: Vec<String>,
    pub(crate) cases: usize,
    /// How many of them have the suite's verdict.
    agreed: usize,
    /// How many cases were skipped, by reason.
    skipped: BTreeMap<&'static str, usize>,
    coverage: Coverage,
}

impl Tally {
    pub(crate) fn judge(&mut self, group: &Group) {
        self.cases += group.cases.len();
        let row = REFUSED.iter().find(|row| (row.0, row.1) == group.key());
        match (JsonSchema::from_value(&group.schema), row) {
            (Ok(schema), None) => self.judge_values(group, &checker(group, &schema)),
            (Ok(_), Some(_)) => self.complain(group, "its schema is read now: strike the skip"),
            (Err(why), None) => self.complain(group, &format!("its schema is refused: {why}")),
            (Err(why), Some((.., refusal))) => self.judge_refusal(group, &why, *refusal),
        }
    }

    /// The heading and the numbers.
    pub(crate) fn report(&self) -> String {
        let (cases, agreed) = (self.cases, self.agreed);
        let mut text = format!("JSON Schema Test Suite, 2020-12: {agreed} of {cases} cases\n");
        for (reason, count) in &self.skipped {
            text += &format!("skipped {count:>4}  {reason}\n");
        }
        text + &self.coverage.summary()
    }

    fn judge_refusal(&mut self, group: &Group, violations: &Violations, refusal: Refusal) {
        let mut errors = violations
            .iter()
            .filter(|v| v.severity() == Severity::Error);
        if errors.all(|error| error.code() == refusal.rule) {
            self.skip(refusal.why, group.cases.len());
        } else {
            self.complain(group, &format!("refused for another reason: {violations}"));
        }
    }

    fn judge_values(&mut self, group: &Group, checker: &Checker) {
        self.coverage.count(&group.name, checker);
        let mut different = Vec::new();
        for case in &group.cases {
            match verdict(checker, case) {
                Some(verdict) if verdict == case.valid => self.agreed += 1,
                Some(_) => different.push(case.name.as_str()),
                None => self.complain(group, &format!("the paths disagree on {:?}", case.name)),
            }
        }
        let row = DIFFERENT.iter().find(|row| (row.0, row.1) == group.key());
        let (expected, reason) = row.map_or((0, ""), |row| (row.2, row.3));
        if different.len() != expected {
            let (count, names) = (different.len(), different.join("\n    "));
            let about = format!("{count} cases differ, and not {expected}:\n    {names}");
            self.complain(group, &about);
        } else if expected > 0 {
            self.skip(reason, expected);
        }
    }

    fn skip(&mut self, reason: &'static str, cases: usize) {
        *self.skipped.entry(reason).or_default() += cases;
    }

    fn complain(&mut self, group: &Group, about: &str) {
        let (file, name) = group.key();
        self.complaints.push(format!("{file}: {name}: {about}"));
    }
}

/// `format` is an annotation, except where the suite says that it is asserted.
fn checker(group: &Group, schema: &JsonSchema) -> Checker {
    if group.file.starts_with("optional/format") {
        schema.checker()
    } else {
        schema.shape_checker()
    }
}

/// What all ways to check a value say, if they agree.
fn verdict(checker: &Checker, case: &Case) -> Option<bool> {
    let text = case.value.text().as_bytes();
    let explained = checker.check(&case.value).is_ok();
    let agree =
        checker.is_valid(text) == explained && checker.check_json(text).is_ok() == explained;
    agree.then_some(explained)
}
