use super::{Rule, Subject::ReturnType};

rules! {
    TYPE_UNKNOWN = Rule::error("returns-type-unknown", "The type of a return must be a standard type, `Custom`, a category or a JSON type.")
        .because(
            "The fourteen standard types are listed by `toolpact returns`. Names are compared \
             exactly.",
        )
        .shown(
            ReturnType,
            br##"{"type": "ListResults", "schema": {"$ref": "#/$defs/StandardReturnTypes/ListResult"}, "examples": []}"##,
            br##"{"type": "ListResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/ListResult"}, "examples": []}"##,
        );
    SCHEMA_MISSING = Rule::error("returns-schema-missing", "A return type object must have a schema.")
        .because(
            "In an ADL document the name alone is not enough (ADL 2.2). `toolpact check --fix` \
             adds the reference. In a contract document the bare name is the normal form.",
        )
        .shown(
            ReturnType,
            br#"{"type": "VoidResult", "examples": [{"success": true}]}"#,
            br##"{"type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": [{"success": true}]}"##,
        );
    REFERENCE = Rule::error("returns-reference", "The schema of a return must be a schema or a reference to a standard type.")
        .because("Nothing is ever fetched: write the schema in its place.")
        .shown(
            ReturnType,
            br#"{"type": "Custom", "schema": "https://example.com/user.json", "examples": []}"#,
            br#"{"type": "VoidResult", "schema": "https://adl.io/schemas/returns/VoidResult", "examples": []}"#,
        );
    CONTRADICTION = Rule::error("returns-contradiction", "The type of a return and its schema must not contradict each other.")
        .because(
            "A schema under a standard type narrows it: what it adds must leave values that are \
             of that type. A schema that refers to another type, or excludes what the type \
             requires, promises something no result can keep.",
        )
        .shown(
            ReturnType,
            br#"{"type": "ListResult", "schema": {"type": "array"}, "examples": []}"#,
            br#"{"type": "ListResult", "schema": {"type": "object"}, "examples": []}"#,
        );
    CONTENT_TYPE = Rule::error("returns-content-type", "The content type of a return must be a MIME type.")
        .because("`type/subtype`, with parameters if need be (RFC 9110). Left out, it is `application/json`.")
        .shown(
            ReturnType,
            br##"{"type": "StringValue", "schema": {"$ref": "#/$defs/StandardReturnTypes/StringValue"}, "examples": ["a"], "content_type": "text"}"##,
            br##"{"type": "StringValue", "schema": {"$ref": "#/$defs/StandardReturnTypes/StringValue"}, "examples": ["a"], "content_type": "text/plain"}"##,
        );
    TYPE_WORD = Rule::warning("returns-type-word", "The type of a return should be the name of its standard type, or `Custom`.")
        .because(
            "Categories and JSON types are understood, but the name says more. `toolpact check \
             --fix` and `toolpact migrate` write it.",
        )
        .shown(
            ReturnType,
            br##"{"type": "object", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": []}"##,
            br##"{"type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": []}"##,
        );
    LEGACY = Rule::warning("returns-legacy", "A return should be declared in the form of ADL 1.5.")
        .because(
            "The form of ADL 1.0, a word and a description, stays valid but promises nothing that \
             could be enforced. `toolpact migrate` rewrites it (ADL 7).",
        )
        .shown(
            ReturnType,
            br#"{"type": "object", "description": "Returns user data"}"#,
            br##"{"type": "EntityResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/EntityResult"}, "examples": [{"id": "1", "type": "user"}]}"##,
        );
    PREFER_STANDARD = Rule::warning("returns-prefer-standard", "A standard return type should be used where one fits.")
        .because("Everyone downstream knows how to read it (ADL 8.1).")
        .shown(
            ReturnType,
            br#"{"type": "Custom", "schema": {"type": "string"}, "examples": ["a"]}"#,
            br##"{"type": "StringValue", "schema": {"$ref": "#/$defs/StandardReturnTypes/StringValue"}, "examples": ["a"]}"##,
        );
    NO_EXAMPLE = Rule::warning("returns-no-example", "A return should have an example.")
        .because("People and models learn from it, and it is checked against the schema (ADL 8.1).")
        .shown(
            ReturnType,
            br##"{"type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}}"##,
            br##"{"type": "VoidResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/VoidResult"}, "examples": [{"success": true}]}"##,
        );
    NO_CONTENT_TYPE = Rule::warning("returns-no-content-type", "A binary return should name its content type.")
        .because("The default, `application/json`, is rarely what a file or an image is (ADL 8.1).")
        .shown(
            ReturnType,
            br##"{"type": "FileResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/FileResult"}, "examples": []}"##,
            br##"{"type": "FileResult", "schema": {"$ref": "#/$defs/StandardReturnTypes/FileResult"}, "examples": [], "content_type": "text/csv"}"##,
        );
}
