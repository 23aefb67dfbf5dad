/// The definitions of all structures. Hard rules only: what merely warns is not in it.
const DEFINITIONS: &str = include_str!("structure.json");

/// The JSON Schema (2020-12) of one of the structures.
pub(crate) fn structure_json_schema(title: &str, name: &str) -> String {
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
