use toolpact_core::document::{AnyDocument, Detection, DocumentKind, parts};
use toolpact_core::json::Document;
use toolpact_core::lint::{self, Selection};
use toolpact_core::violation::Checked;
use toolpact_core::{Violation, Violations};

/// A file and what was found in it. If its kind is uncertain, there are no fixes.
pub(super) struct CheckedFile {
    pub(super) document: Document,
    checked: Checked<Vec<AnyDocument>>,
    /// The given kind, or else the detected kind of each part of the file.
    kind: Option<DocumentKind>,
    detected: Vec<Option<Detection>>,
}

impl CheckedFile {
    /// Checks a file as this kind of document, or as the detected kind, and looks at its tools by these rules.
    pub(super) fn check(
        document: Document,
        kind: Option<DocumentKind>,
        lint: Option<&Selection>,
    ) -> Self {
        let mut checked = AnyDocument::check_each(&document, kind);
        let root = document.root().filter(|_| kind.is_none());
        let parts = root.map(parts).into_iter().flatten();
        let detected: Vec<_> = parts.map(|(_, found)| found).collect();
        let is_certain = |found: &Option<Detection>| found.is_some_and(|found| found.is_certain);
        if !detected.iter().all(is_certain) {
            checked.violations = checked.violations.without_fixes();
        }
        if let Some(rules) = lint {
            let found = lint::document(&document, kind, rules);
            checked.violations = checked.violations.and(found);
        }
        Self {
            document,
            checked,
            kind,
            detected,
        }
    }

    pub(super) fn violations(&self) -> &Violations {
        &self.checked.violations
    }

    /// The documents in it, if they are valid.
    pub(super) fn documents(&self) -> impl Iterator<Item = &AnyDocument> {
        self.checked.value.iter().flatten()
    }

    /// How many fixes there are.
    pub(super) fn fixes(&self) -> usize {
        let has_fix = |v: &&Violation| v.suggestion().is_some_and(|s| s.fix.is_some());
        self.violations().iter().filter(has_fix).count()
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
