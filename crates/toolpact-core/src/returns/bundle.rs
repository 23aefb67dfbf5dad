use crate::json::Writer;

use super::StandardType;

/// One JSON Schema document with all standard return types, in which every spelling of a reference
/// to them resolves under an ordinary validator.
///
/// A value is a return type object if it is valid under it; the types are under `$defs`.
#[must_use]
pub fn bundle() -> String {
    let mut writer = Writer::default();
    writer.begin_object();
    writer
        .key("$schema")
        .string("https://json-schema.org/draft/2020-12/schema");
    writer.key("title").string("ADL 1.5 return types");
    writer.key("$ref").string("#/$defs/ReturnType");
    writer.key("$defs").begin_object();
    writer
        .key("ReturnType")
        .raw(with_names(include_str!("return_type.schema.json")).trim_end());
    writer.key("StandardReturnTypes").begin_object();
    references(&mut writer);
    writer.key("properties").begin_object();
    references(&mut writer);
    writer.end_object().end_object();
    for standard in StandardType::all() {
        writer
            .key(&format!("{standard}Schema"))
            .raw(standard.schema_text());
    }
    writer.end_object().end_object();
    pretty(&writer.finish())
}

/// Replaces `{StandardType}` in a JSON Schema with the names of the standard types: in a list, one
/// line each; in a pattern, all of them as alternatives.
pub(crate) fn with_names(schema: &str) -> String {
    const NAME: &str = "{StandardType}";
    let names = || StandardType::all().map(StandardType::name);
    let expand = |line: &str| {
        let item = line.trim_end().trim_end_matches(',');
        if item.trim_start() == format!("\"{NAME}\"") {
            let items: Vec<String> = names().map(|name| item.replace(NAME, name)).collect();
            return line.replace(item, &items.join(",\n"));
        }
        line.replace(NAME, &names().collect::<Vec<_>>().join("|"))
    };
    schema.split_inclusive('\n').map(expand).collect()
}

/// Both `#/$defs/StandardReturnTypes/X` and `#/$defs/StandardReturnTypes/properties/X` are used.
fn references(writer: &mut Writer) {
    for standard in StandardType::all() {
        writer.key(standard.name()).begin_object();
        writer
            .key("$ref")
            .string(&format!("#/$defs/{standard}Schema"))
            .end_object();
    }
}

fn pretty(json: &str) -> String {
    let value = crate::json::Value::embedded(json);
    serde_json::to_string_pretty(&value).unwrap_or_else(|_| json.to_owned())
}
