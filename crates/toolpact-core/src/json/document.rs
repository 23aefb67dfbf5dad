use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use super::index::{Index, NodeId};
use super::{Limits, Node, Value, edit, read, yaml};
use crate::json::report::{Edit, Place, Report};
use crate::violation::location::Locator;
use crate::violation::{Checked, Fix, Location, Pointer, Violations};

/// A text that was read: its value, as far as it could be read, and its violations.
#[derive(Debug)]
pub struct Document {
    pub(super) index: Arc<Index>,
    /// Whether the index is complete. If not, reading stopped before the end of the text.
    pub(super) whole: bool,
    pub(super) yaml: Option<YamlSource>,
    pub(super) report: Report,
}

/// For a YAML document: its text, and the span in it of each entry of the index.
#[derive(Debug)]
pub(super) struct YamlSource {
    pub(super) text: Box<str>,
    pub(super) spans: Vec<(u32, u32)>,
}

/// The formats of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Strict JSON (RFC 8259).
    Json,
    /// YAML 1.2 with the core schema, restricted to what JSON can represent.
    Yaml,
}

impl Document {
    /// Reads a text in the given format.
    #[must_use]
    pub fn parse(bytes: &[u8], format: Format, limits: &Limits) -> Self {
        match format {
            Format::Json => Self::json(bytes, limits),
            Format::Yaml => Self::yaml(bytes, limits),
        }
    }

    /// Reads JSON.
    #[must_use]
    pub fn json(bytes: &[u8], limits: &Limits) -> Self {
        read::read(bytes, limits)
    }

    /// Reads YAML.
    #[must_use]
    pub fn yaml(bytes: &[u8], limits: &Limits) -> Self {
        yaml::read(bytes, limits)
    }

    /// The source text. Bytes that are not UTF-8 are shown as U+FFFD.
    #[must_use]
    pub fn text(&self) -> &str {
        self.yaml
            .as_ref()
            .map_or(&self.index.text, |yaml| &yaml.text)
    }

    /// The root node; `None` if reading stopped before the end of the text. There may be violations
    /// even if there is a root, such as duplicate keys.
    #[must_use]
    pub fn root(&self) -> Option<Node<'_>> {
        self.whole.then(|| Node::new(&self.index, 0))
    }

    /// The violations of the text as JSON or YAML.
    #[must_use]
    pub fn violations(&self) -> Violations {
        self.report.clone().finish(self)
    }

    /// Where the part at a pointer is in the text, or the smallest part around it that is there. `None` if the
    /// document has no root.
    #[must_use]
    pub fn locate(&self, pointer: &Pointer) -> Option<Location> {
        let part = self.root()?.nearest(pointer);
        let span = self.source_span(part.id());
        Some(Locator::new(self.text()).locate(span))
    }

    /// The value, if there are no errors.
    pub fn into_value(self) -> Result<Value, Violations> {
        if self.whole && self.report.errors() == 0 {
            return Ok(Value(self.index));
        }
        Err(self.violations())
    }

    /// Runs `look` on the root with the reader's report. It returns `None` if it reports an error.
    pub(crate) fn check<'a, T>(
        &'a self,
        look: impl FnOnce(Node<'a>, &mut Report) -> Option<T>,
    ) -> Checked<T> {
        let mut report = self.report.clone();
        let value = self.root().and_then(|root| look(root, &mut report));
        let value = value.filter(|_| report.errors() == 0);
        Checked {
            value,
            violations: report.finish(self),
        }
    }

    /// A report without findings, and with the limit of the reader's.
    pub(crate) fn empty_report(&self) -> Report {
        self.report.empty()
    }

    pub(crate) fn is_json(&self) -> bool {
        self.yaml.is_none()
    }

    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    pub(crate) fn span_of(&self, place: &Place) -> Range<usize> {
        match place {
            Place::Node(id) | Place::Key(id) => self.source_span(*id),
            Place::Bytes { span, .. } => span.clone(),
        }
    }

    /// The text edit that applies `edit`, given all entries that will be removed.
    pub(crate) fn fix_for(&self, edit: Edit, removed: &HashSet<NodeId>) -> Option<Fix> {
        match &self.yaml {
            None => edit::in_json(&self.index, edit, removed),
            Some(yaml) => edit::in_yaml(yaml, edit),
        }
    }

    fn source_span(&self, id: NodeId) -> Range<usize> {
        let json = || {
            self.index
                .entries
                .get(id as usize)
                .map(|e| (e.start, e.end))
        };
        let span = match &self.yaml {
            Some(yaml) => yaml.spans.get(id as usize).copied(),
            None => json(),
        };
        span.map_or(0..0, |(start, end)| start as usize..end as usize)
    }
}
