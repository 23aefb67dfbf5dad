use crate::json::{Kind, Node};
use crate::model::ToolName;
use crate::returns::Returns;

use super::super::export::{Export, ExportedTool};
use super::super::mcp;

/// What the exported definition declares about the results of a tool.
#[derive(Clone, Copy, Default)]
pub(in crate::dialect) struct DefinitionHint<'t> {
    tool: Option<&'t ExportedTool>,
    /// The keys of result schemas in definitions.
    schemas: &'static [&'static str],
}

impl<'t> DefinitionHint<'t> {
    pub(super) fn about(name: &ToolName, tools: Option<&'t Export>) -> Self {
        Self {
            tool: tools.and_then(|tools| tools.get(name.as_str())),
            schemas: tools.map_or(&[], |tools| tools.dialect().spec().output_keys),
        }
    }

    /// What the definition calls the tool.
    pub(super) fn name(self) -> Option<&'t str> {
        self.tool.map(ExportedTool::name)
    }

    /// Whether the definition has a result schema.
    pub(super) fn schema(self) -> bool {
        self.definition().is_some_and(|definition| {
            let of = |key: &&str| definition.get(key);
            let mut schemas = self.schemas.iter().filter_map(of);
            schemas.any(|schema| schema.kind() != Kind::Null)
        })
    }

    /// Whether results are wrapped into an object.
    pub(super) fn wrapped(self) -> bool {
        let meta = self.definition().and_then(|tool| tool.get("_meta"));
        let wrapped = meta.and_then(|meta| meta.get(mcp::WRAPPED));
        wrapped.and_then(Node::as_bool) == Some(true)
    }

    /// Whether the tool returns plain text.
    pub(super) fn only_text(self) -> bool {
        self.tool
            .is_some_and(|tool| matches!(tool.contract().returns(), Returns::Opaque))
    }

    fn definition(self) -> Option<Node<'t>> {
        self.tool.map(|tool| tool.definition().root())
    }
}
