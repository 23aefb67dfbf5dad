//! Collects findings while a document is checked, and turns them into violations at the end.
//!
//! A finding names an entry of the index; its pointer, line and column are worked out once, for
//! all findings together, so that a check costs nothing where nothing is wrong.

use std::collections::HashSet;
use std::ops::Range;

use super::{Document, NodeId, Value, paths};
use crate::text::shorten;
use crate::violation::location::Locator;
use crate::violation::{
    Fix, Location, Pointer, Rule, Severity, Suggestion, Violation, Violations, nearest,
};

/// One rule broken, before its line and column are known.
#[derive(Debug, Clone)]
pub(crate) struct Finding {
    rule: &'static Rule,
    place: Place,
    message: String,
    advice: Option<Advice>,
    schema: Option<Pointer>,
    /// How many more names may be compared for suggestions.
    comparisons: usize,
}

/// Names compared for the suggestions of one report. A person reads the first few; a thousand
/// mistakes with a thousand names each must not take seconds.
const COMPARISONS: usize = 20_000;

#[derive(Debug, Clone)]
struct Advice {
    text: String,
    edit: Option<Edit>,
}

/// Where a finding is.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    /// A value.
    Node(NodeId),
    /// A member of an object, by its key's entry: points at the key.
    Key(NodeId),
    /// Some bytes of the text, inside of an entry.
    Bytes { within: NodeId, span: Range<usize> },
}

/// A change that would fix it, in terms of entries.
#[derive(Debug, Clone)]
pub(crate) enum Edit {
    /// Write this JSON in place of a value.
    Replace(NodeId, String),
    /// Write another member after the member with this value: a key and its JSON.
    AddMember(NodeId, &'static str, String),
    /// Remove a member or an element, with its comma.
    Remove(Removal),
    /// Remove some bytes of a JSON text.
    Cut(Range<usize>),
}

/// A member of an object or an element of an array to remove.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Removal {
    /// The key of a member, or the element.
    pub(crate) first: NodeId,
    /// The value of a member, or the element.
    pub(crate) last: NodeId,
    /// The value before it in the same container.
    pub(crate) previous: Option<NodeId>,
}

impl Finding {
    pub(crate) fn say(&mut self, message: impl Into<String>) -> &mut Self {
        self.message = message.into();
        self
    }

    pub(crate) fn advise(&mut self, text: impl Into<String>) -> &mut Self {
        self.advice = Some(Advice {
            text: text.into(),
            edit: None,
        });
        self
    }

    /// Advice that is certain enough to be applied.
    pub(crate) fn fix(&mut self, text: impl Into<String>, edit: Edit) -> &mut Self {
        self.advice = Some(Advice {
            text: text.into(),
            edit: Some(edit),
        });
        self
    }

    pub(crate) fn did_you_mean(&mut self, name: Option<&str>) -> &mut Self {
        match name {
            Some(name) => self.advise(format!("did you mean `{}`?", shorten(name))),
            None => self,
        }
    }

