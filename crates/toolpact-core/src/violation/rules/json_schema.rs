use super::{Rule, Subject::JsonSchema};

rules! {
    INVALID = Rule::error("json-schema-invalid", "A JSON Schema must be valid under its meta-schema, 2020-12.")
        .because(
            "A keyword with a value of the wrong type is ignored by some validators and refused \
             by others. Patterns must run in linear time, so they have no look-around and no \
             back-references.",
        )
        .shown(JsonSchema, br#"{"type": "text"}"#, br#"{"type": "string"}"#);
    REFERENCE = Rule::error("json-schema-reference", "A reference must stay inside of its schema, or mean a standard return type.")
        .because(
            "Nothing is ever fetched, from the network or the file system: what a contract says \
             must not depend on who reads it where. Write the schema out under `$defs`.",
        )
        .shown(
            JsonSchema,
            br#"{"$ref": "https://example.com/user.json"}"#,
            br##"{"$ref": "#/$defs/User", "$defs": {"User": {"type": "object"}}}"##,
        );
    TOO_LARGE = Rule::error("json-schema-too-large", "A JSON Schema may be only so large and so deep.")
        .because(
            "At most 4 MiB of text, 100 levels of nesting, and 10,000 subschemas that apply to one \
             value when references are followed. Schemas come from outside, and one that is larger \
             than this is an accident or an attack.",
        )
        .shown(JsonSchema, DEEP.as_bytes(), br#"{"items": {"items": {}}}"#);
}

macro_rules! ten_times {
    ($text:literal) => {
        concat!(
            $text, $text, $text, $text, $text, $text, $text, $text, $text, $text
        )
    };
}

/// 110 levels on a few lines.
const DEEP: &str = concat!(
    ten_times!(
        "{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":{\"items\":\n"
    ),
    "{}",
    ten_times!("}}}}}}}}}}}"),
);
