use crate::contract::Contract;
use crate::dialect::{self, Dialect, Import, ImportedTool};
use crate::json::report::{Place, Report};
use crate::json::{Node, Value, node_at};
use crate::{Severity, Violations};

use super::DocumentKind;

/// A list of tools in the format of a provider or a protocol, each read into a contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolsDocument {
    dialect: Dialect,
    tools: Vec<ImportedTool>,
    source: Value,
}

impl ToolsDocument {
    /// The dialect of the list. It may also contain tools of other dialects.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The tools, in the order of the document.
    #[must_use]
    pub fn tools(&self) -> &[ImportedTool] {
        &self.tools
    }

    /// The contracts.
    pub fn contracts(&self) -> impl Iterator<Item = &Contract> {
        self.tools.iter().map(|tool| &tool.contract)
    }

    /// The whole document as it was written.
    #[must_use]
    pub fn source(&self) -> &Value {
        &self.source
    }

    pub(super) fn read(node: Node<'_>, dialect: Dialect, report: &mut Report) -> Option<Self> {
        let by_shape = DocumentKind::of(node) == Some(dialect.into());
        let forced = (!by_shape).then_some(dialect);
        let import = Import::of(node, forced.map(DocumentKind::Tools), report)?;
        let before = report.errors();
        dialect::check(node, forced, import.left_out(), report);
        for bad in import.left_out().iter().filter(|bad| !bad.is_hosted) {
            add(&bad.violations, node, report);
        }
        (report.errors() == before).then(|| Self {
            dialect,
            tools: import.tools().to_vec(),
            source: node.to_value(),
        })
    }
}

/// Adds the errors of a tool with their places in the document. Warnings about contracts do not
/// apply to other dialects.
fn add(violations: &Violations, root: Node<'_>, report: &mut Report) {
    let errors = violations
        .iter()
        .filter(|v| v.severity() == Severity::Error);
    for violation in errors {
        let place = Place::Node(node_at(root, violation.pointer()).id());
        report.add(violation.rule(), place, |finding| {
            finding.say(violation.message());
            if let Some(suggestion) = violation.suggestion() {
                finding.advise(suggestion.text.as_str());
            }
            if let Some(pointer) = violation.schema_pointer() {
                finding.schema(pointer.clone());
            }
        });
    }
}