    /// Suggests the candidate that `name` was most likely meant to be.
    pub(crate) fn did_you_mean_one_of<'a>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> &mut Self {
        let mut compared = 0;
        let candidates = candidates.into_iter().take(self.comparisons);
        let meant = nearest(name, candidates.inspect(|_| compared += 1));
        self.comparisons -= compared;
        self.did_you_mean(meant)
    }

    pub(crate) fn schema(&mut self, pointer: Pointer) -> &mut Self {
        self.schema = Some(pointer);
        self
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Report {
    findings: Vec<Finding>,
    limit: usize,
    errors: usize,
    omitted_errors: usize,
    omitted_warnings: usize,
    comparisons: usize,
}

impl Report {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            findings: Vec::new(),
            limit,
            errors: 0,
            omitted_errors: 0,
            omitted_warnings: 0,
            comparisons: COMPARISONS,
        }
    }

    /// A report with the same limit and nothing in it.
    pub(crate) fn empty(&self) -> Self {
        Self::new(self.limit)
    }

    /// Adds a finding. Past the limit it is only counted, and `describe` is not called.
    pub(crate) fn add(
        &mut self,
        rule: &'static Rule,
        place: Place,
        describe: impl FnOnce(&mut Finding),
    ) {
        if self.is_full() {
            return self.count(rule, 1);
        }
        self.errors += usize::from(rule.severity == Severity::Error);
        let message = rule.title.to_owned();
        let mut finding = Finding {
            rule,
            place,
            message,
            advice: None,
            schema: None,
            comparisons: self.comparisons,
        };
        describe(&mut finding);
        self.comparisons = finding.comparisons;
        self.findings.push(finding);
    }

    /// Counts findings that nobody will read one by one.
    pub(crate) fn count(&mut self, rule: &'static Rule, how_many: usize) {
        match rule.severity {
            Severity::Error => {
                self.errors += how_many;
                self.omitted_errors += how_many;
            }
            Severity::Warning => self.omitted_warnings += how_many,
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.findings.len() >= self.limit
    }

    /// The number of errors so far.
    pub(crate) fn errors(&self) -> usize {
        self.errors
    }

    /// The violations, with their places in the source of a document.
    pub(crate) fn finish(self, document: &Document) -> Violations {
        let removed = self.removed();
        let mut violations = self.resolve(
            document.index(),
            &Pointer::root(),
            |place| Some(document.span_of(place)),
            |edit| document.fix_for(edit, &removed),
        );
        let mut locator = Locator::new(document.text());
        for violation in &mut violations.list {
            if let Some(location) = &mut violation.location {
                *location = locator.locate(location.span.clone());
            }
        }
        violations
    }

    /// The violations of a value that has no source of its own, and is at `prefix` of a larger one.
    pub(crate) fn finish_value(self, value: &Value, prefix: &Pointer) -> Violations {
        self.resolve(&value.0, prefix, |_| None, |_| None)
    }

    /// Everything to remove, so that no comma is removed twice.
    fn removed(&self) -> HashSet<NodeId> {
        let edits = self
            .findings
            .iter()
            .filter_map(|f| f.advice.as_ref()?.edit.as_ref());
        edits
            .filter_map(|edit| match edit {
                Edit::Remove(removal) => Some(removal.first),
                _ => None,
            })
            .collect()
    }

    fn resolve(
        self,
        index: &crate::json::Index,
        prefix: &Pointer,
        span: impl Fn(&Place) -> Option<Range<usize>>,
        fix: impl Fn(Edit) -> Option<Fix>,
    ) -> Violations {
        let targets: Vec<NodeId> = self.findings.iter().map(|f| f.place.target()).collect();
        let pointers = paths(index, &targets, prefix);
        let mut list: Vec<(NodeId, Violation)> = self
            .findings
            .into_iter()
            .zip(pointers)
            .map(|(finding, pointer)| {
                let location = span(&finding.place).map(Location::unresolved);
                let suggestion = finding.advice.map(|advice| Suggestion {
                    text: advice.text,
                    fix: advice.edit.and_then(&fix),
                });
                let violation = Violation {
                    rule: finding.rule,
                    message: finding.message,
                    pointer,
                    schema_pointer: finding.schema,
                    location,
                    suggestion,
                };
                (finding.place.target(), violation)
            })
            .collect();
        list.sort_by_key(|(id, v)| (v.location.as_ref().map(|l| l.span.start), *id));
        Violations {
            list: list.into_iter().map(|(_, violation)| violation).collect(),
            omitted_errors: self.omitted_errors,
            omitted_warnings: self.omitted_warnings,
        }
    }
}

impl Place {
    /// The entry whose pointer is the finding's.
    fn target(&self) -> NodeId {
        match self {
            Place::Node(id) | Place::Bytes { within: id, .. } => *id,
            Place::Key(id) => id + 1,
        }
    }
}
