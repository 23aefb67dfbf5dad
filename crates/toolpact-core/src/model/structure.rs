use super::Kind;

/// The definitions of all structures. Hard rules only: what merely warns is not in it.
const DEFINITIONS: &str = include_str!("structure.json");

impl Kind {
    /// The JSON Schema (2020-12) of this kind of document, for other languages.
    ///
    /// It cannot say everything: that names are unique within a tool, that `required` names
    /// properties, and what strict JSON forbids, remain for `toolpact check`.
    #[must_use]
    pub fn json_schema(self) -> String {
        let (title, name) = match self {
            Kind::Tool => ("ADM tool", "Tool"),
            Kind::Declaration => ("ADM function declaration", "FunctionDeclaration"),
            Kind::Schema => ("ADM schema", "Schema"),
            Kind::Call => ("ADM function call", "FunctionCall"),
            Kind::Result => ("ADM tool result", "ToolResult"),
        };
        let definitions = DEFINITIONS.trim_end().replace('\n', "\n  ");
        format!(
            r##"{{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "{title}",
  "$ref": "#/$defs/{name}",
  "$defs": {definitions}
}}
"##
        )
    }
}
