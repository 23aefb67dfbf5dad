//! The names of operations.

use std::collections::HashSet;

use super::super::super::names::alias;
use super::operation::Heading;

/// The names that are taken.
pub(super) struct Names(HashSet<String>);

impl Names {
    pub(super) fn new(headings: &[Heading<'_>]) -> Self {
        Self(headings.iter().filter_map(own).collect())
    }

    /// Its `operationId`, or a name made from method and path. It depends on these alone, unless an
    /// earlier operation has the same name.
    pub(super) fn name(&mut self, heading: &Heading<'_>) -> String {
        if let Some(name) = own(heading) {
            return name;
        }
        let Heading { method, path, .. } = heading;
        let words = path.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let words = words.filter(|word| !word.is_empty());
        let words: Vec<&str> = std::iter::once(*method).chain(words).collect();
        let name = words.join("_");
        if self.0.insert(name.clone()) {
            return name;
        }
        let name = alias(&format!("{method} {path}"), 64, |name| {
            self.0.contains(name)
        });
        self.0.insert(name.to_string());
        name.into()
    }
}

fn own(heading: &Heading<'_>) -> Option<String> {
    let name = heading.at.text("operationId")?;
    (!name.trim().is_empty()).then_some(name)
}
