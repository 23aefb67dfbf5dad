use super::{Rule, Subject::Any, Subject::Call, Subject::Schema};

rules! {
    UNKNOWN_KIND = Rule::error("unknown-document", "A document must be of a kind that toolpact knows.")
        .because(
            "The kind is found by the fields: `toolpact` makes a contract document, \
             `function_declarations` an ADM tool, `parameters` a function declaration, `args` a call, \
             `status` a result, a `type` in upper case an ADM schema, in lower case a JSON Schema, \
             `llm` an ADL agent. Tools of OpenAI, Anthropic, Gemini, MCP and OpenAPI are known by the \
             fields that each has for itself. With `--from KIND` it is checked as that kind.",
        )
        .shown(Any, br#"{"hello": "world"}"#, br#"{"type": "STRING"}"#);
    WRONG_TYPE = Rule::error("wrong-type", "A field must have the type the specification gives it.")
        .because("The specification has a table of fields and types for each structure.")
        .shown(
            Call,
            br#"{"name": "get_time", "args": []}"#,
            br#"{"name": "get_time", "args": {}}"#,
        );
    MISSING_FIELD = Rule::error("missing-field", "A required field must be there.")
        .because(
            "A function without parameters still has `parameters`, and a call without arguments \
             still has `args`: an empty object.",
        )
        .shown(Call, br#"{"name": "get_time"}"#, br#"{"name": "get_time", "args": {}}"#);
    UNKNOWN_FIELD = Rule::error("unknown-field", "A structure may have only the fields it is defined with.")
        .because(
            "A field that nobody reads is usually a misspelt one, or one of another dialect \
             (`minLength`, `format` and `default` are JSON Schema, not ADM).",
        )
        .shown(
            Schema,
            br#"{"type": "STRING", "minLength": 1}"#,
            br#"{"type": "STRING", "description": "Not empty"}"#,
        );
    NULL_FIELD = Rule::error("null-field", "An optional field that is absent must be left out.")
        .because(
            "Absent and null are two ways to say the same thing, and programs treat them \
             differently. `toolpact check --fix` removes the field from JSON.",
        )
        .shown(Schema, br#"{"type": "STRING", "description": null}"#, br#"{"type": "STRING"}"#);
}
