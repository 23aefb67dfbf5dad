use super::{Rule, Subject::Schema};

rules! {
    TYPE_UNKNOWN = Rule::error("schema-type-unknown", "`type` must be STRING, NUMBER, INTEGER, BOOLEAN, ARRAY or OBJECT.")
        .because(
            "The six types of ADM 3.3.2, in capitals. Lower case is how JSON Schema and Gemini \
             write them; `toolpact check --fix` changes it.",
        )
        .shown(Schema, br#"{"type": "string"}"#, br#"{"type": "STRING"}"#);
    ITEMS_MISSING = Rule::error("schema-items-missing", "An ARRAY must say what its `items` are.")
        .because("All elements of an array conform to one schema (ADM 3.3.7).")
        .shown(Schema, br#"{"type": "ARRAY"}"#, br#"{"type": "ARRAY", "items": {"type": "STRING"}}"#);
    ENUM_NOT_STRING = Rule::error("schema-enum-not-string", "`enum` is only for STRING.")
        .because("Its values are strings, so no other type could match one (ADM 3.3.7).")
        .shown(
            Schema,
            br#"{"type": "INTEGER", "enum": ["1", "2"]}"#,
            br#"{"type": "STRING", "enum": ["1", "2"]}"#,
        );
    ENUM_EMPTY = Rule::error("schema-enum-empty", "`enum` must have at least one value.")
        .because("Nothing could match an empty one. Leave it out to allow any string.")
        .shown(Schema, br#"{"type": "STRING", "enum": []}"#, br#"{"type": "STRING"}"#);
    ENUM_DUPLICATE = Rule::error("schema-enum-duplicate", "The values of `enum` must differ.")
        .because("A value that is there twice is probably a mistake for another one. `toolpact check --fix` removes it.")
        .shown(
            Schema,
            br#"{"type": "STRING", "enum": ["low", "high", "low"]}"#,
            br#"{"type": "STRING", "enum": ["low", "high"]}"#,
        );
    REQUIRED_UNKNOWN = Rule::error("schema-required-unknown", "`required` may name only keys of `properties`.")
        .because(
            "A key that is required but not described could never be given: unknown keys are \
             refused (ADM 3.3.7).",
        )
        .shown(
            Schema,
            br#"{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["town"]}"#,
            br#"{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}"#,
        );
    REQUIRED_DUPLICATE = Rule::error("schema-required-duplicate", "The names in `required` must differ.")
        .because("A name that is there twice is probably a mistake for another one. `toolpact check --fix` removes it.")
        .shown(
            Schema,
            br#"{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city", "city"]}"#,
            br#"{"type": "OBJECT", "properties": {"city": {"type": "STRING"}}, "required": ["city"]}"#,
        );
    NO_EFFECT = Rule::warning("schema-keyword-no-effect", "A keyword should be one that its type uses.")
        .because(
            "`properties` and `required` are for OBJECT and `items` is for ARRAY. On another type \
             they change nothing, so either they or the type is a mistake.",
        )
        .shown(
            Schema,
            br#"{"type": "STRING", "items": {"type": "STRING"}}"#,
            br#"{"type": "ARRAY", "items": {"type": "STRING"}}"#,
        );
}
