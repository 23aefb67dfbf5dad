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
             must not depend on where it is read. Write the schema out under `$defs`.",
        )
        .shown(
            JsonSchema,
            br#"{"$ref": "https://example.com/user.json"}"#,
            br##"{"$ref": "#/$defs/User", "$defs": {"User": {"type": "object"}}}"##,
        );
    CIRCLE = Rule::error("json-schema-circle", "A JSON Schema must not apply itself to the same value again.")
        .because(
            "Checking would never end. A schema may refer to itself from inside of \
             `properties`, `items` and the like, where the value gets smaller with each step.",
        )
        .shown(
            JsonSchema,
            br##"{"type": "object", "allOf": [{"$ref": "#"}]}"##,
            br##"{"type": "object", "properties": {"child": {"$ref": "#"}}}"##,
        );
    DIALECT = Rule::error("json-schema-dialect", "A JSON Schema must be in a dialect that is known.")
        .because(
            "`$schema` names what the keywords mean. Nothing is ever fetched, so what an unknown \
             URI stands for cannot be found out, and a guess could enforce what nobody promised.",
        )
        .shown(
            JsonSchema,
            br#"{"$schema": "https://example.com/my-dialect", "type": "string"}"#,
            br#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}"#,
        );
    DIALECT_OLD = Rule::warning("json-schema-dialect-old", "A JSON Schema should be written in 2020-12.")
        .because(
            "It is read as 2020-12, whatever it says. Most keywords mean the same in every \
             dialect; those that do not are errors.",
        )
        .shown(
            JsonSchema,
            br#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "string"}"#,
            br#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string"}"#,
        );
    DIALECT_KEYWORD = Rule::error("json-schema-dialect-keyword", "A keyword must mean in 2020-12 what it means in the dialect of its schema.")
        .because(
            "`items` with a list, `dependencies`, `$recursiveRef`, `id`, and in draft-07 and before \
             everything beside `$ref`: 2020-12 ignores them or reads them in another way, so the \
             schema would accept something else than its author meant.",
        )
        .shown(
            JsonSchema,
            br#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "string"}]}"#,
            br#"{"prefixItems": [{"type": "string"}]}"#,
        );
    TOO_LARGE = Rule::error("json-schema-too-large", "A JSON Schema must not be larger or deeper than the limits.")
        .because(
            "At most 4 MiB of text, 100 levels of nesting, 10,000 subschemas that apply to one \
             value when references are followed, and patterns of 500,000 states. Schemas come from outside, and one that is larger \
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
