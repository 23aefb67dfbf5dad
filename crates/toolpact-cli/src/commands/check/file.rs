use toolpact_core::document::{AnyDocument, Detection, DocumentKind, parts};
use toolpact_core::json::Document;
use toolpact_core::violation::Checked;
use toolpact_core::{Violation, Violations};

/// A file and what was found in it.
pub(super) struct CheckedFile {
    pub(super) document: Document,
    checked: Checked<Vec<AnyDocument>>,
    /// The given kind, or else the detected kind of each part of the file.
    kind: Option<DocumentKind>,
    detected: Vec<Option<Detection>>,
}

impl CheckedFile {
    /// Checks a file as this kind of document, or as the detected kind.
    pub(super) fn check(document: Document, kind: Option<DocumentKind>) -> Self {
        let checked = AnyDocument::check_each(&document, kind);
        let root = document.root().filter(|_| kind.is_none());
        let detected = root.map(parts).into_iter().flatten();
        Self {
            checked,
            kind,
            detected: detected.map(|(_, found)| found).collect(),
            document,
        }
    }

    pub(super) fn violations(&self) -> &Violations {
        &self.checked.violations
    }

    /// The documents in it, if they are valid.
    pub(super) fn documents(&self) -> impl Iterator<Item = &AnyDocument> {
        self.checked.value.iter().flatten()
    }

    /// How many fixes may be applied: none, if the kind of the file is uncertain.
    pub(super) fn fixes(&self) -> usize {
        let is_certain = |found: &Option<Detection>| found.is_some_and(|found| found.is_certain);
        let has_fix = |v: &&Violation| v.suggestion().is_some_and(|s| s.fix.is_some());
        match self.kind.is_some() || self.detected.iter().all(is_certain) {
            true => self.violations().iter().filter(has_fix).count(),
            false => 0,
        }
    }

    /// Whether a file that was not named is not a toolpact document: no kind was detected, or the
    /// kind is a guess and the file breaks its rules. Lists of tools are reported.
    pub(super) fn is_of_others(&self) -> bool {
        let is_broken = self.violations().errors() > 0;
        let is_theirs = |found: &Option<Detection>| {
            found.is_none_or(|found| {
                let is_tools = matches!(found.kind, DocumentKind::Tools(_));
                is_broken && !found.is_certain && !is_tools
            })
        };
        let is_read = self.kind.is_none() && self.document.root().is_some();
        is_read && self.detected.iter().all(is_theirs)
    }
}
